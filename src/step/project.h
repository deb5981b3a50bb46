/* project.h - moves along directions U without inertia, which make the equations there hold: their
 * matrix is small, and the directions do not turn.                       theory.md [DEGENERATE]
 *
 *     PRIMARY of them, where L is of first order:     U (p + (L_qw + f_w) dq - L_w) = 0
 *     ALGEBRAIC, where only stiffness acts:           W (L_q + f - L_wq v - L_wt) = 0
 *
 * `projected_terms` is the model's: L_q + f - L_wt, L_w, and the entries of the matrices L_qq + f_q
 * (STIFFNESS), L_qw + f_w (DRAG), L_qw + f_w - L_wq (PUSH) and L_wq (TURN) that are not 0, whose
 * rows and columns stand in tables. */

typedef struct {
    real force[COORDINATES], L_w[COORDINATES], stiffness[STIFFNESS + 1], drag[DRAG + 1];
    real push[PUSH + 1], turn[TURN + 1];
} massless;

/* At q + dq; the largest position. */
WITHIN real massless_at(real t, const real *v, const real *par, const real *u, const real *q,
                        const real *q_low, const real *dq, massless *m)
{
    real at[COORDINATES], size = 0;
    for (int j = 0; j < COORDINATES; j++) {
        at[j] = q[j] + (q_low[j] + dq[j]);
        size = larger(size, at[j]);
    }
    projected_terms(t, at, v, par, u, m->force, m->L_w, m->stiffness, m->drag, m->push, m->turn);
    return size;
}

/* What a move makes of momentum:  dp = (L_qw + f_w) dq */
WITHIN void drag_along(const massless *m, const real *dq, real *dp)
{
    for (int j = 0; j < COORDINATES; j++) dp[j] = 0;
    for (int k = 0; k < DRAG; k++) dp[DRAG_ROW[k]] += m->drag[k] * dq[DRAG_COLUMN[k]];
}

#if SYMMETRIC_PROJECTION
/* That of a move dq where it begins. */
PIECE void begin_projected(real t, const real *v, const real *par, const real *u, const real *q,
                           const real *q_low, const real *dq, real *dp)
{
    const real none[COORDINATES] = {0};
    massless   m;
    (void)massless_at(t, v, par, u, q, q_low, none, &m);
    drag_along(&m, dq, dp);
}
#endif

#if PRIMARY || ALGEBRAIC
enum { MOVES_MOST = PRIMARY > ALGEBRAIC ? PRIMARY : ALGEBRAIC };

/* A matrix of the system, by its entries, times the directions:  y_ib = sum_j m_ij U_bj */
WITHIN void times_directions(const int K, const int entries, const short *row, const short *column,
                             const real *m, const real *U, real *y)
{
    for (int k = 0; k < COORDINATES * K; k++) y[k] = 0;
    for (int k = 0; k < entries; k++)
        for (int b = 0; b < K; b++) y[row[k] * K + b] += m[k] * U[b * COORDINATES + column[k]];
}

/* dq <- dq - U^T (W y)^-1 W r; the largest of the K moves, or a number that is not finite, with dq
 * as it was. */
WITHIN real correct_move(const int K, const real *W, const real *U, const real *r, const real *y,
                         real *dq)
{
    real x[MOVES_MOST] = {0}, a[MOVES_MOST * MOVES_MOST] = {0};
    for (int e = 0; e < K; e++)
        for (int j = 0; j < COORDINATES; j++) {
            x[e] += W[e * COORDINATES + j] * r[j];
            for (int b = 0; b < K; b++) a[e * K + b] += W[e * COORDINATES + j] * y[j * K + b];
        }
    if (eliminate_fully(K, a, x, 0)) return HUGE_VALUE;
    const real change = largest_of(0, x, 0, K);
    if (!(change <= MOST)) return HUGE_VALUE;
    for (int e = 0; e < K; e++)
        for (int j = 0; j < COORDINATES; j++) dq[j] -= x[e] * U[e * COORDINATES + j];
    return change;
}
#endif

#if PRIMARY
/* dq, from where it is, and dp with which q and p belong together; 0: none were found. */
PIECE int project_momenta(real t, const real *v, const real *U, const real *par, const real *u,
                          const real *q, const real *q_low, const real *p, real *dq, real *dp)
{
    real     r[COORDINATES], y[COORDINATES * PRIMARY], before = HUGE_VALUE, rest = HUGE_VALUE;
    massless m;
    for (int it = 0; it < 10; it++) {
        const real size = massless_at(t, v, par, u, q, q_low, dq, &m);
        drag_along(&m, dq, dp);
        for (int j = 0; j < COORDINATES; j++) r[j] = p[j] - m.L_w[j] + dp[j];
        if (rest <= EPSILON / 2 * size) return 1;
        times_directions(PRIMARY, PUSH, PUSH_ROW, PUSH_COLUMN, m.push, U, y);
        const real change = correct_move(PRIMARY, U, U, r, y, dq);
        if (!(change <= MOST) || change > 2 * before) return 0;
        real rate = largest_of(0, dq, 0, COORDINATES);
        rate = size > 0 && 8 * rate < size ? 8 * rate / size : 1;
        if (it && change / before < rate) rate = change / before;
        rest = change * rate;
        before = change;
    }
    return 0;
}
#endif

#if ALGEBRAIC
PIECE void project_forces(real t, const real *v, const real *U, const real *W, const real *par,
                          const real *u, real *q, real *q_low, real *p, real *p_low)
{
    real     dq[COORDINATES] = {0}, dp[COORDINATES], r[COORDINATES], y[COORDINATES * ALGEBRAIC];
    real     before = HUGE_VALUE;
    massless m;
    for (int it = 0; it < 30; it++) {
        const real size = massless_at(t, v, par, u, q, q_low, dq, &m);
        for (int j = 0; j < COORDINATES; j++) r[j] = m.force[j];
        for (int k = 0; k < TURN; k++) r[TURN_ROW[k]] -= m.turn[k] * v[TURN_COLUMN[k]];
        times_directions(ALGEBRAIC, STIFFNESS, STIFFNESS_ROW, STIFFNESS_COLUMN, m.stiffness, U, y);
        const real change = correct_move(ALGEBRAIC, W, U, r, y, dq);
        if (!(change <= MOST)) return;
        if (was_last(change, before, size)) {
            drag_along(&m, dq, dp);
            move(dq, dp, q, q_low, p, p_low);
            return;
        }
        if (change > 2 * before) return;
        before = change;
    }
}
#endif

#if PROJECTS
/* After a step of h, whose last curve is y. */
PIECE void project(real t, real h, const real *y, const real *U, const real *W, const real *par,
                   const real *u, real *q, real *q_low, real *p, real *p_low)
{
    real v[COORDINATES];
    slope_at_end(y, h, v);
#if PRIMARY && !SYMMETRIC_PROJECTION
    real dq[COORDINATES] = {0}, dp[COORDINATES];
    if (project_momenta(t, v, U, par, u, q, q_low, p, dq, dp)) move(dq, dp, q, q_low, p, p_low);
#endif
#if ALGEBRAIC
    project_forces(t, v, U + FIRST_ALGEBRAIC, W + FIRST_ALGEBRAIC, par, u, q, q_low, p, p_low);
#endif
    (void)W;
    (void)p_low;
}
#endif
