/* end.h - velocities at a state, for systems whose inertia and relations determine them: w, the
 * velocities or momenta of Hamiltonian coordinates, and nu from                     theory.md [END]
 *
 *     Lambda_w(t,q,w) - A^T nu = p  (w - A^T nu = p for Hamiltonian coordinates),   A v + beta = 0
 *
 * M unknowns; `end_equations` (residual r, Jacobian a, v of Hamiltonian coordinates) and
 * `end_lagrangian` (L and L_w) are the model's. Where directions without inertia bend, the last end
 * has them. */

#if BENT
/* Those of the last end, from which directions with stiffness only have that of its curve. */
static int velocity(const STATE *s, real *w, real *v)
{
    for (int k = 0; k < COORDINATES; k++) w[k] = v[k] = s->bent.v[k];
    return STIFF;
}
#else
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
        loose = eliminate_fully(M, a, r, it == 0);
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
        converged = was_last(size, before, most);
        before = size;
    }
    if (!converged) return M + 1;
    for (int k = 0; k < COORDINATES; k++) v[k] = HAMILTONIAN[k] ? v[k] : w[k];
    return loose;
}
#endif

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
