/* passes_linear.c - a step of a large linear chain in two passes, around a solve with factors that are kept: each reads
 * and writes the state once, whatever it computes on the way. By the machine the same is done in more passes, with the
 * same bits. */
#include "mech/passes_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Text. ---------------------------------------------------------------------------------------- */

/* Rows from .. to-1: what is new of y, in the place of the last step but three or of the prediction, and points of the
 * curve; and of a row beside them, which may be new already. What the solve gives has the sign of r.
 *     y = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}                                           theory.md [PREDICT] */
static const char POINTS[] =
    "#define S(p) (*(p))\n"
    "#define PREDICTED(T, i) (4 * (T(z0 + (i)) + T(z2 + (i))) - 6 * T(z1 + (i)) - T(z3 + (i)))\n"
    "#define FINISHED(T, i) (T(z + (i)) - T(delta + (i)))\n"
    "#define PLACE(T, i) T(y + (i)) = at, T(Q + (i)) = AT(T(q + (i)), T(low + (i)), l * at), T(W + (i)) = slope * at\n"
    "static void predict_rows(const struct pass *x, int from, int to, double *Q, double *W)\n"
    "{\n"
    "    const double *z0 = x->past[0] + from, *z1 = x->past[1] + from;\n"
    "    const double *z2 = x->past[2] + from, *z3 = x->past[3] + from;\n"
    "    const double *q = x->q + from, *low = x->q_low + from, l = x->l, slope = x->slope;\n"
    "    double *y = x->y + from;\n"
    "    int i = 0;\n"
    "    for (; i + 4 <= to - from; i += 4) {\n"
    "        const v4 at = PREDICTED(V, i);\n"
    "        PLACE(V, i);\n"
    "    }\n"
    "    for (; i < to - from; i++) {\n"
    "        const double at = PREDICTED(S, i);\n"
    "        PLACE(S, i);\n"
    "    }\n"
    "}\n"
    "static inline double predicted(const struct pass *x, int i)\n"
    "{\n"
    "    const double *z0 = x->past[0], *z1 = x->past[1], *z2 = x->past[2], *z3 = x->past[3];\n"
    "    return PREDICTED(S, i);\n"
    "}\n"
    "static inline double finished(const struct pass *x, int i)\n"
    "{\n"
    "    const double *z = x->z, *delta = x->delta;\n"
    "    return FINISHED(S, i);\n"
    "}\n"
    "static inline void place(const struct pass *x, int i, double z, double *Q, double *W)\n"
    "{\n"
    "    *Q = AT(x->q[i], x->q_low[i], x->l * z), *W = x->slope * z;\n"
    "}\n";

static const char PREDICT_TEXT[] =
    "void predict(const struct pass *x, int from, int to)\n"
    "{\n"
    "    const int in_place = x->y == x->past[3];\n"
    "    for (int a = from; a < to; a += TILE) {\n"
    "        const int b = a + TILE < to ? a + TILE : to, low = a > HALO ? a - HALO : 0;\n"
    "        const int high = b + HALO < x->n ? b + HALO : x->n;\n"
    "        double Q[TILE + 2 * HALO], W[TILE + 2 * HALO];\n"
    "        for (int i = low; i < a; i++)\n"
    "            place(x, i, in_place ? x->y[i] : predicted(x, i), Q + (i - low), W + (i - low));\n"
    "        for (int i = b; i < high; i++) place(x, i, predicted(x, i), Q + (i - low), W + (i - low));\n"
    "        predict_rows(x, a, b, Q + (a - low), W + (a - low));\n"
    "        ROWS(residual_sums, x->s, x->c, x->c, Q, W, low, a, b, x->p + a, x->p_low + a, x->r + a);\n"
    "    }\n"
    "}\n";

/* On the way the largest corrections and unknowns are found, and a sum that is finite as all corrections and momenta
 * are: each in eight lanes. What is left at the end of a tile counts to the first. */
