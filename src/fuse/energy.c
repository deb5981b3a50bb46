/* energy.c - steps of the energy principle as generated code: what mech/energy/solve.c does in the
 * regular case. Curve and step length are corrected together, starting from the extrapolated past.
 *                                                                                theory.md [ENERGY]
 *                                                                              theory.md [ENERGY]
 *
 * The first step has the given length. A doubtful step is not made but left to the general code:
 * one on another branch, one whose length is determined by little more than roundoff, one out of
 * bounds, or one that does not converge quickly.
 *
 * Along a motion h^(r+1) e = const and dphi/dh = -r (r+1) h^(r-1) e, so h^2 dphi/dh is constant
 * too, apart from the effect of forces and time.                           theory.md [BREAKDOWN] */
#include "fuse/inside.h"

static const char sizes[] = "static inline real larger(real most, real x)\n{\n"
                            "const real size = fabs(x);\n"
                            "return size <= most ? most : size;\n}\n\n"
                            "/* Roundoff of h relative to it. */\n"
                            "static inline real noise_of(real size, real slope, real h)\n{\n"
                            "return 4 * EPSILON * size / fabs(slope * h);\n}\n\n";

static const char solve_border[] =
    "constant_part(c, par, J0);\n"
    "linearise(c, t, q, q_low, p, p_low, par, u, y, r, &g, J0, f->a);\n"
    "++*factored_times;\n"
    "if (!factor(f)) return 0;\n"
    "solve(f, r, x);\n"
    "solve(f, g.column, z);\n";

/* While the curve is off, its length stays: away from its own curve S and its slope may be others
 * by far, which the slope of the last step and the length that is wished for tell. Where noise ends
 * the search for h, the curve of that length is solved for. */
static const char judge[] =
    "if (finite != 0) return 0;\n"
    "*slope = s;\n*size = g.size;\n"
    "if (off && !settling) {\n"
    "if (given && change <= CONVERGED * scale) return it;\n"
    "if (!(given || change <= 4 * wide)) return 0;\n"
    "continue;\n}\n"
    "if (settling) {\n"
    "if (change <= CONVERGED * scale || settling == 3) return it;\n"
    "++settling;\ncontinue;\n}\n"
    "if (!(change <= 4 * wide)) return 0;\n"
    "change = larger(change / scale, stretch);\n"
    "tune(c, h + dh);\n"
    "if (change <= CONVERGED) return it;\n"
    "if (change >= HALF * before && change <= 64 * noise_of(g.size, s, c->h)) {\n"
    "if (!(change < TENTH)) return 0;\n"
    "settling = 1;\n}\n"
    "before = stretch == wish ? change : HUGE_VALUE;\n";

/*     c = J^-1 dG/dh,   dphi/dh = dS/dh - dS/dZ c
 *     dh = -(S - E - dS/dZ J^-1 R)/(dphi/dh),   dZ = -J^-1 R - c dh */
static void decide_write(fusing *f)
{
    text *out = &f->w.out;
    text_add(out,
             "/* Improves y and the length; the number of iterations, or 0. */\n"
             "PIECE int decide(coefficients *c, factored *f, real *J0, real t, const real *q,\n"
             "    const real *q_low, const real *p, const real *p_low, const real *par, "
             "const real *u,\n"
             "    const fused_energy *e, const real *last, real *y, real *slope, real *size,\n"
             "    long *factored_times)\n{\n"
             "real r[N], x[N], z[N], before = HUGE_VALUE, wide, now = 0;\nborder g;\n"
             "const int given = e->h[0] == 0;\nint settling = 0;\n");
    text_add(out, write_loop(&f->w, "k", f->N, "now = larger(now, y[k]);"));
    text_add(out, "wide = now;\n");
    text_add(out, write_loop(&f->w, "k", f->N, "wide = larger(wide, last[k]);"));
    text_add(out, "const real back = now < wide / 100 ? wide : 0; /* the chord turns back */\n"
                  "for (int it = 1; it <= ITERATIONS; it++) {\nconst real h = c->h;\n");
    text_add(out, solve_border);
    text_add(out, "real s = g.corner, miss = ((g.S - e->E) - e->E_low) - e->shift, away = 0;\n");
    text_add(out, write_loop(&f->w, "k", f->N,
                             "s += g.row[k] * z[k];\nmiss += g.row[k] * x[k];\n"
                             "away = larger(away, x[k]);"));
    text_add(out, "const real bend = s / e->slope, wish = -miss / s / h;\n"
                  "const real stretch = wish < -HALF ? -HALF : wish > 1 ? 1 : wish;\n"
                  "const int sure = bend > HALF && bend < 2 && fabs(wish) < TENTH;\n"
                  "const int off = given || away > (sure ? TENTH : CONVERGED) * wide;\n"
                  "const real dh = settling || off ? 0 : h * stretch;\n"
                  "real change = 0, scale = back, finite = 0 * dh;\n");
    text_add(out, write_loop(&f->w, "k", f->N,
                             "x[k] += z[k] * dh;\nscale = larger(scale, y[k]);\n"
                             "change = larger(change, x[k]);\n"
                             "finite += 0 * x[k];\ny[k] += x[k];"));
    text_add(out, judge);
    text_add(out, "}\nreturn 0;\n}\n\n");
}

