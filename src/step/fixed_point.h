/* fixed_point.h - stages from forces and forces from stages, until what is left is below roundoff,
 * for systems of constant, diagonal inertia.                                 theory.md [GALERKIN]
 *
 *     Q^i = q + c_i z + h sum_k C_ik g_k,    v^i = v + sum_k D_ik g_k
 *     z = (h/m) (p - a),   v = (p - a)/m,    g_k = b_k (h/m) F^k,   F = L_q + f
 *
 * is what the equations of a step say when L = v.m v/2 + a.v - V. Changes shrink by a factor of the
 * order (h omega)^2, so that with a good prediction a few evaluations of the force reach roundoff;
 * where that is slow Newton's iteration takes over. Products with h are formed with two factors of
 * it, `split` and `part`, and the tables satisfy the conditions of symplecticity in every bit:
 * mech/solve/stages.h.
 *
 * Points stand in lanes, PADDED of them for each coordinate; those without a point repeat the last one.
 * `masses` (m and a) and `forces` (F and f at the points) are the model's. */

typedef struct { /* by coordinate and lane */
    real t[PADDED], q[COORDINATES * PADDED], v[COORDINATES * PADDED], Z[COORDINATES * PADDED];
    real drift[COORDINATES * PADDED], F[COORDINATES * PADDED], f[COORDINATES * PADDED];
    real g[COORDINATES * PADDED];
} stages;

typedef struct { /* by coordinate: h/m, z, v, and what changes are measured by */
    real kick[COORDINATES], z[COORDINATES], v[COORDINATES], weight[COORDINATES];
    real grain[COORDINATES], whole, split, part;
} stage_scales;

/*     z = (h/m) (p - a),   v = (p - a)/m */
WITHIN void begin_stages(real h, const real *q, const real *par, const real *u, const real *p,
                         const real *p_low, stage_scales *m)
{
    real mass[COORDINATES], shift[COORDINATES];
    masses(q, par, u, mass, shift);
    m->split = (real)(float)h == h ? 1 : STEP_SPLIT;
    m->part = h / m->split;
    m->whole = 0;
    for (int j = 0; j < COORDINATES; j++) {
        const real mobility = 1 / mass[j];
        m->kick[j] = m->part * mobility;
        m->weight[j] = m->grain[j] = 0;
        m->v[j] = mobility * ((p[j] - shift[j]) + p_low[j]);
        m->z[j] = m->kick[j] * (m->split * ((p[j] - shift[j]) + p_low[j]));
    }
}

/* Points of the curve y that was predicted. */
WITHIN void place_stages(const coefficients *c, real t, const real *q, const real *q_low,
                         const real *y, const stage_scales *m, stages *s)
{
    for (int i = 0; i < PADDED; i++) s->t[i] = t + R_c[i] * c->h;
    for (int j = 0; j < COORDINATES; j++) {
        real *const Z = s->Z + j * PADDED, *const v = s->v + j * PADDED;
        for (int i = 0; i < PADDED; i++) {
            Z[i] = v[i] = 0;
            s->drift[j * PADDED + i] = q_low[j] + STAGE_NODES[i] * m->z[j];
        }
        for (int k = 0; k < DEGREE; k++)
            for (int i = 0; i < PADDED; i++) {
                Z[i] += R_l[k * PADDED + i] * y[k * COORDINATES + j];
                v[i] += c->Rv[k * PADDED + i] * y[k * COORDINATES + j];
            }
        for (int i = 0; i < PADDED; i++) {
            Z[i] += q_low[j];
            s->q[j * PADDED + i] = q[j] + Z[i];
        }
    }
}

/*     g_i = b_i (h/m) F^i at the points as they stand */
WITHIN void evaluate_stages(const real *par, const real *u, const stage_scales *m, stages *s)
{
    forces(s->t, s->q, s->v, par, u, s->F, s->f);
    for (int j = 0; j < COORDINATES; j++)
        for (int i = 0; i < PADDED; i++)
            s->g[j * PADDED + i] =
                STAGE_WEIGHTS[i] * (m->kick[j] * (m->split * s->F[j * PADDED + i]));
}

typedef struct { /* of the stages: the largest relative to its size, their sum, and whether none
                    exceeds a quarter of the roundoff of its position */
    real eta, moved;
    int  still;
} stage_change;

