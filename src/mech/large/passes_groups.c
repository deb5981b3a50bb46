/* passes_groups.c - C text of the two passes of a step of a large linear chain over one group of
 * partitions. The forward pass extrapolates past solutions, unless z = 0 is as good (linear.c),
 * evaluates the residual and eliminates it; the backward pass subtracts the correction as it is
 * found and computes the next state. Each pass reads the state once.
 *
 * A row needs its neighbours up to `halo` rows away. In the forward pass predictions may overwrite
 * the oldest solution, except for the neighbours of partitions, which are saved before. In the
 * backward pass a row is finished once the neighbours above it are known: `halo` rows later, and at
 * the end of a partition together with the beginning of the next. */
#include "mech/large/passes_inside.h"

/* Rows a .. b-1: what is new of y, and the points of the curve.
 *     y = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}                            theory.md [PREDICT] */
static const char ADD_PLAIN[] = "#define ADD4(to, to_low, x, low, d) (to = x + d)\n";
static const char ADD_IN_TWO[] =
    "static inline void two4(v4 x, v4 low, v4 dx, v4 *to, v4 *to_low)\n"
    "{\n"
    "    const v4 d = dx + low, sum = x + d, back = sum - x;\n"
    "    *to = sum, *to_low = (x - (sum - back)) + (d - back);\n"
    "}\n"
    "#define ADD4(to, to_low, x, low, d) two4(x, low, d, &to, &to_low)\n";
static const char POINTS[] =
    "#define S(p) (*(p))\n"
    "#define PREDICTED(T, i) (4 * (T(z0 + (i)) + T(z2 + (i))) - 6 * T(z1 + (i)) - T(z3 + (i)))\n"
    "#define POINT(T, i) \\\n"
    "    T(Q + (i)) = AT(T(q + (i)), T(low + (i)), l * at), T(W + (i)) = slope * at\n"
    "static inline void predict_rows(const struct pass *x, int a, int b, double *Q, double *W)\n"
    "{\n"
    "    const double *z0 = x->past[0] + a, *z1 = x->past[1] + a;\n"
    "    const double *z2 = x->past[2] + a, *z3 = x->past[3] + a;\n"
    "    const double *q = x->q + a, *low = x->q_low + a, l = x->l, slope = x->slope;\n"
    "    double *y = x->y + a;\n"
    "    int i = 0;\n"
    "    for (; i + 4 <= b - a; i += 4) {\n"
    "        const v4 at = V(y + i) = PREDICTED(V, i);\n"
    "        POINT(V, i);\n"
    "    }\n"
    "    for (; i < b - a; i++) {\n"
    "        const double at = y[i] = PREDICTED(S, i);\n"
    "        POINT(S, i);\n"
    "    }\n"
    "}\n"
    "static inline double predicted(const struct pass *x, int i)\n"
    "{\n"
    "    const double *z0 = x->past[0], *z1 = x->past[1], *z2 = x->past[2], *z3 = x->past[3];\n"
    "    return PREDICTED(S, i);\n"
    "}\n"
    "static inline void place(const struct pass *x, int i, double z, double *Q, double *W)\n"
    "{\n"
    "    *Q = AT(x->q[i], x->q_low[i], x->l * z), *W = x->slope * z;\n"
    "}\n"
    "static inline void place_rows(const struct pass *x, int a, int b, double *Q, double *W)\n"
    "{\n"
    "    for (int i = a; i < b; i++) place(x, i, x->y[i], Q + (i - a), W + (i - a));\n"
    "}\n"
    "static inline int larger_of(int a, int b) { return a > b ? a : b; }\n";

static const char EVALUATE[] =
    "static inline void evaluate(const struct pass *x, int at, int a, int b, double *r)\n"
    "{\n"
    "    const int low = a > HALO ? a - HALO : 0, high = b + HALO < x->n ? b + HALO : x->n;\n"
    "    if (x->direct) {\n" /* z = 0 */
    "        static const double none[FACTOR_PLANE + 2 * HALO];\n"
    "        ROWS(residual_sums, x->s, x->c, x->c, x->q + low, none, low, a, b, x->p + a,\n"
    "             x->p_low + a, r);\n"
    "        return;\n"
    "    }\n"
    "    const int start = at * x->length, end = start + x->length;\n"
    "    const double *edge = x->edge + at * 2 * HALO;\n"
    "    double Q[FACTOR_PLANE + 2 * HALO], W[FACTOR_PLANE + 2 * HALO];\n"
    "    for (int i = low; i < a; i++)\n"
    "        place(x, i, i < start ? edge[i - start + HALO] : x->y[i], Q + (i - low),\n"
    "              W + (i - low));\n"
    "    for (int i = b; i < high; i++)\n"
    "        place(x, i,\n"
    "              i >= end ? edge[3 * HALO + i - end] : x->again ? x->y[i] : predicted(x, i),\n"
    "              Q + (i - low), W + (i - low));\n"
    "    if (x->again) place_rows(x, a, b, Q + (a - low), W + (a - low));\n"
    "    else predict_rows(x, a, b, Q + (a - low), W + (a - low));\n"
    "    ROWS(residual_sums, x->s, x->c, x->c, Q, W, low, a, b, x->p + a, x->p_low + a, r);\n"
    "}\n";

