/* echelon.h - small dense matrices of any rank, by rows: elimination of Gauss and Jordan,
 * with row exchanges; complete_pivots.h chooses pivots among all entries. */

/* Row `from` changes places with row x and is divided by its entry in column j, which the other
 * rows lose. */
WITHIN void reduce(real *a, const int rows, const int columns, int x, int from, int j)
{
    const real pivot = a[from * columns + j];
    for (int k = 0; k < columns; k++) {
        const real over = a[from * columns + k] / pivot;
        a[from * columns + k] = a[x * columns + k];
        a[x * columns + k] = over;
    }
    for (int i = 0; i < rows; i++) {
        const real by = i == x ? 0 : a[i * columns + j];
        for (int k = 0; k < columns && by != 0; k++) a[i * columns + k] -= by * a[x * columns + k];
    }
}

/* The row from x on whose entry in column j is largest. */
WITHIN int largest_in(const real *a, const int rows, const int columns, int x, int j)
{
    int best = x;
    for (int i = x; i < rows; i++)
        if (ABS(a[i * columns + j]) > ABS(a[best * columns + j])) best = i;
    return best;
}

/* a becomes its reduced row echelon form: `count` columns in the order given (null: as they stand),
 * of each the row with the largest entry; entries of at most `least` are no pivots. Returns the
 * rank. product: of the pivots, which of a regular square matrix is the determinant. */
WITHIN int echelon(real *a, const int rows, const int columns, const int *order, const int count,
                   const real least, real *product)
{
    int x = 0;
    *product = 1;
    for (int k = 0; k < count && x < rows; k++) {
        const int  j = order ? order[k] : k, from = largest_in(a, rows, columns, x, j);
        const real pivot = a[from * columns + j];
        if (!(ABS(pivot) > least)) continue;
        reduce(a, rows, columns, x, from, j);
        *product *= from == x ? pivot : -pivot;
        x++;
    }
    return x;
}
