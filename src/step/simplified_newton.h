/* simplified_newton.h - velocities at the sample points of a step, corrected by a small matrix at
 * each point until what is left is below roundoff: for systems of any inertia, with and without
 * relations, where the rule has as many points as the curve's degree.      theory.md [CONSTRAINED]
 *
 *     M dv^i - A^T eta^i = -(L_w^i - p_0 - h sum_k B_ik F^k - sum_nu E_i,nu A(Q^nu)^T h lam^nu)
 *     A dv^i = -(W v + b)^i, or of g likewise;   E h dlam = eta mech/solve/rate_tables.h q^i = q_0
 * + h sum_k a_ik v^k,   Q^nu = q_0 + h sum_k N_nu,k v^k
 *
 * M and A are evaluated at the predicted sample points, and dq^i = h sum_k a_ik dv^k is
 * approximated by h d_i dv^i with d_i = c_i/d: the remainder for a constant slope, a - diag(d_i),
 * is nilpotent of degree d. So a correction leaves an error of order h, and several of them less.
 * Where this converges slowly Newton's iteration takes over.
 *
 * Points stand in lanes, PADDED of them for each coordinate, and so do the NODES where reactions
 * act. Everything else is the model's: `point_terms` (L_w, F, f and the relations of velocities),
 * `node_terms` (A and g), `reactions` (X = A^T h lam), `point_matrices` (factored), `divide` by
 * them, and `inertia_sizes` ((|p| + sum_k |M_jk v_k|)/|M_jj|). */

enum { POINT_UNKNOWNS = COORDINATES + RELATIONS, CORRECTIONS_MOST = 40 };

typedef struct {
    real t[PADDED], q[COORDINATES * PADDED], v[COORDINATES * PADDED], near[NEAR_POINTS];
    real L_w[COORDINATES * PADDED], F[COORDINATES * PADDED], f[COORDINATES * PADDED];
    real r[POINT_UNKNOWNS * PADDED]; /* what is left, then the correction */
    real inertia[INERTIAS * PADDED], factors[FACTORS * PADDED];
    real weight[COORDINATES];
#if RELATIONS /* E: what is left of the relations of velocities; at the nodes: A, g, X, h lam */
    real E[RELATIONS * PADDED], t_at[NODES], q_at[COORDINATES * NODES], near_nodes[NEAR_NODES];
    real A[NODE_TERMS * NODES], g[RELATIONS * NODES], X[COORDINATES * NODES];
    real impulse[RELATIONS * NODES];
#endif
} rates;

/* Velocities and h lam of the prediction y. */
WITHIN void begin_rates(const coefficients *c, real t, const real *y, rates *s)
{
    for (int i = 0; i < PADDED; i++) s->t[i] = t + R_c[i] * c->h;
    for (int k = 0; k < NEAR_POINTS; k++) s->near[k] = HUGE_VALUE;
    for (int j = 0; j < COORDINATES; j++) {
        real Z[DEGREE];
        for (int k = 0; k < DEGREE; k++) Z[k] = y[k * COORDINATES + j];
        combine(PADDED, DEGREE, c->Rv, Z, s->v + j * PADDED);
        s->weight[j] = 0;
    }
#if RELATIONS
    for (int i = 0; i < NODES; i++) s->t_at[i] = t + K_c[i < DEGREE ? i : DEGREE] * c->h;
    for (int k = 0; k < NEAR_NODES; k++) s->near_nodes[k] = HUGE_VALUE;
    for (int a = 0; a < RELATIONS; a++)
        for (int i = 0; i < NODES; i++)
            s->impulse[a * NODES + i] =
                i < DEGREE ? c->h * y[FIRST_MULTIPLIER + a + i * RELATIONS] : 0;
#endif
}

/*     q_0 + h sum_k table_ik v^k */
WITHIN void place(const int lanes, real h, real q, real q_low, const real *table, const real *v,
                  real *to)
{
    real x[PADDED > DEGREE ? PADDED : DEGREE + 1];
    combine(lanes, DEGREE, table, v, x);
    for (int i = 0; i < lanes; i++) to[i] = q + (q_low + h * x[i]);
}