/* Finds the largest corrections and unknowns, in four lanes; the remainder at the end of a tile
 * counts to the first. */
static const char IMPROVE_ROWS[] =
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
    "static inline void improve_rows(const struct pass *x, const int direct, double *found,\n"
    "                                int a, int b, const double *by, double *Q, double *W)\n"
    "{\n"
    "    const double *q = x->q + a, *low = x->q_low + a, l = x->l, slope = x->slope;\n"
    "    double *y = x->y + a, *to = x->to[0] + a, *to_low = x->to[1] + a;\n"
    "    v4 most = V(found), large = V(found + 4);\n"
    "    int i = 0;\n"
    "    TWICE for (; i + 4 <= b - a; i += 4) {\n"
    "        v4 at = V(by + i);\n"
    "        if (!direct) {\n"
    "            most = LARGER(size(at), most);\n"
    "            at += V(y + i), large = LARGER(size(at), large);\n"
    "        }\n"
    "        V(y + i) = at;\n"
    "        POINT(V, i);\n"
    "        ADD4(V(to + i), V(to_low + i), V(q + i), V(low + i), at);\n"
    "    }\n"
    "    V(found) = most, V(found + 4) = large;\n"
    "    for (; i < b - a; i++) {\n"
    "        const double D = by[i], at = y[i] = direct ? D : y[i] + D;\n"
    "        found[0] = larger(D < 0 ? -D : D, found[0]);\n"
    "        found[4] = larger(at < 0 ? -at : at, found[4]);\n"
    "        POINT(S, i);\n"
    "        ADD(to[i], to_low[i], q[i], low[i], at);\n"
    "    }\n"
    "}\n";

/* f.z of rows, and a sum that is finite as momenta are: of fours of rows on the way, and of those
 * that are left over. */
static const char MOMENTA[] =
    "static inline void finish(const struct pass *x, double *found, int low, int a, int b,\n"
    "                          const double *Q, const double *W, double *work)\n"
    "{\n"
    "    double F[FACTOR_PLANE + 2 * HALO], sum[4], rest = 0;\n"
    "    const double *p = x->to[2], *z = x->y;\n"
    "    tally n = {V(found + 8), {0}, a, a};\n"
    "    ROWS(momenta, x->s, x->c, x->c_force, Q, W, low, a, b, x->p + a, x->p_low + a, z + a,\n"
    "         x->to[2] + a, x->to[3] + a, F, &n);\n"
    "    for (int i = n.from > a ? a : n.to; i < b; i = i + 1 == n.from ? n.to : i + 1) {\n"
    "        found[12] += p[i];\n"
    "        if (FORCED) rest += F[i - a] * z[i];\n"
    "    }\n"
    "    V(found + 8) = n.finite, V(sum) = n.work;\n"
    "    *work = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;\n"
    "}\n"
    "static inline void improve(const struct pass *x, int number, int a, int b, int first,\n"
    "                           int last, const double *by, double *work)\n"
    "{\n"
    "    const int low = smaller(a, larger_of(first - HALO, 0));\n"
    "    const int high = larger_of(b, smaller(last + HALO, x->n));\n"
    "    _Alignas(64) double roomQ[FACTOR_PLANE + 2 * BEFORE], roomW[FACTOR_PLANE + 2 * BEFORE];\n"
    "    double *Q = roomQ + BEFORE - (a - low), *W = roomW + BEFORE - (a - low);\n"
    "    double *found = x->found + number * FOUND;\n"
    "    if (x->direct) improve_rows(x, 1, found, a, b, by, Q + (a - low), W + (a - low));\n"
    "    else improve_rows(x, 0, found, a, b, by, Q + (a - low), W + (a - low));\n"
    "    place_rows(x, low, a, Q, W);\n"
    "    place_rows(x, b, high, Q + (b - low), W + (b - low));\n"
    "    if (first < last) finish(x, found, low, first, last, Q, W, work);\n"
    "}\n";

