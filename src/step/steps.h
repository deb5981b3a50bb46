/* steps.h - many steps in one call. The state stays in local arrays throughout; what is read and
 * written besides is that of the struct STATE. */

typedef struct { /* counted over the steps of a call */
    long iterations, fixed_point;
    int  most, most_fixed_point;
} counts;

/* it < 0: those of a fixed-point iteration, which are counted apart. */
WITHIN void count_up(counts *n, int it)
{
    if (it < 0) {
        n->fixed_point -= it;
        if (-it > n->most_fixed_point) n->most_fixed_point = -it;
    } else {
        n->iterations += it;
        if (it > n->most) n->most = it;
    }
}

#if EXPORTED /* directions without inertia stand in tables */
#define U_OF(s) MOVES
#define W_OF(s) ALONG
#else
#define U_OF(s) (s)->U
#define W_OF(s) (s)->W
#endif

/* One substep, from time t; part: its number in a composition. */
#if SYMMETRIC_PROJECTION
#define STEP_FROM(t, known, history, part)                                                         \
    projected_substep(&c, &f, J0, t, s->v, par, u, U_OF(s), on, q, q_low, p, p_low, known,         \
                      history, s->moved + (part)*ENDS_HISTORY * COORDINATES, before, &work,        \
                      &iterations, &factored_times)
#elif BENT
#define STEP_FROM(t, known, history, part)                                                         \
    bent_substep(&c, &f, J0, t, s->v, par, u, on, q, q_low, p, p_low, known, history, before,      \
                 &work, &iterations, &factored_times, OF_BENT(s), part)
#else
#define STEP_FROM(t, known, history, part)                                                         \
    substep(&c, &f, J0, t, s->v, par, u, on, q, q_low, p, p_low, known, history, before, &work,    \
            &iterations, &factored_times, 0, 0)
#endif

#if PROJECTS == BY_ITSELF
#define PROJECT(t, h, y)                                                                           \
    FOLLOW_END(t)                                                                                  \
    project(t, h, y, U_OF(s), W_OF(s), par, u, q, q_low, p, p_low);
#elif PROJECTS == BY_STEPPER /* where directions turn, or move with others */
#define PROJECT(t, h, y)                                                                           \
    {                                                                                              \
        real slope[COORDINATES];                                                                   \
        slope_at_end(y, h, slope);                                                                 \
        store(q, q_low, p, p_low, s);                                                              \
        s->project(s->stepper, t, slope);                                                          \
        load(s, q, q_low, p, p_low);                                                               \
    }
#else
#define PROJECT(t, h, y)
#endif

#if FOLLOWED /* inputs that follow a file, at the points of a step and at its end */
#define FOLLOW(t, h) follow(s, t, h, u);
#define FOLLOW_END(t) look_up(s, t, u);
#else
#define FOLLOW(t, h)
#define FOLLOW_END(t)
#endif

#if WATCHED
/* What every step is compared with, near at hand while steps are made. */
typedef struct {
    real z[2 * COORDINATES], p[2 * COORDINATES], weight[COORDINATES], most, seen;
} watch;

WITHIN roughness begin_watch(watch *w, const roughness *of)
{
    roughness near = *of;
    for (int j = 0; j < 2 * COORDINATES; j++) w->z[j] = of->z[j], w->p[j] = of->p[j];
    for (int j = 0; j < COORDINATES; j++) w->weight[j] = of->weight[j];
    w->most = *of->most, w->seen = *of->seen;
    near.z = w->z, near.p = w->p, near.weight = w->weight, near.most = &w->most;
    near.seen = &w->seen;
    return near;
}

WITHIN void end_watch(const watch *w, long noted, roughness *of)
{
    for (int j = 0; j < 2 * COORDINATES; j++) of->z[j] = w->z[j], of->p[j] = w->p[j];
    for (int j = 0; j < COORDINATES; j++) of->weight[j] = w->weight[j];
    *of->most = w->most, *of->seen = w->seen, of->noted = noted;
}

#define BEGIN_WATCH                                                                                \
    watch     beside;                                                                              \
    roughness rough = {0};                                                                         \
    if (s->rough) rough = begin_watch(&beside, s->rough);
#define NOTE_ROUGHNESS(t, from)                                                                    \
    if (s->rough) note_roughness(&rough, COORDINATES, on, t, s->h, from, (from) + 2 * WIDTH, q);
#define END_WATCH                                                                                  \
    if (s->rough) end_watch(&beside, rough.noted, s->rough);
#else
#define BEGIN_WATCH
#define NOTE_ROUGHNESS(t, from)
#define END_WATCH
#endif

#if ROTATIONS && !EXPORTED /* who warns of long turns */
#define NOTE_TURNS(y) s->turned = largest_turn(s->turned, (y) + LAST_NODE);
#else
#define NOTE_TURNS(y)
#endif

