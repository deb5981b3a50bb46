/* leaps_text.c - a pass over rows as C text: positions move as far ahead as forces read them, then forces are summed
 * and momenta kicked, tile by tile. */
#include "mech/leaps_inside.h"

#include "kernel/emit_c.h"
#include "kernel/native.h"

static const char PLAIN[] = "#define IN_TWO(x, low) (x)\n"
                            "#define ADD(x, low, d) ((x) += (d))\n";
static const char COMPENSATED[] =
    "#define IN_TWO(x, low) ((x) + (low))\n"
    "#define ADD(x, low, d) do { const double d_ = (d) + (low), x_ = (x), s_ = x_ + d_, b_ = s_ - x_; \\\n"
    "    (x) = s_, (low) = (x_ - (s_ - b_)) + (d_ - b_); } while (0)\n";

static const char DECLARATIONS[] =
    "struct leap { const struct rows *s; const double *c; double *q, *q_low, *p, *p_low, *kick;\n"
    "              const double *over, *same; double h; int n; double *edge; };\n"
    "struct range { int from, to, a, b, done; };\n";

static void write_loops(const row_plan *plan, text *out)
{
    row_plan_loops(plan, OF_FORCE, out);
    text_add(out, "#define SUM (");
    row_plan_sum(plan, OF_FORCE, 0, out);
    text_add(out, ")\n");
}

static void write_forces(const row_plan *plan, text *out)
{
    const int halo = row_plan_halo(plan);
    text_printf(out,
                "void forces(const struct leap *x, struct range *r, int part)\n{\n"
                "    const struct rows *s = x->s;\n    const double *c = x->c;\n    (void)part;\n"
                "    for (int a = r->a; a < r->b; a += %d) {\n"
                "        const int b = a + %d < r->b ? a + %d : r->b, first = a > %d ? a - %d : 0;\n"
                "        const double *restrict q = x->q + first;\n",
                ROWS_TILE, ROWS_TILE, ROWS_TILE, halo, halo);
    write_loops(plan, out);
    text_add(out, "        double *restrict k = x->kick + a;\n"
                  "        for (int i = 0; i < b - a; i++) k[i] = SUM;\n    }\n}\n#undef SUM\n");
}

/* Positions up to halo rows ahead; masses are mostly the same all over a stretch. */
static const char AHEAD[] =
    "        {\n"
    "            double *restrict Q = x->q, *restrict Q_low = x->q_low;\n"
    "            const double *restrict P = x->p, *restrict P_low = x->p_low, *restrict K = x->kick;\n"
    "            const double *restrict over = x->over, same = x->same[a / TILE];\n"
    "            const double h = x->h, hm = h * same;\n"
    "            (void)Q_low, (void)P_low;\n"
    "            if (same == same)\n"
    "                for (int i = done; i < end; i++)\n"
    "                    ADD(Q[i], Q_low[i], hm * (IN_TWO(P[i] + K[i], P_low[i])));\n"
    "            else\n"
    "                for (int i = done; i < end; i++)\n"
    "                    ADD(Q[i], Q_low[i], (h * over[i]) * (IN_TWO(P[i] + K[i], P_low[i])));\n"
    "            done = end > done ? end : done;\n"
    "        }\n"
    "        const double *restrict q = x->q + first;\n"
    "        if (first < from || high > to) {\n"
    "            for (int i = first; i < from; i++) W[i - first] = before[i - from + HALO];\n"
    "            for (int i = first < from ? from : first; i < end; i++) W[i - first] = x->q[i];\n"
    "            for (int i = to; i < high; i++) W[i - first] = next[i - to];\n"
    "            q = W;\n"
    "        }\n";

static const char KICK[] =
    "        double *restrict P = x->p, *restrict P_low = x->p_low, *restrict K = x->kick;\n"
    "        (void)P_low;\n"
    "        for (int i = 0; i < b - a; i++) {\n"
    "            const double k = SUM, d = K[a + i] + k;\n"
    "            ADD(P[a + i], P_low[a + i], d);\n"
    "            K[a + i] = k;\n"
    "        }\n";

static void write_step(const row_plan *plan, text *out)
{
    const int halo = row_plan_halo(plan);
    text_printf(out,
                "void step(const struct leap *x, struct range *range, int part)\n{\n"
                "    enum { TILE = %d, HALO = %d };\n"
                "    const int from = range->from, to = range->to, stop = range->b;\n"
                "    const struct rows *s = x->s;\n    const double *c = x->c;\n"
                "    const double *before = x->edge + (long)(part - 1) * 2 * HALO + HALO;\n"
                "    const double *next = x->edge + (long)(part + 1) * 2 * HALO;\n"
                "    double W[TILE + 2 * HALO];\n"
                "    int done = range->done;\n"
                "    for (int a = range->a, b; a < stop; a = b) {\n"
                "        b = a + TILE < stop ? a + TILE : stop;\n"
                "        const int high = b + HALO < x->n ? b + HALO : x->n, end = high < to ? high : to;\n"
                "        const int first = a > HALO ? a - HALO : 0;\n"
                "%s",
                ROWS_TILE, halo, AHEAD);
    write_loops(plan, out);
    text_printf(out,
                "%s    }\n"
                "    range->done = done;\n"
                "}\n#undef SUM\n",
                KICK);
}

static void write_text(const row_plan *plan, bool plain, text *out)
{
    text_add(out, "#ifdef __GNUC__\n#pragma GCC optimize(\"O3\")\n#endif\n"); /* loops as vectors */
    emit_c_prototypes(out);
    row_plan_declare(plan, out);
    text_add(out, DECLARATIONS);
    text_add(out, plain ? PLAIN : COMPENSATED);
    write_forces(plan, out);
    write_step(plan, out);
}

bool leaps_compile(leaps *l, mem *m, text *why)
{
    text words = text_new(m);
    write_text(l->plan, l->plain, &words);
    const native_library *lib = native_build(m, words.at, words.n, why);
    text_drop(&words);
    if (!lib) return false;
    l->forces = (leap_function)native_symbol(lib, "forces");
    l->step = (leap_function)native_symbol(lib, "step");
    return l->forces && l->step;
}
