/* explicit.h - explicit steps, with one evaluation of the force F = L_q + f per step.   theory.md
 * [DEL]
 *
 *     z = h M^-1 (p_0 - a + h b_0 F(q_0)),   q_1 = q_0 + z
 *     p^- = p_0 + h (b_0 F(q_0) + b_1 F(q_1))
 *
 * `forces` (F, and f where its work is asked for) and `masses` (m and a) are the model's. */

static const real AT_REST[COORDINATES] = {0}; /* neither time nor velocities enter F */

typedef struct { /* for one length of step: h b_0, h b_1; h/m, a and products of them */
    real h0, h1, drift[COORDINATES], shift[COORDINATES], drift0[COORDINATES], rest[COORDINATES];
} explicit_length;

/* 0: a mass cannot be divided by. */
WITHIN int set_explicit_step(explicit_length *m, real h, const real *q, const real *par,
                             const real *u)
{
    m->h0 = h * B0;
    m->h1 = h * B1;
    masses(q, par, u, m->drift, m->shift);
    for (int j = 0; j < COORDINATES; j++) {
        if (!(ABS(m->drift[j]) >= LEAST && ABS(m->drift[j]) <= MOST)) return 0;
        m->drift[j] = h / m->drift[j];
        m->drift0[j] = m->drift[j] * m->h0;
        m->rest[j] = m->drift[j] * m->shift[j];
    }
    return 1;
}

/* The dependency chain of the loop goes from a force to the next position. Hence products with the
 * force are added last, and the effect of p_low is left to q_low.          theory.md [SUMMATION] */
WITHIN void drift_by(const explicit_length *m, const real *F, const real *p, const real *p_low,
                     real *q, real *q_low, real *z)
{
    for (int j = 0; j < COORDINATES; j++) {
        const real kicked = p[j] + ((HAS_B0 ? m->h0 * F[j] : 0) - m->shift[j]);
#if PLAIN
        z[j] = m->drift[j] * kicked;
        q[j] += z[j];
#else
        const real late = q_low[j] - m->rest[j];
        z[j] = m->drift[j] * (kicked + p_low[j]);
        carry(q[j], m->drift[j] * p[j] + (HAS_B0 ? m->drift0[j] * F[j] + late : late), &q[j],
              &q_low[j]);
        q_low[j] += m->drift[j] * p_low[j];
#endif
    }
    (void)q_low;
    (void)p_low;
}

/*     p^- = (p + h b_0 F_0) + h b_1 F_1, the last being known last */
WITHIN void kick_by(const explicit_length *m, const real *F0, const real *F1, real *p, real *p_low)
{
    for (int j = 0; j < COORDINATES; j++) {
        const real c0 = HAS_B0 ? m->h0 * F0[j] : 0, c1 = HAS_B1 ? m->h1 * F1[j] : 0;
#if PLAIN
        p[j] += c0 + c1;
#else
        /* p + h b_0 F_0 does not wait for the new force; what rounding lost of it is added last */
        real lost;
        carry(p[j], c0 + p_low[j], &p[j], &lost);
        carry(p[j], c1, &p[j], &p_low[j]);
        p_low[j] += lost;
#endif
    }
    (void)p_low;
}

/* One substep; F and f are those at q, before and after. 0: it is not finite, and not made. */
WITHIN int kick_and_drift(const explicit_length *m, const real *par, const real *u, real *q,
                          real *q_low, real *p, real *p_low, real *F, real *f, real *before,
                          real *last, real *work)
{
    real F1[COORDINATES], f1[COORDINATES], along = 0, z[COORDINATES];
    save(q, q_low, p, p_low, before);
    drift_by(m, F, p, p_low, q, q_low, z);
    forces(AT_REST, q, AT_REST, par, u, F1, f1);
    kick_by(m, F, F1, p, p_low);
    if (!all_finite(p, COORDINATES)) {
        restore(EVERYWHERE, before, q, q_low, p, p_low);
        return 0;
    }
    for (int j = 0; j < COORDINATES; j++) {
#if FORCED
        along += (B0 * f[j] + B1 * f1[j]) * z[j];
        f[j] = f1[j];
#endif
        F[j] = F1[j];
        last[j] = z[j];
    }
    *work += along;
    (void)f;
    (void)f1;
    return 1;
}

#if WATCHED
/* Second differences of increments are those of a force, h^2 M^-1 (F_1 - F_0): the roughest step is
 * the one in which a force changes the most.                              theory.md [RESOLUTION] */
