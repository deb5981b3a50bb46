/* constrained.h - constrained and degenerate systems whose steps are known from an independent
 * implementation. */
#ifndef TESTS_CONSTRAINED_H
#define TESTS_CONSTRAINED_H

#include "systems.h"

/* Chaplygin sleigh (x, y, th); parameters m I a g c ct F om:
 *     L = m/2 [(x' - a sin th th')^2 + (y' + a cos th th')^2] + I th'^2/2
 *         - m g (x + a cos th) - cos(y)/2 */
static inline jet sleigh_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    jet X = sub(v[0], times(c[2], mul(sine(q[2]), v[2])));
    jet Y = add(v[1], times(c[2], mul(cosine(q[2]), v[2])));
    jet T = add(times(c[0] / 2, add(square(X), square(Y))), times(c[1] / 2, square(v[2])));
    jet V = add(times(c[0] * c[3], add(q[0], times(c[2], cosine(q[2])))), times(0.5, cosine(q[1])));
    return sub(T, V);
}

static inline void sleigh_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    f[0] = times(-c[4], v[0]);
    f[1] = times(-c[4], mul(v[1], plus(square(q[0]), 1)));
    f[2] = add(times(-c[5], v[2]), times(c[6], cosine(times(c[7], t))));
}

static inline void sleigh_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t;
    e[0] = sub(mul(cosine(q[2]), v[1]), mul(sine(q[2]), v[0]));
}

/* .3 sin(2t) (1 + x^2) + .2 cos y */
static inline jet sleigh_b(jet t, const jet *q)
{
    return add(times(0.3, mul(sine(times(2, t)), plus(square(q[0]), 1))), times(0.2, cosine(q[1])));
}

static inline void sleigh_b_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    sleigh_W(c, t, q, v, e);
    e[0] = add(e[0], sleigh_b(t, q));
}

/* W = (-sin th (1 + .2 sin t), cos th, .1 cos(2t) x) */
static inline void sleigh_t_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c;
    jet W0 = times(-1, mul(sine(q[2]), plus(times(0.2, sine(t)), 1)));
    jet W2 = times(0.1, mul(cosine(times(2, t)), q[0]));
    e[0] = add(add(mul(W0, v[0]), mul(cosine(q[2]), v[1])), add(mul(W2, v[2]), sleigh_b(t, q)));
}

/* Rolling disk (x, y, th, phi); parameters m I J R k; V = k (x^2 + 2 y^2)/2 + sin(th)/2 -
 * cos(phi)/2 */
static inline jet disk_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    jet T = add(times(c[0] / 2, add(square(v[0]), square(v[1]))),
                add(times(c[1] / 2, square(v[2])), times(c[2] / 2, square(v[3]))));
    jet V = times(c[4] / 2, add(square(q[0]), times(2, square(q[1]))));
    return sub(T, add(V, times(0.5, sub(sine(q[2]), cosine(q[3])))));
}

static inline jet disk_H(const double *c, jet t, const jet *q, const jet *p)
{
    jet T = add(times(0.5 / c[0], add(square(p[0]), square(p[1]))),
                add(times(0.5 / c[1], square(p[2])), times(0.5 / c[2], square(p[3]))));
    jet zero[4] = {jet_of(0), jet_of(0), jet_of(0), jet_of(0)};
    return sub(disk_L(c, t, q, zero), T);
}

static inline void disk_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)t;
    e[0] = sub(v[0], times(c[3], mul(cosine(q[3]), v[2])));
    e[1] = sub(v[1], times(c[3], mul(sine(q[3]), v[2])));
}

/* Double pendulum in Cartesian coordinates (x1, y1, x2, y2); parameters m1 m2 g c */
static inline jet rods_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    jet T = add(times(c[0] / 2, add(square(v[0]), square(v[1]))),
                times(c[1] / 2, add(square(v[2]), square(v[3]))));
    return sub(T, times(c[2], add(times(c[0], q[1]), times(c[1], q[3]))));
}

static inline void rods_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)q;
    for (int i = 0; i < 4; i++) f[i] = times(-c[3], v[i]);
    f[2] = add(f[2], times(0.09, cosine(times(2, t))));
}

