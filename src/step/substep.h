/* substep.h - one step of one curve, from the state (q, p) in two parts each: prediction, solution,
 * compensated update.                                          theory.md [PREDICT], [SUMMATION]
 *
 *     q_1 = q_0 + Z^d,   p^- = p_0 + dp
 *
 * Unknowns stand node by node: Z^nu of coordinate j is y[(nu - 1) * COORDINATES + j]. `finish` (dp,
 * and the work of the forces) is the model's. */

enum { LAST_NODE = (DEGREE - 1) * COORDINATES }; /* where Z^d begins */
/* of rotations, in space axes besides; q_1 - q_0 follows of a curve that is shot: Z is h v_0 there
 */
enum { MOMENTA = COORDINATES * (SHOT ? 2 : 1) + 3 * ROTATIONS };

/* The slope of a curve at its end:  v = (1/h) sum_nu l'_nu(1) Z^nu */
WITHIN void slope_at_end(const real *y, number h, real *v)
{
    for (int j = 0; j < COORDINATES; j++) {
        real sum = END_SLOPE[0] * y[j];
        for (int nu = 1; nu < DEGREE; nu++) sum += END_SLOPE[nu] * y[nu * COORDINATES + j];
        v[j] = sum / h;
    }
}

#if !DIAGONAL
/* Where there is no history:  Z^nu = x_nu h v, multipliers 0, stage momenta that of the state */
SELDOM void guess(number h, const real *v, const real *p, real *y)
{
    for (int k = 0; k < N; k++) y[k] = REAL(0);
    for (int nu = 0; nu < DEGREE; nu++)
        for (int j = 0; j < COORDINATES; j++) y[nu * COORDINATES + j] = CURVE_NODES[nu] * h * v[j];
#if FIRST_MOMENTUM < N
    for (int k = FIRST_MOMENTUM; k < N; k++) y[k] = p[MOMENTUM_OF[k - FIRST_MOMENTUM]];
#else
    (void)p;
#endif
}
#endif

/* Of past solutions, where nothing is predicted, the last is kept. */
enum { HISTORY_NUMBERS = (DIAGONAL ? 1 : HISTORY) * N };

/* A solution becomes the newest of the past ones. */
WITHIN void remember(const real *y, int *known, real *history)
{
#if DIAGONAL
    (void)known;
#else
    for (int a = HISTORY - 1; a > 0; a--)
        for (int k = 0; k < N; k++) history[a * N + k] = history[(a - 1) * N + k];
    if (*known < HISTORY) ++*known;
#endif
    for (int k = 0; k < N; k++) history[k] = y[k];
}

/* The state moves by dq and dp. */
WITHIN void move(const real *dq, const real *dp, real *q, real *q_low, real *p, real *p_low)
{
    for (int j = 0; j < COORDINATES; j++) {
#if PLAIN
        q[j] += dq[j];
        p[j] += dp[j];
#else
        add(&q[j], &q_low[j], dq[j]);
        add(&p[j], &p_low[j], dp[j]);
#endif
    }
#if ROTATIONS
    turn(dq, dp + COORDINATES, q, q_low, p, p_low);
#endif
    (void)q_low;
    (void)p_low;
}

#if !BY_ENERGY

#if SYMMETRIC_PROJECTION || BENT
/* The curve found before, bent for a move that is `shift` longer. */
WITHIN void bend(const real *found, const real *shift, real *y)
{
    for (int k = 0; k < N; k++) y[k] = found[k];
    for (int nu = 0; nu < DEGREE; nu++)
        for (int j = 0; j < COORDINATES; j++) y[nu * COORDINATES + j] += BENDS[nu] * shift[j];
}
#endif

#if FIRST_MOMENTUM > FIRST_MULTIPLIER && !EXPORTED
/* Is a solution further from what was predicted than half of the largest increment? It may belong
 * to another branch of the relations: the general engine looks into that.       theory.md
 * [RELIABLE] */
