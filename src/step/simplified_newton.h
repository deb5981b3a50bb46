/* simplified_newton.h - velocities at the sample points of a step, corrected by a small matrix at
 * each point until what is left is below roundoff: for systems of any inertia, with and without
 * relations, where the rule has as many points as the curve's degree.      theory.md [CONSTRAINED]
 *
 *     M dv^i - A^T eta^i = -(L_w^i - p_0 - h sum_k B_ik F^k - sum_nu E_i,nu A(Q^nu)^T h lam^nu)
 *     A dv^i = -(W v + b)^i, or of g likewise;   E h dlam = eta       mech/solve/rate_tables.h
 *     q^i = q_0 + h sum_k a_ik v^k,   Q^nu = q_0 + h sum_k N_nu,k v^k
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
WITHIN void begin_rates(const coefficients *c, number t, const real *y, rates *s)
{
    for (int i = 0; i < PADDED; i++) s->t[i] = REAL(t + R_c[i] * c->h);
    for (int k = 0; k < NEAR_POINTS; k++) s->near[k] = REAL(HUGE_VALUE);
    for (int j = 0; j < COORDINATES; j++) {
        real Z[DEGREE];
        for (int k = 0; k < DEGREE; k++) Z[k] = y[k * COORDINATES + j];
        combine(PADDED, DEGREE, c->Rv, Z, s->v + j * PADDED);
        s->weight[j] = REAL(0);
    }
#if RELATIONS
    for (int i = 0; i < NODES; i++) s->t_at[i] = REAL(t + K_c[i < DEGREE ? i : DEGREE] * c->h);
    for (int k = 0; k < NEAR_NODES; k++) s->near_nodes[k] = REAL(HUGE_VALUE);
    for (int a = 0; a < RELATIONS; a++)
        for (int i = 0; i < NODES; i++)
            s->impulse[a * NODES + i] =
                i < DEGREE ? c->h * y[FIRST_MULTIPLIER + a + i * RELATIONS] : REAL(0);
#endif
}

/*     q_0 + h sum_k table_ik v^k */
WITHIN void place(const int lanes, number h, real q, real q_low, const number *table, const real *v,
                  real *to)
{
    real x[PADDED > DEGREE ? PADDED : DEGREE + 1];
    combine(lanes, DEGREE, table, v, x);
    for (int i = 0; i < lanes; i++) to[i] = q + (q_low + h * x[i]);
}

/* Positions that are read, of points (the matrices may read more of them) and of nodes. */
WITHIN void place_rates(const int first, number h, const real *q, const real *q_low, rates *s)
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
WITHIN void add_rates(mask left, rates *s)
{
    for (int j = 0; j < COORDINATES; j++)
        for (int i = 0; i < PADDED; i++) {
            real *const v = &s->v[j * PADDED + i];
            *v = AMONG(left, *v + s->r[j * PADDED + i], *v);
        }
#if RELATIONS
    for (int a = 0; a < RELATIONS; a++) {
        real by[NODES];
        combine(NODES, DEGREE, RATE_UNREACT, s->r + (COORDINATES + a) * PADDED, by);
        for (int i = 0; i < NODES; i++) {
            real *const x = &s->impulse[a * NODES + i];
            *x = AMONG(left, *x - by[i], *x);
        }
    }
#endif
}

/* One correction of those that are left; where the matrices can be factored. */
WITHIN mask correct_rates(const int first, const coefficients *c, mask left, const real *q,
                          const real *q_low, const real *p, const real *p_low, const real *par,
                          const real *u, rates *s)
{
    place_rates(first, c->h, q, q_low, s);
    if (first)
        left &= point_matrices(c->h, s->t, s->q, s->v, par, u, s->near, s->inertia, s->factors);
    if (!ANY(left)) return left;
#if RELATIONS
    point_terms(s->t, s->q, s->v, par, u, s->near, s->L_w, s->F, s->f, s->E);
    node_terms(s->t_at, s->q_at, par, u, s->near_nodes, s->A, s->g);
    reactions(s->A, s->impulse, s->X);
#else
    point_terms(s->t, s->q, s->v, par, u, s->near, s->L_w, s->F, s->f, 0);
#endif
    find_left(c, p, p_low, s);
    divide(s->factors, s->r);
    add_rates(left, s);
    return left;
}

/* The scale of a coordinate: its velocity, and the quantities whose roundoff the velocity inherits,
 * the terms of p over m and, where positions are constrained, q/h. `whole` is their sum. */
WITHIN void find_rate_scales(mask asked, number h, const real *q, const real *p, rates *s,
                             real *whole)
{
    real size[COORDINATES * PADDED], all = REAL(0);
    inertia_sizes(p, s->inertia, s->v, size);
    for (int j = 0; j < COORDINATES; j++) {
        if (RELATIONS > VELOCITY_RELATIONS)
            for (int i = 0; i < PADDED; i++) size[j * PADDED + i] += ABS(q[j] / h);
        const real sum = sum_lanes(size + j * PADDED);
        s->weight[j] = AMONG(asked, CHOOSE(sum > 0, 1 / sum, REAL(MOST)), s->weight[j]);
        all += sum;
    }
    *whole = AMONG(asked, all, *whole);
}

