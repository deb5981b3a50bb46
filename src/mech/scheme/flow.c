/* flow.c - one-step maps on jets.                                         theory.md [SHOOTING]
 *
 * Only the program of L_q + f, L_v and L_vv is needed: along a curve q(tau) with v = q', the
 * coefficient of tau^k of d/dt L_v = L_q + f reads (k+1) [L_v]_{k+1} = [L_q + f]_k, and
 *     [L_v]_{k+1} = L_vv v_{k+1} + what v_0 .. v_k make,
 * so that one evaluation with v_{k+1} = 0 and one linear solve give v_{k+1} = (k+2) q_{k+2}. */
#include "mech/scheme/flow.h"

#include "kernel/jet.h"

#include <string.h>

/* Tableaus: rows of a below the diagonal one after another, then b; c_i is the sum of row i. */
static const double euler_b[] = {1};
static const double midpoint_a[] = {.5}, midpoint_b[] = {0, 1};
static const double heun_a[] = {1}, heun_b[] = {.5, .5};
static const double rk4_a[] = {.5, 0, .5, 0, 0, 1}, rk4_b[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
static const double dopri5_a[] = {1. / 5,        3. / 40,     9. / 40,       44. / 45,
                                  -56. / 15,     32. / 9,     19372. / 6561, -25360. / 2187,
                                  64448. / 6561, -212. / 729, 9017. / 3168,  -355. / 33,
                                  46732. / 5247, 49. / 176,   -5103. / 18656};
static const double dopri5_b[] = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84};

static const one_step_map maps[] = {
    {"taylor", "Taylor polynomial of degree p, and its derivative", 0, 0, NULL, NULL},
    {"euler", "Euler's method", 1, 1, NULL, euler_b},
    {"midpoint", "the explicit midpoint method", 2, 2, midpoint_a, midpoint_b},
    {"rk2", "Heun's method", 2, 2, heun_a, heun_b},
    {"rk4", "the classical Runge-Kutta method", 4, 4, rk4_a, rk4_b},
    {"dopri5", "the method of order 5 of Dormand and Prince", 5, 6, dopri5_a, dopri5_b},
};

const one_step_map *one_step_maps(int *count)
{
    return *count = (int)(sizeof maps / sizeof *maps), maps;
}

struct flow {
    const one_step_map *map;
    sys_jets           *jets;
    jet_kind            kind;
    size_t              size; /* doubles of a jet                             */
    int                 n, p; /* coordinates; degree of the expansion         */
    double              t;
    double             *start_q, *start_v; /* n jets each                       */
    double             *coefficient;       /* q_0 .. q_p, n jets each           */
    double             *V, *A;             /* of the stages, n jets each        */
    double             *Q, *rest;          /* n jets                            */
    pattern             shape;
    double             *inertia, *column; /* L_vv, and one right-hand side     */
    solver             *lu;
};

/* Jet i of an array of them. */
static double *jets(const flow *f, double *x, int i)
{
    return x + (size_t)i * f->size;
}

static const double *const_jets(const flow *f, const double *x, int i)
{
    return x + (size_t)i * f->size;
}

/* Why a system cannot be shot through, if it cannot. */
static bool refuse(const dal_system *sys, text *why)
{
    bool phase = false;
    for (int i = 0; i < sys->n && sys->hamiltonian; i++) phase |= sys->hamiltonian[i];
    if (sys->m + sys->r)
        text_add(why, "shooting does not support constraints and connections, and this "
                      "system has some; use a polynomial curve, such as lobatto(3)");
    else if (phase)
        text_add(why, "shooting needs accelerations, and Hamiltonian coordinates have "
                      "none; write the system with a lagrangian, or use a polynomial "
                      "curve, such as gauss(2)");
    else if (sys->n > FLOW_COORDINATES_MOST)
        text_printf(
            why,
            "shooting supports at most %d coordinates, since its time grows with the fourth "
            "power of their number, and this system has %d; use a polynomial curve, such as "
            "lobatto(3)",
            FLOW_COORDINATES_MOST, sys->n);
    else if (!sys->jets)
        text_add(why, "shooting needs derivatives of L and f beyond the second, which "
                      "user-defined functions do not provide; use a polynomial curve, such "
                      "as lobatto(3)");
    else return false;
    return true;
}

/* A coordinate whose velocity L does not hold has no acceleration. */
static bool lacks_inertia(const dal_system *sys, text *why)
{
    for (int i = 0; i < sys->n; i++) {
        bool any = false;
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1] && sys->varies[F_LWW]; k++)
            any |= !sys->present[F_LWW] || sys->present[F_LWW][k];
        if (any) continue;
        text_add(why, "shooting needs inertia in every direction, and ");
        if (sys->coordinate_name) sys->coordinate_name(sys->self, i, why);
        else text_printf(why, "coordinate %d", i + 1);
        text_add(why, " has none; use a polynomial curve, such as gauss(2)");
        return true;
    }
    return false;
}