WITHIN mask leads_away(const real *q, const real *led, const real *y)
{
    const real none = REAL(0), size = largest_of(none, y, 0, FIRST_MULTIPLIER);
    real       apart = none;
    for (int k = 0; k < FIRST_MULTIPLIER; k++) apart = larger(apart, y[k] - led[k]);
    return (apart > ASTRAY * size) & (apart > SEEN * largest_of(none, q, 0, COORDINATES));
}
#endif

/* Where Newton's iteration fails from the extrapolated history, it is tried once more from the
 * slope at the end of the last curve. A step that is repeated (shift: symmetric_projection.h, bent.h)
 * begins with what was found before and is remembered by who repeats it.
 *
 * Where the step was made, of those that are `on`; the others have not moved. Iterations are
 * negative if they did without Newton's matrix. */
WITHIN mask substep(coefficients *c, factored *f, real *J0, number t, const real *v,
                    const real *par, const real *u, mask on, real *q, real *q_low, real *p,
                    real *p_low, int *known, real *history, real *before, real *work,
                    int *iterations, long *factored_times, const real *shift, real *found)
{
    real y[N], dp[MOMENTA], done = REAL(0);
    mask made = NOT(EVERYWHERE);
    int  quick = 0;
    (void)v;
    (void)shift;
#if DIAGONAL
    for (int k = 0; k < N; k++) y[k] = REAL(0);
#else
    /* the extrapolated history, or along the slope at the start */
    if (*known) predict(*known, history, y);
    else guess(c->h, v, p, y);
#endif
#if SYMMETRIC_PROJECTION || BENT
    if (shift) bend(found, shift, y);
#endif
#if FIRST_MOMENTUM > FIRST_MULTIPLIER && !EXPORTED
    real led[FIRST_MULTIPLIER];
    for (int k = 0; k < FIRST_MULTIPLIER; k++) led[k] = y[k];
#endif
#if ITERATED_FIRST
    /* first without Newton's matrix */
    quick = iterate_points(c, t, q, q_low, p, p_low, par, u, y, dp, &done);
    *iterations = -quick;
    made = quick != 0;
    /* Newton's matrix needs coefficients that a fixed-point iteration does not */
    if (!quick && !c->full) {
        set_step_fully(c);
        constant_part(c, par, J0);
    }
#endif
    for (int again = 0; again < (DIAGONAL ? 1 : 2) && ANY(on & NOT(made)); again++) {
        const mask left = on & NOT(made);
#if !DIAGONAL
        if (again) {
            real slope[COORDINATES], z[N];
            if (!*known) break;
            /* the extrapolation may have been what was wrong */
            slope_at_end(history, c->h, slope);
#if ROTATIONS
            spins_at_end(history + LAST_NODE, slope);
#endif
            guess(c->h, slope, p, z);
            for (int k = 0; k < N; k++) y[k] = AMONG(left, z[k], y[k]);
        }
#endif
        made |= newton(c, f, J0, t, q, q_low, p, p_low, par, u, left, again ? 0 : *known, history,
                       y, iterations, factored_times);
    }
#if FIRST_MOMENTUM > FIRST_MULTIPLIER && !EXPORTED
    if (*known >= PREDICTING && !shift) made &= NOT(leads_away(q, led, y));
#endif
    if (!quick) done = finish(c, t, q, q_low, p, p_low, par, u, y, dp);
    made &= all_finite(dp, MOMENTA);
#if ROTATIONS
    made &= largest_turn(REAL(0), y + LAST_NODE) <= FARTHEST;
#endif
    if (LANES == 1 && !ANY(made)) return made; /* in lanes the history of all moves on */
    *work += AMONG(made, done, REAL(0));
    /* of many systems, only those whose step failed are asked where it began */
    if (LANES == 1 || !ALL(made)) save(q, q_low, p, p_low, before);
    move(SHOT ? dp + COORDINATES : y + LAST_NODE, dp, q, q_low, p, p_low);
    /* systems whose step failed stay where it began */
    if (LANES > 1 && !ALL(made)) restore(NOT(made), before, q, q_low, p, p_low);
    if (found)
        for (int k = 0; k < N; k++) found[k] = y[k];
    else remember(y, known, history);
    return made;
}

#endif
