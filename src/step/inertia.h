/* inertia.h - M x = r at EXPANDED points at once, M = L_vv by rows and lanes. There are no
 * exchanges, since a definite matrix needs none; one whose pivots are small leaves numbers that are
 * not finite, and no step. */

/* L below the diagonal, U above it and 1/U_kk on it. In a definite matrix, however it is scaled,
 *     |m_kj m_jk| <= m_kk m_jj */
WITHIN void factor_inertia(real *m)
{
    real made[COORDINATES * EXPANDED];
    for (int k = 0; k < COORDINATES; k++)
        for (int i = 0; i < EXPANDED; i++)
            made[k * EXPANDED + i] = ABS(m[k * (COORDINATES + 1) * EXPANDED + i]);
    for (int k = 0; k < COORDINATES; k++) {
        real *const row = m + k * COORDINATES * EXPANDED, *const pivot = row + k * EXPANDED;
        for (int i = 0; i < EXPANDED; i++)
            pivot[i] = CHOOSE(ABS(pivot[i]) > PRECISE(1e-9, 1e-3) * made[k * EXPANDED + i],
                              pivot[i], REAL(0));
        for (int j = k + 1; j < COORDINATES && !DIAGONAL_INERTIA; j++)
            for (int i = 0; i < EXPANDED; i++) {
                const real across = row[j * EXPANDED + i] * m[(j * COORDINATES + k) * EXPANDED + i];
                const real along = pivot[i] * m[j * (COORDINATES + 1) * EXPANDED + i];
                pivot[i] = CHOOSE(ABS(across) <= 16 * ABS(along), pivot[i], REAL(0));
            }
        for (int i = 0; i < EXPANDED; i++) pivot[i] = 1 / pivot[i];
        for (int j = k + 1; j < COORDINATES && !DIAGONAL_INERTIA; j++) {
            real *const below = m + j * COORDINATES * EXPANDED;
            for (int i = 0; i < EXPANDED; i++) below[k * EXPANDED + i] *= pivot[i];
            for (int l = k + 1; l < COORDINATES; l++)
                for (int i = 0; i < EXPANDED; i++)
                    below[l * EXPANDED + i] -= below[k * EXPANDED + i] * row[l * EXPANDED + i];
        }
    }
}

/* x <- M^-1 x, so many columns of each row */
WITHIN void divide_by_inertia(const real *RESTRICT m, const int columns, real *RESTRICT x)
{
    const int width = columns * EXPANDED;
    for (int k = 0; k < COORDINATES && !DIAGONAL_INERTIA; k++)
        for (int j = 0; j < k; j++)
            for (int a = 0; a < columns; a++)
                for (int i = 0; i < EXPANDED; i++)
                    x[k * width + a * EXPANDED + i] -=
                        m[(k * COORDINATES + j) * EXPANDED + i] * x[j * width + a * EXPANDED + i];
    for (int k = COORDINATES - 1; k >= 0; k--) {
        for (int j = k + 1; j < COORDINATES && !DIAGONAL_INERTIA; j++)
            for (int a = 0; a < columns; a++)
                for (int i = 0; i < EXPANDED; i++)
                    x[k * width + a * EXPANDED + i] -=
                        m[(k * COORDINATES + j) * EXPANDED + i] * x[j * width + a * EXPANDED + i];
        for (int a = 0; a < columns; a++)
            for (int i = 0; i < EXPANDED; i++)
                x[k * width + a * EXPANDED + i] *= m[k * (COORDINATES + 1) * EXPANDED + i];
    }
}