static inline void rods_g(const double *c, jet t, const jet *q, jet *g)
{
    (void)c, (void)t;
    g[0] = times(0.5, plus(add(square(q[0]), square(q[1])), -1));
    g[1] = times(0.5, plus(add(square(sub(q[2], q[0])), square(sub(q[3], q[1]))), -0.64));
}

/* The same with a moving pivot, a changing rod, a quartic potential and nonlinear damping. */
static inline jet moving_rods_L(const double *c, jet t, const jet *q, const jet *v)
{
    const double p[] = {1, 0.7, 3, 0};
    (void)c;
    jet quartic = add(fourth(q[2]), mul(square(q[0]), square(q[3])));
    return sub(rods_L(p, t, q, v), times(0.5, quartic));
}

static inline void moving_rods_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)c;
    f[0] = times(-0.3, mul(v[0], plus(square(v[0]), 1)));
    f[1] = times(-0.3, v[1]);
    f[2] = add(times(-0.3, v[2]), times(0.09, cosine(times(2, t))));
    f[3] = times(-0.3, mul(v[3], plus(square(q[2]), 1)));
}

static inline void moving_rods_g(const double *c, jet t, const jet *q, jet *g)
{
    (void)c;
    jet px = times(0.2, sine(times(2, t))), py = times(0.1, plus(cosine(times(3, t)), -1));
    jet length = plus(times(0.1, sine(times(3, t))), 0.8);
    g[0] = times(0.5, plus(add(square(sub(q[0], px)), square(sub(q[1], py))), -1));
    g[1] = times(0.5, sub(add(square(sub(q[2], q[0])), square(sub(q[3], q[1]))), square(length)));
}

/* Knife edge, bar to a mass, massless tied coordinate (x, y, th, X, Y, a); parameters m I M l k
 * g c */
static inline jet mixed_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    jet T =
        add(add(times(c[0] / 2, add(square(v[0]), square(v[1]))), times(c[1] / 2, square(v[2]))),
            times(c[2] / 2, add(square(v[3]), square(v[4]))));
    jet V =
        add(times(c[4] / 2, square(q[5])), add(times(c[0] * c[5], q[0]), times(c[2] * c[5], q[3])));
    return sub(T, V);
}

static inline void mixed_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    const double d = c[6];
    f[0] = times(-d, v[0]), f[1] = times(-d, v[1]);
    f[2] = times(0.5, cosine(times(2, t)));
    f[3] = times(-d, mul(v[3], plus(square(q[4]), 1)));
    f[4] = times(-d, v[4]), f[5] = times(-d, v[5]);
}

static inline void mixed_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    sleigh_W(c, t, q, v, e);
    e[1] = sub(v[2], v[5]);
}

static inline void mixed_g(const double *c, jet t, const jet *q, jet *g)
{
    (void)t;
    g[0] = times(0.5, plus(add(square(sub(q[0], q[3])), square(sub(q[1], q[4]))), -c[3] * c[3]));
}

static inline jet mixed_t_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c;
    jet M = plus(times(0.2, sine(t)), 1);
    jet T = add(add(times(0.5, mul(M, add(square(v[0]), square(v[1])))), times(0.2, square(v[2]))),
                times(0.3, add(square(v[3]), square(v[4]))));
    jet V =
        add(add(times(0.75, square(q[5])), q[0]), add(times(0.6, q[3]), times(0.5, cosine(q[4]))));
    return sub(T, V);
}

static inline void mixed_t_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    const double p[] = {0, 0, 0, 0, 0, 0, 0.15};
    (void)c;
    mixed_force(p, t, q, v, f);
}

static inline void mixed_t_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    mixed_W(c, t, q, v, e);
    e[0] = add(e[0], times(0.2, mul(sine(times(2, t)), plus(square(q[1]), 1))));
    e[1] = add(e[1], times(0.3, mul(cosine(times(3, t)), plus(times(0.5, q[0]), 1))));
}

static inline void mixed_t_g(const double *c, jet t, const jet *q, jet *g)
{
    (void)c;
    jet l = plus(times(0.2, sine(times(2, t))), 1);
    g[0] = times(0.5, sub(add(square(sub(q[0], q[3])), square(sub(q[1], q[4]))), square(l)));
}

