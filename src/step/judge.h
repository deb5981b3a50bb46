/* judge.h - how large a correction is, and whether another is needed: an iteration ends when the
 * estimated error that is left is below roundoff.                               theory.md [NEWTON]
 *
 * Unknowns 0 .. lam-1 are increments, lam .. P-1 multipliers and P .. size-1 stage momenta. */

WITHIN real larger(real most, real x)
{
    const real size = ABS(x);
    return size <= most ? most : size;
}

/*     max(most, |x_k|),   k = from .. end-1 */
WITHIN real largest_of(real most, const real *x, const int from, const int end)
{
    for (int k = from; k < end; k++) most = larger(most, x[k]);
    return most;
}

/* Is the square of a correction below roundoff? This is seen without a division. */
WITHIN int is_small(real delta, real y, real scale)
{
    const real a = ABS(y);
    return ABS(delta) <= SQUARED * (a < scale ? scale : a);
}

/* The larger of `most` and d/s. Sizes below the smallest normal number count as 0: a motion that
 * has decayed to that has nothing left to correct. */
WITHIN real larger_ratio(real most, real d, real s)
{
    return d < LEAST || d <= most * s ? most : s > 0 ? d / s : HUGE_VALUE;
}

/*     eta <- max(eta, |delta|/max(|y|, scale));   0: the correction is not finite */
WITHIN int measure(real *eta, real delta, real y, real scale)
{
    const real d = ABS(delta), a = ABS(y);
    *eta = larger_ratio(*eta, d, a < scale ? scale : a);
    return d <= MOST;
}

/* The largest correction relative to the largest unknown of its block, increments or stage momenta.
 * Multipliers are left out: they enter linearly, so they are right as soon as the others are. */
WITHIN real overall(const int lam, const int P, const int size, const real *delta, const real *y,
                    const real *scale)
{
    const real Z = largest_of(largest_of(0, y, 0, lam), scale, 0, lam);
    const real w = largest_of(largest_of(0, y, P, size), scale, P, size);
    return larger_ratio(larger_ratio(0, largest_of(0, delta, 0, lam), Z),
                        largest_of(0, delta, P, size), w);
}

/* Is every correction below the roundoff of the largest position or momentum? An unknown that
 * vanishes by a symmetry of the motion consists of such noise alone, and its residual need not show
 * how much there is. */
WITHIN int is_noise(const int n, const int lam, const int P, const int size, const real *q,
                    const real *p, const real *delta, const real *y)
{
    const real of_q = largest_of(largest_of(0, q, 0, n), y, 0, lam);
    const real of_p = largest_of(largest_of(0, p, 0, n), y, P, size);
    return largest_of(0, delta, 0, lam) <= 64 * EPSILON * of_q &&
           largest_of(0, delta, P, size) <= 64 * EPSILON * of_p;
}

/* Have multipliers converged, too? With the present Jacobian they are right as soon as the others
 * are, since they enter linearly; with a kept one they converge at their own rate. */
WITHIN int reactions_hold(const int lam, const int P, const real *delta, const real *y,
                          const real *scale)
{
    const real most = largest_of(largest_of(0, y, lam, P), scale, lam, P);
    return largest_of(0, delta, lam, P) <= HELD * most;
}

/* Multipliers are also measured by what they do: the impulse h w A lam beside the momentum that it
 * changes, since roundoff in p leaves eps p/(h w A) in lam. */
WITHIN void widen(real *scale, real p, real impulse)
{
    const real x = p / impulse;
    *scale = ((p > *scale * impulse) & (impulse > 0)) ? x : *scale;
}

/* What the size of a correction implies: it was the last; more are needed, with the matrix at hand
 * or with a new one; or the iteration leads elsewhere. */
enum { ENDS, KEEPS, RENEWS, STRAYS };

/* eta: the largest correction relative to its unknown, whole: overall, and those of the correction
 * before (HUGE_VALUE: none). With the Jacobian of y (fresh) convergence is quadratic and leaves
 * eta (eta/before)^2; with a kept one it is linear and leaves eta (eta/before). Where roundoff
 * keeps an unknown that is nearly 0 from shrinking, all of them together decide, provided that
 * reactions hold. A first correction that changes what was predicted by much may lead to another
 * root. */
WITHIN int judge(real eta, real whole, real before, real whole_before, int fresh, int held,
                 int predicted)
{
    if (eta <= (fresh ? SQUARED : 2 * EPSILON)) return ENDS;
    if (!(whole < FAR)) return STRAYS;
    if (before == HUGE_VALUE) return predicted && whole > ASTRAY ? STRAYS : KEEPS;
    const real theta = eta / before, rest = whole / whole_before;
    if (theta < TENTH && eta * (fresh ? theta * theta : theta) <= EPSILON / 16) return ENDS;
    if (held && (theta > HALF || eta > HALF) && rest < TENTH && whole * rest <= EPSILON / 16)
        return ENDS;
    if (fresh && theta > HALF && (eta < STAGNANT || whole <= SQUARED)) return ENDS;
    if (fresh && whole > 4 * whole_before && whole > SQUARED) return STRAYS;
    return theta > TENTH && rest > TENTH ? RENEWS : KEEPS;
}

/* A constant Jacobian leaves no error, unless the correction was large enough for the roundoff of
 * its solver to show. */
WITHIN int judge_linear(real whole, real whole_before, int predicted)
{
    if (whole_before < HUGE_VALUE || whole < REFINED) return ENDS;
    return !(whole < FAR) || (predicted && whole > ASTRAY) ? STRAYS : KEEPS;
}

/* Changes of a fixed-point iteration fall at the ratio of the last two: is what they leave below
 * roundoff? */
WITHIN int leaves_roundoff(real now, real before)
{
    return now < HALF * before && now * now <= before * (EPSILON / 16);
}
