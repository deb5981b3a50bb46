/* adaptive.c - the extended equations: what they cannot take, their room, and the bordered matrix.
 *                                                                             theory.md [ENERGY] */
#include "mech/energy/adaptive.h"

#include <math.h>
#include <string.h>

/* How relations change with time is asked of the system. */
static bool moves_unknown(const dal_system *sys)
{
    return sys->m + sys->r && !sys->autonomous && !sys->constant_A && !sys->vary;
}

/* What the border has no terms for: chords of the caller, several curves, curves that are shot. */
static dal_status refuse(const equations *eq, const scheme *sch, text *why)
{
    if (eq->along)
        text_add(why, "principle = energy takes constraints on the curve itself, and a "
                      "user-defined retraction does not: leave it out, or use dirac+");
    else if (moves_unknown(eq->sys))
        text_add(why, "principle = energy differentiates relations in time, which functions of a "
                      "program do not: write them in a model, or use dirac+");
    else if (eq->sys->state)
        text_add(why,
                 "principle = energy balances energy, and the equations of states have none: use "
                 "dirac+");
    else if (eq->sys->damped)
        text_add(why, "principle = energy balances the work of forces, which upwinded functions do "
                      "not: write force instead of damping, or use dirac+");
    else if (sch->substeps > 1)
        text_printf(why,
                    "principle = energy solves for the length of a single curve, and %s "
                    "joins %d: use gauss(s) of the same order",
                    sch->name, sch->substeps);
    else if (sch->curve != CURVE_POLYNOMIAL)
        text_printf(why, "principle = energy needs a polynomial curve: use gauss(s) of the same "
                         "order");
    else return DAL_OK;
    return DAL_INVALID;
}

/* Work along the curve needs f between the stages. */
static dal_status refuse_lines(const equations *eq, text *why)
{
    if (eq->sys->forced && eq->phase)
        text_add(why, "power = lines takes forces all along the curve, and momenta of Hamiltonian "
                      "coordinates are known at its stages only: use power = nodes");
    else if (eq->sys->inner)
        text_add(why, "power = lines takes forces all along the curve, and implicit ones are known "
                      "at its stages only: use power = nodes");
    else return DAL_OK;
    return DAL_INVALID;
}

/* Derivatives in time of all fields, which a fixed step does not ask for. */
static void room_for_time(const samples *set, const dal_system *sys, mem *m)
{
    const int n = sys->n;
    for (int i = 0; i < set->count; i++) {
        set->out[i].Lqt = mem_array(m, n, double);
        set->out[i].Lwt = mem_array(m, n, double);
        set->out[i].ft = mem_array(m, n, double);
        if (sys->inner && set->out[i].inner.u)
            set->out[i].inner.c_t = mem_array(m, sys->inner->size, double);
    }
}

/* The border needs all second derivatives at every length, so none is kept from step to step. */
dal_status adaptive_prepare(equations *eq, mem *m, const scheme *sch, power_along power, text *why)
{
    dal_status bad = refuse(eq, sch, why);
    if (!bad && power == POWER_LINES) bad = refuse_lines(eq, why);
    if (bad) return bad;
    eq->constant = false;
    eq->want.jacobian |= WANT_HESSIAN | (eq->sys->forced ? WANT_FORCE_JACOBIAN : 0u);
    eq->want.residual |= WANT_L;
    if (eq->sys->autonomous) return DAL_OK;
    eq->want.residual |= WANT_TIME;
    room_for_time(&eq->rule, eq->sys, m);
    room_for_time(&eq->force, eq->sys, m);
    if (eq->relations) eq->want.relation = WANT_RELATIONS_JACOBIAN;
    return DAL_OK;
}

/* Twelve Gauss points between each two nodes of L, the ends of the step among them:
 *     g^- = -sum_k w_k B(x_k) h f.v,   B(x) = sum_{c_i > x} b_i                theory.md [ENERGY]
 */
