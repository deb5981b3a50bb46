/* steps.h - many steps in one call. The state stays in local arrays throughout; what is read and
 * written besides is that of the struct STATE. */

typedef struct { /* counted over the steps of a call */
    long iterations, sweeps;
    int  most, most_sweeps;
} counts;

WITHIN void count_up(counts *n, int it)
{
    if (it < 0) {
        n->sweeps -= it;
        if (-it > n->most_sweeps) n->most_sweeps = -it;
    } else {
        n->iterations += it;
        if (it > n->most) n->most = it;
    }
}

/* One substep, from time t; part: its number in a composition. */
#if BOTH_ENDS
#define STEP_FROM(t, known, past, part)                                                            \
    settled_substep(&c, &f, J0, t, s->v, par, u, U, q, q_low, p, p_low, known, past,               \
                    s->moved + (part)*ENDS_PAST * COORDINATES, before, &work, &factored_times)
#else
#define STEP_FROM(t, known, past, part)                                                            \
    substep(&c, &f, J0, t, s->v, par, u, q, q_low, p, p_low, known, past, before, &work,           \
            &factored_times, 0, 0)
#endif

#if SETTLES == BY_ITSELF
#define SETTLE(t, h, y)                                                                            \
    FOLLOW_END(t)                                                                                  \
    settle(t, h, y, U, W, par, u, q, q_low, p, p_low);
#elif SETTLES == BY_STEPPER /* where directions turn, or move with others */
#define SETTLE(t, h, y)                                                                            \
    {                                                                                              \
        real slope[COORDINATES];                                                                   \
        slope_at_end(y, h, slope);                                                                 \
        store(q, q_low, p, p_low, s);                                                              \
        s->settle(s->stepper, t, slope);                                                           \
        load(s, q, q_low, p, p_low);                                                               \
    }
#else
#define SETTLE(t, h, y)
#endif

#if FOLLOWED /* inputs that follow a file, at the points of a step and at its end */
#define FOLLOW(t, h) follow(s, t, h, u);
#define FOLLOW_END(t) look_up(s, t, u);
#else
#define FOLLOW(t, h)
#define FOLLOW_END(t)
#endif

/* What depends on the length of a step; 0: its constant matrix is singular. */
WITHIN int set_length(coefficients *c, factored *f, real *J0, const real *par, real h,
                      long *factored_times)
{
    tune(c, h);
#if !SWEPT
    constant_part(c, par, J0);
#endif
#if CONSTANT
    for (int k = 0; k < N * N; k++) f->a[k] = J0[k];
    ++*factored_times;
    return factor(f);
#else
    (void)f;
    (void)J0;
    (void)par;
    (void)factored_times;
    return 1;
#endif
}

/* Up to `count` steps; how many were made. Step k begins at from + k h.
 *
 * A composition is Phi_{gamma_s h} o ... o Phi_{gamma_1 h}; run backward, the last first. A step of
 * it is made as a whole or not at all.                                         theory.md [COMPOSE]
 */
ENTRY long fused_steps(STATE *s, long count)
{
    const real *const par = s->par;
#if FOLLOWED
    real u[FOLLOWED];
#else
    const real *const    u = s->u;
#endif
#if EXPORTED
    real before[4 * COORDINATES];
#else
    real *RESTRICT const before = s->before;
#endif
#if SETTLES == BY_ITSELF || BOTH_ENDS
#if EXPORTED
    const real *const U = MOVES;
#else
    const real *const U = s->U;
#endif
#endif
#if SETTLES == BY_ITSELF
#if EXPORTED
    const real *const W = ALONG;
#else
    const real *const W = s->W;
#endif
#endif
    real         q[COORDINATES], q_low[COORDINATES], p[COORDINATES], p_low[COORDINATES], J0[N * N];
    real         whole_work = s->work, last_work = s->last_work;
    long         made = 0, factored_times = s->factored;
    counts       n = {s->iterations, s->sweeps, s->most, s->most_sweeps};
    coefficients c;
    factored     f;
    (void)u;
    load(s, q, q_low, p, p_low);
#if SUBSTEPS == 1
    const real h = s->h;
    int        known = s->known[0];
#if ONE_PIECE
    real past[PAST * N];
    for (int k = 0; k < PAST * N; k++) past[k] = s->past[k];
#else
    real *const       past = s->past;
#endif
    if (!set_length(&c, &f, J0, par, h, &factored_times)) return 0;
    for (; made < count; made++) {
        const real t = s->from + (real)(s->k + made) * h;
        real       work = 0;
        FOLLOW(t, h)
        const int it = STEP_FROM(t, &known, past, 0);
        if (!it) break;
        whole_work += work;
        last_work = work;
        count_up(&n, it);
        SETTLE(t + h, h, past)
    }
#if ONE_PIECE
    for (int k = 0; k < PAST * N; k++) s->past[k] = past[k];
#endif
    s->known[0] = known;
#else
    for (; made < count; made++) {
        const real t = s->from + (real)(s->k + made) * s->h;
        real       saved[4 * COORDINATES], work = 0, done = 0;
        int        part = 0, at = 0;
        save(q, q_low, p, p_low, saved);
        for (; part < SUBSTEPS; part++) {
            at = BACKWARD ? SUBSTEPS - 1 - part : part;
            if (!set_length(&c, &f, J0, par, GAMMA[at] * s->h, &factored_times)) break;
            FOLLOW(t + done * s->h, c.h)
            const int it = STEP_FROM(t + done * s->h, &s->known[at], s->past + at * PAST * N, at);
            if (!it) break;
            done += GAMMA[at];
            count_up(&n, it);
        }
        if (part < SUBSTEPS) {
            restore(saved, q, q_low, p, p_low);
            break;
        }
        SETTLE(t + s->h, c.h, s->past + at * PAST * N)
        whole_work += work;
        last_work = work;
    }
#endif
    store(q, q_low, p, p_low, s);
    s->work = whole_work;
    s->last_work = last_work;
    s->iterations = n.iterations;
    s->factored = factored_times;
    s->most = n.most;
    s->sweeps = n.sweeps;
    s->most_sweeps = n.most_sweeps;
    s->k += made;
    return made;
}
