/* newton.c - Newton's iteration as generated code, with the stopping rule of mech/solve/newton.c:
 * the estimated remaining error is below roundoff.                               theory.md [NEWTON]
 *
 * Larger systems keep a Jacobian for the whole step while corrections shrink well. Such an
 * iteration converges linearly, so the remaining error is estimated from the ratio of the last two
 * corrections, not from its square. */
#include "fuse/inside.h"

static const char measures[] =
    "/* The larger of two sizes relative to what they belong to. */\n"
    "static inline int measure(real *largest, real delta, real y, real scale)\n{\n"
    "const real d = fabs(delta), a = fabs(y), s = a < scale ? scale : a;\n"
    "if (d >= LEAST && d > *largest * s) *largest = s > 0 ? d / s : HUGE_VALUE;\n"
    "return d <= MOST;\n}\n\n"
    "static inline real larger(real most, real x)\n{\n"
    "const real size = fabs(x);\n"
    "return size <= most ? most : size;\n}\n\n";

static const char widen[] = "/* Roundoff in p leaves p/(h w A) in a multiplier. */\n"
                            "static inline void widen(real *scale, real p, real impulse)\n{\n"
                            "if (p > *scale * impulse && impulse > 0) *scale = p / impulse;\n}\n\n";

/* max over unknowns first .. end-1 of an array */
static const char *largest_of(fusing *f, const char *into, const char *array, int first, int end)
{
    return write_loop(&f->w, "k", end - first,
                      mem_printf(f->w.m, "%s = larger(%s, %s[%d + k]);", into, into, array, first));
}

/* The largest correction relative to the largest unknown of its block, increments or stage
 * momenta. */
static void overall_write(fusing *f)
{
    const int begin[] = {0, f->eq->P}, end[] = {f->eq->lam, f->N};
    text_printf(&f->w.out,
                "%s real overall(const real *delta, const real *y, const real *scale)\n{\n"
                "real largest = 0;\n",
                f->frozen || f->linear ? "PIECE" : "SELDOM");
    for (int b = 0; b < 2; b++) {
        if (begin[b] == end[b]) continue;
        text_printf(&f->w.out,
                    "{\nreal d = 0, s = 0;\n%s%s%s"
                    "if (!(d <= largest * s)) largest = s > 0 ? d / s : HUGE_VALUE;\n}\n",
                    largest_of(f, "d", "delta", begin[b], end[b]),
                    largest_of(f, "s", "y", begin[b], end[b]),
                    largest_of(f, "s", "scale", begin[b], end[b]));
    }
    text_add(&f->w.out, "return largest;\n}\n\n");
}

/* Is every correction below the roundoff of the largest position or momentum? */
static void noise_write(fusing *f)
{
    text_add(
        &f->w.out,
        "SELDOM int is_noise(const real *q, const real *p, const real *delta, const real *y)\n{\n"
        "real x = 0, d = 0;\n");
    text_add(&f->w.out, largest_of(f, "x", "q", 0, f->n));
    text_add(&f->w.out, largest_of(f, "x", "y", 0, f->eq->lam));
    text_add(&f->w.out, largest_of(f, "d", "delta", 0, f->eq->lam));
    text_add(&f->w.out,
             f->phase ? "if (!(d <= 64 * EPSILON * x)) return 0;\nx = d = 0;\n" : "(void)p;\n");
    if (f->phase) {
        text_add(&f->w.out, largest_of(f, "x", "p", 0, f->n));
        text_add(&f->w.out, largest_of(f, "x", "y", f->eq->P, f->N));
        text_add(&f->w.out, largest_of(f, "d", "delta", f->eq->P, f->N));
    }
    text_add(&f->w.out, "return d <= 64 * EPSILON * x;\n}\n\n");
}

/* As newton_reactions_hold: a Jacobian that is kept leaves multipliers behind. */
static void holds_write(fusing *f)
{
    const int lam = f->eq->lam, end = f->eq->P;
    if (!f->frozen || f->linear || !f->relations) return;
    text_printf(&f->w.out,
                "SELDOM int reactions_hold(const real *delta, const real *y, const real *scale)\n"
                "{\nreal d = 0, s = 0;\n%s%s%sreturn d <= HELD * s;\n}\n\n",
                largest_of(f, "d", "delta", lam, end), largest_of(f, "s", "y", lam, end),
                largest_of(f, "s", "scale", lam, end));
}

void measures_write(fusing *f)
{
    text_add(&f->w.out, measures);
    if (!is_direct(f) || f->members) overall_write(f);
    if (!f->linear) noise_write(f);
    holds_write(f);
}

