/* algebraic.c - the move along U at the end of a step where only stiffness acts there, and its
 * derivative.                                                      theory.md [DEGENERATE] [TANGENT]
 *
 *     U^T F(t_1, q_1, v) = 0,   q_1 = q' + U^T x,   v the slope of the curve
 *     F = L_q + f - L_wq v - L_wt
 *     dx = -(U^T F_q U)^-1 U^T (F_q dq' + F_v dv + [F])
 *     F_q = L_qq + f_q - d/dt L_wq,    F_v = L_qw + f_w - L_wq - d/dt L_ww
 * with d/dt along t' = 1, q' = v. Where F holds velocities of directions with inertia, v is the one
 * that belongs to (q_1, p_1), and dv that of the end solve. p_1 = p' + (L_qw + f_w) U^T x, whose
 * factors must not depend on q and v. */
#include "mech/tangent/inside.h"

#include <math.h>
#include <string.h>

struct algebraic_move {
    const free_moves *a;
    coupled          *of;      /* NULL: v is the slope of the curve */
    double           *dv, *dp; /* that belong to a move             */
    double           *drag;    /* (L_qw + f_w) U^T, k rows of n     */
    bool              drags;   /* it is not 0                       */
    sys_rates        *rates;   /* NULL: d/dt L_wq, d/dt L_ww are 0 */
    sys_change        moved;
    double           *still; /* w' = v' = 0                      */
    sys_values        out;
    sys_point         at;
    pattern           full; /* k x k                            */
    solver           *lu;
    double           *values, *x, *F, *U;
};

/* Only then do d/dt L_wq and d/dt L_ww matter. */
static bool inertia_varies(const dal_system *sys)
{
    return sys->varies[F_LQW] == FIELD_VARIES || sys->varies[F_LWW] == FIELD_VARIES;
}

static void room_for_fields(algebraic_move *s, mem *m, const dal_system *sys)
{
    const int n = sys->n, K = pattern_count(&sys->K);
    double  **of_n[] = {&s->out.Lq, &s->out.Lw,   &s->out.f, &s->still, &s->F,
                        &s->U,      &s->moved.Lw, &s->dv,    &s->dp};
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, n + 1, double);
    for (int f = 0; f < F_COUNT; f++) s->out.on_K[f] = mem_array(m, K + 1, double);
    s->moved.e = mem_array(m, sys->m + sys->r + 1, double);
    s->moved.Lqw = mem_array(m, K + 1, double), s->moved.Lww = mem_array(m, K + 1, double);
}

/* of NULL: forces see the slope of the curve; else the velocity that belongs to (q, p). */
dal_status algebraic_move_new(tangent *tg, algebraic_move **out, const free_moves *a, coupled *of,
                              text *why)
{
    dal_system *sys = tg->st->sys;
    mem        *m = tg->st->m;
    const int   k = a->k;
    if (*out && (*out)->full.rows == k) return DAL_OK;
    if (inertia_varies(sys) && !sys->rates) {
        text_add(why, "user-defined functions lack the higher derivatives that the tangent "
                      "along directions without inertia needs");
        return DAL_INVALID;
    }
    algebraic_move *s = *out = mem_array(m, 1, algebraic_move);
    s->a = a, s->of = of, s->drag = mem_array(m, k * sys->n, double);
    room_for_fields(s, m, sys);
    s->full = (pattern){k, k, mem_array(m, k + 1, int), mem_array(m, k * k, int)};
    for (int e = 0; e < k * k; e++) s->full.column[e] = e % k;
    for (int i = 0; i <= k; i++) s->full.start[i] = i * k;
    s->values = mem_array(m, k * k, double), s->x = mem_array(m, k, double);
    s->lu = solver_new(m, &s->full, NULL);
    if (sys->rates) s->rates = sys->rates(sys->self, m);
    return DAL_OK;
}

void algebraic_move_free(algebraic_move *s)
{
    if (s) solver_free(s->lu);
}

