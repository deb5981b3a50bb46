/* corners.c - where terms are not smooth in time: conditions, signs and floors of t are followed
 * over the times of a run, and at a time where one changes, as at the rows of an input's table, the
 * value of the term is compared from both sides.                            theory.md [CORNERS] */
#include "model/analyse/corners.h"

#include "expr/graph.h"
#include "model/analyse/facts.h"
#include "model/bound.h"
#include "model/naming.h"

#include <float.h>
#include <math.h>

enum {
    INSTANCES = 64, /* of a term that are looked at                 */
    SAMPLES = 4096, /* of the times of a run, at most               */
    LEAST = 1024,   /* and at least,                                */
    FEWEST = 64,    /* unless expressions are long:                 */
    WORK = 4000000, /* operations for all samples of a condition    */
    SWITCHES = 256, /* of one condition that are located            */
    NODES = 64,     /* conditions of a term                         */
    POINTS = 4      /* on either side, from which a side is continued */
};

static const double NEAR = 1e-3;  /* of a step: how far these points are apart             */
static const double SLOPE = 1e-5; /* of a step: from how far a slope is taken               */
static const double EQUAL = 1e-9; /* of the largest value: both sides agree                */
static const double GOLDEN = 0.6180339887498949;

typedef struct {
    mem                 *m;
    bound               *b;
    const corners_asked *asked;
    double        *q[2], *w[2], *v[2]; /* the start, and another state that is like no other */
    const derived *d;                  /* what is looked at: an instance of a term            */
    graph          g;
    int            instance;
    double        *values, *scratch;
    corner         found; /* the worst of this term; smooth: SMOOTH if there is none          */
} search;

/* Numbers of the instance at time t, in one of the two states. */
static void take_values(search *s, double t, int state)
{
    const sys_point at = {.t = t, .q = s->q[state], .w = s->w[state], .v = s->v[state]};
    const sources   from = bound_sources(s->b, &at);
    for (int k = 0; k < s->d->feed.n; k++) {
        const feed *f = &s->d->feed.at[k];
        s->values[k] = from.of[f->from][slot_index(&f->at, s->instance)];
    }
}

static double value_at(search *s, expr e, double t, int state)
{
    take_values(s, t, state);
    return expr_eval(&s->g, e, s->values, s->scratch);
}

static double sign_of(double x)
{
    return (x > 0) - (x < 0);
}

/* On which side of its kink an operator is: a number that changes there. The edge of where it is
 * defined, as of asin(sin(t)), is met where its argument turns. */
static double side_of(search *s, expr node, double t)
{
    const expr  *arg = args_of(&s->g, node);
    const double x = value_at(s, arg[0], t, 0), aside = SLOPE * fabs(s->asked->h);
    switch (expr_opcode(&s->g, node)) {
    case OP_FLOOR: return floor(x);
    case OP_IF: return x != 0;
    case OP_MIN:
    case OP_MAX: return x <= value_at(s, arg[1], t, 0);
    case OP_TAN: return sign_of(cos(x));
    case OP_SQRT:
    case OP_POW:
    case OP_ASIN:
    case OP_ACOS:
        return sign_of(value_at(s, arg[0], t + aside, 0) - value_at(s, arg[0], t - aside, 0));
    default: return sign_of(x);
    }
}

/* The time in (a, b] at which the side is no longer that of a. */
static double switch_between(search *s, expr node, double a, double b, double side)
{
    for (;;) {
        const double middle = a + (b - a) / 2;
        if (middle == a || middle == b) return b;
        if (side_of(s, node, middle) == side) a = middle;
        else b = middle;
    }
}

/* The value and two derivatives at x = 0, in units of the distance, continued from x = 1 .. 4 (or
 * -1 .. -4) by the polynomial through these points. */
static void continued(const double f[POINTS], double sign, double out[3])
{
    out[0] = 4 * f[0] - 6 * f[1] + 4 * f[2] - f[3];
    out[1] = sign * (-13.0 / 3 * f[0] + 9.5 * f[1] - 7 * f[2] + 11.0 / 6 * f[3]);
    out[2] = 3 * f[0] - 8 * f[1] + 7 * f[2] - 2 * f[3];
}

