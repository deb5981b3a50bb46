/* energy.h - steps of the energy principle in the regular case: curve and step length are corrected
 * together, starting from the extrapolated history.                              theory.md [ENERGY]
 *
 *     c = J^-1 dG/dh,   dphi/dh = dS/dh - dS/dZ c
 *     dh = -(S - E - dS/dZ J^-1 R)/(dphi/dh),   dZ = -J^-1 R - c dh
 *
 * The first step has the given length. A doubtful step is not made: one on another branch, one
 * whose length is determined by little more than roundoff, one out of bounds, or one that does not
 * converge quickly. `linearise` (R, J and the border of J: row dS/dZ, column dG/dh, corner dS/dh)
 * and `finish` are the model's. */

enum { SETTLINGS = 3 };

/* Roundoff of h relative to it. */
WITHIN real noise_of(real size, real slope, real h)
{
    return 4 * EPSILON * size / ABS(slope * h);
}

/* Improves y and the length c->h; the number of iterations, or 0.
 *
 * While the curve is off, its length stays: away from its own curve S and its slope may be others
 * by far, which the slope of the last step and the length that is wished for tell. Where noise ends
 * the search for h, the curve of that length is solved for (settling). A chord that turns back at
 * its middle ends where it began, and is measured by the last one. */
PIECE int decide(coefficients *c, factored *f, real *J0, real t, const real *q, const real *q_low,
                 const real *p, const real *p_low, const real *par, const real *u,
                 const step_energy *e, const real *last, real *y, real *slope, real *size,
                 long *factored_times)
{
    real       r[N], x[N], z[N], before = HUGE_VALUE;
    border     g;
    const int  given = e->h[0] == 0;
    int        settling = 0;
    const real now = largest_of(0, y, 0, N), wide = largest_of(now, last, 0, N);
    const real back = now < wide / 100 ? wide : 0;
    for (int it = 1; it <= ITERATIONS; it++) {
        const real h = c->h;
        constant_part(c, par, J0);
        linearise(c, t, q, q_low, p, p_low, par, u, y, r, &g, J0, f->a);
        ++*factored_times;
        if (!factor(f, EVERYWHERE)) return 0;
        solve(f, r, x);
        solve(f, g.column, z);
        /* x = -J^-1 R and z = -c, so that s = dphi/dh and miss = S - E - dS/dZ J^-1 R */
        real s = g.corner, miss = ((g.S - e->E) - e->E_low) - e->shift, away = 0;
        for (int k = 0; k < N; k++) {
            s += g.row[k] * z[k];
            miss += g.row[k] * x[k];
            away = larger(away, x[k]);
        }
        /* bend: the slope beside that of the last step; wish: dh/h, bounded from -1/2 to 1 */
        const real bend = s / e->slope, wish = -miss / s / h;
        const real stretch = wish < -HALF ? -HALF : wish > 1 ? 1 : wish;
        /* the slope agrees with that of the last step: h may follow a curve that is only roughly
         * right */
        const int  sure = bend > HALF && bend < 2 && ABS(wish) < TENTH;
        const int  off = given || away > (sure ? TENTH : CONVERGED) * wide;
        const real dh = settling || off ? 0 : h * stretch;
        real       change = 0, scale = back, finite = 0 * dh;
        for (int k = 0; k < N; k++) {
            x[k] += z[k] * dh;
            scale = larger(scale, y[k]);
            change = larger(change, x[k]);
            finite += 0 * x[k];
            y[k] += x[k];
        }
        if (finite != 0) return 0;
        *slope = s;
        *size = g.size;
        if (off && !settling) {
            if (given && change <= CONVERGED * scale) return it;
            if (!(given || change <= 4 * wide)) return 0;
            continue;
        }
        if (settling) {
            if (change <= CONVERGED * scale || settling == SETTLINGS) return it;
            ++settling;
            continue;
        }
        if (!(change <= 4 * wide)) return 0;
        change = larger(change / scale, stretch);
        set_step(c, h + dh);
        if (change <= CONVERGED) return it;
        /* at the noise of h it is not found any better; the curve of that length is solved */
        if (change >= HALF * before && change <= 64 * noise_of(g.size, s, c->h)) {
            if (!(change < TENTH)) return 0;
            settling = 1;
        }
        before = stretch == wish ? change : HUGE_VALUE;
    }
    return 0;
}

/* Goes on as the last lengths do, by differences that shrink, or as the last two; by a factor of
 * two at most. */
WITHIN real next_length(const step_energy *e, real first)
{
    const real *const h = e->h;
    if (h[0] == 0) return first;
    real ratio = h[1] != 0 ? h[0] / h[1] : 1;
    if (h[5] != 0) {
        real D[HISTORY];
        take_differences(h[0], h[1], h[2], h[3], h[4], h[5], D);
        if (ABS(D[3]) < ABS(D[2])) {
            const int  all = ABS(D[4]) + ABS(D[5]) < ABS(D[2]) + ABS(D[3]);
            const real more = all ? D[4] + D[5] : 0;
            ratio = 1 + (D[1] + (D[2] + (D[3] + more))) / h[0];
        }
    }
    return h[0] * (ratio > 2 ? 2 : ratio < HALF ? HALF : ratio);
}