static const char FINISH_ROWS[] =
    "#ifdef __AVX__\n"
    "#define LARGER(x, y) __builtin_ia32_maxpd256(x, y)\n"
    "#else\n"
    "static inline v4 LARGER(v4 x, v4 y)\n"
    "{\n"
    "    const l4 above = x > y;\n"
    "    return (v4)((above & (l4)x) | (~above & (l4)y));\n"
    "}\n"
    "#endif\n"
    "static inline v4 size(v4 x) { return (v4)((l4)x & 0x7fffffffffffffffLL); }\n"
    "static inline double larger(double x, double y) { return x > y ? x : y; }\n"
    "static void finish_rows(const struct pass *x, int from, int to, double *Q, double *W)\n"
    "{\n"
    "    const double *z = x->z + from, *delta = x->delta + from;\n"
    "    const double *q = x->q + from, *low = x->q_low + from, l = x->l, slope = x->slope;\n"
    "    double *y = x->y + from, *found = x->found;\n"
    "    v4 most[2] = {V(found), V(found + 4)}, large[2] = {V(found + 8), V(found + 12)};\n"
    "    v4 sum[2] = {V(found + 16), V(found + 20)};\n"
    "    int i = 0;\n"
    "    for (; i + 8 <= to - from; i += 8)\n"
    "        for (int k = 0; k < 2; k++) {\n"
    "            const int j = i + 4 * k;\n"
    "            const v4 at = FINISHED(V, j), D = V(delta + j);\n"
    "            most[k] = LARGER(size(D), most[k]), large[k] = LARGER(size(at), large[k]), sum[k] += D;\n"
    "            PLACE(V, j);\n"
    "        }\n"
    "    V(found) = most[0], V(found + 4) = most[1], V(found + 8) = large[0], V(found + 12) = large[1];\n"
    "    V(found + 16) = sum[0], V(found + 20) = sum[1];\n"
    "    for (; i < to - from; i++) {\n"
    "        const double D = delta[i], at = FINISHED(S, i);\n"
    "        found[0] = larger(D < 0 ? -D : D, found[0]), found[8] = larger(at < 0 ? -at : at, found[8]);\n"
    "        found[16] += D;\n"
    "        PLACE(S, i);\n"
    "    }\n"
    "}\n"
    "static void add_up(double *found, const double *p, int n)\n"
    "{\n"
    "    v4 sum[2] = {V(found + 16), V(found + 20)};\n"
    "    int i = 0;\n"
    "    for (; i + 8 <= n; i += 8) sum[0] += V(p + i), sum[1] += V(p + i + 4);\n"
    "    V(found + 16) = sum[0], V(found + 20) = sum[1];\n"
    "    for (; i < n; i++) found[16] += p[i];\n"
    "}\n";

/*     b f.z of a tile, in the order of passes.c */
static const char WORK_TEXT[] =
    "static double work_of(const double *f, const double *z, double stretch, int n)\n"
    "{\n"
    "    double sum[8] = {0};\n"
    "    int i = 0;\n"
    "    v4 S[2] = {{0}, {0}};\n"
    "    for (; i + 8 <= n; i += 8)\n"
    "        for (int k = 0; k < 2; k++) S[k] += V(f + i + 4 * k) * (stretch * V(z + i + 4 * k));\n"
    "    V(sum) = S[0], V(sum + 4) = S[1];\n"
    "    for (; i < n; i++) sum[0] += f[i] * (stretch * z[i]);\n"
    "    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));\n"
    "}\n";

