/* complete_pivots.h - K <= PIVOTS equations that need not determine all their unknowns, by
 * elimination with complete pivoting. */

/* Rows, then columns are brought to the size of 1; the largest right-hand side, or -1: something is
 * not finite. */
WITHIN real scale_rows(const int K, real *a, real *r, real *scale)
{
    real largest = 0;
    for (int j = 0; j < K; j++) scale[j] = 0;
    for (int i = 0; i < K; i++) {
        real most = 0;
        for (int j = 0; j < K; j++) {
            if (!(ABS(a[i * K + j]) <= MOST && ABS(r[i]) <= MOST)) return -1;
            most = ABS(a[i * K + j]) > most ? ABS(a[i * K + j]) : most;
        }
        r[i] = most > 0 ? r[i] / most : 0;
        if (!(most > 0)) continue;
        largest = ABS(r[i]) > largest ? ABS(r[i]) : largest;
        for (int j = 0; j < K; j++) {
            a[i * K + j] /= most;
            scale[j] = ABS(a[i * K + j]) > scale[j] ? ABS(a[i * K + j]) : scale[j];
        }
    }
    return largest;
}

/* The largest entry that is left comes to the diagonal; 0: all are roundoff. */
WITHIN int find_pivot(const int K, real *a, real *r, real *scale, int *place, int rank)
{
    int  row = -1, column = -1;
    real size = 16 * EPSILON;
    for (int i = rank; i < K; i++)
        for (int j = rank; j < K; j++)
            if (ABS(a[i * K + j]) > size * scale[j]) {
                size = ABS(a[i * K + j]) / scale[j];
                row = i;
                column = j;
            }
    if (row < 0) return 0;
    for (int j = 0; j < K; j++) {
        const real z = a[rank * K + j];
        a[rank * K + j] = a[row * K + j];
        a[row * K + j] = z;
    }
    for (int i = 0; i < K; i++) {
        const real z = a[i * K + rank];
        a[i * K + rank] = a[i * K + column];
        a[i * K + column] = z;
    }
    const real y = r[rank], z = scale[rank];
    const int  other = place[rank];
    r[rank] = r[row];
    r[row] = y;
    scale[rank] = scale[column];
    scale[column] = z;
    place[rank] = place[column];
    place[column] = other;
    return 1;
}

/* r <- a^-1 r; how many directions a does not determine, which are 0 then, or K + 1: it is not
 * finite, or first asks for what lies in none of the directions that it has. */
WITHIN int eliminate_fully(const int K, real *a, real *r, int first)
{
    int        place[PIVOTS], rank = 0;
    real       x[PIVOTS], scale[PIVOTS];
    const real largest = scale_rows(K, a, r, scale);
    if (largest < 0) return K + 1;
    for (int j = 0; j < K; j++) {
        place[j] = j;
        x[j] = 0;
    }
    for (; rank < K && find_pivot(K, a, r, scale, place, rank); rank++)
        for (int i = rank + 1; i < K; i++) {
            const real by = a[i * K + rank] / a[rank * K + rank];
            for (int j = rank; j < K; j++) a[i * K + j] -= by * a[rank * K + j];
            r[i] -= by * r[rank];
        }
    for (int i = rank; first && i < K; i++)
        if (ABS(r[i]) > 4096 * EPSILON * largest) return K + 1;
    for (int k = rank - 1; k >= 0; k--) {
        for (int j = k + 1; j < rank; j++) r[k] -= a[k * K + j] * r[j];
        r[k] /= a[k * K + k];
        x[place[k]] = r[k];
    }
    for (int k = 0; k < K; k++) r[k] = x[k];
    return K - rank;
}