typedef struct {
    roughness *of; /* NULL: nobody asks */
    real       most, weight[COORDINATES];
} watch;

WITHIN void begin_watch(watch *w, roughness *of)
{
    w->of = of;
    w->most = of ? *of->most : HUGE_VALUE;
    for (int j = 0; j < COORDINATES; j++) w->weight[j] = of ? of->weight[j] : 0;
}

/* The k-th step has led from the state `begun` to q, and from the force F0 to F1. */
WITHIN void note_forces(watch *w, const STATE *s, long k, const real *begun, const real *q,
                        const real *F0, const real *F1)
{
    real r = 0;
    if (w->of && (k % APART == 0 || *w->of->known < EACH)) {
        const real known = *w->of->known += 1;
        w->most = 0;
        for (int j = 0; j < COORDINATES; j++) {
            w->of->sum[j] += ABS(F1[j] - F0[j]);
            w->of->weight[j] = w->weight[j] = WEIGHT(known, w->of->sum[j]);
            w->most = LARGER(w->of->from[3 * COORDINATES + j] * w->weight[j], w->most);
        }
    }
    for (int j = 0; j < COORDINATES; j++) r = LARGER(ABS(F1[j] - F0[j]) * w->weight[j], r);
    if (r > w->most) {
        w->most = r;
        *w->of->t = s->from + (real)k * s->h;
        for (int j = 0; j < COORDINATES; j++)
            keep_roughest(w->of, COORDINATES, j, 1, begun[j], begun[2 * COORDINATES + j],
                          q[j] - begun[j], ABS(F1[j] - F0[j]));
    }
}

WITHIN void end_watch(watch *w, const real *begun, const real *q)
{
    if (!w->of) return;
    *w->of->most = w->most;
    *w->of->seen += 1;
    for (int j = 0; j < COORDINATES; j++) w->of->z[j] = q[j] - begun[j];
}
#endif

#if SUBSTEPS == 1 /* the state where a step began */
#define BEGUN before
#else
#define BEGUN saved
#endif

/* Up to `count` steps; how many were made. A step of a composition is made as a whole or not at
 * all.                                                                       theory.md [COMPOSE] */
ENTRY long compiled_steps(STATE *s, long count)
{
    const real *const par = s->par, *const u = s->u;
    real q[COORDINATES], q_low[COORDINATES], p[COORDINATES], p_low[COORDINATES], F[COORDINATES];
    real f[COORDINATES], before[4 * COORDINATES] = {0}, last[COORDINATES] = {0};
#if SUBSTEPS > 1
    real saved[4 * COORDINATES];
#endif
    real            whole_work = s->work, last_work = s->last_work;
    long            made = 0;
    explicit_length m;
#if WATCHED
    watch w;
    begin_watch(&w, s->rough);
#endif
    load(s, q, q_low, p, p_low);
    forces(AT_REST, q, AT_REST, par, u, F, f);
#if SUBSTEPS == 1
    if (!set_explicit_step(&m, s->h, q, par, u)) return 0;
#endif
    for (; made < count; made++) {
        real work = 0;
#if WATCHED
        real F0[COORDINATES];
        for (int j = 0; j < COORDINATES; j++) F0[j] = F[j];
#endif
#if SUBSTEPS == 1
        if (!kick_and_drift(&m, par, u, q, q_low, p, p_low, F, f, before, last, &work)) break;
#else
        int part = 0;
        save(q, q_low, p, p_low, saved);
        for (; part < SUBSTEPS; part++) {
            if (!set_explicit_step(&m, GAMMA[BACKWARD ? SUBSTEPS - 1 - part : part] * s->h, q, par,
                                   u) ||
                !kick_and_drift(&m, par, u, q, q_low, p, p_low, F, f, before, last, &work))
                break;
        }
        if (part < SUBSTEPS) {
            restore(EVERYWHERE, saved, q, q_low, p, p_low);
            break;
        }
#endif
#if FORCED
        whole_work += work;
        last_work = work;
#endif
#if WATCHED
        note_forces(&w, s, s->k + made, BEGUN, q, F0, F);
#endif
    }
#if WATCHED
    if (made) end_watch(&w, BEGUN, q);
#endif
    store(q, q_low, p, p_low, s);
#if !EXPORTED
    for (int j = 0; j < COORDINATES && made; j++) s->history[j] = last[j];
    for (int k = 0; k < 4 * COORDINATES && made; k++) s->before[k] = before[k];
#endif
    s->work = whole_work;
    s->last_work = last_work;
    s->k += made;
    return made;
}