/* Positions that are read, of points (the matrices may read more of them) and of nodes. */
WITHIN void place_rates(const int first, real h, const real *q, const real *q_low, rates *s)
{
#if POINT_PLACES
    for (int k = 0; k < POINT_PLACES; k++) {
        const int j = POINT_PLACE[k];
        place(PADDED, h, q[j], q_low[j], RATE_A, s->v + j * PADDED, s->q + j * PADDED);
    }
#endif
#if MATRIX_PLACES
    for (int k = 0; k < MATRIX_PLACES && first; k++) {
        const int j = MATRIX_PLACE[k];
        place(PADDED, h, q[j], q_low[j], RATE_A, s->v + j * PADDED, s->q + j * PADDED);
    }
#endif
#if NODE_PLACES
    for (int k = 0; k < NODE_PLACES; k++) {
        const int j = NODE_PLACE[k];
        place(NODES, h, q[j], q_low[j], RATE_NODES, s->v + j * PADDED, s->q_at + j * NODES);
    }
#endif
    (void)first;
    (void)h;
    (void)q;
    (void)q_low;
    (void)s;
}

/* r <- minus what is left of the equations */
WITHIN void find_left(const coefficients *c, const real *p, const real *p_low, rates *s)
{
    for (int j = 0; j < COORDINATES; j++)
        for (int i = 0; i < PADDED; i++)
            s->r[j * PADDED + i] = (RATE_REST[i] * p[j] - s->L_w[j * PADDED + i]) + p_low[j];
#if PUSHES
    for (int k = 0; k < PUSHES; k++) {
        const int j = PUSHED[k];
        real      by[PADDED];
        combine(PADDED, DEGREE, RATE_PUSH, s->F + j * PADDED, by);
        for (int i = 0; i < PADDED; i++) s->r[j * PADDED + i] += c->h * by[i];
    }
#endif
#if REACTIONS
    for (int k = 0; k < REACTIONS; k++) {
        const int j = REACTING[k];
        real      by[PADDED];
        combine(PADDED, DEGREE, RATE_REACT, s->X + j * NODES, by);
        for (int i = 0; i < PADDED; i++) s->r[j * PADDED + i] += by[i];
    }
#endif
#if RELATIONS
    for (int a = 0; a < RELATIONS; a++) {
        real *const r = s->r + (COORDINATES + a) * PADDED;
        if (a < VELOCITY_RELATIONS)
            for (int i = 0; i < PADDED; i++) r[i] = -s->E[a * PADDED + i];
        else {
            real by[PADDED];
            combine(PADDED, DEGREE, c->Rv, s->g + a * NODES + 1, by);
            for (int i = 0; i < PADDED; i++) r[i] = -by[i];
        }
    }
#endif
    (void)c;
}

/* v <- v + dv,   h lam <- h lam - E^-1 eta */
WITHIN void add_rates(rates *s)
{
    for (int j = 0; j < COORDINATES; j++)
        for (int i = 0; i < PADDED; i++) s->v[j * PADDED + i] += s->r[j * PADDED + i];
#if RELATIONS
    for (int a = 0; a < RELATIONS; a++) {
        real by[NODES];
        combine(NODES, DEGREE, RATE_UNREACT, s->r + (COORDINATES + a) * PADDED, by);
        for (int i = 0; i < NODES; i++) s->impulse[a * NODES + i] -= by[i];
    }
#endif
}

/* One correction; 0: a matrix cannot be factored. */
WITHIN int correct_rates(const int first, const coefficients *c, const real *q, const real *q_low,
                         const real *p, const real *p_low, const real *par, const real *u, rates *s)
{
    place_rates(first, c->h, q, q_low, s);
    if (first && !point_matrices(c->h, s->t, s->q, s->v, par, u, s->near, s->inertia, s->factors))
        return 0;
#if RELATIONS
    point_terms(s->t, s->q, s->v, par, u, s->near, s->L_w, s->F, s->f, s->E);
    node_terms(s->t_at, s->q_at, par, u, s->near_nodes, s->A, s->g);
    reactions(s->A, s->impulse, s->X);
#else
    point_terms(s->t, s->q, s->v, par, u, s->near, s->L_w, s->F, s->f, 0);
#endif
    find_left(c, p, p_low, s);
    divide(s->factors, 1, s->r);
    add_rates(s);
    return 1;
}

/* The scale of a coordinate: its velocity, and the quantities whose roundoff the velocity inherits,
 * the terms of p over m and, where positions are constrained, q/h. Their sum. */
