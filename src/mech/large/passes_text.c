/* passes_text.c - C text of the passes: sample points around a tile of rows, the sums of its rows,
 * and what becomes of them. */
#include "mech/large/passes_inside.h"

#include "kernel/emit_c.h"

const char *const pass_names[KINDS] = {[RESIDUAL] = "residual",
                                       [JACOBIAN] = "jacobian",
                                       [MOMENTUM] = "momentum",
                                       [FORCE] = "force"};

/* The state in one part or in two, summed as in stepper.h: a sample point, a momentum, and the next
 * state. */
static const char PLAIN[] = "#define AT(x, low, d) ((x) + (d))\n"
                            "#define OF_P(x, low) (x)\n"
                            "#define ADD(to, to_low, x, low, d) (to = x + d)\n";
static const char IN_TWO[] =
    "#define AT(x, low, d) ((x) + ((low) + (d)))\n"
    "#define OF_P(x, low) ((x) + (low))\n"
    "static inline void two(double x, double low, double dx, double *to, double *to_low)\n"
    "{\n"
    "    const double d = dx + low, sum = x + d, back = sum - x;\n"
    "    *to = sum, *to_low = (x - (sum - back)) + (d - back);\n"
    "}\n"
    "#define ADD(to, to_low, x, low, d) two(x, low, d, &to, &to_low)\n";

static const char DECLARATIONS[] =
    "struct pass { const struct rows *s; const double *c, *q, *q_low, *z, *p, *p_low;\n"
    "              double l, slope; int n, origin, settled;\n"
    "              double *r, *values; const int *start, *column;\n"
    "              const double *past[4], *edge, *c_force; double *y, *found, *work, *to[4];\n"
    "              const void *group; int length, reach, halo, tiles, seams, again, direct;\n"
    "              double stretch; };\n";

/* Sample points around a stretch of rows, and its end. */
static void write_points(text *out, int halo)
{
    text_printf(
        out,
        "    for (int a = from; a < to; a += %d) {\n"
        "        const int b = a + %d < to ? a + %d : to, low = a > %d ? a - %d : 0;\n"
        "        const int high = b + %d < x->n ? b + %d : x->n;\n"
        "        const double *restrict base = x->q + low, *restrict rest = x->q_low + low;\n"
        "        const double *restrict z = x->z + low;\n"
        "        double Q[%d], W[%d];\n"
        "        for (int i = 0; i < high - low; i++) {\n"
        "            Q[i] = AT(base[i], rest[i], x->l * z[i]);\n"
        "            W[i] = x->slope * z[i];\n"
        "        }\n",
        ROWS_TILE, ROWS_TILE, ROWS_TILE, halo, halo, halo, halo, ROWS_TILE + 2 * halo,
        ROWS_TILE + 2 * halo);
}

bool pass_is_compiled(const passes *p, int kind)
{
    return kind == RESIDUAL || !p->linear || (kind != JACOBIAN && !p->partitioned);
}

/* Rows of a linear system, by the plan that applies. */
void passes_write_rows(const passes *p, const row_function *f, text *out)
{
    row_function other = *f;
    row_plan_function(p->plan, f, out);
    if (!p->settled) return;
    other.name = mem_printf(out->m, "settled_%s", f->name);
    row_plan_function(p->settled, &other, out);
}

static void write_choice(const passes *p, text *out)
{
    text_add(out, !p->settled ? "#define ROWS(name, ...) name(__VA_ARGS__)\n"
                              : "#define ROWS(name, ...) \\\n"
                                "    if (x->settled) settled_##name(__VA_ARGS__); \\\n"
                                "    else name(__VA_ARGS__)\n");
}

/* Functions that sum rows: the residual, and increments of momentum and forces for the end of a
 * step. */
static void write_sums(const passes *p, text *out)
{
    static const char *const of_p[] = {"p", "p_low", NULL}, *const nothing[] = {NULL},
                             *const into[] = {"R", NULL};
    static const row_function all[] = {
        [RESIDUAL] = {.name = "residual_sums",
                      .wanted = OF_RESIDUAL,
                      .reads = of_p,
                      .writes = into,
                      .each = "R[i] = OF_P(p[i] + sum, p_low[i]);",
                      .each_four = "V(R + i) = OF_P(V(p + i) + sum, V(p_low + i));"},
        [MOMENTUM] = {.name = "momentum_sums",
                      .wanted = OF_MOMENTUM,
                      .reads = nothing,
                      .writes = into,
                      .each = "R[i] = sum;"},
        [FORCE] = {.name = "force_sums",
                   .wanted = OF_FORCE,
                   .reads = nothing,
                   .writes = into,
                   .each = "R[i] = sum;"}};
    for (int k = 0; k <= FORCE; k++) {
        row_function f = all[k];
        if (!p->partitioned) f.each_four = NULL; /* band_factors_write has declared its vectors */
        if (f.name && pass_is_compiled(p, k)) passes_write_rows(p, &f, out);
    }
}