static const char choose[] =
    "/* Goes on as the last lengths do, by differences that shrink, or as the last two; by a\n"
    " * factor of two at most. */\n"
    "static inline real next_length(const fused_energy *e, real first)\n{\n"
    "const real *const h = e->h;\n"
    "if (h[0] == 0) return first;\n"
    "real ratio = h[1] != 0 ? h[0] / h[1] : 1;\n"
    "if (h[5] != 0) {\n"
    "const real b = h[0] - h[1], c = b - (h[1] - h[2]), d = c - (h[1] - 2 * h[2] + h[3]);\n"
    "const real near = d - (h[1] - 3 * (h[2] - h[3]) - h[4]);\n"
    "const real far = (h[0] - h[5]) - 5 * (h[1] - h[4]) + 10 * (h[2] - h[3]);\n"
    "if (fabs(d) < fabs(c)) {\n"
    "const real more = fabs(near) + fabs(far) < fabs(c) + fabs(d) ? near + far : 0;\n"
    "ratio = 1 + (b + (c + (d + more))) / h[0];\n}\n}\n"
    "return h[0] * (ratio > 2 ? 2 : ratio < HALF ? HALF : ratio);\n}\n\n"
    "/* h^2 dphi/dh hardly changes while the step follows the motion. */\n"
    "static inline int is_certain(const fused_energy *e, real slope, real noise, real h)\n{\n"
    "const real length = fabs(h), ratio = h / e->h[0], kept = slope / e->slope * ratio * ratio;\n"
    "if (e->h[0] == 0) return 1;\n"
    "if (!(ratio > HALF && ratio < 2 && kept > HALF && kept < 2)) return 0;\n"
    "return slope * e->sign > 0 && noise <= ADMITTED && length >= e->least &&\n"
    "    !(e->most > 0 && length > e->most);\n}\n\n"
    "/* What the first step has is kept; then the balance, in two parts. */\n"
    "static inline void take_in(fused_energy *e, const energies *to, real slope)\n{\n"
    "const real d = to->gained + e->E_low, sum = e->E + d, back = sum - e->E;\n"
    "e->chord = to->chord;\n"
    "if (e->h[0] == 0) {\n"
    "e->sign = slope > 0 ? 1 : slope < 0 ? -1 : 0;\n"
    "e->E = to->chord;\ne->E_low = 0;\nreturn;\n}\n";

static void choose_write(fusing *f)
{
    text_add(&f->w.out, choose);
    text_printf(&f->w.out, "e->E_low = %s;\ne->E = sum;\n}\n\n",
                f->plain ? "0 * back" : "(e->E - (sum - back)) + (d - back)");
}

/* Begins where the past leads to, then with the slope at the end of the last curve. */
static void attempt_write(fusing *f)
{
    text *out = &f->w.out;
    text_printf(out,
                "for (int again = 0; again < 2 && !it; again++) {\n"
                "tune(c, next_length(e, first));\n"
                "if (!*known) {\nif (again) break;\nguess(c->h, v, p, y);\n"
                "} else if (again) {\nreal slope_then[%d];\n%s"
                "guess(c->h, slope_then, p, y);\n"
                "} else predict(*known, past, y);\n",
                f->n, slope_text(f, "slope_then", "past", "e->h[0]"));
    text_add(out, "it = decide(c, f, J0, t, q, q_low, p, p_low, par, u, e, past, y, &slope, &size, "
                  "factored_times);\n}\nif (!it) return 0;\n");
}

