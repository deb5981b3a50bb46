/* vary.c - how a system made of functions changes with time, parameters and inputs: central
 * differences along the given direction, accurate to about 1e-9. */
#include "model/functions/functions.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* self: points on both sides of the direction, and what the functions give there */
typedef struct {
    sys_variation          is;
    const bound_functions *b;
    buffers                side[2]; /* after, before */
    double                *parameter, *input;
} variation;

/* The largest |d_i| relative to what it is added to, x_i or 1. */
static double relative_size(double most, const double *d, const double *x, int n)
{
    for (int i = 0; i < n && d; i++) most = fmax(most, fabs(d[i]) / fmax(fabs(x[i]), 1));
    return most;
}

/* to = x + s d; d NULL counts as 0. */
static void move(double *to, const double *x, const double *d, double s, int n)
{
    for (int i = 0; i < n; i++) to[i] = x[i] + (d ? s * d[i] : 0);
}

/* Values at a distance s along the direction; a caller's function that fails there leaves NaN. */
static void look(variation *v, const sys_point *at, const sys_direction *along, double s,
                 const buffers *into)
{
    const dal_callbacks *c = &v->b->of->given;
    const dal_system    *sys = &v->b->sys;
    bound_functions      moved = *v->b;
    sys_point            there = *at;
    dal_evaluation       ev;
    unsigned             want = WANT_GRADIENT | (sys->forced ? WANT_FORCE : 0u);
    if (sys->m + sys->r) want |= WANT_RELATIONS;
    if (sys->r) want |= WANT_HOLONOMIC;
    move(v->parameter, v->b->parameter, along->parameter, s, c->parameters);
    move(v->input, v->b->input, along->input, s, c->inputs);
    moved.parameter = v->parameter, moved.input = v->input;
    there.t = at->t + s * along->t;
    if (!functions_call(&moved, want, &there, into, &ev)) return;
    for (int i = 0; i < sys->n; i++) into->Lq[i] = into->Lw[i] = (double)NAN;
}

/* (F(+s) - F(-s)) / length; out NULL: not wanted */
static void slope(double *out, const double *after, const double *before, int n, double length)
{
    for (int i = 0; i < n && out; i++) out[i] = (after[i] - before[i]) / length;
}

/* s is such that the largest relative change is eps^(1/3), where truncation and roundoff
 * balance. */
static void eval(void *self, const sys_point *at, const sys_direction *along, const sys_change *out)
{
    variation           *v = self;
    const dal_callbacks *c = &v->b->of->given;
    const entries       *A = &v->b->of->relations;
    const int            n = v->b->sys.n, rows = v->b->sys.m + v->b->sys.r;
    const buffers       *a = &v->side[0], *b = &v->side[1];
    double size = relative_size(fabs(along->t) / fmax(fabs(at->t), c->typical_t), along->parameter,
                                v->b->parameter, c->parameters);
    size = relative_size(size, along->input, v->b->input, c->inputs);
    const double s = size > 0 ? cbrt(DBL_EPSILON) / size : 1;
    look(v, at, along, s, a), look(v, at, along, -s, b);
    slope(out->Lq, a->Lq, b->Lq, n, 2 * s);
    slope(out->Lw, a->Lw, b->Lw, n, 2 * s);
    if (v->b->sys.forced) slope(out->f, a->f, b->f, n, 2 * s);
    else memset(out->f, 0, (size_t)n * sizeof *out->f);
    slope(out->e, a->e, b->e, rows, 2 * s);
    slope(out->g, a->g, b->g, v->b->sys.r, 2 * s);
    memset(out->reaction, 0, (size_t)n * sizeof *out->reaction);
    /* the change of sum_a lam_a A_ai, from the entries of A on both sides */
    for (int k = 0; k < A->count && at->lam; k++)
        out->reaction[A->column[k]] += at->lam[A->row[k]] * (a->A[k] - b->A[k]) / (2 * s);
}

sys_variation *functions_vary(void *self, mem *m)
{
    variation *v = mem_array(m, 1, variation);
    v->b = self, v->is = (sys_variation){v, eval, false};
    for (int k = 0; k < 2; k++) v->side[k] = buffers_new(m, v->b->of);
    v->parameter = mem_array(m, v->b->of->given.parameters + 1, double);
    v->input = mem_array(m, v->b->of->given.inputs + 1, double);
    return &v->is;
}
