/* directional.c - differentiates elements in a direction, and compiles programs for the result. */
#include "model/directional.h"

typedef struct {
    mem            *m;
    const movement *how;    /* what moves, and where yields go   */
    const derived  *of;     /* the element                       */
    derived        *to;     /* its derivative                    */
    expr           *image;  /* variables and nodes of the element */
    int            *memo;   /* in the derivative's graph         */
    int            *moving; /* variables that move, and by what  */
    expr           *along;
    int             movings;
    expr            lam; /* of a relation */
} deriving;

/* Variable `variable` changes by the value of `along`. */
static void add_moving(deriving *d, int variable, expr along)
{
    d->moving[d->movings] = variable;
    d->along[d->movings++] = along;
}

/* The variables of the element, and behind them the directions of those that move. */
static void open_variables(deriving *d)
{
    const int n = d->of->feed.n;
    graph    *g = &d->to->g;
    for (int k = 0; k < n; k++) vec_push(d->m, d->to->feed, d->of->feed.at[k]);
    for (int k = 0; k < n; k++) {
        feed f = d->of->feed.at[k];
        d->image[k] = expr_var(g, k);
        if (f.from == FROM_LAM) d->lam = d->image[k];
        if (f.from == FROM_TIME && d->how->time_runs) add_moving(d, k, expr_const(g, 1));
        if (!d->how->how[f.from]) continue;
        if (f.from == FROM_TIME) f.at = (slot){0};
        f.from = d->how->how[f.from];
        vec_push(d->m, d->to->feed, f);
        add_moving(d, k, expr_var(g, d->to->feed.n - 1));
    }
}

/* d y = sum_k (dy/du_k) du_k for one yield. As a reaction, an entry (a, i) of A becomes lam_a
 * dA_ai and is added to coordinate i, its column. */
static void derive_yield(deriving *d, const yield *y)
{
    graph     *g = &d->to->g;
    const sink into = d->how->into[y->into];
    const bool reaction = into == SINK_R_ALONG && y->into != SINK_R_ALONG;
    expr       root = expr_import(g, &d->of->g, y->root, d->image, d->memo);
    expr       change = expr_along(g, root, d->moving, d->along, d->movings);
    if (reaction) change = expr_mul(g, d->lam, change);
    if (expr_is_zero(g, change)) return;
    if (reaction) vec_push(d->m, d->to->yield, (yield){into, change, y->column, NULL, *y->column});
    else vec_push(d->m, d->to->yield, (yield){into, change, y->row, y->column, y->to});
}

/* Every source counts as moving here, so that nothing is computed beforehand. */
static void note_sources(mem *m, derived *d)
{
    d->holds = mem_array(m, d->g.nodes.n, uint16_t);
    for (int k = 0; k < d->g.nodes.n; k++) d->holds[k] = 1u << FROM_TIME;
}

/* An element that does not depend on what moves yields nothing. */
static void derive(mem *m, const derived *of, const movement *how, derived *to)
{
    const size_t n = (size_t)of->feed.n;
    deriving     d = {.m = m, .how = how, .of = of, .to = to};
    *to = (derived){.of = of->of, .instances = of->instances};
    graph_init(&to->g, m);
    d.image = mem_array(m, n + 1, expr), d.along = mem_array(m, n + 1, expr);
    d.moving = mem_array(m, n + 1, int);
    d.memo = mem_array(m, (size_t)of->g.nodes.n + 1, int);
    for (int k = 0; k < of->g.nodes.n; k++) d.memo[k] = EXPR_NONE;
    open_variables(&d);
    for (int y = 0; y < of->yield.n && d.movings; y++)
        if (how->into[of->yield.at[y].into]) derive_yield(&d, &of->yield.at[y]);
    note_sources(m, to);
}

derived *directional_elements(mem *m, const derived *of, int count, const movement *how)
{
    derived *to = mem_array(m, count + 1, derived);
    for (int e = 0; e < count; e++) derive(m, &of[e], how, &to[e]);
    return to;
}

/* Elements that yield nothing get no program, so p.count may be less than count. */
directional_programs directional_compile(mem *m, const derived *of, int count)
{
    directional_programs p = {.shape = mem_array(m, count + 1, shape),
                              .reg = mem_array(m, count + 1, double *)};
    for (int e = 0; e < count; e++) {
        shape *s = &p.shape[p.count];
        shape_init_observer(m, s, &of[e]);
        const kernel *k = s->batch[0].k;
        if (!k) continue;
        p.reg[p.count] = mem_array(m, (size_t)k->registers * KERNEL_BLOCK + 1, double);
        kernel_prepare_batch(k, p.reg[p.count++]);
    }
    return p;
}

void directional_run(const directional_programs *p, const sources *from, const sys_change *out)
{
    results into = {.along = *out};
    directional_run_into(p, from, &into);
}

void directional_run_into(const directional_programs *p, const sources *from, results *out)
{
    /* Programs add: the arrays of out must be cleared by the caller. */
    for (int s = 0; s < p->count; s++)
        batch_run(p->shape[s].d, &p->shape[s].batch[0], p->reg[s], from, (char *)out);
}
