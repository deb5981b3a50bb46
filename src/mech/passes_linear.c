/* passes_linear.c - a step of a large linear chain in two passes, around a solve with factors that are kept: each reads
 * and writes the state once, whatever it computes on the way. By the machine the same is done in more passes, with the
 * same bits. */
#include "mech/passes_inside.h"

#include <math.h>
#include <string.h>

/* Text. ---------------------------------------------------------------------------------------------------------- */

/*     y = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}                                           theory.md [PREDICT] */
static void write_predict(const passes *p, text *out)
{
    static const char of_past[] =
        "        const double *restrict z0 = x->past[0] + low, *restrict z1 = x->past[1] + low;\n"
        "        const double *restrict z2 = x->past[2] + low, *restrict z3 = x->past[3] + low;\n";
    const char *end = mem_printf(out->m,
                                 "        const double *restrict p = x->p + a, *restrict p_low = x->p_low + a;\n"
                                 "        double *restrict r = x->r + a, *restrict y = x->y + a;\n"
                                 "        const double *restrict own = Z + (a - low);\n"
                                 "        (void)p_low;\n"
                                 "        for (int i = 0; i < b - a; i++) y[i] = own[i];\n"
                                 "        for (int i = 0; i < b - a; i++) r[i] = -(%s);\n",
                                 p->plain ? "p[i] + SUM0" : "(p[i] + SUM0) + p_low[i]");
    write_pass(p, PREDICT, of_past, "4 * (z0[i] + z2[i]) - 6 * z1[i] - z3[i]", end, out);
}

/* Largest corrections and unknowns, and x - x, which is NaN where x is not finite: each in eight lanes. */
static const char FOUND_TEXT[] =
    "static inline v4 larger(v4 x, v4 y)\n"
    "{\n"
    "    const l4 above = x > y;\n"
    "    return (v4)((above & (l4)x) | (~above & (l4)y));\n"
    "}\n"
    "static inline v4 size(v4 x) { return (v4)((l4)x & 0x7fffffffffffffffLL); }\n"
    "static void find(double *found, const double *d, const double *z, const double *dp, int n)\n"
    "{\n"
    "    v4 *F = (v4 *)found, most[2] = {F[0], F[1]}, large[2] = {F[2], F[3]}, bad[2] = {F[4], F[5]};\n"
    "    int i = 0;\n"
    "    for (; i + 8 <= n; i += 8)\n"
    "        for (int k = 0; k < 2; k++) {\n"
    "            const v4 D = *(const v4 *)(d + i + 4 * k), P = *(const v4 *)(dp + i + 4 * k);\n"
    "            most[k] = larger(size(D), most[k]), large[k] = larger(size(*(const v4 *)(z + i + 4 * k)), large[k]);\n"
    "            bad[k] += (D - D) + (P - P);\n"
    "        }\n"
    "    for (int k = 0; k < 2; k++) F[k] = most[k], F[2 + k] = large[k], F[4 + k] = bad[k];\n"
    "    for (; i < n; i++) {\n"
    "        const double D = d[i] < 0 ? -d[i] : d[i], Z = z[i] < 0 ? -z[i] : z[i];\n"
    "        found[0] = D > found[0] ? D : found[0], found[8] = Z > found[8] ? Z : found[8];\n"
    "        found[16] += (D - D) + (dp[i] - dp[i]);\n"
    "    }\n"
    "}\n"
    "static inline void two(double x, double low, double dx, double *to, double *to_low)\n"
    "{\n"
    "    const double d = dx + low, sum = x + d, back = sum - x;\n"
    "    *to = sum, *to_low = (x - (sum - back)) + (d - back);\n"
    "}\n";

/* The work of a tile, in the order of passes.c. */
static const char WORK_TEXT[] =
    "        double F[%d], sum[8] = {0};\n"
    "        const double *restrict Y = Z + (a - low), stretch = x->stretch;\n"
    "        int i = 0;\n"
    "        for (i = 0; i < b - a; i++) F[i] = SUM0;\n"
    "        for (i = 0; i + 8 <= b - a; i += 8)\n"
    "            for (int l = 0; l < 8; l++) sum[l] += F[i + l] * (stretch * Y[i + l]);\n"
    "        for (; i < b - a; i++) sum[0] += F[i] * (stretch * Y[i]);\n"
    "        x->work[a / %d] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));\n";

static const char *work_text(const passes *p, mem *m)
{
    text out = text_new(m);
    if (!p->forced) return "";
    text_add(&out, "#undef SUM0\n        {\n    const double *c = x->c_force;\n");
    pass_loops(p, OF_FORCE, 1, &out);
    text_printf(&out, WORK_TEXT, ROWS_TILE, ROWS_TILE);
    text_add(&out, "        }\n");
    return text_str(&out);
}

