/* shooting.h - a curve that is shot from (q_0, v_0), at all points of a step at once, a lane each,
 * with its first derivatives in the start.                                    theory.md [SHOOTING]
 *
 *     M x_2 = g_2(t, q, v),   M x_k = g_k(t, q, v, x_2 .. x_{k-1}),   M = L_vv,   x_k = q^(k)
 *
 * `expand` (the model's) solves these at EXPANDED points. Directions j < n are q0_j, n + j are
 * v0_j. Numbers stand by coordinate, direction and lane. */

enum {
    VALUES = COORDINATES * SHOT, /* of a curve, at all points   */
    CHANGES = DIRECTIONS * VALUES
};

typedef struct {
    real dq[VALUES], v[VALUES];         /* q - q_0                        */
    real dq_by[CHANGES], v_by[CHANGES]; /* without the unit derivative of q_0 */
} curve;

/*     x += g k,   g by lane */
WITHIN void add_multiple(const int count, const real *g, const real *RESTRICT k, real *RESTRICT x)
{
    for (int a = 0; a < count; a++)
        for (int i = 0; i < SHOT; i++) x[a * SHOT + i] += g[i] * k[a * SHOT + i];
}

#if STAGES
/*     x += tau sum_j w_j k_j over the first stages */
WITHIN void add_stages(const int count, const real *tau, const number *w, int stages,
                       const real *RESTRICT k, real *RESTRICT x)
{
    for (int s = 0; s < stages; s++) {
        real g[SHOT];
        if (w[s] == 0) continue;
        for (int i = 0; i < SHOT; i++) g[i] = tau[i] * w[s];
        add_multiple(count, g, k + s * count * SHOT, x);
    }
}

/* The start, as a function of itself: v_0, and unit derivatives at directions from `first` on. */
WITHIN void begin_with(const real *x0, const int first, real *x, real *by)
{
    for (int a = 0; a < CHANGES; a++) by[a] = REAL(0);
    for (int j = 0; j < COORDINATES; j++)
        for (int i = 0; i < SHOT; i++) {
            x[j * SHOT + i] = x0[j];
            by[(j * DIRECTIONS + first + j) * SHOT + i] = REAL(1);
        }
}

/*     V_s = v_0 + tau sum_j a_sj A_j,   A_s = a(t + c_s tau, q_0 + tau sum_j a_sj V_j, V_s)
 *     q - q_0 = tau sum_s b_s V_s,   v = v_0 + tau sum_s b_s A_s */
PIECE void shoot(number h, number t, const real *q, const real *y, const real *par, const real *u,
                 curve *RESTRICT to)
{
    real          tau[SHOT], v0[COORDINATES], tS[SHOT], qS[VALUES], q_by[CHANGES];
    real          V[STAGES * VALUES], A[STAGES * VALUES];
    real          V_by[STAGES * CHANGES], A_by[STAGES * CHANGES];
    const number *row = STAGE_A;
    for (int i = 0; i < SHOT; i++) tau[i] = REAL(h * SHOT_C[i]);
    for (int j = 0; j < COORDINATES; j++) v0[j] = y[j] / h;
    for (int s = 0; s < STAGES; row += s++) {
        real *const vS = V + s * VALUES, *const v_by = V_by + s * CHANGES;
        for (int i = 0; i < SHOT; i++) tS[i] = REAL(t) + STAGE_C[s] * tau[i];
        begin_with(q, 0, qS, q_by);
        add_stages(COORDINATES, tau, row, s, V, qS);
        add_stages(DIRECTIONS * COORDINATES, tau, row, s, V_by, q_by);
        begin_with(v0, COORDINATES, vS, v_by);
        add_stages(COORDINATES, tau, row, s, A, vS);
        add_stages(DIRECTIONS * COORDINATES, tau, row, s, A_by, v_by);
        expand(tS, qS, vS, q_by, v_by, par, u, A + s * VALUES, A_by + s * CHANGES);
    }
    for (int a = 0; a < VALUES; a++) to->dq[a] = REAL(0);
    for (int a = 0; a < CHANGES; a++) to->dq_by[a] = REAL(0);
    add_stages(COORDINATES, tau, STAGE_B, STAGES, V, to->dq);
    add_stages(DIRECTIONS * COORDINATES, tau, STAGE_B, STAGES, V_by, to->dq_by);
    begin_with(v0, COORDINATES, to->v, to->v_by);
    add_stages(COORDINATES, tau, STAGE_B, STAGES, A, to->v);
    add_stages(DIRECTIONS * COORDINATES, tau, STAGE_B, STAGES, A_by, to->v_by);
}

#else

/*     x += g k,   k the same in all lanes */
WITHIN void spread_multiple(const int count, const real *g, const real *RESTRICT k,
                            real *RESTRICT x)
{
    for (int a = 0; a < count; a++)
        for (int i = 0; i < SHOT; i++) x[a * SHOT + i] += g[i] * k[a];
}

