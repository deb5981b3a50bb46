/* judge.h - how large a correction is, and whether another is needed: an iteration ends when the
 * estimated error that is left is below roundoff.                               theory.md [NEWTON]
 *
 * Unknowns 0 .. lam-1 are increments, lam .. P-1 multipliers and P .. size-1 stage momenta. */

/* max(most, |x|) */
WITHIN real larger(real most, real x)
{
    const real size = ABS(x);
    return LARGER(most, size);
}

/*     max(most, |x_k|),   k = from .. end-1 */
WITHIN real largest_of(real most, const real *x, const int from, const int end)
{
    for (int k = from; k < end; k++) most = larger(most, x[k]);
    return most;
}

/* Is a correction small relative to its unknown? (If to SQUARED, its square is below roundoff.)
 * This is seen without a division. */
WITHIN mask is_small(real delta, real y, real scale, const number to)
{
    return ABS(delta) <= to * larger(scale, y);
}

/* The larger of `most` and d/s. Sizes below the smallest normal number count as 0: a motion that
 * has decayed to that has nothing left to correct. */
WITHIN real larger_ratio(real most, real d, real s)
{
    return CHOOSE((d < LEAST) | (d <= most * s), most, d / s);
}

/*     eta <- max(eta, |delta|/max(|y|, scale));   is the correction finite? */
WITHIN mask measure(real *eta, real delta, real y, real scale)
{
    const real d = ABS(delta), a = ABS(y), least = LARGER(REAL(FAINTEST), scale);
    *eta = LARGER(*eta, d / LARGER(least, a));
    return d <= MOST;
}

/* The largest correction relative to the largest unknown of its block, increments or stage momenta.
 * Multipliers are left out: they enter linearly, so they are right as soon as the others are. */
WITHIN real overall(const int lam, const int P, const int size, const real *delta, const real *y,
                    const real *scale)
{
    const real none = REAL(0);
    const real Z = largest_of(largest_of(none, y, 0, lam), scale, 0, lam);
    const real w = largest_of(largest_of(none, y, P, size), scale, P, size);
    return larger_ratio(larger_ratio(none, largest_of(none, delta, 0, lam), Z),
                        largest_of(none, delta, P, size), w);
}

/* Is every correction below the roundoff of the largest position or momentum? An unknown that
 * vanishes by a symmetry of the motion consists of such noise alone, and its residual need not show
 * how much there is. */
WITHIN mask is_noise(const int n, const int lam, const int P, const int size, const real *q,
                     const real *p, const real *delta, const real *y)
{
    const real none = REAL(0);
    const real of_q = largest_of(largest_of(none, q, 0, n), y, 0, lam);
    const real of_p = largest_of(largest_of(none, p, 0, n), y, P, size);
    const mask in_q = largest_of(none, delta, 0, lam) <= 64 * EPSILON * of_q;
    const mask in_p = largest_of(none, delta, P, size) <= 64 * EPSILON * of_p;
    return in_q & in_p;
}

/* Have multipliers converged, too? With the present Jacobian they are right as soon as the others
 * are, since they enter linearly; with a kept one they converge at their own rate. */
WITHIN mask reactions_hold(const int lam, const int P, const real *delta, const real *y,
                           const real *scale)
{
    const real none = REAL(0), most = largest_of(largest_of(none, y, lam, P), scale, lam, P);
    return largest_of(none, delta, lam, P) <= HELD * most;
}

/* Multipliers are also measured by what they do: the impulse h w A lam beside the momentum that it
 * changes, since roundoff in p leaves eps p/(h w A) in lam. */
WITHIN void widen(real *scale, real p, real impulse)
{
    const real x = p / impulse;
    *scale = CHOOSE((p > *scale * impulse) & (impulse > 0), x, *scale);
}

/* What the size of a correction implies: it was the last, or the iteration leads elsewhere, or more
 * are needed, with the matrix at hand or with a new one. */
typedef struct {
    mask ends, strays, renews;
} verdict;

/* Does a first correction lead on? One that changes what was predicted by much may lead to another
 * root. */
