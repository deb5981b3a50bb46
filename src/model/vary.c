/* vary.c - how a model changes with its parameters, its inputs and explicit time: programs for the
 * derivative of all that a step adds up, in any one direction of them.     theory.md [TANGENT]
 *
 *     d y = sum_k (d y/d u_k) d u_k        over the parameters, inputs and times u_k that y reads
 *
 * The expressions are derived exactly, once per kind of term as always; directions are numbers, so
 * that one program serves them all. */
#include "model/bound.h"

#include <string.h>

typedef struct {
    sys_variation is;
    bound        *b;
    int           shapes;
    shape        *shape;
    double      **reg;
    double       *zeros; /* as many as there are parameters or inputs */
} variation;

/* What a yield becomes; a reaction is made of those of A. */
static const sink along_of[SINKS] = {
    [SINK_LQ] = SINK_LQ_ALONG, [SINK_LW] = SINK_LW_ALONG, [SINK_F] = SINK_F_ALONG,
    [SINK_E] = SINK_E_ALONG,   [SINK_G] = SINK_G_ALONG,   [SINK_A] = SINK_R_ALONG,
};

static bool moves(feed_kind from)
{
    return from == FROM_TIME || from == FROM_PARAMETER || from == FROM_INPUT;
}

static feed_kind direction_of(feed_kind from)
{
    return from == FROM_TIME ? ALONG_TIME : from == FROM_PARAMETER ? ALONG_PARAMETER : ALONG_INPUT;
}

typedef struct {
    mem           *m;
    const derived *of;
    derived       *to;
    expr          *image;
    int           *memo;
    int           *moving; /* variables that move, and how they do */
    expr          *along;
    int            movings;
    expr           lam; /* of a relation */
} deriving;

/* The variables of the element, and behind them the directions of those that move. */
static void open_variables(deriving *d)
{
    const int n = d->of->feed.n;
    for (int k = 0; k < n; k++) vec_push(d->m, d->to->feed, d->of->feed.at[k]);
    for (int k = 0; k < n; k++) {
        feed f = d->of->feed.at[k];
        d->image[k] = expr_var(&d->to->g, k);
        if (f.from == FROM_LAM) d->lam = d->image[k];
        if (!moves(f.from)) continue;
        if (f.from == FROM_TIME) f.at = (slot){0};
        f.from = direction_of(f.from);
        vec_push(d->m, d->to->feed, f);
        d->moving[d->movings] = k;
        d->along[d->movings++] = expr_var(&d->to->g, d->to->feed.n - 1);
    }
}

static void derive_yield(deriving *d, const yield *y)
{
    graph *g = &d->to->g;
    expr   root = expr_import(g, &d->of->g, y->root, d->image, d->memo);
    expr   change = expr_along(g, root, d->moving, d->along, d->movings);
    if (y->into == SINK_A) change = expr_mul(g, d->lam, change);
    if (expr_is_zero(g, change)) return;
    const slot *place = y->into == SINK_A ? y->column : y->row;
    vec_push(d->m, d->to->yield, (yield){along_of[y->into], change, place, NULL, *place});
}

/* Every source counts as moving here, so that nothing is computed beforehand. */
static void note_sources(mem *m, derived *d)
{
    d->holds = mem_array(m, d->g.nodes.n, uint16_t);
    for (int k = 0; k < d->g.nodes.n; k++) d->holds[k] = 1u << FROM_TIME;
}

static derived *vary_element(mem *m, const derived *of)
{
    const size_t n = (size_t)of->feed.n;
    derived     *to = mem_array(m, 1, derived);
    deriving     d = {.m = m, .of = of, .to = to};
    *to = (derived){.of = of->of, .instances = of->instances};
    graph_init(&to->g, m);
    d.image = mem_array(m, n + 1, expr), d.along = mem_array(m, n + 1, expr);
    d.moving = mem_array(m, n + 1, int);
    d.memo = mem_array(m, (size_t)of->g.nodes.n + 1, int);
    for (int k = 0; k < of->g.nodes.n; k++) d.memo[k] = EXPR_NONE;
    open_variables(&d);
    for (int y = 0; y < of->yield.n && d.movings; y++)
        if (along_of[of->yield.at[y].into]) derive_yield(&d, &of->yield.at[y]);
    note_sources(m, to);
    return to;
}

static void clear(double *x, int n)
{
    if (x) memset(x, 0, (size_t)n * sizeof *x);
}

static void eval(void *self, const sys_point *at, const sys_direction *along, const sys_change *out)
{
    variation *v = self;
    const int *size = v->b->c->size;
    results    into = {.along = *out};
    sources    from = bound_sources(v->b, at);
    double    *of_coordinates[] = {out->Lq, out->Lw, out->f, out->reaction};
    from.of[ALONG_TIME] = &along->t;
    from.of[ALONG_PARAMETER] = along->parameter ? along->parameter : v->zeros;
    from.of[ALONG_INPUT] = along->input ? along->input : v->zeros;
    for (int k = 0; k < 4; k++) clear(of_coordinates[k], size[COORDINATES]);
    clear(out->e, size[ROWS]), clear(out->g, size[HOLONOMIC]);
    for (int s = 0; s < v->shapes; s++)
        batch_run(v->shape[s].d, &v->shape[s].batch[0], v->reg[s], &from, (char *)&into);
}

sys_variation *bound_vary(void *self, mem *m)
{
    bound          *b = self;
    const compiled *c = b->c;
    const int       most = c->md->parameters > c->md->inputs ? c->md->parameters : c->md->inputs;
    variation      *v = mem_array(m, 1, variation);
    v->b = b, v->is = (sys_variation){v, eval};
    v->shape = mem_array(m, c->elements + 1, shape),
    v->reg = mem_array(m, c->elements + 1, double *);
    v->zeros = mem_array(m, most + 1, double);
    for (int e = 0; e < c->elements; e++) {
        shape *s = &v->shape[v->shapes];
        shape_init_observer(m, s, vary_element(m, &c->element[e]));
        const kernel *k = s->batch[0].k;
        if (!k) continue;
        v->reg[v->shapes] = mem_array(m, (size_t)k->registers * KERNEL_BLOCK + 1, double);
        kernel_prepare_batch(k, v->reg[v->shapes++]);
    }
    return &v->is;
}
