/* observed.h - reactions and outputs of the model as it was written, at the present state.
 *                                                                           theory.md [REACTION]
 *     L_ww a - A^T lam = L_q + f - L_wq v - L_wt,   A a = -(e_q v + e_t)
 *     p' - A^T lam = L_q + f,   v' + L_ww p' = -(L_wq v + L_wt)   of Hamiltonian coordinates
 *
 * `whole_equations` (right-hand side r, matrix a), `whole_momenta` (L_w of Lagrangian coordinates),
 * `whole_energies` (of parts) and `whole_outputs` are the model's. */

/* Velocities follow along the ties as positions do. Not 0: they are not determined. */
static int observe(const NAME_state *s, observation *x)
{
    real      w[COORDINATES], v[COORDINATES];
    const int loose = velocity(s, w, v);
    x->t[0] = NAME_time(s);
#if ROTATIONS
    for (int j = 0; j < WIDTH; j++) x->q[j] = s->q[j];
#else
    NAME_positions(s, x->q);
#endif
    for (int i = 0; i < MODEL_COORDINATES; i++) {
#if REDUCED
        x->v[i] = x->w[i] = POSITION_SLOPE[i] * v[POSITION_OF[i]];
#else
        x->v[i] = v[i];
        x->w[i] = w[i];
#endif
        x->p[i] = x->w[i];
    }
    whole_momenta(s, x);
    return loose;
}

#if MODEL_RELATIONS
static int react(const NAME_state *s, observation *x)
{
    real a[MODEL_EQUATIONS * MODEL_EQUATIONS], r[MODEL_EQUATIONS];
    for (int k = 0; k < MODEL_EQUATIONS * MODEL_EQUATIONS; k++) a[k] = 0;
    for (int k = 0; k < MODEL_EQUATIONS; k++) r[k] = 0;
    whole_equations(s, x, r, a);
    const int loose = eliminate_fully(MODEL_EQUATIONS, a, r, 1);
    for (int k = 0; k < MODEL_RELATIONS; k++) x->lam[k] = r[MODEL_COORDINATES + k];
    return loose;
}

/* 0: all reactions are determined. */
int NAME_reactions(const NAME_state *s, real *lam)
{
    observation x;
    const int   loose = observe(s, &x) || react(s, &x);
    for (int k = 0; k < MODEL_RELATIONS; k++) lam[k] = loose ? (real)NAN : x.lam[k];
    return loose ? 1 : 0;
}
#endif

#if MODEL_OUTPUTS
/* 0: all that they contain is determined. */
int NAME_outputs(const NAME_state *s, real *out)
{
    observation x;
    int         loose = observe(s, &x);
#if OUTPUTS_REACT
    loose = loose || react(s, &x);
#endif
#if OUTPUTS_HOLD_ENERGIES
    whole_energies(s, &x);
#endif
    whole_outputs(s, &x, out);
    for (int k = 0; loose && k < MODEL_OUTPUTS; k++) out[k] = (real)NAN;
    return loose ? 1 : 0;
}
#endif
