/* Steps of the stepper are members of the discrete Dirac structure that their constraints induce,
 * with the differential of the discrete Lagrangian or Hamiltonian. */
#include "constrained.h"
#include "dirac_objects.h"
#include "mech/stepper/stepper.h"
#include "stepping.h"

#include <float.h>

static const principle  sides[] = {DIRAC_PLUS, DIRAC_MINUS};
static const retraction places[] = {RETRACTION_LEFT, RETRACTION_RIGHT, RETRACTION_MIDPOINT};

typedef struct {
    double *q, *p,
        *kicked; /* of all grid points; kicked: p plus the kick at the beginning of the next step */
    double *g0, *g1; /* D1 L_d + f_d^-, D2 L_d + f_d^+ of all steps */
} track;

/* The discrete Lagrangian on the chord, with forces, written again:
 *     D1 L_d + f_d^- = sum b_i [-L_v + h (1 - c_i)(L_q + f)]
 *     D2 L_d + f_d^+ = sum b_i [ L_v + h c_i (L_q + f)] */
static void discrete_differential(dal_system *sys, const quadrature *rule, double t, double h,
                                  const double *q0, const double *q1, double *g0, double *g1)
{
    double q[DOFS_MOST], v[DOFS_MOST], Lq[DOFS_MOST], Lv[DOFS_MOST], f[DOFS_MOST];
    memset(g0, 0, (size_t)sys->n * sizeof *g0), memset(g1, 0, (size_t)sys->n * sizeof *g1);
    for (int i = 0; i < rule->s; i++) {
        const double c = rule->c[i], b = rule->b[i];
        sys_point    at = {.t = t + c * h, .q = q, .w = v, .v = v};
        sys_values   out = {.Lq = Lq, .Lw = Lv, .f = f};
        for (int j = 0; j < sys->n; j++)
            q[j] = q0[j] + c * (q1[j] - q0[j]), v[j] = (q1[j] - q0[j]) / h, f[j] = 0;
        sys->eval(sys->self, WANT_GRADIENT | WANT_FORCE, 1, &at, &out);
        for (int j = 0; j < sys->n; j++) {
            g0[j] += b * (-Lv[j] + h * (1 - c) * (Lq[j] + f[j]));
            g1[j] += b * (Lv[j] + h * c * (Lq[j] + f[j]));
        }
    }
}

/* The momentum after the kick, p^- + h w_0 A^T lam^0, from the multipliers that the stepper
 * found. */
static void kicked_momentum(const stepper *st, double *p)
{
    const equations *eq = &st->eq;
    for (int j = 0; j < eq->n; j++) p[j] = st->p0[j];
    for (int a = 0; a < eq->relations; a++)
        for (int k = eq->sys->A.start[a]; k < eq->sys->A.start[a + 1]; k++)
            p[eq->sys->A.column[k]] +=
                eq->impulse[0] * st->y[eq->lam + a] * eq->control.out[0].A[k];
}

static track run_track(bench *b, dal_system *sys, const double *q0, const double *p0, double h,
                       int steps)
{
    const int n = sys->n;
    mem      *m = &b->m;
    track     t = {mem_array(m, (steps + 1) * n, double), mem_array(m, (steps + 1) * n, double),
                   mem_array(m, steps * n, double), mem_array(m, steps * n, double),
                   mem_array(m, steps * n, double)};
    bench_set(b, 0, q0, p0);
    memcpy(t.q, q0, (size_t)n * sizeof *q0), memcpy(t.p, p0, (size_t)n * sizeof *p0);
    for (int k = 0; k < steps; k++) {
        bench_run(b, h, 1);
        memcpy(t.q + (k + 1) * n, b->st->q, (size_t)n * sizeof *q0);
        memcpy(t.p + (k + 1) * n, b->st->p, (size_t)n * sizeof *q0);
        kicked_momentum(b->st, t.kicked + k * n);
        discrete_differential(sys, &b->sch.rule, k * h, h, t.q + k * n, t.q + (k + 1) * n,
                              t.g0 + k * n, t.g1 + k * n);
    }
    return t;
}