/* Both passes over a group. */
static const char BOTH_WAYS[] =
    "static inline int rows_of(const pass *x, const factor_group *s, int from)\n"
    "{\n"
    "    return s->inner - from > FACTOR_TILE ? FACTOR_TILE : x->length - from;\n"
    "}\n"
    "void linear_down(const pass *x, int number)\n"
    "{\n"
    "    const factor_group *s = (const factor_group *)x->group + number;\n"
    "    _Alignas(64) double r[GROUP * FACTOR_PLANE];\n"
    "    band_factors_begin(s, x->reach);\n"
    "    for (int from = 0; from < s->inner; from += FACTOR_TILE) {\n"
    "        const int rows = rows_of(x, s, from);\n"
    "        for (int l = 0; l < GROUP; l++) {\n"
    "            const int at = number * GROUP + l;\n"
    "            const int a = at * x->length + from;\n"
    "            const int b = smaller(a + rows, x->n);\n"
    "            double *to = r + l * FACTOR_PLANE;\n"
    "            if (a < b) evaluate(x, at, a, b, to);\n"
    "            for (int i = a < b ? b - a : 0; i < rows; i++) to[i] = 0;\n"
    "        }\n"
    "        band_factors_down(s, x->reach, r, from, rows);\n"
    "    }\n"
    "}\n"
    "void linear_up(const pass *x, int number)\n"
    "{\n"
    "    const factor_group *s = (const factor_group *)x->group + number;\n"
    "    _Alignas(64) double by[GROUP * FACTOR_PLANE];\n"
    "    for (int from = (s->inner - 1) / FACTOR_TILE * FACTOR_TILE; from >= 0;\n"
    "         from -= FACTOR_TILE) {\n"
    "        const int rows = rows_of(x, s, from);\n"
    "        band_factors_up(s, x->reach, from, rows, by);\n"
    "        for (int l = 0; l < GROUP; l++) {\n"
    "            const int at = number * GROUP + l;\n"
    "            const int a = at * x->length + from;\n"
    "            const int b = smaller(a + rows, x->n);\n"
    "            const int end = (at + 1) * x->length;\n"
    "            const int limit = end < x->n ? end - x->halo : x->n;\n"
    "            const int before = from || (number && !l) ? a + x->halo : at ? a - x->halo : 0;\n"
    "            if (a < b)\n"
    "                improve(x, number, a, b, smaller(before, limit),\n"
    "                        smaller(b + x->halo, limit), by + l * FACTOR_PLANE,\n"
    "                        x->work + at * x->tiles + from / FACTOR_TILE);\n"
    "        }\n"
    "    }\n"
    "}\n";

/* Rows around the beginning of a group, once both groups are known. */
static const char BETWEEN[] =
    "void linear_seam(const pass *x, int number)\n"
    "{\n"
    "    const int start = number * GROUP * x->length;\n"
    "    const int low = start - 2 * HALO, high = smaller(start + 2 * HALO, x->n);\n"
    "    double Q[4 * HALO + 1], W[4 * HALO + 1];\n"
    "    place_rows(x, low, high, Q, W);\n"
    "    finish(x, x->found + number * FOUND, low, start - HALO, smaller(start + HALO, x->n), Q,\n"
    "           W, x->work + x->seams + number);\n"
    "}\n";

/* Momenta at the end of the step, and their contributions to the sums. */
static void write_momenta(const passes *p, text *out)
{
    static const char *const from[] = {"p", "p_low", "z", NULL};
    static const char *const into[] = {"to", "to_low", "F", NULL};
    const row_function       momenta = {
              .name = "momenta",
              .wanted = OF_MOMENTUM,
              .reads = from,
              .writes = into,
              .each = "ADD(to[i], to_low[i], p[i], p_low[i], sum);",
              .force = p->forced ? "F[i] = force;" : NULL,
              .each_four = "v4 next; ADD4(next, V(to_low + i), V(p + i), V(p_low + i), sum); "
                                 "V(to + i) = next;",
              .force_four = "V(F + i) = force;",
              .sums = "tally *count",
              .begin = "v4 finite = count->finite, work = count->work;",
              .count = p->forced ? "finite += next; work += force * V(z + i);" : "finite += next;",
              .end = "count->finite = finite, count->work = work; "
                           "count->from = qa + head, count->to = qa + i;"};
    text_add(out, "typedef struct { v4 finite, work; int from, to; } tally;\n");
    passes_write_rows(p, &momenta, out);
}

void passes_write_linear(const passes *p, text *out)
{
    text_printf(out,
                "enum { HALO = %d, BEFORE = (2 * HALO + 7) / 8 * 8 };\n"
                "enum { FORCED = %d, PLAIN = %d, FOUND = %d };\n"
                "typedef struct pass pass;\n",
                row_plan_halo(p->plan), p->forced, p->plain, FOUND);
    text_add(out, p->plain ? ADD_PLAIN : ADD_IN_TWO);
    write_momenta(p, out);
    const char *const all[] = {POINTS,    EVALUATE, IMPROVE_ROWS, MOMENTA,
                               BOTH_WAYS, BETWEEN};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) text_add(out, all[k]);
}