/*     q - q_0 = sum_{k=1..p} x_k tau^k/k!,   v = sum_{k=1..p} x_k tau^(k-1)/(k-1)! */
PIECE void shoot(number h, number t, const real *q, const real *y, const real *par, const real *u,
                 curve *RESTRICT to)
{
    enum { OF_START = DIRECTIONS * COORDINATES };
    real       tau[SHOT], before[SHOT], power[SHOT], q_by[OF_START];
    real       x[DEGREE_SHOT * COORDINATES], by[DEGREE_SHOT * OF_START]; /* x_1 = v_0, x_2, ... */
    const real at = REAL(t);
    for (int a = 0; a < OF_START; a++) q_by[a] = by[a] = REAL(0);
    for (int j = 0; j < COORDINATES; j++) {
        x[j] = y[j] / h;
        q_by[j * DIRECTIONS + j] = by[j * DIRECTIONS + COORDINATES + j] = REAL(1);
    }
    expand(&at, q, x, q_by, by, par, u, x + COORDINATES, by + OF_START);
    for (int a = 0; a < VALUES; a++) to->dq[a] = to->v[a] = REAL(0);
    for (int a = 0; a < CHANGES; a++) to->dq_by[a] = to->v_by[a] = REAL(0);
    for (int i = 0; i < SHOT; i++) {
        tau[i] = REAL(h * SHOT_C[i]);
        before[i] = REAL(1);
    }
    for (int k = 1; k <= DEGREE_SHOT; k++) {
        const real *const xk = x + (k - 1) * COORDINATES, *const byk = by + (k - 1) * OF_START;
        for (int i = 0; i < SHOT; i++) power[i] = before[i] * tau[i] / k;
        spread_multiple(COORDINATES, power, xk, to->dq);
        spread_multiple(OF_START, power, byk, to->dq_by);
        spread_multiple(COORDINATES, before, xk, to->v);
        spread_multiple(OF_START, before, byk, to->v_by);
        for (int i = 0; i < SHOT; i++) before[i] = power[i];
    }
}
#endif

/* t and q at the points. */
WITHIN void places_of(const curve *at, number h, number t, const real *q, const real *q_low,
                      real *RESTRICT to_t, real *RESTRICT to_q)
{
    for (int i = 0; i < SHOT; i++) to_t[i] = REAL(t + SHOT_C[i] * h);
    for (int j = 0; j < COORDINATES; j++)
        for (int i = 0; i < SHOT; i++)
            to_q[j * SHOT + i] = q[j] + (q_low[j] + at->dq[j * SHOT + i]);
}

/* What the points add up to. ------------------------------------------------------------------- */

/* The sum over all lanes. */
WITHIN real lanes_sum(const real *x)
{
    real sum = x[0];
    for (int i = 1; i < SHOT; i++) sum += x[i];
    return sum;
}

/*     sum_a += sum_j F_j dq_j,a + P_j v_j,a  (+ F_a, since q = q_0 + dq),   F and P weighted */
WITHIN void add_covectors(const curve *at, const real *F, const real *P, real *sum)
{
    for (int a = 0; a < DIRECTIONS; a++) {
        real x[SHOT];
        for (int i = 0; i < SHOT; i++)
            x[i] = a < COORDINATES ? F[a % COORDINATES * SHOT + i] : REAL(0);
        for (int j = 0; j < COORDINATES; j++) {
            const real *const q_a = at->dq_by + (j * DIRECTIONS + a) * SHOT;
            const real *const v_a = at->v_by + (j * DIRECTIONS + a) * SHOT;
            for (int i = 0; i < SHOT; i++)
                x[i] += F[j * SHOT + i] * q_a[i] + P[j * SHOT + i] * v_a[i];
        }
        sum[a] += lanes_sum(x);
    }
}

/* The same of their derivatives in v0_b, column b of `second`. */
WITHIN void add_derivatives(const curve *at, const real *F, const real *P, int b, real *second)
{
    real sum[DIRECTIONS];
    for (int a = 0; a < DIRECTIONS; a++) sum[a] = REAL(0);
    add_covectors(at, F, P, sum);
    for (int a = 0; a < DIRECTIONS; a++) second[a * COORDINATES + b] += sum[a];
}

/*     s_a = B_a.p_1 - sum_a;   rows: p_1 - p_0 + s_a of q_0, s_a/h of v_0 */
WITHIN real row_sum(const curve *at, const real *sum, const real *p1, int a)
{
    real s = -sum[a];
    for (int j = 0; j < COORDINATES; j++)
        s += p1[j] * at->dq_by[(j * DIRECTIONS + a) * SHOT + SHOT_END];
    return s;
}

WITHIN void put_rows(number h, const curve *at, const real *sum, const real *p, const real *p_low,
                     const real *y, real *RESTRICT r)
{
    const real *const p1 = y + COORDINATES;
    for (int a = 0; a < COORDINATES; a++)
        r[a] = ((p1[a] - p[a]) - p_low[a]) + row_sum(at, sum, p1, a);
    for (int a = COORDINATES; a < DIRECTIONS; a++) r[a] = row_sum(at, sum, p1, a) / h;
}

/* Columns Z = h v_0, then p_1. Second derivatives of the curve are left out: what they add,
 * d2q_1.p_1 - sum [d2q.(L_q + f) + d2v.L_v], is the integral of d/dt (d2q.L_v) less its
 * quadrature, 0 for a motion, and as small as the error of a step for a curve near one. */
WITHIN void put_entries(number h, const curve *at, const real *second, real *RESTRICT J)
{
    for (int a = 0; a < DIRECTIONS; a++) {
        const number scale = a < COORDINATES ? (number)1 : 1 / h;
        for (int b = 0; b < COORDINATES; b++) {
            const real by = at->dq_by[(b * DIRECTIONS + a) * SHOT + SHOT_END];
            J[a * N + b] = -scale * second[a * COORDINATES + b] / h;
            J[a * N + COORDINATES + b] = scale * by + (a == b ? REAL(1) : REAL(0));
        }
    }
}

/* dp and q_1 - q_0 of a curve that was found. */
WITHIN void put_end(const curve *at, const real *sum, const real *y, real *dp)
{
    for (int a = 0; a < COORDINATES; a++) {
        dp[a] = -row_sum(at, sum, y + COORDINATES, a);
        dp[COORDINATES + a] = at->dq[a * SHOT + SHOT_END];
    }
}
