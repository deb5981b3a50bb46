/* frozen_series.c - a frozen system on power series: all is linear, so that each number of a
 * series, coefficient or derivative, is that sum of the same numbers of others.   theory.md
 * [SHOOTING] */
#include "kernel/jet.h"
#include "mech/stability/inside.h"

#include <string.h>

typedef struct {
    sys_jets        jets;
    jet_interpreter sizes; /* nothing is interpreted */
    const frozen   *of;
    double         *force, *Lw, *Lww; /* n, n and n x n series */
} frozen_series;

/*     x += c y */
static void add(double *x, double c, const double *y, size_t count)
{
    for (size_t k = 0; k < count; k++) x[k] += c * y[k];
}

static double entry(const frozen *z, field f, int k)
{
    return z->sys.varies[f] == FIELD_ZERO ? 0 : z->on_K[f][k];
}

/*     L_q + f = (L_qq + f_q) q + (L_qw + f_w) w,   L_w = L_wq q + L_ww w */
static void eval(sys_jets *j, int degree, bool second)
{
    frozen_series *s = j->self;
    const frozen  *z = s->of;
    const pattern *K = &z->sys.K;
    const size_t   stride = s->sizes.stride, used = (size_t)(degree + 1) * s->sizes.size;
    const size_t   n = (size_t)z->sys.n;
    (void)second;
    memset(s->force, 0, n * stride * sizeof *s->force);
    memset(s->Lw, 0, n * stride * sizeof *s->Lw);
    for (size_t i = 0; i < n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            const size_t at = (size_t)K->column[k];
            const double inertia = entry(z, F_LWW, k);
            add(s->force + i * stride, entry(z, F_LQQ, k) + entry(z, F_FQ, k), j->q[at], used);
            add(s->force + i * stride, entry(z, F_LQW, k) + entry(z, F_FW, k), j->w[at], used);
            add(s->Lw + i * stride, entry(z, F_LQW, z->sys.transpose[k]), j->q[at], used);
            add(s->Lw + i * stride, inertia, j->w[at], used);
            s->Lww[(i * n + at) * stride] = inertia;
        }
}

/* n series, one behind the other, by their places. */
static double **places(mem *m, double *x, int n, size_t stride)
{
    double **place = mem_array(m, n, double *);
    for (int i = 0; i < n; i++) place[i] = x + (size_t)i * stride;
    return place;
}

static double *room_for(mem *m, int n, size_t stride)
{
    return mem_array(m, (size_t)n * stride, double);
}

sys_jets *frozen_jets(void *self, mem *m, int degree, text *why)
{
    const frozen  *z = self;
    const int      n = z->sys.n, directions = 2 * n;
    frozen_series *s = mem_array(m, 1, frozen_series);
    (void)why;
    const size_t size = (size_t)jet_size(directions), stride = (size_t)(degree + 1) * size;
    s->of = z;
    s->sizes = (jet_interpreter){
        .kind = {directions, true}, .degree = degree, .size = size, .stride = stride};
    s->force = room_for(m, n, stride), s->Lw = room_for(m, n, stride);
    s->Lww = room_for(m, n * n, stride);
    s->jets = (sys_jets){.interpreter = &s->sizes,
                         .t = room_for(m, 1, stride),
                         .q = places(m, room_for(m, n, stride), n, stride),
                         .w = places(m, room_for(m, n, stride), n, stride),
                         .force = (const double **)places(m, s->force, n, stride),
                         .Lw = (const double **)places(m, s->Lw, n, stride),
                         .Lww = (const double **)places(m, s->Lww, n * n, stride),
                         .self = s,
                         .eval = eval};
    return &s->jets;
}
