/* complete_pivots.h - the elimination of echelon.h with complete pivoting, and K <= PIVOTS
 * equations that need not determine all their unknowns. */

/* The first `count` entries of all rows, then of those columns, are brought to a largest one of 1;
 * what follows in a row goes with it. scale: what columns were divided by. */
WITHIN void bring_to_one(real *a, const int rows, const int columns, const int count, real *scale)
{
    for (int i = 0; i < rows; i++) {
        real most = 0;
        for (int j = 0; j < count; j++) most = LARGER(ABS(a[i * columns + j]), most);
        for (int j = 0; j < columns && most > 0; j++) a[i * columns + j] /= most;
    }
    for (int j = 0; j < count; j++) {
        real most = 0;
        for (int i = 0; i < rows; i++) most = LARGER(ABS(a[i * columns + j]), most);
        scale[j] = most > 0 ? most : 1;
        for (int i = 0; i < rows; i++) a[i * columns + j] /= scale[j];
    }
}

/* The largest entry from row x and column column[x] on; of those that are equal but for rounding,
 * the first of the matrix as it was. */
WITHIN real largest_left(const real *a, const int rows, const int columns, const int *row,
                         const int *column, const int count, int x, int *from, int *to)
{
    const real rounding = PRECISE(1e-9, 1e-4);
    real       most = 0;
    int        first = 0;
    for (int i = x; i < rows; i++)
        for (int j = x; j < count; j++) {
            const int  at = row[i] * columns + column[j];
            const real size = ABS(a[i * columns + column[j]]);
            const int  alike = size >= most * (1 - rounding) && size > 0 && at < first;
            if (!(size > most * (1 + rounding)) && !alike) continue;
            most = size;
            first = at;
            *from = i;
            *to = j;
        }
    return most;
}

/* a becomes its echelon form; each pivot is the largest of all that is left in `count`
 * columns. row: where rows came from; column: those of the pivots first. Returns the rank. */
WITHIN int echelon_complete(real *a, const int rows, const int columns, int *row, int *column,
                            const int count, const real least)
{
    int x = 0, from = 0, to = 0;
    for (int i = 0; i < rows; i++) row[i] = i;
    for (int j = 0; j < count; j++) column[j] = j;
    for (; largest_left(a, rows, columns, row, column, count, x, &from, &to) > least; x++) {
        const int i = row[x], j = column[x];
        row[x] = row[from];
        row[from] = i;
        column[x] = column[to];
        column[to] = j;
        reduce(a, rows, columns, x, from, column[x]);
    }
    return x;
}

#ifdef PIVOTS
/* [a r] as one matrix; of a row of zeros r does not count. 0: something is not finite. */
WITHIN int join_side(const int K, const real *a, const real *r, real *m)
{
    for (int i = 0; i < K; i++) {
        real most = 0;
        for (int j = 0; j < K; j++) {
            if (!(ABS(a[i * K + j]) <= MOST && ABS(r[i]) <= MOST)) return 0;
            most = LARGER(ABS(a[i * K + j]), most);
            m[i * (K + 1) + j] = a[i * K + j];
        }
        m[i * (K + 1) + K] = most > 0 ? r[i] : 0;
    }
    return 1;
}

/* r <- a^-1 r; how many directions a does not determine, which are 0 then, or K + 1: it is not
 * finite, or first asks for what lies in none of the directions that it has. */
WITHIN int eliminate_fully(const int K, const real *a, real *r, int first)
{
    int  row[PIVOTS], column[PIVOTS];
    real m[PIVOTS * (PIVOTS + 1)], scale[PIVOTS], largest = 0;
    if (!join_side(K, a, r, m)) return K + 1;
    bring_to_one(m, K, K + 1, K, scale);
    for (int i = 0; i < K; i++) largest = LARGER(ABS(m[i * (K + 1) + K]), largest);
    const int rank = echelon_complete(m, K, K + 1, row, column, K, 16 * EPSILON);
    for (int i = rank; first && i < K; i++)
        if (ABS(m[i * (K + 1) + K]) > 4096 * EPSILON * largest) return K + 1;
    for (int j = 0; j < K; j++) r[j] = 0;
    for (int k = 0; k < rank; k++) r[column[k]] = m[k * (K + 1) + K] / scale[column[k]];
    return K - rank;
}
#endif