static pattern full_pattern(mem *m, int n)
{
    pattern p = {n, n, mem_array(m, n + 1, int), mem_array(m, n * n, int)};
    for (int k = 0; k < n * n; k++) p.column[k] = k % n;
    for (int i = 0; i <= n; i++) p.start[i] = i * n;
    return p;
}

/* A Runge-Kutta stage needs q_2 only, taylor(p) all up to q_p. */
flow *flow_new(mem *m, dal_system *sys, const one_step_map *map, int p, text *why)
{
    flow     *f = mem_array(m, 1, flow);
    const int n = sys->n;
    if (refuse(sys, why) || lacks_inertia(sys, why)) return NULL;
    f->map = map, f->n = n, f->p = map->stages ? 2 : p;
    f->jets = sys->jets(sys->self, m, f->p, why);
    if (!f->jets) return text_add(why, "; use a polynomial curve, such as lobatto(3)"), NULL;
    f->kind = (jet_kind){2 * n, true}, f->size = f->jets->interpreter->size;
    size_t room = (size_t)n * f->size;
    f->start_q = mem_array(m, room, double), f->start_v = mem_array(m, room, double);
    f->coefficient = mem_array(m, room * (size_t)(f->p + 1), double);
    f->V = mem_array(m, room * (size_t)map->stages, double);
    f->A = mem_array(m, room * (size_t)map->stages, double);
    f->Q = mem_array(m, room, double), f->rest = mem_array(m, room, double);
    f->shape = full_pattern(m, n);
    f->inertia = mem_array(m, n * n, double), f->column = mem_array(m, n, double);
    f->lu = solver_new(m, &f->shape, NULL);
    return f;
}

void flow_free(flow *f)
{
    if (f) solver_free(f->lu);
}

/* Linear equations L_vv x = r of jets: first the values, then first, then second derivatives, each
 * with what the lower ones leave. ------------------------------------------------------------- */

static bool factor_inertia(flow *f)
{
    for (int k = 0; k < f->n * f->n; k++) f->inertia[k] = *f->jets->Lww[k];
    return solver_factor(f->lu, f->inertia);
}

/* One number of every jet: L_vv x = rest. */
static void solve_entry(flow *f, size_t entry, double *x)
{
    for (int i = 0; i < f->n; i++) f->column[i] = jets(f, f->rest, i)[entry];
    solver_solve(f->lu, f->column);
    for (int i = 0; i < f->n; i++) jets(f, x, i)[entry] = f->column[i];
}

/* r is lost */
static void solve_jets(flow *f, double *r, double *x)
{
    const size_t first[] = {0, 1, 1 + (size_t)f->kind.n, f->size};
    for (int i = 0; i < f->n; i++) jet_clear(f->kind, jets(f, x, i));
    for (int degree = 0; degree < (f->kind.second ? 3 : 2); degree++) {
        for (int i = 0; i < f->n; i++) {
            jet_copy(f->kind, jets(f, f->rest, i), jets(f, r, i));
            for (int j = 0; j < f->n; j++)
                jet_multiply_add(f->kind, jets(f, f->rest, i), -1, f->jets->Lww[i * f->n + j],
                                 jets(f, x, j));
        }
        for (size_t e = first[degree]; e < first[degree + 1]; e++) solve_entry(f, e, x);
    }
}

/* The Taylor polynomial. ----------------------------------------------------------------------- */

/* q_k into the series of q, k q_k into that of v */
static void put_coefficient(flow *f, int k)
{
    const sys_jets *j = f->jets;
    for (int i = 0; i < f->n; i++) {
        const double *q = jets(f, f->coefficient, k * f->n + i);
        jet_copy(f->kind, j->q[i] + (size_t)k * f->size, q);
        if (!k) continue;
        double *v = j->w[i] + (size_t)(k - 1) * f->size;
        jet_clear(f->kind, v);
        jet_add(f->kind, v, k, q);
    }
}

/* The series of t along the curve: t + tau. */
static void put_time(flow *f, double t)
{
    double *x = f->jets->t;
    memset(x, 0, f->jets->interpreter->stride * sizeof *x);
    x[0] = t;
    if (f->jets->interpreter->degree) x[f->size] = 1;
}

/*     L_vv v_{k+1} = [L_q + f]_k/(k+1) - [L_v]_{k+1} at v_{k+1} = 0,   q_{k+2} = v_{k+1}/(k+2) */
static bool next_coefficient(flow *f, int k)
{
    double *next = jets(f, f->coefficient, (k + 2) * f->n);
    for (int i = 0; i < f->n; i++) jet_clear(f->kind, f->jets->w[i] + (size_t)(k + 1) * f->size);
    f->jets->eval(f->jets, k + 1, f->kind.second);
    /* L_vv at the start of the curve serves all coefficients */
    if (k == 0 && !factor_inertia(f)) return false;
    for (int i = 0; i < f->n; i++) {
        double *r = jets(f, f->Q, i);
        jet_clear(f->kind, r);
        jet_add(f->kind, r, 1. / (k + 1), f->jets->force[i] + (size_t)k * f->size);
        jet_add(f->kind, r, -1, f->jets->Lw[i] + (size_t)(k + 1) * f->size);
    }
    solve_jets(f, f->Q, next);
    for (int i = 0; i < f->n; i++) {
        double *q = jets(f, next, i);
        jet_apply(f->kind, q, q, *q / (k + 2), 1. / (k + 2), 0);
    }
    return true;
}