static work_lines *lines_new(mem *m, equations *eq, const scheme *sch)
{
    enum { POINTS = 12 };
    work_lines *lines = mem_array(m, 1, work_lines);
    const int   s = sch->rule.s, most = POINTS * (s + 1);
    double     *x = mem_array(m, most, double), *b = mem_array(m, most, double), from = 0;
    int         count = 0;
    quadrature  gauss;
    quadrature_gauss(&gauss, POINTS);
    for (int i = 0; i <= s; i++) {
        const double to = i < s ? sch->rule.c[i] : 1, length = to - from;
        for (int k = 0; k < POINTS && length > 0; k++, count++)
            x[count] = from + length * gauss.c[k], b[count] = length * gauss.b[k];
        from = fmax(from, to);
    }
    equations_force_samples(eq, m, &lines->at, x, b, count);
    if (!eq->sys->autonomous) room_for_time(&lines->at, eq->sys, m);
    for (int side = 0; side < 2; side++) {
        lines->after[side] = mem_array(m, count, double);
        for (int k = 0; k < count; k++)
            for (int i = 0; i < s; i++)
                if (eq->rule.x[side][i] <= lines->at.x[side][k])
                    lines->after[side][k] += sch->rule.b[i];
    }
    return lines;
}

dal_status adaptive_init(adaptive *a, mem *m, newton *nw, const scheme *sch, power_along power,
                         step_bounds bounds, const char *kind, text *why)
{
    equations *eq = nw->eq;
    double   **array[] = {&a->row, &a->column, &a->r, &a->x, &a->c, &a->kept};
    *a = (adaptive){.nw = nw, .eq = eq, .order = sch->order, .bounds = bounds};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = mem_array(m, equations_extent(eq), double);
    a->work = mem_array(m, 4 * eq->n, double);
    if (power == POWER_LINES && eq->sys->forced) a->lines = lines_new(m, eq, sch);
    if (eq->relations && !eq->sys->autonomous) {
        row_changes_init(&a->moves, m, eq);
        if (eq->sys->vary) a->moves.vary = eq->sys->vary(eq->sys->self, m);
    }
    a->lu = solver_new(m, &eq->J, kind);
    if (a->lu && !condition_init(a, m, kind)) return DAL_OK;
    text_printf(why, "the linear solver '%s' cannot be used here", kind ? kind : "?");
    return DAL_INVALID;
}

void adaptive_free(adaptive *a)
{
    solver_free(a->lu);
    condition_free(a);
    a->lu = NULL;
}

void adaptive_forget(adaptive *a)
{
    memset(a->h, 0, sizeof a->h);
    a->slope = a->shift = 0, a->sign = 0, a->outcome = STEP_DECIDED;
    a->held = a->anew = a->chose = false;
}

/*     c = J^-1 dG/dh,   dphi/dh = dS/dh - dS/dZ c                                                */
bool adaptive_assemble(adaptive *a, const double *y)
{
    equations *eq = a->eq;
    const int  extent = equations_extent(eq);
    a->iterations++;
    if (!border_sum(a, y)) return false;
    equations_fill(eq);
    a->nw->count.factorisations++;
    if (!solver_factor(a->lu, eq->values)) return false;
    memcpy(a->c, a->column, (size_t)extent * sizeof *a->c);
    memcpy(a->x, a->r, (size_t)extent * sizeof *a->x); /* implicit forces are right: 0 behind r */
    solver_solve(a->lu, a->c), solver_solve(a->lu, a->x);
    a->slope = a->corner - border_dot(a->row, a->c, extent);
    return isfinite(a->slope);
}

/*     K = [[J, dG/dh], [dS/dZ, dS/dh]] */
void adaptive_matrix(const adaptive *a, double *K)
{
    const equations *eq = a->eq;
    const int        size = equations_extent(eq), N = size + 1;
    memset(K, 0, (size_t)N * (size_t)N * sizeof *K);
    for (int i = 0; i < size; i++) {
        for (int k = eq->J.start[i]; k < eq->J.start[i + 1]; k++)
            K[i * N + eq->J.column[k]] = eq->values[k];
        K[i * N + size] = a->column[i], K[size * N + i] = a->row[i];
    }
    K[size * N + size] = a->corner;
}
