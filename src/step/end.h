/* end.h - velocities at a state, for systems whose inertia and relations determine them: w, the
 * velocities or momenta of Hamiltonian coordinates, and nu from                     theory.md [END]
 *
 *     Lambda_w(t,q,w) - A^T nu = p  (w - A^T nu = p for Hamiltonian coordinates),   A v + beta = 0
 *
 * M unknowns; `end_equations` (residual r, Jacobian a, v of Hamiltonian coordinates) and
 * `end_lagrangian` (L and L_w) are the model's. */

/* Rows, then columns are brought to the size of 1; the largest right-hand side, or -1: something is
 * not finite. */
static real scale_rows(real *a, real *r, real *scale)
{
    real largest = 0;
    for (int j = 0; j < M; j++) scale[j] = 0;
    for (int i = 0; i < M; i++) {
        real most = 0;
        for (int j = 0; j < M; j++) {
            if (!(ABS(a[i * M + j]) <= MOST && ABS(r[i]) <= MOST)) return -1;
            most = ABS(a[i * M + j]) > most ? ABS(a[i * M + j]) : most;
        }
        r[i] = most > 0 ? r[i] / most : 0;
        if (!(most > 0)) continue;
        largest = ABS(r[i]) > largest ? ABS(r[i]) : largest;
        for (int j = 0; j < M; j++) {
            a[i * M + j] /= most;
            scale[j] = ABS(a[i * M + j]) > scale[j] ? ABS(a[i * M + j]) : scale[j];
        }
    }
    return largest;
}

/* The largest entry that is left comes to the diagonal; 0: all are roundoff. */
static int find_pivot(real *a, real *r, real *scale, int *place, int rank)
{
    int  row = -1, column = -1;
    real size = 16 * EPSILON;
    for (int i = rank; i < M; i++)
        for (int j = rank; j < M; j++)
            if (ABS(a[i * M + j]) > size * scale[j]) {
                size = ABS(a[i * M + j]) / scale[j];
                row = i;
                column = j;
            }
    if (row < 0) return 0;
    for (int j = 0; j < M; j++) {
        const real z = a[rank * M + j];
        a[rank * M + j] = a[row * M + j];
        a[row * M + j] = z;
    }
    for (int i = 0; i < M; i++) {
        const real z = a[i * M + rank];
        a[i * M + rank] = a[i * M + column];
        a[i * M + column] = z;
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

/* r <- a^-1 r; how many directions a does not determine, which are 0 then, or M + 1: it is not
 * finite, or first asks for what lies in none of the directions that it has. */
static int eliminate(real *a, real *r, int first)
{
    int        place[M], rank = 0;
    real       x[M], scale[M];
    const real largest = scale_rows(a, r, scale);
    if (largest < 0) return M + 1;
    for (int j = 0; j < M; j++) {
        place[j] = j;
        x[j] = 0;
    }
    for (; rank < M && find_pivot(a, r, scale, place, rank); rank++)
        for (int i = rank + 1; i < M; i++) {
            const real by = a[i * M + rank] / a[rank * M + rank];
            for (int j = rank; j < M; j++) a[i * M + j] -= by * a[rank * M + j];
            r[i] -= by * r[rank];
        }
    for (int i = rank; first && i < M; i++)
        if (ABS(r[i]) > 4096 * EPSILON * largest) return M + 1;
    for (int k = rank - 1; k >= 0; k--) {
        for (int j = k + 1; j < rank; j++) r[k] -= a[k * M + j] * r[j];
        r[k] /= a[k * M + k];
        x[place[k]] = r[k];
    }
    for (int k = 0; k < M; k++) r[k] = x[k];
    return M - rank;
}

/* By Newton's iteration, whose steps are halved where the system is not finite. How many directions
 * are not determined, and are 0: neither momentum nor energy depends on them. M + 1: nothing is. */
static int velocity(const STATE *s, real *w, real *v)
{
    real x[M] = {0}, step[M] = {0}, a[M * M], r[M], before = HUGE_VALUE;
    int  loose = 0, halvings = 0, converged = 0;
    for (int k = 0; k < COORDINATES; k++) x[k] = HAMILTONIAN[k] ? s->p[k] : 0;
    for (int it = 0; it < 50 && !converged; it++) {
        real size = 0, most = 0;
        for (int k = 0; k < M * M; k++) a[k] = 0;
        for (int k = 0; k < M; k++) r[k] = 0;
        end_equations(s, x, r, a, v);
        loose = eliminate(a, r, it == 0);
        if (loose > M && it > 0 && halvings++ < 40) {
            for (int k = 0; k < M; k++) {
                step[k] /= 2;
                x[k] += step[k];
            }
            continue;
        }
        if (loose > M) return loose;
        for (int k = 0; k < M; k++) x[k] -= step[k] = r[k];
        for (int k = 0; k < COORDINATES; k++) {
            size = ABS(r[k]) > size ? ABS(r[k]) : size;
            most = ABS(x[k]) > most ? ABS(x[k]) : most;
            w[k] = x[k];
        }
        if (!(size <= MOST)) return M + 1;
        /* roundoff, or corrections whose square is, once they no longer shrink */
        converged = size <= EPSILON * most ||
                    (it > 2 && size >= before && size * size <= EPSILON * most * most);
        before = size;
    }
    if (!converged) return M + 1;
    for (int k = 0; k < COORDINATES; k++) v[k] = HAMILTONIAN[k] ? v[k] : w[k];
    return loose;
}

/* 0: all velocities are determined. */
int NAME_velocities(const NAME_state *s, real *v)
{
    real w[COORDINATES];
    return velocity(s, w, v) ? 1 : 0;
}

/*     E = L_w . v - L, or H */
real NAME_energy(const NAME_state *s)
{
    real w[COORDINATES], v[COORDINATES], L_w[COORDINATES], sum = 0;
    if (velocity(s, w, v) > M) return (real)NAN;
    const real L = end_lagrangian(s, w, L_w);
    for (int j = 0; j < COORDINATES; j++) sum += L_w[j] * v[j];
    return sum - L;
}
