/* passes_text.c - C text of the passes: sample points around a tile of rows, the sums of its rows,
 * and what becomes of them. */
#include "mech/large/passes_inside.h"

#include "kernel/emit_c.h"

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
    "              double *r;\n"
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

/* Functions that sum rows: the residual of a linear chain; increments of momentum and forces at the
 * end of a step of a nonlinear one. */
static void write_sums(const passes *p, text *out)
{
    static const char *const of_p[] = {"p", "p_low", NULL}, *const nothing[] = {NULL},
                             *const into[] = {"R", NULL};
    static const row_function       residual = {.name = "residual_sums",
                                                .wanted = OF_RESIDUAL,
                                                .reads = of_p,
                                                .writes = into,
                                                .each = "R[i] = OF_P(p[i] + sum, p_low[i]);",
                                                .each_four =
                                                    "V(R + i) = OF_P(V(p + i) + sum, V(p_low + i));"};
    static const row_function       ends[] = {{.name = "momentum_sums",
                                               .wanted = OF_MOMENTUM,
                                               .reads = nothing,
                                               .writes = into,
                                               .each = "R[i] = sum;"},
                                              {.name = "force_sums",
                                               .wanted = OF_FORCE,
                                               .reads = nothing,
                                               .writes = into,
                                               .each = "R[i] = sum;"}};
    if (p->linear) passes_write_rows(p, &residual, out);
    for (int k = 0; k < 2 && !p->linear; k++) row_plan_function(p->plan, &ends[k], out);
}

/* One pass: sample points, and sums. */
static void write_pass(const passes *p, const char *name, text *out)
{
    text_printf(out, "void %s(const struct pass *x, int from, int to)\n{\n", name);
    text_add(out, "    const struct rows *s = x->s;\n    const double *c = x->c;\n");
    write_points(out, row_plan_halo(p->plan));
    text_printf(out,
                "        %s_sums(s, c, c, Q, W, low, a, b, x->r + (a - x->origin));\n"
                "    }\n}\n",
                name);
}

void passes_write(const passes *p, text *out)
{
    text_add(out, "#ifdef __GNUC__\n#pragma GCC optimize(\"O3\")\n#endif\n"); /* loops as vectors */
    emit_c_prologue(out);
    row_plan_declare(p->plan, out);
    text_add(out, DECLARATIONS);
    text_add(out, p->plain ? PLAIN : IN_TWO);
    write_choice(p, out);
    if (p->linear) band_factors_write(out, p->reach);
    write_sums(p, out);
    if (p->linear) passes_write_linear(p, out);
    else write_pass(p, "momentum", out), write_pass(p, "force", out);
}
