/* systems.h - mechanical systems for tests, as C callbacks that fulfil the system interface.
 *
 * A test writes L, forces and relations with jets: numbers that carry exact first and second
 * derivatives in (t, q, w). Nothing is shared with the library, so its own differentiation is
 * not its own judge. */
#ifndef TESTS_SYSTEMS_H
#define TESTS_SYSTEMS_H

#include "model/system.h"

#include <math.h>
#include <string.h>

#ifndef DOFS_MOST
#define DOFS_MOST 6 /* a test of smaller systems may define less before including this */
#endif
enum { JET_MOST = 2 * DOFS_MOST + 1 }; /* variables: t, q_0 .., w_0 .. */

typedef struct {
    double x, d[JET_MOST], dd[JET_MOST][JET_MOST];
} jet;

static inline jet jet_of(double x)
{
    jet j = {.x = x};
    return j;
}

/* f(a): value, slope, curvature of f at a.x */
static inline jet jet_map(jet a, double f, double f1, double f2)
{
    jet r = {.x = f};
    for (int i = 0; i < JET_MOST; i++) {
        r.d[i] = f1 * a.d[i];
        for (int k = 0; k < JET_MOST; k++) r.dd[i][k] = f1 * a.dd[i][k] + f2 * a.d[i] * a.d[k];
    }
    return r;
}

static inline jet add(jet a, jet b)
{
    a.x += b.x;
    for (int i = 0; i < JET_MOST; i++) {
        a.d[i] += b.d[i];
        for (int k = 0; k < JET_MOST; k++) a.dd[i][k] += b.dd[i][k];
    }
    return a;
}

static inline jet mul(jet a, jet b)
{
    jet r = {.x = a.x * b.x};
    for (int i = 0; i < JET_MOST; i++) {
        r.d[i] = a.x * b.d[i] + a.d[i] * b.x;
        for (int k = 0; k < JET_MOST; k++)
            r.dd[i][k] = a.x * b.dd[i][k] + a.d[i] * b.d[k] + a.d[k] * b.d[i] + a.dd[i][k] * b.x;
    }
    return r;
}

static inline jet times(double c, jet a)
{
    return jet_map(a, c * a.x, c, 0);
}
static inline jet plus(jet a, double c)
{
    return a.x += c, a;
}
static inline jet sub(jet a, jet b)
{
    return add(a, times(-1, b));
}
static inline jet square(jet a)
{
    return mul(a, a);
}
static inline jet cube(jet a)
{
    return mul(a, mul(a, a));
}
static inline jet fourth(jet a)
{
    return square(square(a));
}
static inline jet sine(jet a)
{
    return jet_map(a, sin(a.x), cos(a.x), -sin(a.x));
}
static inline jet cosine(jet a)
{
    return jet_map(a, cos(a.x), -sin(a.x), -cos(a.x));
}
static inline jet root(jet a)
{
    double s = sqrt(a.x);
    return jet_map(a, s, 0.5 / s, -0.25 / (s * a.x));
}
static inline jet over(jet a, jet b)
{
    double i = 1 / b.x;
    return mul(a, jet_map(b, i, -i * i, 2 * i * i * i));
}

/* What a test writes. c are the parameters; w are velocities, or momenta of Hamiltonian
 * coordinates. */
typedef struct {
    int n, m, r;
    jet (*lambda)(const double *c, jet t, const jet *q, const jet *w);            /* L - H        */
    void (*force)(const double *c, jet t, const jet *q, const jet *w, jet *f);    /* may be NULL  */
    void (*velocity)(const double *c, jet t, const jet *q, const jet *v, jet *e); /* m rows      */
    void (*position)(const double *c, jet t, const jet *q, jet *g);               /* r rows       */
    bool hamiltonian; /* all coordinates */
    bool constant_relations;
} problem;

