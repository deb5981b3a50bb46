/* forward.h - what forward differentiation does to rows of derivatives, n numbers each, in whole
 * STRETCHes where they are stored. A program may need only some of these.             theory.md
 * [NEWTON] */

#if FORWARD_NOTHING
/*     t = 0 */
PIECE void nothing(real *t, int n)
{
    for (int k = 0; k < n; k++) t[k] = 0;
}
#endif

#if FORWARD_SCALED
/*     t = a x */
PIECE void scaled(real *RESTRICT t, real a, const real *x, int n)
{
    for (int k = 0; k < n; k += STRETCH)
        for (int l = k; l < k + STRETCH; l++) t[l] = a * x[l];
}
#endif

#if FORWARD_BOTH
/*     t = a x + b y */
PIECE void both(real *RESTRICT t, real a, const real *x, real b, const real *y, int n)
{
    for (int k = 0; k < n; k += STRETCH)
        for (int l = k; l < k + STRETCH; l++) t[l] = a * x[l] + b * y[l];
}
#endif

#if FORWARD_ADDED
/*     t += a x */
PIECE void added(real *RESTRICT t, real a, const real *x, int n)
{
    for (int k = 0; k < n; k++) t[k] += a * x[k];
}
#endif

#if FORWARD_JOINED
/*     t += a x + b y */
PIECE void joined(real *RESTRICT t, real a, const real *x, real b, const real *y, int n)
{
    for (int k = 0; k < n; k++) t[k] += a * x[k] + b * y[k];
}
#endif