static void write_finish(const passes *p, text *out)
{
    static const char of_sum[] =
        "        const double *restrict guess = x->z + low, *restrict step = x->delta + low;\n";
    static const char plain[] = "        for (int i = 0; i < b - a; i++) q1[i] = q0[i] + own[i];\n"
                                "        for (int i = 0; i < b - a; i++) p1[i] = p[i] + D[i];\n";
    static const char in_two[] =
        "        for (int i = 0; i < b - a; i++) two(q0[i], q0_low[i], own[i], &q1[i], &q1_low[i]);\n"
        "        for (int i = 0; i < b - a; i++) two(p[i], p_low[i], D[i], &p1[i], &p1_low[i]);\n";
    const char *end = mem_printf(
        out->m,
        "        const double *restrict p = x->p + a, *restrict p_low = x->p_low + a, *restrict own = Z + (a - low);\n"
        "        const double *restrict q0 = x->q + a, *restrict q0_low = x->q_low + a;\n"
        "        double *restrict q1 = x->to[0] + a, *restrict q1_low = x->to[1] + a;\n"
        "        double *restrict p1 = x->to[2] + a, *restrict p1_low = x->to[3] + a;\n"
        "        double *restrict y = x->y + a, *restrict kept = x->to_past + a, D[%d];\n"
        "        (void)p_low, (void)q0_low, (void)q1_low, (void)p1_low;\n"
        "        for (int i = 0; i < b - a; i++) D[i] = SUM0;\n"
        "        for (int i = 0; i < b - a; i++) y[i] = own[i], kept[i] = own[i];\n"
        "%s"
        "        find(x->found, x->delta + a, own, D, b - a);\n%s",
        ROWS_TILE, p->plain ? plain : in_two, work_text(p, out->m));
    write_pass(p, FINISH, of_sum, "guess[i] + step[i]", end, out);
}

void passes_write_linear(const passes *p, text *out)
{
    text_add(out, FOUND_TEXT);
    write_predict(p, out);
    write_finish(p, out);
}

/* Calls. --------------------------------------------------------------------------------------------------------- */

typedef struct {
    passes *p;
    pass    x;
    int     kind;
} linear_call;

static void compiled_stretch(void *self, int part, int from, int to)
{
    const linear_call *c = self;
    pass               x = c->x;
    x.found = c->p->found + (size_t)part * FOUND;
    pass_run(c->p, part, c->kind, &x, from, to);
}

static void predict_by_machine(passes *p, const equations *eq, const past *before, double *predicted, double *minus_r)
{
    past_extrapolate(before, predicted);
    passes_residual(p, eq, predicted, minus_r, NULL, false);
    for (int i = 0; i < p->n; i++) minus_r[i] = -minus_r[i];
}

void passes_predict(passes *p, const equations *eq, const past *before, double *predicted, double *minus_r)
{
    const pass_coefficients c = residual_coefficients(eq);
    if (p->machine) {
        predict_by_machine(p, eq, before, predicted, minus_r);
        return;
    }
    linear_call call = {p, pass_at(p, eq, NULL, c.c), PREDICT};
    for (int k = 0; k < 4; k++) call.x.past[k] = before->y[k];
    call.x.y = predicted, call.x.r = minus_r;
    passes_share(p, &call, compiled_stretch);
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static bool finish_by_machine(passes *p, const equations *eq, const double *predicted, const double *delta, double *y,
                              const end_state *to, double *work, linear_change *change)
{
    *change = (linear_change){0, 0};
    for (int i = 0; i < p->n; i++) {
        y[i] = predicted[i] + delta[i];
        change->correction = larger(fabs(delta[i]), change->correction);
        change->unknown = larger(fabs(y[i]), change->unknown);
    }
    return all_finite(delta, p->n) && passes_end(p, eq, y, to, work);
}

static bool gather_found(const passes *p, linear_change *change)
{
    bool good = true;
    *change = (linear_change){0, 0};
    for (int part = 0; part < crew_size(p->hands); part++)
        for (int l = 0; l < LANES; l++) {
            const double *found = p->found + (size_t)part * FOUND + l;
            change->correction = larger(found[0], change->correction);
            change->unknown = larger(found[LANES], change->unknown);
            good &= found[2 * LANES] == 0;
        }
    return good;
}

bool passes_finish(passes *p, const equations *eq, const double *predicted, const double *delta, double *y,
                   const end_state *to, double *work, linear_change *change)
{
    const pass_coefficients dp = momentum_coefficients(eq), f = force_coefficients(eq);
    if (p->machine) return finish_by_machine(p, eq, predicted, delta, y, to, work, change);
    linear_call call = {p, pass_at(p, eq, predicted, dp.c), FINISH};
    call.x.c_force = f.c, call.x.delta = delta, call.x.y = y, call.x.work = p->work, call.x.to_past = to->past;
    call.x.to[0] = to->q, call.x.to[1] = to->q_low, call.x.to[2] = to->p, call.x.to[3] = to->p_low;
    call.x.stretch = eq->rule.at[eq->mirrored].dl[1];
    memset(p->found, 0, (size_t)(crew_size(p->hands) * FOUND) * sizeof *p->found);
    passes_share(p, &call, compiled_stretch);
    *work += passes_work(p);
    return gather_found(p, change);
}