static const char FINISH_TEXT[] =
    "static void add(double *restrict to, double *restrict to_low, const double *restrict from,\n"
    "                const double *restrict low, const double *restrict d, int n)\n"
    "{\n"
    "    for (int i = 0; i < n; i++) ADD(to[i], to_low[i], from[i], low[i], d[i]);\n"
    "}\n"
    "void finish(const struct pass *x, int from, int to)\n"
    "{\n"
    "    const int in_place = x->y == x->z;\n"
    "    for (int a = from; a < to; a += TILE) {\n"
    "        const int b = a + TILE < to ? a + TILE : to, low = a > HALO ? a - HALO : 0;\n"
    "        const int high = b + HALO < x->n ? b + HALO : x->n;\n"
    "        double Q[TILE + 2 * HALO], W[TILE + 2 * HALO], F[TILE], *y = x->y + a;\n"
    "        for (int i = low; i < a; i++)\n"
    "            place(x, i, in_place ? x->y[i] : finished(x, i), Q + (i - low), W + (i - low));\n"
    "        for (int i = b; i < high; i++) place(x, i, finished(x, i), Q + (i - low), W + (i - low));\n"
    "        finish_rows(x, a, b, Q + (a - low), W + (a - low));\n"
    "        ROWS(momenta, x->s, x->c, x->c_force, Q, W, low, a, b, x->p + a, x->p_low + a, x->to[2] + a, x->to[3] + a, F);\n"
    "        add(x->to[0] + a, x->to[1] + a, x->q + a, x->q_low + a, y, b - a);\n"
    "        add_up(x->found, x->to[2] + a, b - a);\n"
    "        if (FORCED) x->work[a / TILE] = work_of(F, y, x->stretch, b - a);\n"
    "    }\n"
    "}\n";

void passes_write_linear(const passes *p, text *out)
{
    static const char *const of_p[] = {"p", "p_low", NULL}, *const into[] = {"to", "to_low", "F",
                                                                             NULL};
    static const char        each[] = "ADD(to[i], to_low[i], p[i], p_low[i], sum);";
    const char              *force = p->forced ? "F[i] = force;" : NULL;
    const row_function       momenta = {"momenta", OF_MOMENTUM, of_p, into, each, force};
    text_printf(out, "enum { TILE = %d, HALO = %d, FORCED = %d };\n", ROWS_TILE,
                row_plan_halo(p->plan), p->forced);
    passes_write_rows(p, &momenta, out);
    const char *const all[] = {POINTS, PREDICT_TEXT, FINISH_ROWS, WORK_TEXT, FINISH_TEXT};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) text_add(out, all[k]);
}

/* Calls. --------------------------------------------------------------------------------------- */

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

void passes_predict(passes *p, const equations *eq, const past *before, double *predicted,
                    double *r)
{
    const pass_coefficients c = residual_coefficients(eq);
    if (!p->native) {
        past_extrapolate(before, predicted);
        passes_residual(p, eq, predicted, r, NULL, false);
        return;
    }
    linear_call call = {p, pass_at(p, eq, NULL, c.c), PREDICT};
    for (int k = 0; k < 4; k++) call.x.past[k] = before->y[k];
    call.x.y = predicted, call.x.r = r;
    passes_share(p, &call, compiled_stretch);
}

bool passes_alone(const passes *p)
{
    return crew_size(p->hands) == 1;
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

static bool finish_by_machine(passes *p, const equations *eq, const double *predicted,
                              const double *delta, double *y, const end_state *to, double *work,
                              linear_change *change)
{
    *change = (linear_change){0, 0};
    for (int i = 0; i < p->n; i++) {
        y[i] = predicted[i] - delta[i];
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
            good &= fabs(found[2 * LANES]) <= DBL_MAX;
        }
    return good;
}

bool passes_finish(passes *p, const equations *eq, const double *predicted, const double *delta,
                   double *y, const end_state *to, double *work, linear_change *change)
{
    const pass_coefficients dp = momentum_coefficients(eq), f = force_coefficients(eq);
    if (!p->native) return finish_by_machine(p, eq, predicted, delta, y, to, work, change);
    linear_call call = {p, pass_at(p, eq, predicted, dp.c), FINISH};
    call.x.c_force = f.c, call.x.delta = delta, call.x.y = y, call.x.work = p->work;
    call.x.to[0] = to->q, call.x.to[1] = to->q_low, call.x.to[2] = to->p, call.x.to[3] = to->p_low;
    call.x.stretch = eq->rule.at[eq->mirrored].dl[1];
    memset(p->found, 0, (size_t)(crew_size(p->hands) * FOUND) * sizeof *p->found);
    passes_share(p, &call, compiled_stretch);
    *work += passes_work(p);
    return gather_found(p, change);
}
