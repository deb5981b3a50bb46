/* members.c - loads and stores of whole blocks around the programs that merge.c has made. */
#include "model/members.h"

#include "model/shape.h"

#include <string.h>

struct members_eval {
    const compiled *c;
    int             width;
    double         *reg[BUNDLES_MOST]; /* NULL: nobody asks for it */
};

bool members_eval_fits(const compiled *c)
{
    return !c->shapes;
}

members_eval *members_eval_new(mem *m, const compiled *c, const unsigned *want, int n, int width)
{
    members_eval *e = mem_array(m, 1, members_eval);
    e->c = c, e->width = width;
    for (int k = 0; k < c->merged.bundles; k++) {
        const kernel *program = c->merged.bundle[k].k;
        bool          asked = false;
        for (int i = 0; i < n; i++) asked |= c->merged.plan[want[i]] >> k & 1;
        if (!asked || !program) continue;
        e->reg[k] = mem_array(m, (size_t)program->registers * KERNEL_BLOCK, double);
        kernel_prepare_batch(program, e->reg[k]);
    }
    return e;
}

static void fill(double *to, double x, int width)
{
    for (int l = 0; l < width; l++) to[l] = x;
}

static void load_parameters(const members_eval *e, const bundle *b, const double *par, double *reg)
{
    for (int k = 0; k < b->loads; k++) {
        const load *from = &b->load[k];
        double     *to = reg + (size_t)from->variable * KERNEL_BLOCK;
        if (from->from == FROM_DATA) fill(to, e->c->md->data.at[from->index], e->width);
        if (from->from == FROM_PARAMETER)
            memcpy(to, par + from->index * e->width, (size_t)e->width * sizeof *to);
    }
}

void members_eval_parameters(members_eval *e, const double *par)
{
    for (int k = 0; k < e->c->merged.bundles; k++)
        if (e->reg[k]) load_parameters(e, &e->c->merged.bundle[k], par, e->reg[k]);
}

static void load_point(const members_eval *e, const bundle *b, const members_point *at, double *reg)
{
    const double *const of[FEEDS] = {
        [FROM_INPUT] = at->u, [FROM_Q] = at->q, [FROM_W] = at->w, [FROM_V] = at->w};
    for (int k = 0; k < b->loads; k++) {
        const load *from = &b->load[k];
        double     *to = reg + (size_t)from->variable * KERNEL_BLOCK;
        if (from->from == FROM_TIME) fill(to, at->t, e->width);
        else if (of[from->from])
            memcpy(to, of[from->from] + from->index * e->width, (size_t)e->width * sizeof *to);
    }
}

static void store_results(const members_eval *e, const bundle *b, const double *reg,
                          sys_values *out)
{
    const size_t width = (size_t)e->width;
    for (int s = 0; s < b->segments; s++) {
        const segment *to = &b->segment[s];
        double        *array = to->scalar ? NULL : *(double **)(void *)((char *)out + to->offset);
        if (!array) continue;
        memset(array, 0, (size_t)to->clear * width * sizeof *array);
        for (const store *st = b->store + to->first, *end = st + to->count; reg && st < end; st++)
            memcpy(array + (size_t)st->index * width, reg + (size_t)st->reg * KERNEL_BLOCK,
                   width * sizeof *array);
    }
}

void members_eval_run(members_eval *e, unsigned want, const members_point *at, sys_values *out)
{
    const merged *g = &e->c->merged;
    for (uint32_t k = 0, todo = g->plan[want]; todo; k++, todo >>= 1) {
        const bundle *b = &g->bundle[k];
        if (!(todo & 1)) continue;
        if (e->reg[k]) {
            load_point(e, b, at, e->reg[k]);
            kernel_run_batch(b->k, e->reg[k], e->width);
        }
        store_results(e, b, e->reg[k], out);
    }
}
