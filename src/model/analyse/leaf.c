/* leaf.c - of a constraint that can be integrated as it is written, the function that it keeps:
 *
 *     A_i = dG/dq_i,   beta = dG/dt
 *
 * term by term, and confirmed with numbers. A row that needs a factor before it is a derivative, or
 * other rows, gets no name. */
#include "model/analyse/facts.h"
#include "model/naming.h"

#include <math.h>

typedef struct {
    const compiled *c;
    const derived  *d;
    int             instance;
    graph           g; /* variables: feeds of d, then coordinates that these have not, t */
    int             columns;
    int            *coordinate; /* of each column of the row, -1: time */
    int            *variable;
    expr           *rate; /* A_i, beta                            */
    expr            G;
} leaf;

static int index_of(const leaf *l, int k)
{
    return slot_index(&l->d->feed.at[k].at, l->instance);
}

/* The feed that stands for a number, the first of several; -1: none does. */
static int feed_of(const leaf *l, feed_kind from, int index)
{
    for (int k = 0; k < l->d->feed.n; k++)
        if (l->d->feed.at[k].from == from && (from == FROM_TIME || index_of(l, k) == index))
            return k;
    return -1;
}

/* The element and the instance that make a row. */
static bool find_row(leaf *l, int a)
{
    for (int e = 0; e < l->c->elements; e++) {
        const derived *d = &l->c->element[e];
        for (int y = 0; y < d->yield.n; y++)
            for (int k = 0; d->yield.at[y].into == SINK_E && k < d->instances; k++)
                if (slot_index(d->yield.at[y].row, k) == a) {
                    l->d = d, l->instance = k;
                    return true;
                }
    }
    return false;
}

/* Column x, of a coordinate or of time; its variable is that of the feed if there is one. */
static int find_column(leaf *l, int coordinate)
{
    for (int x = 0; x < l->columns; x++)
        if (l->coordinate[x] == coordinate) return x;
    const int x = l->columns++;
    const int k = feed_of(l, coordinate < 0 ? FROM_TIME : FROM_Q, coordinate);
    l->coordinate[x] = coordinate;
    l->variable[x] = k >= 0 ? k : l->d->feed.n + x;
    l->rate[x] = expr_const(&l->g, 0);
    return x;
}

/* Columns of all that the row depends on, with a rate or not. Velocities are 0 (A is free of them,
 * beta is what is left), numbers of the model are numbers. */
static void read_rates(mem *m, leaf *l)
{
    const derived *d = l->d;
    expr          *image = mem_array(m, d->feed.n + 1, expr);
    int           *memo = mem_array(m, d->g.nodes.n + 1, int);
    for (int k = 0; k < d->g.nodes.n; k++) memo[k] = EXPR_NONE;
    for (int k = 0; k < d->feed.n; k++) {
        const feed_kind from = d->feed.at[k].from;
        image[k] = from == FROM_V      ? expr_const(&l->g, 0)
                   : from == FROM_DATA ? expr_const(&l->g, l->c->md->data.at[index_of(l, k)])
                                       : expr_var(&l->g, feed_of(l, from, index_of(l, k)));
        if (from == FROM_Q) find_column(l, index_of(l, k));
    }
    for (int y = 0; y < d->yield.n; y++) {
        const yield *in = &d->yield.at[y];
        if (in->into != SINK_A && in->into != SINK_E) continue;
        const int x = find_column(l, in->into == SINK_E ? -1 : slot_index(in->column, l->instance));
        l->rate[x] = expr_add(&l->g, l->rate[x], expr_import(&l->g, &d->g, in->root, image, memo));
    }
}

static expr slope(leaf *l, int x)
{
    expr by;
    expr_gradient(&l->g, l->G, &l->variable[x], 1, &by);
    return by;
}

/* G grows by the integral of what it lacks, one column after the other. */
static bool integrate(leaf *l)
{
    l->G = expr_const(&l->g, 0);
    for (int x = 0; x < l->columns; x++) {
        expr lacks = expr_sub(&l->g, l->rate[x], slope(l, x));
        if (expr_is_zero(&l->g, lacks)) continue;
        expr more = expr_antiderivative(&l->g, lacks, l->variable[x]);
        if (more == EXPR_NONE) return false;
        l->G = expr_add(&l->g, l->G, more);
    }
    return true;
}

/* Derivatives of G against the rates, at a few values of everything. */
static bool is_confirmed(mem *m, leaf *l)
{
    const int variables = l->d->feed.n + l->columns;
    uint64_t  seed = 1;
    expr     *by = mem_array(m, l->columns, expr);
    double   *value = mem_array(m, variables, double);
    for (int x = 0; x < l->columns; x++) by[x] = slope(l, x);
    double *scratch = mem_array(m, l->g.nodes.n + 1, double);
    for (int point = 0; point < 3; point++) {
        for (int v = 0; v < variables; v++) value[v] = 1 + 0.7 * analyse_noise(&seed);
        for (int x = 0; x < l->columns; x++) {
            const double is = expr_eval(&l->g, by[x], value, scratch);
            const double be = expr_eval(&l->g, l->rate[x], value, scratch);
            if (!(fabs(is - be) <= 1e-9 * (fabs(is) + fabs(be)))) return false;
        }
    }
    return true;
}

static void name_variable(void *self, int variable, text *out)
{
    leaf  *l = self;
    naming feeds = {l->c, l->d, l->instance};
    if (variable < l->d->feed.n) {
        naming_variable(&feeds, variable, out);
        return;
    }
    const int i = l->coordinate[variable - l->d->feed.n];
    naming_feed(l->c, i < 0 ? FROM_TIME : FROM_Q, i, out);
}

const char *analyse_leaf(mem *m, const compiled *c, int row)
{
    enum { LONGEST = 120 }; /* characters that are worth showing */
    leaf l = {.c = c};
    text words = text_new(m);
    if (!find_row(&l, row) || c->md->turns) return NULL;
    graph_init(&l.g, m);
    l.g.asking = true;
    const int most = l.d->yield.n + l.d->feed.n;
    l.coordinate = mem_array(m, most, int);
    l.variable = mem_array(m, most, int);
    l.rate = mem_array(m, most, expr);
    read_rates(m, &l);
    if (!integrate(&l) || !is_confirmed(m, &l)) return NULL;
    expr_print_fair(&l.g, l.G, name_variable, &l, &words);
    return words.n <= LONGEST ? text_str(&words) : NULL;
}