/*     F = F_q dq + F_v dv */
static void force_change(tangent *tg, algebraic_move *s, const double *dq, const double *dv)
{
    const equations  *eq = &tg->st->eq;
    const dal_system *sys = eq->sys;
    memset(s->F, 0, (size_t)eq->n * sizeof *s->F);
    add_field(eq, &s->out, F_LQQ, false, dq, s->F);
    add_field(eq, &s->out, F_LQW, false, dv, s->F);
    if (sys->forced) {
        add_field(eq, &s->out, F_FQ, false, dq, s->F);
        add_field(eq, &s->out, F_FW, false, dv, s->F);
    }
    for (int i = 0; i < eq->n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++) {
            const int j = sys->K.column[k], t = sys->transpose[k];
            if (sys->varies[F_LQW]) s->F[i] -= s->out.on_K[F_LQW][t] * dv[j];
            if (s->rates) s->F[i] -= s->moved.Lqw[t] * dq[j] + s->moved.Lww[k] * dv[j];
        }
}

/*     W_u . F */
static double along_U(const algebraic_move *s, int u)
{
    double sum = 0;
    for (int i = 0; i < s->a->n; i++) sum += s->a->W[u * s->a->n + i] * s->F[i];
    return sum;
}

/* (L_qw + f_w) U^T. False: it varies with the state, and its change is not known. */
static bool find_drag(algebraic_move *s, const dal_system *sys)
{
    const free_moves *a = s->a;
    double            by_L = 0, by_force = 0;
    memset(s->drag, 0, (size_t)(a->k * a->n) * sizeof *s->drag);
    for (int u = 0; u < a->k; u++)
        for (int i = 0; i < a->n; i++)
            for (int e = sys->K.start[i]; e < sys->K.start[i + 1]; e++) {
                const double along = a->U[u * a->n + sys->K.column[e]],
                             L = s->out.on_K[F_LQW][e] * along;
                const double f = sys->forced ? s->out.on_K[F_FW][e] * along : 0;
                by_L = fmax(by_L, fabs(L)), by_force = fmax(by_force, fabs(f));
                s->drag[u * a->n + i] += L + f;
            }
    s->drags = by_L > 0 || by_force > 0;
    return !(by_L > 0 && sys->varies[F_LQW] == FIELD_VARIES) &&
           !(by_force > 0 && sys->varies[F_FW] == FIELD_VARIES);
}

/* How the velocity that belongs to the state changes with it. */
static const double *velocity_change(tangent *tg, algebraic_move *s, const double *dq,
                                     const double *dp, const sys_change *written)
{
    node_equations *g = &tg->st->grid;
    node_change(g, dq, dp, written, tg->dp);
    memcpy(s->dv, g->r, (size_t)g->n * sizeof *s->dv);
    return s->dv;
}

/* v where the state was projected; NULL: there is none */
static const double *velocity(tangent *tg, algebraic_move *s)
{
    stepper *st = tg->st;
    coupled *c = s->of;
    if (!c) return stepper_slope(st);
    if (node_solve(&st->grid, st->t, st->q, st->p, c->w, c->v, c->nu, c->sigma)) return NULL;
    return node_linearise(&st->grid, st->t, st->q, c->w, c->v, c->nu) ? c->v : NULL;
}

/*     values = W^T (F_q U + F_v dv),   dv = 0, or the velocity that follows a move along U */
bool algebraic_move_linearise(tangent *tg, algebraic_move *s)
{
    const free_moves *a = s->a;
    dal_system       *sys = tg->st->sys;
    const double     *v = velocity(tg, s);
    const unsigned    f = sys->forced ? WANT_FORCE | WANT_FORCE_JACOBIAN : 0u;
    s->at = (sys_point){.t = tg->st->t, .q = tg->st->q, .w = v, .v = v};
    if (!v || sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN | f, 1, &s->at, &s->out))
        return false;
    if (s->rates)
        s->rates->eval(s->rates->self, &s->at, &(sys_motion){s->still, s->still}, &s->moved);
    if (!find_drag(s, sys)) return false;
    for (int b = 0; b < a->k; b++) {
        memcpy(s->U, a->U + b * a->n, (size_t)a->n * sizeof *s->U);
        force_change(tg, s, s->U,
                     s->of ? velocity_change(tg, s, s->U, s->drag + b * a->n, NULL) : s->still);
        for (int u = 0; u < a->k; u++) s->values[u * a->k + b] = along_U(s, u);
    }
    return solver_factor(s->lu, s->values);
}

