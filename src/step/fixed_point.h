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
 * There are PADDED points for each coordinate; those beyond the last repeat it.
 * `masses` (m and a) and `forces` (F and f at the points) are the model's. */

typedef struct { /* by coordinate and lane */
    real t[PADDED], q[COORDINATES * PADDED], v[COORDINATES * PADDED], Z[COORDINATES * PADDED];
    real drift[COORDINATES * PADDED], F[COORDINATES * PADDED], f[COORDINATES * PADDED];
    real g[COORDINATES * PADDED];
} stages;

typedef struct { /* by coordinate: h/m, z, v, and what changes are measured by */
    real   kick[COORDINATES], z[COORDINATES], v[COORDINATES], weight[COORDINATES];
    real   grain[COORDINATES], whole;
    number split, part;
} stage_scales;

/*     z = (h/m) (p - a),   v = (p - a)/m */
WITHIN void begin_stages(number h, const real *q, const real *par, const real *u, const real *p,
                         const real *p_low, stage_scales *m)
{
    real mass[COORDINATES], shift[COORDINATES];
    masses(q, par, u, mass, shift);
    m->split = (number)(float)h == h ? 1 : STEP_SPLIT;
    m->part = h / m->split;
    m->whole = REAL(0);
    for (int j = 0; j < COORDINATES; j++) {
        const real mobility = 1 / mass[j];
        m->kick[j] = m->part * mobility;
        m->weight[j] = m->grain[j] = REAL(0);
        m->v[j] = mobility * ((p[j] - shift[j]) + p_low[j]);
        m->z[j] = m->kick[j] * (m->split * ((p[j] - shift[j]) + p_low[j]));
    }
}

/* Points of the curve y that was predicted. */
WITHIN void place_stages(const coefficients *c, number t, const real *q, const real *q_low,
                         const real *y, const stage_scales *m, stages *s)
{
    for (int i = 0; i < PADDED; i++) s->t[i] = REAL(t + R_c[i] * c->h);
    for (int j = 0; j < COORDINATES; j++) {
        real *const Z = s->Z + j * PADDED, *const v = s->v + j * PADDED;
        for (int i = 0; i < PADDED; i++) {
            Z[i] = v[i] = REAL(0);
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
    mask still;
} stage_change;

/* Stages from forces, of those that are left. Sizes are those after the first change. */
WITHIN stage_change move_stages(const int first, mask left, const real *q, stage_scales *m,
                                stages *s)
{
    stage_change made = {REAL(0), REAL(0), MOVING ? NOT(EVERYWHERE) : EVERYWHERE};
    for (int j = 0; j < COORDINATES; j++) {
        real x[PADDED], change[PADDED], size[PADDED];
        combine(PADDED, POINTS, STAGES, s->g + j * PADDED, x);
#if MOVING
        real v[PADDED];
        combine(PADDED, POINTS, SLOPES, s->g + j * PADDED, v);
        for (int i = 0; i < PADDED; i++)
            s->v[j * PADDED + i] = AMONG(left, v[i] + m->v[j], s->v[j * PADDED + i]);
#endif
        for (int i = 0; i < PADDED; i++) {
            /* (q_low + c_i z) + h sum_k C_ik g_k */
            const real to = s->drift[j * PADDED + i] + m->part * (m->split * x[i]);
            change[i] = ABS(to - s->Z[j * PADDED + i]);
            size[i] = ABS(to);
            s->Z[j * PADDED + i] = AMONG(left, to, s->Z[j * PADDED + i]);
            s->q[j * PADDED + i] = q[j] + s->Z[j * PADDED + i];
        }
        const real by = sum_lanes(change);
        if (first) {
            const real of = sum_lanes(size);
            m->weight[j] = CHOOSE(of > 0, 1 / of, REAL(MOST));
            m->grain[j] = GRAIN * (of + PADDED * ABS(q[j]));
            m->whole += of;
        }
        made.eta = LARGER(by * m->weight[j], made.eta);
        made.still &= NOT(by > m->grain[j]);
        made.moved += by;
    }
    return made;
}

/*     Z^mu = x_mu z + h sum_k E_mu,k g_k,   p^- - p_0 = h sum_i b_i F^i
 * and the work, h sum_i b_i f^i . v^i */
WITHIN void conclude_stages(const coefficients *c, mask where, const stage_scales *m,
                            const stages *s, real *y, real *dp, real *work)
{
    real done = REAL(0);
    for (int j = 0; j < COORDINATES; j++) {
        const real *const g = s->g + j * PADDED;
        real              curve[DEGREE], sum = REAL(0);
        for (int mu = 0; mu < DEGREE; mu++) curve[mu] = REAL(0);
        for (int k = 0; k < POINTS; k++)
            for (int mu = 0; mu < DEGREE; mu++) curve[mu] += CURVE[k * DEGREE + mu] * g[k];
        for (int mu = 0; mu < DEGREE; mu++) {
            const real Z = CURVE_NODES[mu] * m->z[j] + m->part * (m->split * curve[mu]);
            y[mu * COORDINATES + j] = AMONG(where, Z, y[mu * COORDINATES + j]);
        }
        for (int i = 0; i < POINTS; i++) sum += R_b[i] * s->F[j * PADDED + i];
        dp[j] = AMONG(where, m->part * (m->split * sum), dp[j]);
#if FORCED
        for (int i = 0; i < POINTS; i++) {
            real v = m->v[j];
            for (int k = 0; k < POINTS; k++) v += SLOPES[k * PADDED + i] * g[k];
            done += c->hb[i] * s->f[j * PADDED + i] * v;
        }
#endif
    }
    *work = AMONG(where, done, *work);
    (void)c;
}

/* Where it converged, of those that are `on`: y, dp and work are those of the step there, and as
 * before elsewhere, since convergence is too slow. `evaluations` counts them. */
PIECE mask iterate_points(const coefficients *c, number t, mask on, const real *q,
                          const real *q_low, const real *p, const real *p_low, const real *par,
                          const real *u, real *y, real *dp, real *work, int *evaluations)
{
    stages       s;
    stage_scales m;
    real         before = REAL(HUGE_VALUE);
    mask         left = on, made = NOT(EVERYWHERE);
    begin_stages(c->h, q, par, u, p, p_low, &m);
    place_stages(c, t, q, q_low, y, &m, &s);
    evaluate_stages(par, u, &m, &s);
    for (int it = 1; it <= CHANGES_MOST && ANY(left); it++) {
        *evaluations = it + 1;
        const stage_change by = move_stages(it == 1, left, q, &m, &s);
        left &= by.moved <= MOST;
        if (!ANY(left)) break;
        evaluate_stages(par, u, &m, &s);
        mask last = by.still | (by.eta <= EPSILON);
        if (it > 1) last |= leaves_roundoff(by.eta, before);
        if (it > 2)
            last |= (by.eta > QUARTER * before) & (by.moved <= 4 * COORDINATES * EPSILON * m.whole);
        last &= left;
        if (ANY(last)) conclude_stages(c, last, &m, &s, y, dp, work);
        made |= last;
        left &= NOT(last);
        if (it > 1) left &= (by.eta <= QUARTER * before) & (by.eta < 1);
        before = by.eta;
    }
    return made;
}