static const char *stop_text(fusing *f)
{
    if (f->linear && f->eq->diagonal) return "return it;\n";
    if (f->linear)
        return "if (before < HUGE_VALUE || overall(delta, y, scale) < REFINED) return it;\n";
    if (!f->frozen)
        return "if (eta <= SQUARED) return it;\n"
               "if (it > 3 && is_noise(q, p, delta, y)) return it;\n"
               "if (before < HUGE_VALUE) {\n"
               "const real theta = eta / before;\n"
               "if (theta < TENTH && eta * theta * theta <= EPSILON / 16) return it;\n"
               "if (theta > HALF && "
               "(eta < STAGNANT || overall(delta, y, scale) <= SQUARED)) return it;\n"
               "if (theta > 4) return 0;\n}\n";
    const char *held = f->relations ? "(fresh || reactions_hold(delta, y, scale)) && " : "";
    return mem_printf(
        f->w.m,
        "const real theta = eta / before, whole = overall(delta, y, scale), "
        "rest = whole / whole_before;\n"
        "if (eta <= (fresh ? SQUARED : 2 * EPSILON)) return it;\n"
        "if (it > 3 && %sis_noise(q, p, delta, y)) return it;\n"
        "if (it > 1) {\n"
        "if (theta < TENTH && "
        "eta * (fresh ? theta * theta : theta) <= EPSILON / 16) return it;\n"
        "if (theta > HALF && fresh && (eta < STAGNANT || whole <= SQUARED)) return it;\n"
        "if (%s(theta > HALF || eta > HALF) && rest < TENTH && "
        "whole * rest <= EPSILON / 16) return it;\n"
        "if (whole > 4 * whole_before && fresh && whole > SQUARED) return 0;\n}\n"
        "fresh = theta > TENTH && rest > TENTH && it > 1;\n"
        "whole_before = whole;\n",
        held, held);
}

static const char *correct_text(fusing *f)
{
    static const char at[] = "(c, t, q, q_low, p, p_low, par, u, y, r";
    const char       *scale = f->relations ? ", scale" : "";
    const char       *fresh = mem_printf(f->w.m,
                                         "linearise%s%s, J0, f->a);\n++*factored_times;\n"
                                               "if (!factor(f)) return 0;\n",
                                         at, scale);
    if (f->linear) return mem_printf(f->w.m, "residual%s);\n", at);
    if (!f->frozen) return fresh;
    return mem_printf(f->w.m, "if (fresh) {\n%s} else {\nresidual%s);\n}\n", fresh, at);
}

static const char small[] =
    "/* Is the square of a correction below roundoff? */\n"
    "static inline int is_small(real delta, real y, real scale)\n{\n"
    "const real a = fabs(y);\n"
    "return fabs(delta) <= SQUARED * (a < scale ? scale : a);\n}\n\n";

/* The corrections, and their size. Usually the first correction of a full Newton iteration is
 * small, which is seen without divisions. */
static void correction_write(fusing *f)
{
    const bool full = !f->linear && !f->frozen;
    text      *out = &f->w.out;
    text_add(out, "solve(f, r, delta);\n");
    if (full) {
        text_add(out, "int done = 1;\n");
        text_add(out, write_loop(&f->w, "k", f->N,
                                 "y[k] += delta[k];\ndone &= is_small(delta[k], y[k], scale[k]);"));
        text_add(out, "if (done) return it;\n");
    }
    text_add(out, "real eta = 0;\nint good = 1;\n");
    text_add(out,
             write_loop(&f->w, "k", f->N,
                        full ? "good &= measure(&eta, delta[k], y[k], scale[k]);"
                             : "y[k] += delta[k];\n"
                               "good &= measure(&eta, delta[k], y[k], scale[k]);"));
    text_add(out, "if (!good) return 0;\n");
}

void newton_write(fusing *f)
{
    text *out = &f->w.out;
    measures_write(f);
    if (f->relations && !f->linear) text_add(out, widen);
    if (!f->linear && !f->frozen) text_add(out, small);
    rows_write(f);
    text_add(out, "/* Improves y until it solves the step; the number of iterations, or 0. */\n"
                  "PIECE int newton(const coefficients *c, factored *f, const real *J0, real t, "
                  "const real *q,\n"
                  "    const real *q_low, const real *p, const real *p_low, const real *par, "
                  "const real *u, int known,\n"
                  "    const real *past, real *y, long *factored_times)\n{\n");
    text_printf(out, "real r[%d], delta[%d], scale[%d], before = HUGE_VALUE;\n", f->N, f->N, f->N);
    text_add(out, f->linear ? "(void)J0;\n(void)factored_times;\n" : "");
    if (f->frozen && !f->linear) text_add(out, "int fresh = 1;\nreal whole_before = HUGE_VALUE;\n");
    text_add(
        out,
        write_loop(
            &f->w, "k", f->N,
            mem_printf(
                f->w.m,
                "scale[k] = fabs(y[k]);\nif (known > 0) scale[k] = larger(scale[k], past[k]);\n"
                "if (known > 1) scale[k] = larger(scale[k], past[%d + k]);",
                f->N)));
    text_add(out, "for (int it = 1; it <= ITERATIONS; it++) {\n");
    text_add(out, correct_text(f));
    correction_write(f);
    text_add(out, stop_text(f));
    if (!(f->linear && f->eq->diagonal))
        text_printf(
            out,
            "if (!(%s < FAR)) return 0;\n"
            "if (it == 1 && known && eta > HALF && overall(delta, y, scale) > HALF) return 0;\n"
            "before = eta;\n",
            f->frozen && !f->linear ? "whole" : "eta");
    else text_add(out, "before = eta;\n(void)before;\n");
    text_add(out, "}\nreturn 0;\n}\n\n");
}