/* How many derivatives, the value among them, agree at t from both sides: SMOOTH if all that are
 * looked at do, beside the values within a step, or if there are no numbers to compare. */
static int smoothness(search *s, expr root, double t, int state)
{
    const double h = fabs(s->asked->h), apart = NEAR * h;
    double       f[2][POINTS], side[2][3], size = 0;
    for (int k = -1; k <= 1; k += 2) {
        const double x = fabs(value_at(s, root, t + k * h, state));
        if (isfinite(x)) size = fmax(size, x);
    }
    for (int k = 0; k < 2 * POINTS; k++) {
        const int j = k % POINTS;
        f[k / POINTS][j] = value_at(s, root, t + (k < POINTS ? -1 : 1) * (j + 1) * apart, state);
        size = fmax(size, fabs(f[k / POINTS][j]));
    }
    const double allowed = (EQUAL + 10 * DBL_EPSILON * fabs(t) / apart) * size;
    continued(f[0], -1, side[0]), continued(f[1], 1, side[1]);
    for (int k = 0; k < SMOOTH; k++)
        if (fabs(side[0][k] - side[1][k]) > allowed) return k;
    return SMOOTH;
}

/* Does it stand in the equations of motion, or is it a relation as it was written? */
static bool enters(const search *s, sink into)
{
    return into == SINK_LQ || into == SINK_LW || into == SINK_F || into == SINK_G ||
           (into == SINK_E && analyse_written(s->b->c, s->d, SINK_E));
}

/* Of everything that the term adds to the equations, in either state. */
static int smoothness_of_term(search *s, double t)
{
    int least = SMOOTH;
    for (int y = 0; y < s->d->yield.n; y++)
        for (int state = 0; enters(s, s->d->yield.at[y].into) && state < 2; state++) {
            const int k = smoothness(s, s->d->yield.at[y].root, t, state);
            if (k < least) least = k;
        }
    return least;
}

/* Is t between two steps, up to roundoff? */
static bool is_on_grid(const corners_asked *a, double t)
{
    const double x = (t - a->from) / a->h;
    return !a->any_time && fabs(x - round(x)) <= 1e-9 + 1e-14 * fabs(x);
}

/* Corners between steps do no harm, unless a step looks at its ends, where the value behind a jump
 * counts for the step before it too. Relations hold over steps. */
static void look_at(search *s, double t, expr node, int input)
{
    const bool on_grid = is_on_grid(s->asked, t);
    if (on_grid && (!s->asked->at_ends || s->d->of->kind == EL_RELATION)) return;
    const int smooth = smoothness_of_term(s, t);
    if (smooth >= s->found.smooth || (on_grid && smooth > 0)) return;
    s->found = (corner){.smooth = smooth, .t = t, .on_grid = on_grid, .input = input};
    text what = text_new(s->m);
    if (node != EXPR_NONE) {
        naming self = {s->b->c, s->d, s->instance};
        expr_print(&s->g, node, naming_variable, &self, &what);
    } else model_name(s->b->c->md, MEMBER_INPUT, input, &what);
    s->found.is = (kink){s->d->of->at, text_str(&what), slot_index(&s->d->of->owner, s->instance)};
}

/* Times are spread unevenly, so that what is periodic is not met at the same phase every time. */
static void follow_node(search *s, expr node)
{
    const corners_asked *a = s->asked;
    const double         wanted = fmin(SAMPLES, fmax(LEAST, 4 * (double)a->steps));
    const int            n = (int)fmax(FEWEST, fmin(wanted, WORK / (double)node));
    const double         all = (double)a->steps * a->h;
    double               before = a->from, side = 0;
    for (int i = 0, located = 0; i < n && located < SWITCHES; i++) {
        const double x = i * GOLDEN, t = a->from + all * (i + 0.01 + 0.98 * (x - floor(x))) / n;
        const double now = side_of(s, node, t);
        if (i && now != side)
            located++, look_at(s, switch_between(s, node, before, t, side), node, -1);
        before = t, side = now;
    }
}

/* Conditions of the time alone; those of the state are kinks of their own. Whole powers have no
 * edge. */