/* Largest residual of all steps; those of (-) end before the last, whose kick is not known yet. */
static double track_residual(mem *m, structure *D, const track *t, double h, int steps)
{
    const int     n = D->n, plus = D->side == DIRAC_PLUS;
    const double *p = plus ? t->p : t->kicked;
    double        most = 0, *z = mem_array(m, 4 * n, double), *alpha = mem_array(m, 4 * n, double);
    for (int k = 0; k < (plus ? steps : steps - 1); k++) {
        const double *part[] = {t->q + k * n, p + k * n, t->q + (k + 1) * n, p + (k + 1) * n};
        for (int b = 0; b < 4; b++) memcpy(z + b * n, part[b], (size_t)n * sizeof *z);
        dirac_differential(plus ? GAMMA_PLUS : GAMMA_MINUS, n, z, z + 2 * n, t->g0 + k * n,
                           t->g1 + k * n, alpha);
        double r = structure_residual(m, D, z, alpha, h);
        if (!(r <= most)) most = r;
    }
    return most;
}

/* One-forms from the same callbacks that the stepper uses. */
static void system_forms(const void *self, const double *q, double *W, double *dW)
{
    const dal_system *sys = self;
    double            v[DOFS_MOST] = {0}, e[DOFS_MOST], eq[DOFS_MOST * DOFS_MOST], et[DOFS_MOST];
    double            curve[DOFS_MOST * DOFS_MOST];
    const sys_point   at = {.q = q, .w = v, .v = v};
    sys_values        out = {.e = e, .A = W, .eq = eq, .et = et};
    out.on_K[F_CURV] = curve;
    sys->eval(sys->self, WANT_RELATIONS, 1, &at, &out);
    for (int i = 0; i < sys->n && dW; i++) { /* e_q at v = e_i are the slopes of column i */
        v[i] = 1;
        sys->eval(sys->self, WANT_RELATIONS_JACOBIAN, 1, &at, &out);
        v[i] = 0;
        for (int a = 0; a < sys->m; a++)
            memcpy(dW + (a * sys->n + i) * sys->n, eq + a * sys->n, (size_t)sys->n * sizeof *dW);
    }
}

static jet pendulum_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    return add(times(c[0] / 2, mul(plus(square(q[0]), 1), square(v[0]))), cosine(q[0]));
}

static void pendulum_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)q;
    f[0] = add(times(-c[1], cube(v[0])), sine(t));
}

/* Knife edge on an incline (x, y, th): L = m (x'^2 + y'^2)/2 + J th'^2/2 + m g x sin(tilt) */
static jet knife_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)t;
    return add(add(times(c[0] / 2, add(square(v[0]), square(v[1]))), times(c[1] / 2, square(v[2]))),
               times(c[0] * c[2], q[0]));
}

static const struct {
    const char *name;
    problem     pb;
    double      c[8], q0[4], p0[4];
} cases[] = {
    {"pendulum", {.n = 1, .lambda = pendulum_L, .force = pendulum_force}, {1.3, 0.2}, {0.4}, {0.7}},
    {"knife",
     {.n = 3, .m = 1, .lambda = knife_L, .velocity = sleigh_W},
     {1, 0.5, 4.9},
     {0, 0, 0},
     {0, 0, 0.5}},
    {"sleigh",
     {.n = 3, .m = 1, .lambda = sleigh_L, .force = sleigh_force, .velocity = sleigh_W},
     {1, 0.7, 0.3, 1, 0.2, 0.1, 0.4, 2},
     {0.1, 0.2, 0.3},
     {0.5, 0.1, 0.4}},
    {"disk",
     {.n = 4, .m = 2, .lambda = disk_L, .velocity = disk_W},
     {1, 0.4, 0.3, 0.8, 1},
     {0.2, -0.1, 0.3, 0.5},
     {0.3, 0.2, 0.5, 0.2}},
};

