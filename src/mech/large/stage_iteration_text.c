/* stage_iteration_text.c - C text of the passes: tables of the scheme, sums of the model's forces,
 * and step/stage_iteration.h around them. */
#include "mech/large/stage_iteration_inside.h"

#include "kernel/emit_c.h"
#include "kernel/native.h"
#include "step/embedded.h"

/* A table with `sides` directions of time. */
static void write_table(const char *name, double *const *of, int sides, int rows, int columns,
                        int stride, text *out)
{
    text_printf(out, "static const double table_%s", name);
    if (sides > 1) text_printf(out, "[%d]", sides);
    if (rows) text_printf(out, "[%d]", rows);
    text_printf(out, "[%d] = {", columns);
    for (int side = 0; side < sides; side++)
        for (int i = 0; i < (rows ? rows : 1); i++)
            for (int k = 0; k < columns; k++) text_printf(out, "%a,", of[side][i * stride + k]);
    text_add(out, "};\n");
}

static void write_tables(const stepper *st, text *out)
{
    const equations *eq = &st->eq;
    const picard    *p = &st->picard;
    const int        S = eq->s, d = eq->d;
    double *const    l[] = {eq->rule.at[0].l + 1, eq->rule.at[1].l + 1};
    double *const    dl[] = {eq->rule.at[0].dl + 1, eq->rule.at[1].dl + 1};
    double *const b[] = {eq->rule.b}, *const x[] = {eq->control.x[0] + 1};
    text_add(out, "#ifdef __GNUC__\n#pragma GCC diagnostic ignored \"-Wmissing-braces\"\n#endif\n");
    write_table("b", b, 1, 0, S, S, out);
    write_table("x", x, 1, 0, d, d, out);
    write_table("c", p->c, 2, 0, S, S, out);
    write_table("C", p->C, 2, S, S, S, out);
    write_table("D", p->D, 2, S, S, S, out);
    write_table("E", p->E, 2, d, S, S, out);
    write_table("l", l, 2, S, d, d + 1, out);
    write_table("dl", dl, 2, S, d, d + 1, out);
}

/* What these sources give rows a .. b-1, into F. */
static void write_sums(const row_plan *plan, const char *name, unsigned wanted, text *out)
{
    static const char *const nothing[] = {NULL}, *const into[] = {"F", NULL};
    const row_function sums = {.name = mem_printf(out->m, "%s_sums", name),
                               .wanted = wanted,
                               .reads = nothing,
                               .writes = into,
                               .each = "F[i] = sum;"};
    row_plan_function(plan, &sums, out);
    text_printf(out,
                "static void %s_of(const struct rows *s, const double *q, const double *v, int a, "
                "int b, double *F)\n{\n"
                "    static const double one[] = {1, 1, 1, 1, 1, 1, 1};\n"
                "    %s(s, one, one, q, v, 0, a, b, F);\n}\n",
                name, sums.name);
}

_Static_assert(ROW_SOURCES == 7, "as many coefficients as there are sources");

static void write_text(const stage_iteration *s, const stepper *st, text *out)
{
    text_add(out, "#ifdef __GNUC__\n#pragma GCC optimize(\"O3\")\n#endif\n"); /* loops as vectors */
    emit_c_prologue(out);
    text_printf(out,
                "#define PLAIN %d\n#define HALO %d\n#define TILE %d\n#define FOUND %d\n"
                "#define STAGES %d\n#define DEGREE %d\n#define MOVES %d\n#define FORCED %d\n",
                s->plain, row_plan_halo(s->plan), ROWS_TILE, FOUND, st->eq.s, st->eq.d, s->moves,
                s->forced);
    text_add(out, "typedef double real;\n#define WITHIN static inline\n");
    row_plan_declare(out);
    text_printf(out, "struct stage_pass { const struct rows *s; %s };\n",
                TEXT_OF_ALL(STAGE_FIELDS));
    write_tables(st, out);
    text_add(out, step_text("sum.h"));
    text_add(out, step_text("stage_iteration.h"));
    write_sums(s->plan, "forces", OF_FORCE, out);
    if (s->forced) write_sums(s->plan, "forced", OF_F_ALONE, out);
    else
        text_add(out, "static void forced_of(const struct rows *s, const double *q, const double "
                      "*v, int a, int b, double *F)\n{\n    (void)s, (void)q, (void)v, (void)a, "
                      "(void)b, (void)F;\n}\n");
}

/* False: no compiler, or it failed; `why` says which. */
bool stage_iteration_compile(stage_iteration *s, mem *m, const stepper *st, text *why)
{
    static const char *const names[] = {[BEGIN] = "stages_begin",
                                        [FIRST] = "stages_first",
                                        [NEXT] = "stages_next",
                                        [WEIGH] = "stages_weigh",
                                        [END] = "stages_end"};
    text                     words = text_new(m);
    bool                     all = true;
    write_text(s, st, &words);
    const native_library *lib = native_build(m, words.at, words.n, why);
    text_drop(&words);
    for (int k = 0; k < STAGE_KINDS && lib; k++) {
        s->pass[k] = (stage_function)native_symbol(lib, names[k]);
        all = all && s->pass[k];
    }
    return lib && all;
}
