/* points.h - numbers at the sample points of a curve, PADDED to whole vectors where that pays. */

/*     to_i = sum_k table_ki x_k, two at a time,   i = 0 .. lanes-1,   k = 0 .. count-1 */
WITHIN void combine(const int lanes, const int count, const real *table, const real *x, real *to)
{
    for (int i = 0; i < lanes; i++)
        to[i] = table[i] * x[0] + (count > 1 ? table[lanes + i] * x[1] : 0);
    for (int k = 2; k + 1 < count; k += 2)
        for (int i = 0; i < lanes; i++)
            to[i] += table[k * lanes + i] * x[k] + table[(k + 1) * lanes + i] * x[k + 1];
    if (count > 1 && count % 2)
        for (int i = 0; i < lanes; i++) to[i] += table[(count - 1) * lanes + i] * x[count - 1];
}

/* Adds the upper half of w lanes to the lower; an odd number of them is added up. */
WITHIN void fold(const int w, real *x)
{
    if (w % 2)
        for (int i = 1; i < w; i++) x[0] += x[i];
    else
        for (int i = 0; i < w / 2; i++) x[i] += x[w / 2 + i];
}

/* The sum of all lanes, by halves, which vectorises. */
WITHIN real sum_lanes(real *x)
{
    fold(PADDED, x);
    if (PADDED % 2 == 0) fold(PADDED / 2, x);
    if (PADDED % 4 == 0) fold(PADDED / 4, x);
    if (PADDED % 8 == 0) fold(PADDED / 8, x);
    if (PADDED % 16 == 0) fold(PADDED / 16, x);
    if (PADDED % 32 == 0) fold(PADDED / 32, x);
    if (PADDED % 64 == 0) fold(PADDED / 64, x);
    return x[0];
}