/* What depends on the length of a step; is its matrix, if that is constant, regular? */
WITHIN mask set_length(coefficients *c, factored *f, real *J0, const real *par, number h,
                       long *factored_times)
{
    set_step(c, h);
#if !ITERATED_FIRST
    constant_part(c, par, J0);
#endif
#if CONSTANT
    for (int k = 0; k < N * N; k++) f->a[k] = J0[k];
    ++*factored_times;
    return factor(f, EVERYWHERE);
#else
    (void)f;
    (void)J0;
    (void)par;
    (void)factored_times;
    return EVERYWHERE;
#endif
}

/* Up to `count` steps; how many were made. Step k begins at from + k h.
 *
 * A composition is Phi_{gamma_s h} o ... o Phi_{gamma_1 h}; run backward, the last first. A step of
 * it is made as a whole or not at all. Of many systems, those for which a step was not made stay
 * where it began and are ON no more, and it is the last.                     theory.md [COMPOSE] */
ENTRY long compiled_steps(STATE *s, long count)
{
    const real *const par = s->par;
#if FOLLOWED
    real u[FOLLOWED];
#else
    const real *const    u = s->u;
#endif
#if EXPORTED
    real before[4 * WIDTH];
#else
    real *RESTRICT const before = s->before;
#endif
    real         q[WIDTH], q_low[WIDTH], p[WIDTH], p_low[WIDTH], J0[N * N];
    real         whole_work = SUM(s->work), last_work = SUM(s->last_work);
    mask         on = ON(s);
    long         made = 0, factored_times = s->factored;
    int          iterations = 0;
    counts       n = {s->iterations, s->fixed_point, s->most, s->most_fixed_point};
    coefficients c;
    factored     f;
    (void)u;
#ifdef EXCHANGES
    begin_exchanges(&f);
#endif
    load(s, q, q_low, p, p_low);
    BEGIN_WATCH
#if SUBSTEPS == 1
    const number h = s->h;
    int          known = s->known[0];
#if ONE_PIECE
    real history[HISTORY_NUMBERS];
    for (int k = 0; k < HISTORY_NUMBERS; k++) history[k] = s->history[k];
#else
    real *const history = s->history;
#endif
    mask begun = on;
    on &= set_length(&c, &f, J0, par, h, &factored_times);
    for (int lost = 0; made < count && !lost; made++) {
        const number t = s->from + (number)(s->k + made) * h;
        real         work = REAL(0);
#if WATCHED
        real start[4 * WIDTH];
        if (!ROTATIONS || s->rough) save(q, q_low, p, p_low, start);
#endif
        FOLLOW(t, h)
        on = STEP_FROM(t, &known, history, 0);
        lost = ANY(begun & NOT(on));
        if (LANES == 1 && lost) break;
        whole_work += work;
        last_work = work;
        count_up(&n, iterations);
        NOTE_TURNS(history)
        PROJECT(t + h, h, history)
        NOTE_ROUGHNESS(t, start)
    }
#if ONE_PIECE
    for (int k = 0; k < HISTORY_NUMBERS; k++) s->history[k] = history[k];
#endif
    s->known[0] = known;
#else
    for (int lost = 0; made < count && !lost; made++) {
        const number t = s->from + (number)(s->k + made) * s->h;
        const mask   begun = on;
        real         saved[4 * WIDTH], work = REAL(0), *history = s->history;
        number       done = 0;
        int          at = 0;
        save(q, q_low, p, p_low, saved);
        for (int part = 0; part < SUBSTEPS && (LANES > 1 || ANY(on)); part++) {
            at = BACKWARD ? SUBSTEPS - 1 - part : part;
            history = s->history + (DIAGONAL ? 0 : at * HISTORY_NUMBERS);
            on &= set_length(&c, &f, J0, par, GAMMA[at] * s->h, &factored_times);
            FOLLOW(t + done * s->h, c.h)
            if (LANES > 1 || ANY(on)) on &= STEP_FROM(t + done * s->h, &s->known[at], history, at);
            NOTE_TURNS(history)
            done += GAMMA[at];
            if (ANY(on)) count_up(&n, iterations);
        }
        lost = ANY(begun & NOT(on));
        if (lost) restore(begun & NOT(on), saved, q, q_low, p, p_low);
        if (LANES == 1 && lost) break;
        PROJECT(t + s->h, c.h, history)
        NOTE_ROUGHNESS(t, saved)
        whole_work += AMONG(on, work, REAL(0));
        last_work = work;
    }
#endif
#if ROTATIONS
    show_momenta(q, p_low, p);
#endif
    END_WATCH
    store(q, q_low, p, p_low, s);
    SUM(s->work) = whole_work;
    SUM(s->last_work) = last_work;
    SAY_ON(s, on);
    s->iterations = n.iterations;
    s->factored = factored_times;
    s->most = n.most;
    s->fixed_point = n.fixed_point;
    s->most_fixed_point = n.most_fixed_point;
    s->k += made;
    return made;
}