/*     sum_i,j |r_j^i| weight_j */
WITHIN real size_of_rates(const rates *s, const int weighted)
{
    real size[PADDED];
    for (int i = 0; i < PADDED; i++) size[i] = REAL(0);
    for (int j = 0; j < COORDINATES; j++)
        for (int i = 0; i < PADDED; i++)
            size[i] += ABS(s->r[j * PADDED + i]) * (weighted ? s->weight[j] : REAL(1));
    return sum_lanes(size);
}

/*     Z^mu = h sum_k N_mu,k v^k,   p^- - p_0 = h sum_i b_i F^i + sum_nu w_nu A^T h lam^nu
 * and the work, h sum_i b_i f^i . v^i */
WITHIN void conclude_rates(const coefficients *c, mask where, rates *s, real *y, real *dp,
                           real *work)
{
    const number h = c->h;
    real         change[COORDINATES], done = REAL(0);
    for (int j = 0; j < COORDINATES; j++) {
        real Z[DEGREE];
        combine(DEGREE, DEGREE, RATE_CURVE, s->v + j * PADDED, Z);
        for (int i = 0; i < DEGREE; i++)
            y[i * COORDINATES + j] = AMONG(where, h * Z[i], y[i * COORDINATES + j]);
        change[j] = REAL(0);
    }
#if PUSHES
    for (int k = 0; k < PUSHES; k++) {
        const int j = PUSHED[k];
        real      sum = REAL(0);
        for (int i = 0; i < DEGREE; i++) sum += R_b[i] * s->F[j * PADDED + i];
        change[j] = sum * h;
#if FORCED
        for (int i = 0; i < DEGREE; i++)
            done += c->hb[i] * s->f[j * PADDED + i] * s->v[j * PADDED + i];
#endif
    }
#endif
#if RELATIONS
    reactions(s->A, s->impulse, s->X);
    for (int k = 0; k < REACTIONS; k++) {
        const int j = REACTING[k];
        for (int i = 0; i < DEGREE; i++) change[j] += K_b[i] * s->X[j * NODES + i];
    }
    for (int a = 0; a < RELATIONS; a++)
        for (int i = 0; i < DEGREE; i++) {
            real *const lam = &y[FIRST_MULTIPLIER + a + i * RELATIONS];
            *lam = AMONG(where, s->impulse[a * NODES + i] / h, *lam);
        }
#endif
    for (int j = 0; j < COORDINATES; j++) dp[j] = AMONG(where, change[j], dp[j]);
    *work = AMONG(where, done, *work);
}

/* Where it converged, of those that are `on`: y, dp and work are those of the step there, and as
 * before elsewhere, since convergence is too slow. `evaluations` counts them.
 *
 * The result combines the last evaluation with a correction by it, so the error left by the
 * correction before is reduced twice. Corrections shrink unevenly, so each is compared with the
 * last but one; a wrong prediction of lam shows only in the second, so with relations the fourth is
 * the first to be judged. */
PIECE mask iterate_points(const coefficients *c, number t, mask on, const real *q,
                          const real *q_low, const real *p, const real *p_low, const real *par,
                          const real *u, real *y, real *dp, real *work, int *evaluations)
{
    real  before = REAL(HUGE_VALUE), earlier = REAL(HUGE_VALUE), whole = REAL(0);
    mask  left = on, last = NOT(EVERYWHERE), made = NOT(EVERYWHERE);
    rates s;
    begin_rates(c, t, y, &s);
    for (int it = 1; it <= CORRECTIONS_MOST + 1 && ANY(left); it++) {
        *evaluations = it;
        left = correct_rates(it == 1, c, left, q, q_low, p, p_low, par, u, &s);
        if (ANY(left & last)) {
            conclude_rates(c, left & last, &s, y, dp, work);
            made |= left & last;
            left &= NOT(last);
            if (!ANY(left)) break;
        }
        /* velocities that were far off give no scale; those of this correction may */
        if (ANY(left & (before >= 1))) find_rate_scales(before >= 1, c->h, q, p, &s, &whole);
        const real now = size_of_rates(&s, 1);
        left &= now >= 0;
        last = (now <= EPSILON) | ((earlier < 1) & leaves_roundoff(now, earlier));
        /* corrections that stop shrinking may be roundoff of the largest coordinates */
        const mask stuck = left & NOT(last) & (now > HALF * before);
        if (it > 1 && ANY(stuck))
            last |= stuck & (size_of_rates(&s, 0) <= 4 * COORDINATES * EPSILON * whole);
        if (it > (RELATIONS ? 3 : 2)) left &= last | ((now <= QUARTER * earlier) & (now < 1));
        earlier = before;
        before = now;
    }
    return made;
}
