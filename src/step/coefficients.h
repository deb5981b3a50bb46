/* coefficients.h - what a scheme multiplies with, for one length of step: its tables R_ (the rule),
 * F_ (forces with a rule of their own), K_ (nodes) and G_ (Gauss points) times powers of h. Columns
 * l_1 .. l_d stand by lane, rows l_0 .. l_{d-1} by point.                     theory.md [GALERKIN]
 */
#if SHOT

typedef struct {
    number h;
} coefficients;

PIECE void set_step(coefficients *c, number h)
{
    c->h = h;
}

/* Nothing of the Jacobian is. */
PIECE void constant_part(const coefficients *c, const real *par, real *J0)
{
    (void)c;
    (void)par;
    (void)J0;
}

#else

enum { PRODUCTS = DEGREE * DEGREE };

typedef struct {
    number h;
    int    full; /* beyond what a first iteration needs */
    number Rv[DEGREE * R_LANES], hb[R_POINTS];
    number rq[R_POINTS * DEGREE], rw[R_POINTS * DEGREE];
    number qq[R_POINTS * PRODUCTS], qw[R_POINTS * PRODUCTS];
    number wq[R_POINTS * PRODUCTS], ww[R_POINTS * PRODUCTS];
#if STATES
    number qz[R_POINTS * PRODUCTS];
#endif
#if DAMPED
    number rd[R_POINTS * DEGREE], dqq[R_POINTS * PRODUCTS], dqw[R_POINTS * PRODUCTS];
#if STATES
    number dz[R_POINTS * PRODUCTS];
#endif
#endif
#if F_POINTS
    number Fv[DEGREE * F_LANES], fq[F_POINTS * DEGREE];
    number fqq[F_POINTS * PRODUCTS], fqw[F_POINTS * PRODUCTS];
#endif
#if K_POINTS
    number impulse[K_POINTS];
#endif
#if TURNED_RELATIONS
    number Kq[PRODUCTS];
#endif
#if G_POINTS
    number Gv[DEGREE * G_LANES];
#endif
} coefficients;

/*     rq = h b_i l_nu,   rw = b_i l'_nu,   and their products with l_mu and v = l'_mu/h */
WITHIN void set_rule(coefficients *c, const int i, const int nu)
{
    const int    row = i * DEGREE + nu, at = row * DEGREE;
    const number x = c->h * R_b[i] * R_rl[row], z = R_b[i] * R_rdl[row];
    c->rq[row] = x;
    c->rw[row] = z;
    for (int mu = 0; mu < DEGREE; mu++) {
        const number l = R_l[mu * R_LANES + i], v = c->Rv[mu * R_LANES + i];
        c->qq[at + mu] = x * l;
        c->qw[at + mu] = x * v;
        c->wq[at + mu] = z * l;
        c->ww[at + mu] = z * v;
#if STATES
        c->qz[at + mu] = x * (l + R_z[mu * R_LANES + i]);
#endif
    }
}

#if DAMPED
/*     rd = -h b_i u_nu,   and its products                                    theory.md [DAMPING]
 */
WITHIN void set_damping(coefficients *c, const int i, const int nu)
{
    const int    row = i * DEGREE + nu, at = row * DEGREE;
    const number x = -c->h * R_b[i] * R_u[row];
    c->rd[row] = x;
    for (int mu = 0; mu < DEGREE; mu++) {
        const number l = R_l[mu * R_LANES + i];
        c->dqq[at + mu] = x * l;
        c->dqw[at + mu] = x * c->Rv[mu * R_LANES + i];
#if STATES
        c->dz[at + mu] = x * (l + R_z[mu * R_LANES + i]);
#endif
    }
}
#endif

#if F_POINTS
/*     fq = h b'_j l_nu,   and its products */
WITHIN void set_force(coefficients *c, const int i, const int nu)
{
    const int    row = i * DEGREE + nu, at = row * DEGREE;
    const number x = c->h * F_b[i] * F_rl[row];
    c->fq[row] = x;
    for (int mu = 0; mu < DEGREE; mu++) {
        c->fqq[at + mu] = x * F_l[mu * F_LANES + i];
        c->fqw[at + mu] = x * c->Fv[mu * F_LANES + i];
    }
}
#endif

/* What the residual and its Jacobian need. */
PIECE void set_step_fully(coefficients *c)
{
    c->full = 1;
    for (int i = 0; i < R_POINTS; i++)
        for (int nu = 0; nu < DEGREE; nu++) {
            set_rule(c, i, nu);
#if DAMPED
            set_damping(c, i, nu);
#endif
        }
#if F_POINTS
    for (int k = 0; k < DEGREE * F_LANES; k++) c->Fv[k] = F_dl[k] / c->h;
    for (int i = 0; i < F_POINTS; i++)
        for (int nu = 0; nu < DEGREE; nu++) set_force(c, i, nu);
#endif
#if K_POINTS /* h w_nu */
    for (int k = 0; k < K_POINTS; k++) c->impulse[k] = c->h * K_b[k];
#endif
#if TURNED_RELATIONS /* h w_nu at node nu, in R_nu */
    for (int k = 0; k < PRODUCTS; k++) c->Kq[k] = k % (DEGREE + 1) ? 0 : c->impulse[k / DEGREE];
#endif
#if G_POINTS
    for (int k = 0; k < DEGREE * G_LANES; k++) c->Gv[k] = G_dl[k] / c->h;
#endif
}

PIECE void set_step(coefficients *c, number h)
{
    c->h = h;
    for (int k = 0; k < DEGREE * R_LANES; k++) c->Rv[k] = R_dl[k] / h;
    for (int i = 0; i < R_POINTS; i++) c->hb[i] = h * R_b[i];
    c->full = 0;
#if !ITERATED_FIRST /* else when Newton's iteration is asked */
    set_step_fully(c);
#endif
}
#endif
