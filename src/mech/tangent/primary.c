/* primary.c - the move along U at the end of a step, or at its beginning, where momenta are
 * functions of positions, and its derivative.                      theory.md [DEGENERATE] [TANGENT]
 *
 *     U^T (p + B d - L_w) = 0,   q_1 = q' + d,   p_1 = p + B d,   d = U^T x
 *     B = L_qw + f_w at (t_1, q_1, v), v the slope of the curve
 *     dx = -(U^T (B + C_q - L_wq) U)^-1 U^T F
 *     F = dp + C_q dq' + C_v dv + [B d] - L_wq dq' - L_ww dv - [L_w]
 *     C_q = d(B d)/dq,  C_v = d(B d)/dv, d held: what L_qq + f_q and B gain if w moves by d */
#include "mech/tangent/inside.h"

#include <string.h>

struct primary_move {
    sys_rates *rates;
    sys_change with, without; /* along w' = d, and along w' = 0: of their difference C is made */
    double    *still;
    sys_values out;
    sys_point  at;
    double    *d;    /* the move */
    pattern    full; /* k x k */
    solver    *lu;
    double    *values, *x, *F, *Bd, *step, *written;
};

static void room_for_rates(sys_change *c, mem *m, const dal_system *sys)
{
    const int n = sys->n, K = pattern_count(&sys->K);
    double  **of_n[] = {&c->Lw, &c->Lq, &c->f}, **of_K[] = {&c->Lqq, &c->Lqw, &c->fq, &c->fw};
    for (int k = 0; k < 3; k++) *of_n[k] = mem_array(m, n + 1, double);
    for (int k = 0; k < 4; k++) *of_K[k] = mem_array(m, K + 1, double);
    c->e = mem_array(m, sys->m + sys->r + 1, double);
}

static void make_room(primary_move *s, mem *m, const dal_system *sys, int k)
{
    const int n = sys->n, K = pattern_count(&sys->K);
    double  **of_n[] = {&s->out.Lq, &s->out.Lw, &s->out.f, &s->still,  &s->d,
                        &s->F,      &s->Bd,     &s->step,  &s->written};
    for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++) *of_n[i] = mem_array(m, n + 1, double);
    for (int f = 0; f < F_COUNT; f++) s->out.on_K[f] = mem_array(m, K + 1, double);
    room_for_rates(&s->with, m, sys), room_for_rates(&s->without, m, sys);
    s->full = (pattern){k, k, mem_array(m, k + 1, int), mem_array(m, k * k, int)};
    for (int e = 0; e < k * k; e++) s->full.column[e] = e % k;
    for (int i = 0; i <= k; i++) s->full.start[i] = i * k;
    s->values = mem_array(m, k * k, double), s->x = mem_array(m, k, double);
}

/* Made again where the number of directions has changed. */
dal_status primary_move_new(tangent *tg, primary_move **out, mem *m, text *why)
{
    dal_system *sys = tg->st->sys;
    if (*out && (*out)->full.rows == tg->st->massless.primary.k) return DAL_OK;
    if (!sys->rates) {
        text_add(why, "projecting momenta that are functions of positions needs third "
                      "derivatives, which user-defined functions do not provide: use "
                      "momentum = papers, which does not project them");
        return DAL_INVALID;
    }
    primary_move *s = *out = mem_array(m, 1, primary_move);
    make_room(s, m, sys, tg->st->massless.primary.k);
    s->rates = sys->rates(sys->self, m);
    s->lu = solver_new(m, &s->full, NULL);
    return DAL_OK;
}

void primary_move_free(primary_move *s)
{
    if (s) solver_free(s->lu);
}

/* to += (field after - field before) u, row by row */
static void add_difference(const dal_system *sys, const double *after, const double *before,
                           const double *u, double *to)
{
    for (int i = 0; i < sys->n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++)
            to[i] += (after[k] - before[k]) * u[sys->K.column[k]];
}

/*     to = B u */
void primary_move_push(const tangent *tg, const primary_move *s, const double *u, double *to)
{
    const equations  *eq = &tg->st->eq;
    const sys_values *out = &s->out;
    memset(to, 0, (size_t)eq->n * sizeof *to);
    add_field(eq, out, F_LQW, false, u, to);
    if (eq->sys->forced) add_field(eq, out, F_FW, false, u, to);
}

/*     to += C_q dq + C_v dv */
static void add_turning(const tangent *tg, const primary_move *s, const double *dq,
                        const double *dv, double *to)
{
    const dal_system *sys = tg->st->sys;
    add_difference(sys, s->with.Lqq, s->without.Lqq, dq, to),
        add_difference(sys, s->with.fq, s->without.fq, dq, to);
    add_difference(sys, s->with.Lqw, s->without.Lqw, dv, to),
        add_difference(sys, s->with.fw, s->without.fw, dv, to);
}

/*     F -= L_wq dq + L_ww dv */
static void subtract_momentum(const tangent *tg, const primary_move *s, const double *dq,
                              const double *dv, double *F)
{
    const dal_system *sys = tg->st->sys;
    const sys_values *out = &s->out;
    for (int i = 0; i < sys->n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++) {
            int j = sys->K.column[k];
            F[i] -= out->on_K[F_LQW][sys->transpose[k]] * dq[j];
            if (sys->varies[F_LWW]) F[i] -= out->on_K[F_LWW][k] * dv[j];
        }
}