WITHIN real find_rate_scales(real h, const real *q, const real *p, rates *s)
{
    real size[COORDINATES * PADDED], whole = 0;
    inertia_sizes(p, s->inertia, s->v, size);
    for (int j = 0; j < COORDINATES; j++) {
        if (RELATIONS > VELOCITY_RELATIONS)
            for (int i = 0; i < PADDED; i++) size[j * PADDED + i] += ABS(q[j] / h);
        const real sum = sum_lanes(size + j * PADDED);
        s->weight[j] = sum > 0 ? 1 / sum : MOST;
        whole += sum;
    }
    return whole;
}

/*     sum_i,j |r_j^i| weight_j */
WITHIN real size_of_rates(const rates *s, const int weighted)
{
    real size[PADDED] = {0};
    for (int j = 0; j < COORDINATES; j++)
        for (int i = 0; i < PADDED; i++)
            size[i] += ABS(s->r[j * PADDED + i]) * (weighted ? s->weight[j] : 1);
    return sum_lanes(size);
}

/*     Z^mu = h sum_k N_mu,k v^k,   p^- - p_0 = h sum_i b_i F^i + sum_nu w_nu A^T h lam^nu
 * and the work, h sum_i b_i f^i . v^i */
WITHIN void conclude_rates(const coefficients *c, rates *s, real *y, real *dp, real *work)
{
    const real h = c->h;
    *work = 0;
    for (int j = 0; j < COORDINATES; j++) {
        real Z[DEGREE];
        combine(DEGREE, DEGREE, RATE_CURVE, s->v + j * PADDED, Z);
        for (int i = 0; i < DEGREE; i++) y[i * COORDINATES + j] = h * Z[i];
        dp[j] = 0;
    }
#if PUSHES
    for (int k = 0; k < PUSHES; k++) {
        const int j = PUSHED[k];
        real      sum = 0;
        for (int i = 0; i < DEGREE; i++) sum += R_b[i] * s->F[j * PADDED + i];
        dp[j] = sum * h;
#if FORCED
        for (int i = 0; i < DEGREE; i++)
            *work += c->hb[i] * s->f[j * PADDED + i] * s->v[j * PADDED + i];
#endif
    }
#endif
#if RELATIONS
    reactions(s->A, s->impulse, s->X);
    for (int k = 0; k < REACTIONS; k++) {
        const int j = REACTING[k];
        real      sum = dp[j];
        for (int i = 0; i < DEGREE; i++) sum += K_b[i] * s->X[j * NODES + i];
        dp[j] = sum;
    }
    for (int a = 0; a < RELATIONS; a++)
        for (int i = 0; i < DEGREE; i++)
            y[FIRST_MULTIPLIER + a + i * RELATIONS] = s->impulse[a * NODES + i] / h;
#endif
}

/* The number of evaluations, or 0: convergence is too slow.
 *
 * The result combines the last evaluation with a correction by it, so the error left by the
 * correction before is reduced twice. Corrections shrink unevenly, so each is compared with the
 * last but one; a wrong prediction of lam shows only in the second, so with relations the fourth is
 * the first to be judged. */
PIECE int iterate_points(const coefficients *c, real t, const real *q, const real *q_low,
                         const real *p, const real *p_low, const real *par, const real *u, real *y,
                         real *dp, real *work)
{
    real  before = HUGE_VALUE, earlier = HUGE_VALUE, whole = 0;
    int   last = 0;
    rates s;
    begin_rates(c, t, y, &s);
    for (int it = 1; it <= CORRECTIONS_MOST + 1; it++) {
        if (!correct_rates(it == 1, c, q, q_low, p, p_low, par, u, &s)) return 0;
        if (last) {
            conclude_rates(c, &s, y, dp, work);
            return it;
        }
        /* velocities that were far off give no scale; those of this correction may */
        if (before >= 1) whole = find_rate_scales(c->h, q, p, &s);
        const real now = size_of_rates(&s, 1);
        if (!(now >= 0)) return 0;
        last = now <= EPSILON || (earlier < 1 && leaves_roundoff(now, earlier));
        /* corrections that stop shrinking may be roundoff of the largest coordinates */
        if (!last && it > 1 && now > HALF * before)
            last = size_of_rates(&s, 0) <= 4 * COORDINATES * EPSILON * whole;
        if (!last && it > (RELATIONS ? 3 : 2) && (now > QUARTER * earlier || !(now < 1))) return 0;
        earlier = before;
        before = now;
    }
    return 0;
}
