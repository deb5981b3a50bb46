/* passes_text.c - C text of the passes: the sums of rows, and the files of src/step around them. */
#include "mech/large/passes_inside.h"

#include "kernel/emit_c.h"
#include "step/embedded.h"

static const char DECLARATIONS[] =
    "struct pass { const struct rows *s; const double *c, *q, *q_low, *z, *p, *p_low;\n"
    "              double l, slope; int n, origin;\n"
    "              double *r;\n"
    "              const double *history[4], *edge, *c_force; double *y, *found, *work, *to[4];\n"
    "              const void *group; int length, halo, tiles, seams, again, direct;\n"
    "              double stretch; };\n";

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
                                                .each = "R[i] = IN_TWO(p[i] + sum, p_low[i]);",
                                                .each_four =
                                                    "V(R + i) = IN_TWO(V(p + i) + sum, V(p_low + i));"};
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
    if (p->linear) row_plan_function(p->plan, &residual, out);
    for (int k = 0; k < 2 && !p->linear; k++) row_plan_function(p->plan, &ends[k], out);
}

void passes_write(const passes *p, text *out)
{
    text_add(out, "#ifdef __GNUC__\n#pragma GCC optimize(\"O3\")\n#endif\n"); /* loops as vectors */
    emit_c_prologue(out);
    text_printf(out, "#define PLAIN %d\n#define HALO %d\n#define ROWS_TILE %d\n", p->plain,
                row_plan_halo(p->plan), ROWS_TILE);
    row_plan_declare(out);
    text_add(out, DECLARATIONS);
    text_add(out, "typedef double real;\n#define WITHIN static inline\n");
    text_add(out, step_text("sum.h")), text_add(out, step_text("two_parts.h"));
    if (p->linear) band_factors_write(out, p->reach), text_add(out, step_text("linear_sums.h"));
    write_sums(p, out);
    if (p->linear) passes_write_linear(p, out);
    else text_add(out, step_text("end_rows.h"));
}