/*     U_u . F */
static double along_U(const tangent *tg, const double *F, int u)
{
    const primary *a = &tg->st->massless.primary;
    double         sum = 0;
    for (int i = 0; i < a->n; i++) sum += a->U[u * a->n + i] * F[i];
    return sum;
}

/* Everything where the state belongs together, q, and how it changes along the move. */
bool primary_move_put(tangent *tg, primary_move *s, double t, const double *q, const double *move)
{
    dal_system    *sys = tg->st->sys;
    const double  *v = stepper_slope(tg->st);
    const unsigned f = sys->forced ? WANT_FORCE | WANT_FORCE_JACOBIAN : 0u;
    memcpy(s->d, move, (size_t)sys->n * sizeof *s->d);
    s->at = (sys_point){.t = t, .q = q, .w = v, .v = v};
    if (sys->eval(sys->self, WANT_GRADIENT | WANT_HESSIAN | f, 1, &s->at, &s->out)) return false;
    s->rates->eval(s->rates->self, &s->at, &(sys_motion){s->d, s->still}, &s->with);
    s->rates->eval(s->rates->self, &s->at, &(sys_motion){s->still, s->still}, &s->without);
    return true;
}

/*     values = U^T (B + C_q - L_wq) U,   column by column */
bool primary_move_linearise(tangent *tg, primary_move *s, double t)
{
    const primary *a = &tg->st->massless.primary;
    if (!primary_move_put(tg, s, t, a->q, a->dq)) return false;
    for (int b = 0; b < a->k; b++) {
        const double *U = a->U + b * a->n;
        primary_move_push(tg, s, U, s->F);
        add_turning(tg, s, U, s->still, s->F);
        subtract_momentum(tg, s, U, s->still, s->F);
        for (int u = 0; u < a->k; u++) s->values[u * a->k + b] = along_U(tg, s->F, u);
    }
    return solver_factor(s->lu, s->values);
}

/* [B d] into Bd, [L_w] into written */
static void take_written(tangent *tg, primary_move *s, const part_direction *d)
{
    const int n = tg->st->eq.n;
    memset(s->Bd, 0, (size_t)n * sizeof *s->Bd),
        memset(s->written, 0, (size_t)n * sizeof *s->written);
    if (!d->moves || !tg->row.vary || !row_changes_written(&tg->row, &s->at, 0, d)) return;
    sys_direction along = d->written;
    along.t = d->t;
    memcpy(s->written, tg->row.written.Lw, (size_t)n * sizeof *s->written);
    s->rates->vary(s->rates->self, &s->at, &(sys_motion){s->d, s->still}, &along, &s->with);
    s->rates->vary(s->rates->self, &s->at, &(sys_motion){s->still, s->still}, &along, &s->without);
    for (int i = 0; i < n; i++)
        s->Bd[i] = s->with.Lq[i] - s->without.Lq[i] + s->with.f[i] - s->without.f[i];
}

/* x = dx of the header, from F; dq and dp are those before the move. */
const double *primary_move_needs(tangent *tg, primary_move *s, const part_direction *d,
                                 const double *dv, const double *dq, const double *dp)
{
    const primary *a = &tg->st->massless.primary;
    const int      n = a->n;
    take_written(tg, s, d);
    memcpy(s->F, dp, (size_t)n * sizeof *s->F);
    add_turning(tg, s, dq, dv, s->F);
    subtract_momentum(tg, s, dq, dv, s->F);
    add_times(s->F, 1, s->Bd, n), add_times(s->F, -1, s->written, n);
    for (int u = 0; u < a->k; u++) s->x[u] = -along_U(tg, s->F, u);
    solver_solve(s->lu, s->x);
    return s->x;
}

/*     dq += dd,   dp += B dd + C_q dq + C_v dv + [B d],   dd = U^T dx, dq after the move */
void primary_move_change(tangent *tg, primary_move *s, const part_direction *d, const double *dv,
                         double *dq, double *dp)
{
    const primary *a = &tg->st->massless.primary;
    const int      n = a->n;
    primary_move_needs(tg, s, d, dv, dq, dp);
    memset(s->step, 0, (size_t)n * sizeof *s->step);
    for (int u = 0; u < a->k; u++) add_times(s->step, s->x[u], a->U + u * n, n);
    add_times(dq, 1, s->step, n);
    primary_move_push(tg, s, s->step, s->F);
    add_turning(tg, s, dq, dv, s->F);
    add_times(dp, 1, s->F, n), add_times(dp, 1, s->Bd, n);
}

/* The same terms for a move that is held: only its surroundings change. */
void primary_move_begin(tangent *tg, primary_move *s, const part_direction *d, const double *dq,
                        double *dp)
{
    const int n = tg->st->eq.n;
    take_written(tg, s, d);
    memset(s->F, 0, (size_t)n * sizeof *s->F);
    add_turning(tg, s, dq, s->still, s->F);
    add_times(dp, 1, s->F, n), add_times(dp, 1, s->Bd, n);
}
