/* newton.h - Newton's iteration for the N unknowns y of one step.              theory.md [NEWTON]
 *
 *     J delta = -r(y),   y <- y + delta
 *
 * `residual` and `linearise` (r and J) are the model's; judge.h says when it ends. With more than a
 * few unknowns (KEPT) the Jacobian is kept while corrections shrink well; one that is CONSTANT was
 * factored before. That of a curve that is SHOT is not exact, and converges linearly. */

/* Where corrections leave their square. */
#define EXACT(fresh) (SHOT ? NOT(EVERYWHERE) : (fresh))

/* The scale of an unknown: its size now and in the last two steps. */
WITHIN void find_scales(int known, const real *history, const real *y, real *scale)
{
    for (int k = 0; k < N; k++) {
        scale[k] = ABS(y[k]);
        if (known > 0) scale[k] = larger(scale[k], history[k]);
        if (known > 1) scale[k] = larger(scale[k], history[N + k]);
    }
}

/* y <- y + delta, where that goes on; was it small? */
WITHIN mask add_correction(mask left, const real *delta, const real *scale, real *y)
{
    mask small = left;
    for (int k = 0; k < N; k++) {
        y[k] = AMONG(left, y[k] + delta[k], y[k]);
        small &= is_small(delta[k], y[k], scale[k], SQUARED);
    }
    return small;
}

/* Improves y until it solves the step; where it does. */
PIECE mask newton(const coefficients *c, factored *f, const real *J0, number t, const real *q,
                  const real *q_low, const real *p, const real *p_low, const real *par,
                  const real *u, mask left, int known, const real *history, real *y,
                  int *iterations, long *factored_times)
{
    real r[N], delta[N], scale[N];
    mask solved = NOT(EVERYWHERE);
    find_scales(known, history, y, scale);
#if CONSTANT
    (void)J0;
    (void)factored_times;
    for (int it = 1; it <= ITERATIONS && ANY(left); it++) {
        *iterations = it;
        residual(c, t, q, q_low, p, p_low, par, u, y, r);
        solve(f, r, delta);
        add_correction(left, delta, scale, y);
#if DIAGONAL /* each unknown is divided out */
        const mask finite = largest_of(REAL(0), delta, 0, N) <= MOST;
        return left & finite;
#else
        const real    whole = overall(FIRST_MULTIPLIER, FIRST_MOMENTUM, N, delta, y, scale);
        const verdict said = judge_linear(whole, it == 1, known);
        solved |= left & said.ends;
        left &= NOT(said.ends | said.strays);
#endif
    }
#else
    /* the first correction and where it led, for comparison with a second one */
    real first[N], at_first[N], before = REAL(0), whole_before = REAL(0);
    mask fresh = left;
    for (int it = 1; it <= ITERATIONS && ANY(left); it++) {
        *iterations = it;
        /* a new matrix where one is wanted; kept factors of other systems stay as they are */
        if (!KEPT || ANY(fresh)) {
            linearise(c, t, q, q_low, p, p_low, par, u, y, r, scale, J0, f->a);
            ++*factored_times;
            left &= factor(f, fresh) | NOT(fresh);
        }
#if KEPT
        if (ANY(left & NOT(fresh))) {
            real kept[N];
            residual(c, t, q, q_low, p, p_low, par, u, y, kept);
            for (int k = 0; k < N; k++) r[k] = AMONG(NOT(fresh), kept[k], r[k]);
        }
#endif
        solve(f, r, delta);
        const mask small = add_correction(left, delta, scale, y) & EXACT(fresh);
        solved |= small;
        left &= NOT(small);
        if (!ANY(left)) break;
        if (it == 1) { /* most are followed by a small one, and need not be measured */
            mask modest = left;
            for (int k = 0; k < N; k++) {
                modest &= is_small(delta[k], y[k], scale[k], ASTRAY);
                first[k] = delta[k];
                at_first[k] = y[k];
            }
            if (ANY(left & NOT(modest)))
                left &= leads_on(FIRST_MULTIPLIER, FIRST_MOMENTUM, N, delta, y, scale, known);
            if (KEPT) fresh = NOT(EVERYWHERE);
            continue;
        }
        real eta = REAL(0);
        for (int k = 0; k < N; k++) {
            if (it == 2) measure(&before, first[k], at_first[k], scale[k]);
            left &= measure(&eta, delta[k], y[k], scale[k]);
        }
        const mask last = left & leaves_nothing(eta, before, EXACT(fresh));
        solved |= last;
        left &= NOT(last);
        if (!ANY(left)) break;
        if (it == 2)
            whole_before = overall(FIRST_MULTIPLIER, FIRST_MOMENTUM, N, first, at_first, scale);
        const real whole = overall(FIRST_MULTIPLIER, FIRST_MOMENTUM, N, delta, y, scale);
        const mask held = fresh | reactions_hold(FIRST_MULTIPLIER, FIRST_MOMENTUM, delta, y, scale);
        verdict    said = judge(eta, whole, 0, before, whole_before, EXACT(fresh), held);
        if (it > PATIENCE)
            said.ends |=
                held & is_noise(COORDINATES, FIRST_MULTIPLIER, FIRST_MOMENTUM, N, q, p, delta, y);
        solved |= left & said.ends;
        left &= NOT(said.ends | said.strays);
        fresh = KEPT ? left & said.renews : left;
        before = eta;
        whole_before = whole;
    }
#endif
    return solved;
}
