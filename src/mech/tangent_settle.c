/* tangent_settle.c - the move along U with which a step ends where only stiffness acts there,
 * and its change.                                               theory.md [DEGENERATE] [TANGENT]
 *
 *     U^T F(t_1, q_1, v) = 0,   q_1 = q' + U^T x,   v the slope of the curve
 *     F = L_q + f - L_wq v - L_wt
 *     dx = -(U^T F_q U)^-1 U^T (F_q dq' + F_v dv + [F])
 *     F_q = L_qq + f_q - d/dt L_wq,    F_v = L_qw + f_w - L_wq - d/dt L_ww
 * with d/dt along t' = 1, q' = v. */
#include "mech/tangent_rows.h"

#include <string.h>

struct settling {
    sys_rates *rates; /* NULL: d/dt L_wq, d/dt L_ww are 0 */
    sys_change moved;
    double    *still; /* w' = v' = 0                      */
    sys_values out;
    sys_point  at;
    pattern    full; /* k x k                            */
    solver    *lu;
    double    *values, *x, *F, *U;
};

static bool inertia_varies(const dal_system *sys)
{
    return sys->varies[F_LQW] == FIELD_VARIES || sys->varies[F_LWW] == FIELD_VARIES;
}

static void room_for_fields(settling *s, mem *m, const dal_system *sys)
{
    const int n = sys->n, K = pattern_count(&sys->K);
    double  **of_n[] = {&s->out.Lq, &s->out.Lw, &s->out.f, &s->still, &s->F, &s->U, &s->moved.Lw};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, n + 1, double);
    for (int f = 0; f < F_COUNT; f++) s->out.on_K[f] = mem_array(m, K + 1, double);
    s->moved.e = mem_array(m, sys->m + sys->r + 1, double);
    s->moved.Lqw = mem_array(m, K + 1, double), s->moved.Lww = mem_array(m, K + 1, double);
}

dal_status settling_new(tangent *tg, mem *m, text *why)
{
    dal_system *sys = tg->st->sys;
    const int   k = tg->st->algebraic.k;
    if (tg->settle && tg->settle->full.rows == k) return DAL_OK;
    if (inertia_varies(sys) && !sys->rates) {
        text_add(why,
                 "how functions of your own balance along directions without inertia is known to "
                 "first order only: their tangent is not known");
        return DAL_INVALID;
    }
    settling *s = tg->settle = mem_array(m, 1, settling);
    room_for_fields(s, m, sys);
    s->full = (pattern){k, k, mem_array(m, k + 1, int), mem_array(m, k * k, int)};
    for (int e = 0; e < k * k; e++) s->full.column[e] = e % k;
    for (int i = 0; i <= k; i++) s->full.start[i] = i * k;
    s->values = mem_array(m, k * k, double), s->x = mem_array(m, k, double);
    s->lu = solver_new(m, &s->full, NULL);
    if (sys->rates) s->rates = sys->rates(sys->self, m);
    return DAL_OK;
}

void settling_free(settling *s)
{
    if (s) solver_free(s->lu);
}

/*     F = F_q dq + F_v dv */
static void force_change(tangent *tg, const double *dq, const double *dv)
{
    settling         *s = tg->settle;
    const equations  *eq = &tg->st->eq;
    const dal_system *sys = eq->sys;
    memset(s->F, 0, (size_t)eq->n * sizeof *s->F);
    tangent_add_field(eq, &s->out, F_LQQ, false, dq, s->F);
    tangent_add_field(eq, &s->out, F_LQW, false, dv, s->F);
    if (sys->forced) {
        tangent_add_field(eq, &s->out, F_FQ, false, dq, s->F);
        tangent_add_field(eq, &s->out, F_FW, false, dv, s->F);
    }
    for (int i = 0; i < eq->n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++) {
            const int j = sys->K.column[k], t = sys->transpose[k];
            if (sys->varies[F_LQW]) s->F[i] -= s->out.on_K[F_LQW][t] * dv[j];
            if (s->rates) s->F[i] -= s->moved.Lqw[t] * dq[j] + s->moved.Lww[k] * dv[j];
        }
}

static double along_U(const tangent *tg, int u)
{
    const algebraic *a = &tg->st->algebraic;
    double           sum = 0;
    for (int i = 0; i < a->n; i++) sum += a->U[u * a->n + i] * tg->settle->F[i];
    return sum;
}

bool settling_linearise(tangent *tg)
{
    settling        *s = tg->settle;
    const algebraic *a = &tg->st->algebraic;
    dal_system      *sys = tg->st->sys;
    const double    *v = stepper_slope(tg->st), *none = s->still;
    const unsigned   f = sys->forced ? WANT_FORCE | WANT_FORCE_JACOBIAN : 0u;
    s->at = (sys_point){.t = tg->st->t, .q = tg->st->q, .w = v, .v = v};
    if (sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN | f, 1, &s->at, &s->out)) return false;
    if (s->rates)
        s->rates->eval(s->rates->self, &s->at, &(sys_motion){s->still, s->still}, &s->moved);
    for (int b = 0; b < a->k; b++) {
        memcpy(s->U, a->U + b * a->n, (size_t)a->n * sizeof *s->U);
        force_change(tg, s->U, none);
        for (int u = 0; u < a->k; u++) s->values[u * a->k + b] = along_U(tg, u);
    }
    return solver_factor(s->lu, s->values);
}

/* [F] = [L_q] + [f] - [d/dt L_w] */
static void add_written(tangent *tg, const part_direction *d)
{
    settling *s = tg->settle;
    const int n = tg->st->eq.n;
    if (!tangent_vary(tg, &s->at, 0, d)) return;
    tangent_add(s->F, 1, tg->written.Lq, n), tangent_add(s->F, 1, tg->written.f, n);
    if (!s->rates) return;
    sys_direction along = d->written;
    along.t = d->t;
    s->rates->vary(s->rates->self, &s->at, &(sys_motion){s->still, s->still}, &along, &s->moved);
    tangent_add(s->F, -1, s->moved.Lw, n);
}

void settling_change(tangent *tg, const part_direction *d, const double *dv, double *dq)
{
    settling        *s = tg->settle;
    const algebraic *a = &tg->st->algebraic;
    force_change(tg, dq, dv);
    add_written(tg, d);
    for (int u = 0; u < a->k; u++) s->x[u] = along_U(tg, u);
    solver_solve(s->lu, s->x);
    for (int u = 0; u < a->k; u++) tangent_add(dq, -s->x[u], a->U + u * a->n, a->n);
}
