/* newton.h - Newton's iteration for the N unknowns y of one step.              theory.md [NEWTON]
 *
 *     J delta = -r(y),   y <- y + delta
 *
 * `residual` and `linearise` (r and J) are the model's; judge.h says when it ends. With more than a
 * few unknowns (KEPT) the Jacobian is kept while corrections shrink well; one that is CONSTANT was
 * factored before. */

/* The scale of an unknown: its size now and in the last two steps. */
WITHIN void find_scales(int known, const real *past, const real *y, real *scale)
{
    for (int k = 0; k < N; k++) {
        scale[k] = ABS(y[k]);
        if (known > 0) scale[k] = larger(scale[k], past[k]);
        if (known > 1) scale[k] = larger(scale[k], past[N + k]);
    }
}

/* y <- y + delta; was that small? */
WITHIN int add_correction(const real *delta, const real *scale, real *y)
{
    int small = 1;
    for (int k = 0; k < N; k++) {
        y[k] += delta[k];
        small &= is_small(delta[k], y[k], scale[k]);
    }
    return small;
}

/* Improves y until it solves the step; the number of iterations, or 0. */
PIECE int newton(const coefficients *c, factored *f, const real *J0, real t, const real *q,
                 const real *q_low, const real *p, const real *p_low, const real *par,
                 const real *u, int known, const real *past, real *y, long *factored_times)
{
    real r[N], delta[N], scale[N], whole_before = HUGE_VALUE;
    (void)whole_before;
    find_scales(known, past, y, scale);
#if CONSTANT
    (void)J0;
    (void)factored_times;
    for (int it = 1; it <= ITERATIONS; it++) {
        residual(c, t, q, q_low, p, p_low, par, u, y, r);
        solve(f, r, delta);
        add_correction(delta, scale, y);
#if DIAGONAL /* each unknown is divided out */
        return largest_of(0, delta, 0, N) <= MOST ? it : 0;
#else
        const real whole = overall(FIRST_MULTIPLIER, FIRST_MOMENTUM, N, delta, y, scale);
        const int  said = judge_linear(whole, whole_before, known);
        if (said == ENDS) return it;
        if (said == STRAYS) return 0;
        whole_before = whole;
#endif
    }
#else
    real before = HUGE_VALUE;
    int  fresh = 1;
    for (int it = 1; it <= ITERATIONS; it++) {
        real eta = 0;
        int  finite = 1;
#if KEPT
        if (!fresh) residual(c, t, q, q_low, p, p_low, par, u, y, r);
        else
#endif
        {
            linearise(c, t, q, q_low, p, p_low, par, u, y, r, scale, J0, f->a);
            ++*factored_times;
            if (!factor(f)) return 0;
        }
        solve(f, r, delta);
        if (add_correction(delta, scale, y) && fresh) return it;
        for (int k = 0; k < N; k++) finite &= measure(&eta, delta[k], y[k], scale[k]);
        if (!finite) return 0;
        const real whole = overall(FIRST_MULTIPLIER, FIRST_MOMENTUM, N, delta, y, scale);
        const int held = fresh || reactions_hold(FIRST_MULTIPLIER, FIRST_MOMENTUM, delta, y, scale);
        const int said = judge(eta, whole, before, whole_before, fresh, held, known);
        if (said == ENDS) return it;
        if (it > PATIENCE && held &&
            is_noise(COORDINATES, FIRST_MULTIPLIER, FIRST_MOMENTUM, N, q, p, delta, y))
            return it;
        if (said == STRAYS) return 0;
        fresh = !KEPT || said == RENEWS;
        before = eta;
        whole_before = whole;
    }
#endif
    return 0;
}
