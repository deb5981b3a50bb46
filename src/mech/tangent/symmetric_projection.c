/* symmetric_projection.c - the derivative of a step that begins and ends with the same move
 * (stepper/symmetric_projection.h).
 *
 * The change x of the move is an unknown: given x at the beginning, the end requires the move y + T
 * x. Both agree where (-1)^d x = y + T x; T, close to -(-1)^d, comes from the k directions of the
 * move, each propagated through the step.                                    theory.md [TANGENT] */
#include "mech/tangent/inside.h"

#include <string.h>

struct ends_change {
    primary_move *begins, *ends;
    solver       *lu; /* of (-1)^d - T */
    pattern       full;
    double       *values, *x, *carried; /* carried: dq, dp and dv at the end, of each direction */
    double       *q;                    /* before the step                                      */
    int           k;
};

/* Made again where the number of directions has changed. */
dal_status ends_change_new(tangent *tg, text *why)
{
    mem         *m = tg->st->m;
    const int    k = tg->st->massless.primary.k, n = tg->st->sys->n;
    ends_change *e = tg->ends ? tg->ends : mem_array(m, 1, ends_change);
    tg->ends = e;
    dal_status bad = primary_move_new(tg, &e->begins, m, why);
    if (!bad) bad = primary_move_new(tg, &e->ends, m, why);
    if (bad || e->k == k) return bad;
    e->k = k;
    e->full = (pattern){k, k, mem_array(m, k + 1, int), mem_array(m, k * k, int)};
    for (int i = 0; i < k * k; i++) e->full.column[i] = i % k;
    for (int i = 0; i <= k; i++) e->full.start[i] = i * k;
    e->values = mem_array(m, k * k, double), e->x = mem_array(m, k, double);
    e->carried = mem_array(m, k * 3 * n, double), e->q = mem_array(m, n, double);
    solver_free(e->lu);
    e->lu = solver_new(m, &e->full, NULL);
    return DAL_OK;
}

void ends_change_free(ends_change *e)
{
    if (!e) return;
    primary_move_free(e->begins), primary_move_free(e->ends);
    solver_free(e->lu);
}

/* What changes beside q and w at the beginning of a part, or at its end. */
static part_direction beside(const tangent *tg, const step_direction *along, double at)
{
    return (part_direction){.t = along->t + (at - tg->t) / tg->h * along->h,
                            .written = {.parameter = along->parameter, .input = along->input},
                            .moves =
                                along->parameter || along->input || along->t != 0 || along->h != 0};
}

/* Each direction of the move, to the end of the step. */
static void carry(tangent *tg, int u)
{
    static const step_direction nothing = {0};
    const stepper              *st = tg->st;
    ends_change                *e = tg->ends;
    const int                   n = st->sys->n, k = e->k;
    const double                sign = st->eq.d % 2 ? -1 : 1;
    double                     *dq = e->carried + u * 3 * n, *dp = dq + n, *dv = dq + 2 * n;
    memcpy(dq, st->massless.primary.U + u * n, (size_t)n * sizeof *dq);
    primary_move_push(tg, e->begins, dq, dp);
    tangent_part(tg, &nothing, dq, dp, dv);
    const part_direction d = beside(tg, &nothing, st->eq.t);
    const double        *x = primary_move_needs(tg, e->ends, &d, dv, dq, dp);
    for (int i = 0; i < k; i++) e->values[i * k + u] = (i == u ? sign : 0) - x[i];
}

/* Both moves where they were made, and T from the directions of U carried through the step. */
bool ends_linearise(tangent *tg)
{
    const stepper *st = tg->st;
    ends_change   *e = tg->ends;
    const int      n = st->sys->n;
    const double  *kept = st->massless.ends.kept;
    for (int j = 0; j < n; j++) e->q[j] = kept[j] + kept[n + j];
    if (!primary_move_put(tg, e->begins, st->eq.t, e->q, st->massless.ends.move)) return false;
    if (!primary_move_linearise(tg, e->ends, st->eq.t + st->eq.h)) return false;
    for (int u = 0; u < e->k; u++) carry(tg, u);
    return solver_factor(e->lu, e->values);
}

/* First as if the move at the beginning stayed; then its change x, by what the end misses. */
void ends_change_part(tangent *tg, const step_direction *along, double *dq, double *dp, double *dv)
{
    const stepper       *st = tg->st;
    ends_change         *e = tg->ends;
    const int            n = st->sys->n;
    const part_direction from = beside(tg, along, st->eq.t),
                         to = beside(tg, along, st->eq.t + st->eq.h);
    primary_move_begin(tg, e->begins, &from, dq, dp);
    tangent_part(tg, along, dq, dp, dv);
    memcpy(e->x, primary_move_needs(tg, e->ends, &to, dv, dq, dp), (size_t)e->k * sizeof *e->x);
    solver_solve(e->lu, e->x);
    for (int u = 0; u < e->k; u++) {
        const double *c = e->carried + u * 3 * n;
        add_times(dq, e->x[u], c, n), add_times(dp, e->x[u], c + n, n);
        add_times(dv, e->x[u], c + 2 * n, n);
    }
    primary_move_change(tg, e->ends, &to, dv, dq, dp);
}