/* Along a motion h^(r+1) e = const and dphi/dh = -r (r+1) h^(r-1) e, so h^2 dphi/dh is constant
 * too, apart from the effect of forces and time.                          theory.md [BREAKDOWN] */
WITHIN int is_certain(const step_energy *e, real slope, real noise, real h)
{
    const real length = ABS(h), ratio = h / e->h[0], kept = slope / e->slope * ratio * ratio;
    if (e->h[0] == 0) return 1;
    if (!(ratio > HALF && ratio < 2 && kept > HALF && kept < 2)) return 0;
    return slope * e->sign > 0 && noise <= ADMITTED && length >= e->least &&
           !(e->most > 0 && length > e->most);
}

/* The energy of the first chord is kept; then the balance, in two parts. */
WITHIN void take_in(step_energy *e, const energies *to, real slope)
{
    e->chord = to->chord;
    if (e->h[0] == 0) {
        e->sign = slope > 0 ? 1 : slope < 0 ? -1 : 0;
        e->E = to->chord;
        e->E_low = 0;
        return;
    }
#if PLAIN
    e->E += to->gained;
#else
    add(&e->E, &e->E_low, to->gained);
#endif
}

/* One step; the number of iterations, or 0: then nothing has changed. It begins where the history
 * leads to, then with the slope at the end of the last curve. */
WITHIN int chosen_step(coefficients *c, factored *f, real *J0, real t, real first, const real *v,
                       const real *par, const real *u, real *q, real *q_low, real *p, real *p_low,
                       step_energy *e, int *known, real *history, real *before, real *work,
                       long *factored_times)
{
    real     y[N], dp[COORDINATES], slope = 0, size = 0;
    energies to;
    int      it = 0;
    for (int again = 0; again < 2 && !it; again++) {
        real last_slope[COORDINATES];
        set_step(c, next_length(e, first));
        if (again && !*known) break;
        if (again) slope_at_end(history, e->h[0], last_slope);
        if (*known && !again) predict(*known, history, y);
        else guess(c->h, again ? last_slope : v, p, y);
        it = decide(c, f, J0, t, q, q_low, p, p_low, par, u, e, history, y, &slope, &size,
                    factored_times);
    }
    if (!it) return 0;
    const real h = c->h, noise = noise_of(size, slope, h);
    if (!is_certain(e, slope, noise, h)) return 0;
    const real done = finish(c, t, q, q_low, p, p_low, par, u, y, dp, &to);
    const real sum = to.chord + to.gained;
    if (!all_finite(dp, COORDINATES) || !all_finite(&sum, 1)) return 0;
    *work += done;
    save(q, q_low, p, p_low, before);
    move(y + LAST_NODE, dp, q, q_low, p, p_low);
    remember(y, known, history);
    take_in(e, &to, slope);
    for (int k = HISTORY - 1; k > 0; k--) e->h[k] = e->h[k - 1];
    e->h[0] = h;
    e->slope = slope;
    e->size = size;
    e->noise = noise;
    return it;
}

/* Up to `count` steps; how many were made. Time is the sum of their lengths, and they end where no
 * more than e.rest is left to e.until. */
ENTRY long compiled_steps(STATE *s, long count)
{
    const real *const par = s->par, *const u = s->u;
#if EXPORTED
    real                before[4 * COORDINATES];
    step_energy *const  own = &s->balance;
#else
    real *RESTRICT const before = s->before;
    step_energy *const   own = s->energy;
#endif
    real         q[COORDINATES], q_low[COORDINATES], p[COORDINATES], p_low[COORDINATES];
    real         J0[N * N], history[HISTORY * N], t = s->from;
    long         made = 0;
    int          known = s->known[0];
    step_energy  e = *own;
    coefficients c;
    factored     f;
#ifdef EXCHANGES
    begin_exchanges(&f);
#endif
    load(s, q, q_low, p, p_low);
    for (int k = 0; k < HISTORY * N; k++) history[k] = s->history[k];
    e.shortest = HUGE_VALUE;
    e.longest = e.error = 0;
    while (made < count) {
        real      work = 0;
        const int it = chosen_step(&c, &f, J0, t, s->h, s->v, par, u, q, q_low, p, p_low, &e,
                                   &known, history, before, &work, &s->factored);
        if (!it) break;
        made++;
        s->work += work;
        s->last_work = work;
        s->iterations += it;
        if (it > s->most) s->most = it;
        e.t = t;
        t += e.h[0];
        const real length = ABS(e.h[0]);
        if (length < e.shortest) e.shortest = length;
        if (length > e.longest) e.longest = length;
        e.error = larger(e.error, (e.chord - e.E) - e.E_low);
        if ((BACKWARD ? t - e.until : e.until - t) <= e.rest) break;
    }
    store(q, q_low, p, p_low, s);
    for (int k = 0; k < HISTORY * N; k++) s->history[k] = history[k];
    s->known[0] = known;
    *own = e;
    s->from = t;
    s->k += made;
    return made;
}