WITHIN mask leads_on(const int lam, const int P, const int size, const real *delta, const real *y,
                     const real *scale, int predicted)
{
    const real   none = REAL(0);
    const number most = predicted ? ASTRAY : FAR;
    const real   Z = largest_of(largest_of(none, y, 0, lam), scale, 0, lam);
    const real   w = largest_of(largest_of(none, y, P, size), scale, P, size);
    const real   dZ = largest_of(none, delta, 0, lam), dw = largest_of(none, delta, P, size);
    mask         finite = EVERYWHERE;
    for (int k = 0; k < size; k++) finite &= ABS(delta[k]) <= MOST;
    return ((dZ < LEAST) | (dZ <= most * Z)) & ((dw < LEAST) | (dw <= most * w)) & finite;
}

/* Was a later correction the last? before: the size of the one before it. With the Jacobian of y
 * (fresh) convergence is quadratic and leaves eta (eta/before)^2; with a kept one it is linear and
 * leaves eta (eta/before). */
WITHIN mask leaves_nothing(real eta, real before, mask fresh)
{
    const real theta = eta / before;
    return (eta <= CHOOSE(fresh, REAL(SQUARED), REAL(2 * EPSILON))) |
           ((theta < TENTH) & (eta * CHOOSE(fresh, theta * theta, theta) <= EPSILON / 16));
}

/* The same of any correction, by its sizes: eta, the largest relative to its unknown, and whole,
 * that of all of them together; before and whole_before are those of the one before, unless it is
 * the first, which has the Jacobian of y. Where roundoff keeps an unknown that is nearly 0 from
 * shrinking, all of them together decide, provided that reactions hold. */
WITHIN verdict judge(real eta, real whole, int first, real before, real whole_before, mask fresh,
                     mask held)
{
    verdict said = {eta <= SQUARED, NOT(whole <= ASTRAY), NOT(EVERYWHERE)};
    if (!first) {
        const real theta = eta / before, rest = whole / whole_before;
        const mask stuck = theta > HALF;
        const mask ends =
            (held & (stuck | (eta > HALF)) & (rest < TENTH) & (whole * rest <= EPSILON / 16)) |
            (fresh & stuck & ((eta < STAGNANT) | (whole <= SQUARED)));
        said.strays = NOT(whole < FAR);
        said.ends = leaves_nothing(eta, before, fresh) | (ends & NOT(said.strays));
        said.strays |= fresh & (whole > 4 * whole_before) & (whole > SQUARED);
        said.renews = (theta > TENTH) & (rest > TENTH);
    }
    said.strays &= NOT(said.ends);
    return said;
}

/* A constant Jacobian leaves no error, unless the correction was large enough for the roundoff of
 * its solver to show. */
WITHIN verdict judge_linear(real whole, int first, int predicted)
{
    verdict said = {whole < REFINED, NOT(whole < FAR), NOT(EVERYWHERE)};
    if (!first) said.ends = EVERYWHERE;
    if (predicted) said.strays |= whole > ASTRAY;
    said.strays &= NOT(said.ends);
    return said;
}

/* Newton's iteration beside the step (a start, an end, a move along directions without inertia) is
 * judged by its largest change beside the size of what it changes; `before` is the change before it,
 * HUGE_VALUE if there was none. Was it the last?
 *
 *     change (change/before)^2 <= eps/16 size,   or noise */
WITHIN mask was_last(real change, real before, real size)
{
    const real theta = change / before;
    const mask later = before <= MOST;
    return (change < LEAST) | (change <= 4 * EPSILON * size) |
           (later & (theta < TENTH) & (change * theta * theta <= EPSILON / 16 * size)) |
           (later & (theta > HALF) & (change <= STAGNANT * size));
}

/* Changes of a fixed-point iteration fall at the ratio of the last two: is what they leave below
 * roundoff? */
WITHIN mask leaves_roundoff(real now, real before)
{
    return (now < HALF * before) & (now * now <= before * (EPSILON / 16));
}