typedef struct {
    problem    pb;
    double     c[8];
    dal_system sys;
    int        K_start[DOFS_MOST + 1], K_column[DOFS_MOST * DOFS_MOST], flip[DOFS_MOST * DOFS_MOST];
    int        A_start[DOFS_MOST + 1], A_column[DOFS_MOST * DOFS_MOST];
    uint8_t    flags[DOFS_MOST];
    long       evaluations;
} jet_system;

static inline void jet_variables(const sys_point *at, int n, const double *w, jet *t, jet *q,
                                 jet *v)
{
    *t = jet_of(at->t), t->d[0] = 1;
    for (int i = 0; i < n; i++) {
        q[i] = jet_of(at->q[i]), q[i].d[1 + i] = 1;
        v[i] = jet_of(w[i]), v[i].d[1 + n + i] = 1;
    }
}

static inline void jet_lagrangian(jet_system *s, unsigned want, const sys_point *at,
                                  sys_values *out)
{
    const int n = s->pb.n;
    jet       t, q[DOFS_MOST], w[DOFS_MOST], f[DOFS_MOST];
    jet_variables(at, n, at->w, &t, q, w);
    if (want & (WANT_L | WANT_GRADIENT | WANT_HESSIAN | WANT_TIME)) {
        jet L = s->pb.lambda(s->c, t, q, w);
        if (want & WANT_L) out->L = L.x;
        if (want & WANT_TIME) out->Lt = L.d[0], out->Ltt = L.dd[0][0];
        for (int i = 0; i < n; i++) {
            if (want & WANT_GRADIENT) out->Lq[i] = L.d[1 + i], out->Lw[i] = L.d[1 + n + i];
            if (want & WANT_TIME) out->Lqt[i] = L.dd[1 + i][0], out->Lwt[i] = L.dd[1 + n + i][0];
            for (int j = 0; j < n && want & WANT_HESSIAN; j++) {
                out->on_K[F_LQQ][i * n + j] = L.dd[1 + i][1 + j];
                out->on_K[F_LQW][i * n + j] = L.dd[1 + i][1 + n + j];
                out->on_K[F_LWW][i * n + j] = L.dd[1 + n + i][1 + n + j];
            }
        }
    }
    if (!s->pb.force || !(want & (WANT_FORCE | WANT_FORCE_JACOBIAN | WANT_TIME))) return;
    for (int i = 0; i < n; i++) f[i] = jet_of(0);
    s->pb.force(s->c, t, q, w, f);
    for (int i = 0; i < n; i++) {
        if (want & WANT_FORCE) out->f[i] = f[i].x;
        if (want & WANT_FORCE && out->D) out->D[i] = f[i].x;
        if (want & WANT_TIME) out->ft[i] = f[i].d[0];
        for (int j = 0; j < n && want & WANT_FORCE_JACOBIAN; j++) {
            out->on_K[F_FQ][i * n + j] = f[i].d[1 + j];
            out->on_K[F_FW][i * n + j] = f[i].d[1 + n + j];
            if (!s->sys.damped) continue;
            out->on_K[F_DQ][i * n + j] = f[i].d[1 + j];
            out->on_K[F_DW][i * n + j] = f[i].d[1 + n + j];
        }
    }
}

static inline void jet_curve(const jet_system *s, const sys_point *at, int a, const jet *e,
                             bool holonomic, sys_values *out)
{
    const int n = s->pb.n;
    double    lam = at->lam ? at->lam[a] : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out->on_K[F_CURV][i * n + j] += lam * e->dd[holonomic ? 1 + i : 1 + n + i][1 + j];
}