static void steps_are_members_of_their_structure(void **state)
{
    (void)state;
    static const char *const schemes[] = {"rectangle(0)", "rectangle(1)", "midpoint", "trapezoid",
                                          "polynomial(1) with gauss(3)"};
    const double             h = 0.05;
    const int                steps = 20;
    for (int c = 0; c < COUNT(cases); c++)
        for (int k = 0; k < COUNT(schemes) * COUNT(places); k++) {
            const step_options o = {.retraction = places[k % COUNT(places)]};
            const int          n = cases[c].pb.n;
            jet_system         js;
            dal_system        *sys = jet_system_init(&js, &cases[c].pb, cases[c].c, 8);
            bench              b;
            bench_open(&b, sys, schemes[k / COUNT(places)], NULL, &o);
            track          t = run_track(&b, sys, cases[c].q0, cases[c].p0, h, steps);
            one_forms      W = {.n = n, .m = cases[c].pb.m, .self = sys, .eval = system_forms};
            retraction_map R = retraction_flat(n);
            for (int j = 0; j < COUNT(sides); j++) {
                structure *D = structure_induced(&b.m, sides[j], &W, &R, o.retraction);
                check_below(track_residual(&b.m, D, &t, h, steps),
                            4 * DBL_EPSILON / h); /* roundoff of (q1 - q0)/h */
            }
            if (cases[c].pb.m) { /* and of no other structure */
                one_forms  none = one_forms_constant(&b.m, n, 0, NULL);
                structure *D = structure_induced(&b.m, DIRAC_PLUS, &none, &R, o.retraction);
                check_below(1e-3, track_residual(&b.m, D, &t, h, steps));
                D = structure_induced(&b.m, DIRAC_PLUS, &W, &R, places[(k + 1) % COUNT(places)]);
                check_below(1e-5, track_residual(&b.m, D, &t, h, steps));
            }
            bench_close(&b);
        }
}

/* dH_d of the rectangle rules, as a covector over (q0,p1) or (p0,q1); the system gives -H_q, -H_p.
 *     H_d+ = p1.q0 + h H(q0,p1)        H_d- = -p0.q1 + h H(q1,p0) */
static void hamiltonian_differential(dal_system *sys, principle side, double h, const double *z,
                                     double *alpha)
{
    const int     n = sys->n;
    const bool    plus = side == DIRAC_PLUS;
    const double *q = plus ? z : z + 2 * n, *p = plus ? z + 3 * n : z + n;
    double        Lq[DOFS_MOST], Lp[DOFS_MOST];
    sys_values    out = {.Lq = Lq, .Lw = Lp};
    sys->eval(sys->self, WANT_GRADIENT, 1, &(sys_point){.q = q, .w = p, .v = p}, &out);
    for (int i = 0; i < n; i++) {
        const double force = -h * Lq[i], move = -h * Lp[i];
        alpha[i] = plus ? q[i] : p[i], alpha[n + i] = plus ? p[i] : q[i];
        alpha[2 * n + i] = plus ? p[i] + force : -q[i] + move;
        alpha[3 * n + i] = plus ? q[i] + move : -p[i] + force;
    }
}

static void hamiltonian_steps_are_members_with_the_differential_of_H(void **state)
{
    (void)state;
    enum { N = 4, STEPS = 20 };
    const problem pb = {.n = N, .m = 2, .lambda = disk_H, .velocity = disk_W, .hamiltonian = true};
    const double  h = 0.05, c[8] = {1, 0.4, 0.3, 0.8, 1}, q0[] = {0.2, -0.1, 0.3, 0.5},
                 p0[] = {0.3, 0.2, 0.5, 0.2};
    for (int k = 0; k < COUNT(sides) * COUNT(places); k++) {
        const bool         plus = sides[k % 2] == DIRAC_PLUS;
        const step_options o = {.retraction = places[k / 2]};
        jet_system         js;
        dal_system        *sys = jet_system_init(&js, &pb, c, 8);
        bench              b;
        double             z[4 * N], alpha[4 * N], most = 0;
        bench_open(&b, sys, plus ? "rectangle(0)" : "rectangle(1)", NULL, &o);
        track          t = run_track(&b, sys, q0, p0, h, STEPS);
        one_forms      W = {.n = N, .m = 2, .self = sys, .eval = system_forms};
        retraction_map R = retraction_flat(N);
        structure     *D = structure_induced(&b.m, sides[k % 2], &W, &R, o.retraction);
        for (int i = 0; i < STEPS - 1; i++) {
            const double *p = plus ? t.p : t.kicked;
            memcpy(z, t.q + i * N, sizeof q0), memcpy(z + 2 * N, t.q + (i + 1) * N, sizeof q0);
            memcpy(z + N, p + i * N, sizeof q0), memcpy(z + 3 * N, p + (i + 1) * N, sizeof q0);
            hamiltonian_differential(sys, sides[k % 2], h, z, alpha);
            most = fmax(most, structure_residual(&b.m, D, z, alpha, h));
        }
        check_below(most, 4 * DBL_EPSILON);
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_members_of_their_structure),
        cmocka_unit_test(hamiltonian_steps_are_members_with_the_differential_of_H),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
