/* sum.h - sums in two parts, x + low, whose rounding errors are kept.      theory.md [SUMMATION] */

/* to + low = x + d exactly (Knuth), also where x is the smaller of both, as near a turning point. */
WITHIN void carry(real x, real d, real *to, real *low)
{
    const real sum = x + d, back = sum - x;
    *low = (x - (sum - back)) + (d - back);
    *to = sum;
}

/*     (x, low) <- x + (low + dx) */
WITHIN void add(real *x, real *low, real dx)
{
    carry(*x, dx + *low, x, low);
}

/* The same in half as many operations (Dekker), exact only where x is the larger; else it loses
 * what is below the roundoff of dx. Explicit steps of large systems, which do little besides, are
 * made by it: with the other they take 1.4 times as long. */
WITHIN void add_to_larger(real *x, real *low, real dx)
{
    const real d = dx + *low, sum = *x + d;
    *low = d - (sum - *x);
    *x = sum;
}