/* Circuits; parameters l be C ga R R3. In series (qL, qR, qC), in parallel (qR, qL, qC):
 *     L = l vL^2/2 + be vL^4/4 - qC^2/(2C) - ga qC^4/4,  fR = -R vR - R3 vR^3,  fC = cos(2t)/2 */
static inline jet circuit_L(const double *c, const jet *q, const jet *v, int L, int C)
{
    jet T = add(times(c[0] / 2, square(v[L])), times(c[1] / 4, fourth(v[L])));
    return sub(T, add(times(0.5 / c[2], square(q[C])), times(c[3] / 4, fourth(q[C]))));
}

static inline void circuit_force(const double *c, jet t, const jet *v, jet *f, int R, int C)
{
    f[R] = sub(times(-c[4], v[R]), times(c[5], cube(v[R])));
    f[C] = times(0.5, cosine(times(2, t)));
}

static inline jet series_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    return circuit_L(c, q, v, 0, 2);
}

static inline void series_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)q;
    circuit_force(c, t, v, f, 1, 2);
}

static inline void series_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[0], v[1]), e[1] = sub(v[1], v[2]);
}

static inline jet parallel_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    return circuit_L(c, q, v, 1, 2);
}

static inline void parallel_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)q;
    circuit_force(c, t, v, f, 0, 2);
}

static inline void parallel_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[0], add(v[1], v[2]));
}

typedef struct {
    const char *name;
    problem     pb;
    double      c[8];
} named_problem;

static const named_problem constrained_problems[] = {
    {"sleigh",
     {.n = 3, .m = 1, .lambda = sleigh_L, .force = sleigh_force, .velocity = sleigh_W},
     {1, 0.4, 0.3, 1.5, 0.2, 0.1, 0.5, 3}},
    {"disk", {.n = 4, .m = 2, .lambda = disk_L, .velocity = disk_W}, {1, 0.5, 0.25, 1, 1}},
    {"dpend_damped",
     {.n = 4, .r = 2, .lambda = rods_L, .force = rods_force, .position = rods_g},
     {1, 0.7, 3, 0.3}},
    {"mixed",
     {.n = 6,
      .m = 2,
      .r = 1,
      .lambda = mixed_L,
      .force = mixed_force,
      .velocity = mixed_W,
      .position = mixed_g},
     {1, 0.4, 0.6, 1, 1.5, 1, 0.15}},
    {"rlc_series",
     {.n = 3,
      .m = 2,
      .lambda = series_L,
      .force = series_force,
      .velocity = series_W,
      .constant_relations = true},
     {0.75, 0.3, 3, 0.4, 0.2, 0.1}},
    {"rlc_parallel",
     {.n = 3,
      .m = 1,
      .lambda = parallel_L,
      .force = parallel_force,
      .velocity = parallel_W,
      .constant_relations = true},
     {0.75, 0.3, 3, 0.4, 1, 0.2}},
    {"sleigh affine W(t,q),b(t,q)",
     {.n = 3, .m = 1, .lambda = sleigh_L, .force = sleigh_force, .velocity = sleigh_t_W},
     {1, 0.4, 0.3, 1.5, 0.2, 0.1, 0.5, 3}},
    {"sleigh affine b(t,q)",
     {.n = 3, .m = 1, .lambda = sleigh_L, .force = sleigh_force, .velocity = sleigh_b_W},
     {1, 0.4, 0.3, 1.5, 0.2, 0.1, 0.5, 3}},
    {"dpend g(t,q)",
     {.n = 4,
      .r = 2,
      .lambda = moving_rods_L,
      .force = moving_rods_force,
      .position = moving_rods_g},
     {0}},
    {"mixed t",
     {.n = 6,
      .m = 2,
      .r = 1,
      .lambda = mixed_t_L,
      .force = mixed_t_force,
      .velocity = mixed_t_W,
      .position = mixed_t_g},
     {0}},
};

static inline const named_problem *problem_named(const char *name)
{
    for (size_t k = 0; k < sizeof constrained_problems / sizeof *constrained_problems; k++)
        if (!strcmp(constrained_problems[k].name, name)) return &constrained_problems[k];
    return NULL;
}

#endif