static void step_write(fusing *f)
{
    text *out = &f->w.out;
    text_add(out,
             "/* One step; the number of iterations, or 0: then nothing has changed. */\n"
             "WITHIN int chosen_step(coefficients *c, factored *f, real *J0, real t, real first,\n"
             "    const real *v, const real *par, const real *u, real *q, real *q_low, real *p,\n"
             "    real *p_low, fused_energy *e, int *known, real *past, real *before, real *work,\n"
             "    long *factored_times)\n{\n");
    text_printf(out, "real y[%d], dp[%d], slope = 0, size = 0;\nenergies to;\nint it = 0;\n", f->N,
                f->n);
    attempt_write(f);
    text_add(out, "const real h = c->h, noise = noise_of(size, slope, h);\n"
                  "if (!is_certain(e, slope, noise, h)) return 0;\n"
                  "const real done = finish(c, t, q, q_low, par, u, y, dp, &to);\n"
                  "real finite = 0 * (to.chord + to.gained);\n");
    text_add(out, write_loop(&f->w, "j", f->n, "finite += 0 * dp[j];"));
    text_add(out, "if (finite != 0) return 0;\n*work += done;\n");
    advance_write(f);
    text_add(out, "take_in(e, &to, slope);\n"
                  "for (int k = 5; k > 0; k--) e->h[k] = e->h[k - 1];\n"
                  "e->h[0] = h;\n"
                  "e->slope = slope;\ne->size = size;\ne->noise = noise;\nreturn it;\n}\n\n");
}

/* Time is the sum of the lengths. */
static void loop_write(fusing *f)
{
    text *out = &f->w.out;
    text_add(
        out,
        "for (; made < count; made++) {\nreal work = 0;\n"
        "const int it = chosen_step(&c, &f, J0, t, s->h, s->v, par, u, q, q_low, p, p_low, &e, "
        "&known, past,\n    before, &work, &factored_times);\n"
        "if (!it) break;\n"
        "whole_work += work;\nlast_work = work;\n"
        "iterations += it;\nif (it > most) most = it;\n"
        "e.t = t;\nt += e.h[0];\n"
        "const real length = fabs(e.h[0]);\n"
        "if (length < e.shortest) e.shortest = length;\n"
        "if (length > e.longest) e.longest = length;\n"
        "e.error = larger(e.error, (e.chord - e.E) - e.E_low);\n");
    text_printf(out, "if (%s <= e.rest) {\nmade++;\nbreak;\n}\n}\n",
                f->side ? "t - e.until" : "e.until - t");
}

static void entry_write(fusing *f)
{
    text       *out = &f->w.out;
    const int   count = PAST_MOST * f->N;
    const char *balance = f->exported ? "s->balance" : "*s->energy";
    text_printf(out, "%slong %s(%s *s, long count)\n{\n%s", f->exported ? "static " : "", f->entry,
                f->state, declarations_text(f));
    text_printf(out,
                "real t = s->from, past[%d];\nfused_energy e = %s;\n"
                "int known = s->known[0];\n",
                count, balance);
    text_printf(out, "%s%s", state_in_text(f), copy_text(f, "past", "s->past", count));
    text_add(out, "e.shortest = HUGE_VALUE;\ne.longest = e.error = 0;\n");
    loop_write(f);
    text_printf(out, "%s%s", state_out_text(f), copy_text(f, "s->past", "past", count));
    text_printf(out, "s->known[0] = known;\n%s = e;\ns->from = t;\ns->k += made;\n", balance);
    text_add(out, "s->work = whole_work;\ns->last_work = last_work;\ns->iterations = iterations;\n"
                  "s->factored = factored_times;\ns->most = most;\nreturn made;\n}\n");
}

void energy_write(fusing *f)
{
    border_write(f);
    rows_write(f);
    text_add(&f->w.out, sizes);
    decide_write(f);
    choose_write(f);
    predict_write(f), guess_write(f);
    if (!f->plain) verbatim(f, "sum.h");
    step_write(f);
    entry_write(f);
}
