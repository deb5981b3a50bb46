/* sum.h - sums in two parts, x + low, whose rounding errors are kept.      theory.md [SUMMATION] */

/* x + d in two parts (Dekker): exact where x is the larger, and where it is not what is lost is
 * below the roundoff of d itself. */
WITHIN void carry(real *x, real *low, real d)
{
    const real sum = *x + d;
    *low = d - (sum - *x);
    *x = sum;
}

/*     (x, low) <- x + (low + dx) */
WITHIN void add(real *x, real *low, real dx)
{
    carry(x, low, dx + *low);
}