static inline void jet_relations(jet_system *s, unsigned want, const sys_point *at, sys_values *out)
{
    const int n = s->pb.n, m = s->pb.m, r = s->pb.r;
    jet       t, q[DOFS_MOST], v[DOFS_MOST], e[DOFS_MOST], g[DOFS_MOST];
    jet_variables(at, n, at->v, &t, q, v);
    if (m) s->pb.velocity(s->c, t, q, v, e);
    if (r) s->pb.position(s->c, t, q, g);
    if (want & WANT_RELATIONS_JACOBIAN)
        memset(out->on_K[F_CURV], 0, sizeof(double) * (size_t)(n * n));
    for (int a = 0; a < m + r; a++) {
        const jet *x = a < m ? &e[a] : &g[a - m];
        if (a >= m && want & WANT_HOLONOMIC) out->g[a - m] = x->x;
        double sum = x->d[0], rate = x->dd[0][0];
        for (int i = 0; i < n; i++) {
            sum += x->d[1 + i] * at->v[i], rate += x->dd[0][1 + i] * at->v[i];
            if (want & WANT_RELATIONS) out->A[a * n + i] = x->d[a < m ? 1 + n + i : 1 + i];
            if (!(want & WANT_RELATIONS_JACOBIAN)) continue;
            double change = x->dd[0][1 + i];
            for (int j = 0; j < n; j++) change += x->dd[1 + j][1 + i] * at->v[j];
            out->eq[a * n + i] = a < m ? x->d[1 + i] : change;
        }
        if (want & WANT_RELATIONS) out->e[a] = a < m ? x->x : sum;
        if (want & WANT_RELATIONS_JACOBIAN) {
            out->et[a] = a < m ? x->d[0] : rate;
            jet_curve(s, at, a, x, a >= m, out);
        }
    }
}

static inline int jet_eval(void *self, unsigned want, int count, const sys_point *at,
                           sys_values *out)
{
    jet_system *s = self;
    s->evaluations += count;
    for (int k = 0; k < count; k++) {
        jet_lagrangian(s, want, &at[k], &out[k]);
        if (want & (WANT_RELATIONS | WANT_HOLONOMIC | WANT_RELATIONS_JACOBIAN))
            jet_relations(s, want, &at[k], &out[k]);
    }
    return 0;
}

static inline void jet_name(const void *self, int i, text *out)
{
    (void)self;
    text_printf(out, "x%d", i + 1);
}

static inline void jet_relation_name(const void *self, int a, text *out)
{
    (void)self;
    text_printf(out, "rod%d", a + 1);
}

static inline dal_system *jet_system_init(jet_system *s, const problem *pb, const double *c,
                                          int count)
{
    *s = (jet_system){.pb = *pb};
    if (count) memcpy(s->c, c, sizeof(double) * (size_t)count);
    const int   n = pb->n, relations = pb->m + pb->r;
    dal_system *sys = &s->sys;
    for (int i = 0; i < n; i++) {
        s->K_start[i + 1] = (i + 1) * n;
        s->flags[i] = pb->hamiltonian;
        for (int j = 0; j < n; j++) s->K_column[i * n + j] = j, s->flip[i * n + j] = j * n + i;
    }
    for (int a = 0; a < relations; a++) {
        s->A_start[a + 1] = (a + 1) * n;
        for (int j = 0; j < n; j++) s->A_column[a * n + j] = j;
    }
    *sys = (dal_system){.n = n,
                        .m = pb->m,
                        .r = pb->r,
                        .hamiltonian = pb->hamiltonian ? s->flags : NULL,
                        .K = {n, n, s->K_start, s->K_column},
                        .transpose = s->flip,
                        .A = {relations, n, s->A_start, s->A_column},
                        .forced = pb->force != NULL,
                        .constant_A = pb->constant_relations,
                        .relations_free_of_q = pb->constant_relations,
                        .self = s,
                        .eval = jet_eval,
                        .coordinate_name = jet_name,
                        .relation_name = jet_relation_name};
    for (int f = 0; f < F_COUNT; f++) sys->varies[f] = FIELD_VARIES;
    if (!pb->force) sys->varies[F_FQ] = sys->varies[F_FW] = FIELD_ZERO;
    if (!relations || pb->constant_relations) sys->varies[F_CURV] = FIELD_ZERO;
    return sys;
}

#endif
