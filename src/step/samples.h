/* samples.h - where a polynomial curve is sampled: at the points of a rule, a lane each, and at its
 * nodes. */

/* t_0 + c_i h */
WITHIN void sample_times(const int lanes, number t, number h, const number *c, real *to)
{
    for (int i = 0; i < lanes; i++) to[i] = REAL(t + c[i] * h);
}

/*     q^i = q_0 + sum_nu l_nu(c_i) Z^nu,   v^i = (1/h) sum_nu l'_nu(c_i) Z^nu
 * The small numbers are added up first, q_0 is added last. */
WITHIN void sample_curve(const int lanes, const number *l, const number *dl, const real *q,
                         const real *q_low, const real *y, real *RESTRICT at_q, real *RESTRICT at_v)
{
    for (int j = 0; j < COORDINATES; j++) {
        real *const to = at_q + j * lanes, *const rate = at_v + j * lanes;
        for (int i = 0; i < lanes; i++) {
            to[i] = q_low[j] + l[i] * y[j];
            rate[i] = dl[i] * y[j];
        }
        for (int k = 1; k < DEGREE; k++) {
            const real z = y[k * COORDINATES + j];
            for (int i = 0; i < lanes; i++) {
                to[i] += l[k * lanes + i] * z;
                rate[i] += dl[k * lanes + i] * z;
            }
        }
        for (int i = 0; i < lanes; i++) to[i] += q[j];
    }
}

/*     z^i += sum_nu u_nu(c_i) Z^nu   of coordinate j                           theory.md [STATES]
 */
WITHIN void sample_state(const int lanes, const int j, const number *u, const real *y, real *to)
{
    for (int k = 0; k < DEGREE; k++)
        for (int i = 0; i < lanes; i++)
            to[j * lanes + i] += u[k * lanes + i] * y[k * COORDINATES + j];
}

#if K_POINTS
/* Nodes 0 .. d: node 0 is the start, node i has Q^i = q_0 + Z^i; lam^d is no unknown, so it is 0.
 */
WITHIN void sample_nodes(const real *q, const real *q_low, const real *y, real *at_q, real *lam)
{
    enum { RELATED = M - COORDINATES };
    for (int j = 0; j < COORDINATES; j++) {
        at_q[j * K_POINTS] = q[j] + q_low[j];
        for (int i = 0; i < DEGREE; i++)
            at_q[j * K_POINTS + i + 1] = q[j] + (q_low[j] + y[i * COORDINATES + j]);
    }
    for (int a = 0; a < RELATED; a++) {
        for (int i = 0; i < DEGREE; i++)
            lam[a * K_POINTS + i] = y[FIRST_MULTIPLIER + i * RELATED + a];
        lam[a * K_POINTS + DEGREE] = REAL(0);
    }
}
#endif