static bool is_of_time(const search *s, expr node)
{
    double         exponent;
    const unsigned state = 1u << FROM_Q | 1u << FROM_W | 1u << FROM_V;
    const expr_op  op = expr_opcode(&s->g, node);
    const int      args = op == OP_MIN || op == OP_MAX || op == OP_ATAN2 ? 2 : 1;
    if (op == OP_POW && expr_is_const(&s->g, args_of(&s->g, node)[1], &exponent) &&
        exponent == floor(exponent))
        return false;
    for (int j = 0; j < args; j++)
        if (s->d->holds[args_of(&s->g, node)[j]] & state) return false;
    return true;
}

static bool reads_input(const search *s, int input)
{
    for (int k = 0; k < s->d->feed.n; k++)
        if (s->d->feed.at[k].from == FROM_INPUT &&
            slot_index(&s->d->feed.at[k].at, s->instance) == input)
            return true;
    return false;
}

/* Rows of a table within the run. */
static void look_at_rows(search *s, const corner_table *of)
{
    const corners_asked *a = s->asked;
    const double         all = (double)a->steps * a->h;
    for (int k = 0, looked = 0; k < of->n && looked < SAMPLES; k++) {
        const double x = (of->t[k] - a->from) / all;
        if (x > 0 && x < 1) looked++, look_at(s, of->t[k], EXPR_NONE, of->input);
    }
}

static void look_at_instance(search *s, const expr *node, int nodes)
{
    for (int k = 0; k < nodes; k++)
        if (is_of_time(s, node[k])) follow_node(s, node[k]);
    for (int i = 0; i < s->asked->tables; i++)
        if (reads_input(s, s->asked->table[i].input)) look_at_rows(s, &s->asked->table[i]);
}

/* Nodes of all that was written of the term, each once. */
static int find_nodes(search *s, expr out[NODES])
{
    int      n = 0;
    uint8_t *used = mem_array(s->m, s->d->feed.n + 1, uint8_t);
    for (int k = 0; k < s->d->feed.n; k++)
        used[k] = s->d->feed.at[k].from == FROM_TIME || s->d->feed.at[k].from == FROM_INPUT;
    for (int y = 0; y < s->d->yield.n; y++)
        if (analyse_written(s->b->c, s->d, s->d->yield.at[y].into)) {
            const int more =
                expr_kinks(&s->g, s->d->yield.at[y].root, used, true, out + n, NODES - n);
            n += more < NODES - n ? more : NODES - n;
        }
    return n;
}

static double *moved(mem *m, const double *x, int n, double by)
{
    double *out = mem_array(m, n + 1, double);
    for (int i = 0; i < n; i++) out[i] = x[i] + by * (1 + 0.3 * sin(1 + 1.7 * i));
    return out;
}

/* Terms in the order of the text; of each the first of its worst corners. */
int corners_find(mem *m, bound *b, const sys_point *start, const corners_asked *asked,
                 corner **list)
{
    const compiled *c = b->c;
    const int       n = c->sys.n;
    search          s = {.m = m, .b = b, .asked = asked};
    vec(corner) all = {0};
    expr node[NODES];
    for (int k = 0; k < 2; k++)
        s.q[k] = moved(m, start->q, n, 0.1 * k), s.w[k] = moved(m, start->w, n, 0.1 * k),
        s.v[k] = moved(m, start->v ? start->v : start->w, n, 0.1 * k);
    for (int e = 0; e < c->elements && asked->steps > 0; e++) {
        s.d = &c->element[e], s.g = graph_seen_from(&s.d->g, m);
        s.values = mem_resize(m, NULL, (size_t)(s.d->feed.n + 1) * sizeof *s.values);
        s.scratch = mem_resize(m, NULL, (size_t)(s.g.nodes.n + 1) * sizeof *s.scratch);
        s.found = (corner){.smooth = SMOOTH};
        const int nodes = find_nodes(&s, node);
        for (s.instance = 0; s.instance < s.d->instances && s.instance < INSTANCES; s.instance++)
            look_at_instance(&s, node, nodes);
        if (s.found.smooth < SMOOTH) vec_push(m, all, s.found);
        mem_drop(m, s.values), mem_drop(m, s.scratch);
    }
    *list = all.at;
    return all.n;
}