/* q_0 .. q_p of the motion through (t, q, v) */
static bool expand(flow *f, double t, const double *q, const double *v)
{
    size_t room = (size_t)f->n * f->size * sizeof *q;
    memcpy(f->coefficient, q, room);
    memcpy(jets(f, f->coefficient, f->n), v, room);
    put_time(f, t);
    put_coefficient(f, 0);
    for (int k = 1; k < f->p; k++) {
        put_coefficient(f, k);
        if (!next_coefficient(f, k - 1)) return false;
    }
    return true;
}

/*     dq = sum_{k>=1} q_k tau^k,   v = sum_{k>=1} k q_k tau^(k-1) */
static void taylor_at(flow *f, double tau, double *dq, double *v)
{
    for (int i = 0; i < f->n; i++) {
        double *x = jets(f, dq, i), *slope = jets(f, v, i), power = 1;
        jet_clear(f->kind, x), jet_clear(f->kind, slope);
        for (int k = 1; k <= f->p; k++, power *= tau) {
            jet_add(f->kind, x, power * tau, jets(f, f->coefficient, k * f->n + i));
            jet_add(f->kind, slope, k * power, jets(f, f->coefficient, k * f->n + i));
        }
    }
}

/* Runge-Kutta methods for (q, v)' = (v, a). ---------------------------------------------------- */

/*     x_i += c sum_j w_j k_j over the first `stages` stages */
static void add_stages(const flow *f, double *x, double c, const double *w, int stages,
                       const double *k)
{
    for (int s = 0; s < stages; s++)
        for (int i = 0; i < f->n; i++)
            jet_add(f->kind, jets(f, x, i), c * w[s], const_jets(f, k, s * f->n + i));
}

/*     V_s = v_0 + tau sum_j a_sj A_j,   A_s = a(t + c_s tau, q_0 + tau sum_j a_sj V_j, V_s)
 *     dq = tau sum_s b_s V_s,   v = v_0 + tau sum_s b_s A_s
 * with a = 2 q_2 of the expansion at each stage. */
static bool runge_kutta_at(flow *f, double tau, double *dq, double *v)
{
    const size_t  room = (size_t)f->n * f->size * sizeof *dq;
    const double *row = f->map->a;
    for (int s = 0; s < f->map->stages; row += s++) {
        double c = 0, *V = jets(f, f->V, s * f->n), *A = jets(f, f->A, s * f->n);
        memcpy(dq, f->start_q, room), memcpy(V, f->start_v, room);
        for (int j = 0; j < s; j++) c += row[j];
        add_stages(f, dq, tau, row, s, f->V);
        add_stages(f, V, tau, row, s, f->A);
        if (!expand(f, f->t + c * tau, dq, V)) return false;
        memset(A, 0, room);
        for (int i = 0; i < f->n; i++)
            jet_add(f->kind, jets(f, A, i), 2, jets(f, f->coefficient, 2 * f->n + i));
    }
    memset(dq, 0, room), memcpy(v, f->start_v, room);
    add_stages(f, dq, tau, f->map->b, f->map->stages, f->V);
    add_stages(f, v, tau, f->map->b, f->map->stages, f->A);
    return true;
}

/* Measured: 1.5 for each number of a jet in each product of coefficients. */
double flow_ns(const flow *f, int points)
{
    const double each = 1.5 * f->jets->interpreter->k->instructions * (double)f->size;
    double       products = 0;
    for (int k = 1; k < f->p; k++) products += (k + 1) * (k + 2) / 2;
    return each * products * (f->map->stages ? f->map->stages * points : 1);
}

/* The start as a function of itself: unit first derivatives. */
bool flow_begin(flow *f, double t, const double *q, const double *v, bool second)
{
    const size_t room = (size_t)f->n * f->size * sizeof *q;
    f->t = t, f->kind.second = second;
    memset(f->start_q, 0, room), memset(f->start_v, 0, room);
    for (int i = 0; i < f->n; i++) {
        double *x = jets(f, f->start_q, i), *slope = jets(f, f->start_v, i);
        x[0] = q[i], slope[0] = v[i];
        x[1 + i] = slope[1 + f->n + i] = 1;
    }
    return f->map->stages || expand(f, t, f->start_q, f->start_v);
}

bool flow_at(flow *f, double tau, double *dq, double *v)
{
    const size_t room = (size_t)f->n * f->size * sizeof *dq;
    if (tau == 0) return memset(dq, 0, room), memcpy(v, f->start_v, room), true;
    if (f->map->stages) return runge_kutta_at(f, tau, dq, v);
    taylor_at(f, tau, dq, v);
    return true;
}