/* [F] = [L_q] + [f] - [d/dt L_w] */
static void add_written(tangent *tg, algebraic_move *s, const part_direction *d)
{
    const int n = tg->st->eq.n;
    if (!row_changes_written(&tg->row, &s->at, 0, d)) return;
    add_times(s->F, 1, tg->row.written.Lq, n), add_times(s->F, 1, tg->row.written.f, n);
    if (!s->rates) return;
    sys_direction along = d->written;
    along.t = d->t;
    s->rates->vary(s->rates->self, &s->at, &(sys_motion){s->still, s->still}, &along, &s->moved);
    add_times(s->F, -1, s->moved.Lw, n);
}

/* Momentum along U is none of the state's own where L_w is linear in q:  dp -= U^T U (dp - L_wq dq
 * - [L_w]) */
static void clear_momentum(tangent *tg, algebraic_move *s, const sys_change *written,
                           const double *dq, double *dp)
{
    const free_moves *a = s->a;
    const pattern    *K = &tg->st->sys->K;
    for (int i = 0; i < a->n; i++) {
        s->dp[i] = dp[i] - (written ? written->Lw[i] : 0);
        for (int e = K->start[i]; e < K->start[i + 1]; e++)
            s->dp[i] -= s->out.on_K[F_LQW][tg->st->sys->transpose[e]] * dq[K->column[e]];
    }
    for (int u = 0; u < a->k; u++) {
        double sigma = 0;
        for (int i = 0; i < a->n; i++) sigma += a->U[u * a->n + i] * s->dp[i];
        add_times(dp, -sigma, a->U + u * a->n, a->n);
    }
}

/* dp += [L_qw + f_w] U^T x for the move that was made, as [L_q + f] at the velocity U^T x less that
 * at rest */
static void change_drag(tangent *tg, algebraic_move *s, const part_direction *d, double *dp)
{
    const double *const at_velocity[] = {s->a->dq, s->still};
    for (int k = 0; k < 2; k++) {
        const sys_point at = {.t = s->at.t, .q = s->at.q, .w = at_velocity[k], .v = at_velocity[k]};
        if (!row_changes_written(&tg->row, &at, 0, d)) continue;
        add_times(dp, k ? -1 : 1, tg->row.written.Lq, s->a->n);
        if (tg->st->sys->forced) add_times(dp, k ? -1 : 1, tg->row.written.f, s->a->n);
    }
}

/*     dx = -values^-1 W^T dF,   dq += U^T dx,   dp += (L_qw + f_w) U^T dx */
void algebraic_move_change(tangent *tg, algebraic_move *s, const part_direction *d,
                           const double *dv, double *dq, double *dp)
{
    const free_moves *a = s->a;
    if (s->drags) change_drag(tg, s, d, dp);
    if (s->of) {
        const sys_change *written =
            row_changes_written(&tg->row, &tg->st->grid.at, 0, d) ? &tg->row.written : NULL;
        clear_momentum(tg, s, written, dq, dp);
        dv = velocity_change(tg, s, dq, dp, written);
    }
    force_change(tg, s, dq, dv);
    add_written(tg, s, d);
    for (int u = 0; u < a->k; u++) s->x[u] = along_U(s, u);
    solver_solve(s->lu, s->x);
    for (int u = 0; u < a->k; u++) add_times(dq, -s->x[u], a->U + u * a->n, a->n);
    for (int u = 0; u < a->k && s->drags; u++) add_times(dp, -s->x[u], s->drag + u * a->n, a->n);
}