static void write_entries(const passes *p, text *out)
{
    text_add(out, "    const double *restrict q = Q, *restrict w = W;\n    const int first = low;\n"
                  "    (void)q, (void)w, (void)first;\n");
    row_plan_loops(p->plan, OF_JACOBIAN, out);
    for (int plane = 0; plane < 2 + 2 * p->reach; plane++) {
        text_printf(out, "#undef SUM%d\n#define SUM%d (", plane, plane);
        row_plan_sum(p->plan, OF_JACOBIAN, plane, out);
        text_add(out, ")\n");
    }
}

/* One pass: sample points, sums, and what becomes of them. */
static void write_pass(const passes *p, int kind, const char *end, text *out)
{
    text_printf(out, "void %s(const struct pass *x, int from, int to)\n{\n", pass_names[kind]);
    text_add(out, "    const struct rows *s = x->s;\n    const double *c = x->c;\n");
    write_points(out, row_plan_halo(p->plan));
    if (kind == JACOBIAN) write_entries(p, out);
    text_printf(out, "%s    }\n}\n", end);
}

/* Entries of wider bands: first all entries of a tile at each distance from the diagonal, then each
 * to its place. */
static const char *entries_of_band(mem *m, int reach)
{
    text out = text_new(m);
    text_printf(&out, "        double P[%d][%d];\n", 2 * reach + 1, ROWS_TILE);
    for (int o = 0; o <= 2 * reach; o++)
        text_printf(&out, "        for (int i = 0; i < b - a; i++) P[%d][i] = SUM%d;\n", o, o + 1);
    text_printf(&out,
                "        for (int i = 0; i < b - a; i++)\n"
                "            for (int k = x->start[a + i]; k < x->start[a + i + 1]; k++)\n"
                "                x->values[k] = P[x->column[k] - (a + i) + %d][i];\n",
                reach);
    return text_str(&out);
}

void passes_write(const passes *p, text *out)
{
    static const char of_p[] =
        "        const double *restrict p = x->p + a, *restrict p_low = x->p_low + a;\n"
        "        double *restrict r = x->r + (a - x->origin);\n"
        "        for (int i = 0; i < b - a; i++) r[i] = OF_P(p[i] + SUM0, p_low[i]);\n";
    static const char residual[] =
        "        ROWS(residual_sums, s, c, c, Q, W, low, a, b, x->p + a, x->p_low + a,\n"
        "             x->r + (a - x->origin));\n";
    static const char of_dp[] =
        "        ROWS(momentum_sums, s, c, c, Q, W, low, a, b, x->r + (a - x->origin));\n";
    static const char of_f[] =
        "        ROWS(force_sums, s, c, c, Q, W, low, a, b, x->r + (a - x->origin));\n";
    static const char of_three[] =
        "        double *restrict row = x->values + 3 * (long)a;\n"
        "        const int head = a == 0, tail = b == x->n, last = b - a - 1;\n"
        "        if (head) { const int i = 0; row[0] = SUM2, row[1] = SUM3; }\n"
        "        for (int i = head; i < b - a - tail; i++)\n"
        "            row[3 * i - 1] = SUM1, row[3 * i] = SUM2, row[3 * i + 1] = SUM3;\n"
        "        if (tail) { const int i = last; row[3 * i - 1] = SUM1, row[3 * i] = SUM2; }\n";
    text_add(out, "#ifdef __GNUC__\n#pragma GCC optimize(\"O3\")\n#endif\n"); /* loops as vectors */
    emit_c_prologue(out);
    row_plan_declare(p->plan, out);
    text_add(out, DECLARATIONS);
    text_add(out, p->plain ? PLAIN : IN_TWO);
    write_choice(p, out);
    if (p->partitioned) band_factors_write(out, p->reach);
    write_sums(p, out);
    const char *of_J = p->reach > 1 ? entries_of_band(out->m, p->reach) : of_three;
    const char *end[] = {residual, mem_printf(out->m, "%s%s", of_p, of_J), of_dp, of_f};
    for (int k = RESIDUAL; k <= FORCE; k++)
        if (pass_is_compiled(p, k)) write_pass(p, k, end[k], out);
    if (p->partitioned) passes_write_linear(p, out);
}