/* Stages from forces. Sizes are those after the first change. */
WITHIN stage_change move_stages(const int first, const real *q, stage_scales *m, stages *s)
{
    stage_change made = {0, 0, !MOVING};
    for (int j = 0; j < COORDINATES; j++) {
        real x[PADDED], change[PADDED], size[PADDED];
        combine(PADDED, POINTS, STAGES, s->g + j * PADDED, x);
#if MOVING
        combine(PADDED, POINTS, SLOPES, s->g + j * PADDED, s->v + j * PADDED);
        for (int i = 0; i < PADDED; i++) s->v[j * PADDED + i] += m->v[j];
#endif
        for (int i = 0; i < PADDED; i++) {
            /* (q_low + c_i z) + h sum_k C_ik g_k */
            const real to = s->drift[j * PADDED + i] + m->part * (m->split * x[i]);
            change[i] = ABS(to - s->Z[j * PADDED + i]);
            size[i] = ABS(to);
            s->Z[j * PADDED + i] = to;
            s->q[j * PADDED + i] = q[j] + to;
        }
        const real by = sum_lanes(change);
        if (first) {
            const real of = sum_lanes(size);
            m->weight[j] = of > 0 ? 1 / of : MOST;
            m->grain[j] = GRAIN * (of + PADDED * ABS(q[j]));
            m->whole += of;
        }
        if (by * m->weight[j] > made.eta) made.eta = by * m->weight[j];
        if (by > m->grain[j]) made.still = 0;
        made.moved += by;
    }
    return made;
}

/*     Z^mu = x_mu z + h sum_k E_mu,k g_k,   p^- - p_0 = h sum_i b_i F^i
 * and the work, h sum_i b_i f^i . v^i */
WITHIN void conclude_stages(const coefficients *c, const stage_scales *m, const stages *s, real *y,
                            real *dp, real *work)
{
    *work = 0;
    for (int j = 0; j < COORDINATES; j++) {
        const real *const g = s->g + j * PADDED;
        real              curve[DEGREE] = {0}, sum = 0;
        for (int k = 0; k < POINTS; k++)
            for (int mu = 0; mu < DEGREE; mu++) curve[mu] += CURVE[k * DEGREE + mu] * g[k];
        for (int mu = 0; mu < DEGREE; mu++)
            y[mu * COORDINATES + j] =
                CURVE_NODES[mu] * m->z[j] + m->part * (m->split * curve[mu]);
        for (int i = 0; i < POINTS; i++) sum += R_b[i] * s->F[j * PADDED + i];
        dp[j] = m->part * (m->split * sum);
#if FORCED
        for (int i = 0; i < POINTS; i++) {
            real v = m->v[j];
            for (int k = 0; k < POINTS; k++) v += SLOPES[k * PADDED + i] * g[k];
            *work += c->hb[i] * s->f[j * PADDED + i] * v;
        }
#endif
    }
    (void)c;
}

/* The number of evaluations, or 0: convergence is too slow. */
PIECE int iterate_points(const coefficients *c, real t, const real *q, const real *q_low,
                         const real *p, const real *p_low, const real *par, const real *u, real *y,
                         real *dp, real *work)
{
    stages       s;
    stage_scales m;
    real         before = HUGE_VALUE;
    begin_stages(c->h, q, par, u, p, p_low, &m);
    place_stages(c, t, q, q_low, y, &m, &s);
    evaluate_stages(par, u, &m, &s);
    for (int it = 1; it <= CHANGES_MOST; it++) {
        const stage_change made = move_stages(it == 1, q, &m, &s);
        if (!(made.moved <= MOST)) return 0;
        evaluate_stages(par, u, &m, &s);
        if (made.still || made.eta <= EPSILON || (it > 1 && leaves_roundoff(made.eta, before)) ||
            (it > 2 && made.eta > QUARTER * before &&
             made.moved <= 4 * COORDINATES * EPSILON * m.whole)) {
            conclude_stages(c, &m, &s, y, dp, work);
            return it + 1;
        }
        if (it > 1 && (made.eta > QUARTER * before || !(made.eta < 1))) return 0;
        before = made.eta;
    }
    return 0;
}
