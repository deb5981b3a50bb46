/* leapfrog_text.c - C text for a pass over rows: the sums of forces, and step/leapfrog.h around
 * them. */
#include "mech/large/leapfrog_inside.h"

#include "kernel/emit_c.h"
#include "kernel/native.h"
#include "step/embedded.h"

/* What these sources give rows a .. b-1, into an array. */
static void write_rows(const row_plan *plan, unsigned sources, const char *into, text *out)
{
    text_add(out, "        {\n");
    row_plan_loops(plan, sources, out);
    text_printf(out,
                "        double *restrict k = x->%s + a;\n"
                "        for (int i = 0; i < b - a; i++) k[i] = ",
                into);
    row_plan_sum(plan, sources, 0, out);
    text_add(out, ";\n        }\n");
}

/* Kicks at the beginning of a run, and the part of f in them where its work is asked for. */
static void write_forces(const leapfrog *l, text *out)
{
    text_add(out,
             "static void find_forces(const struct leapfrog_pass *x, const double *restrict q, "
             "int first, int a, int b)\n{\n"
             "    const struct rows *s = x->s;\n    const double *c = x->c;\n");
    write_rows(l->plan, OF_FORCE, "kick", out);
    if (l->x.force) write_rows(l->plan, OF_F_ALONE, "force", out);
    text_add(out, "}\n");
}

/* Forces on rows a .. b-1, the kicks they give, and their work, where there is any. */
static void write_kicks(const leapfrog *l, text *out)
{
    static const char *const none[] = {NULL}, *const by[] = {"drift", "R", NULL},
                             *const into[] = {"P", "P_low", "K", NULL},
                             *const works[] = {"P", "P_low", "K", "W", "Z", "F", NULL};
    static const char plain[] = "KICK(P[i], P_low[i], K[i], sum); K[i] = sum;",
                      forced[] = "Z[i] = drift[i] * (IN_TWO(P[i] + K[i], P_low[i]));\n"
                                 "        KICK(P[i], P_low[i], K[i], sum); K[i] = sum;",
                      damped[] = "Z[i] = drift[i] * (IN_TWO(P[i] + K[i], P_low[i]));\n"
                                 "        const double lost = R[i] * Z[i];\n"
                                 "        LESS(P[i], P_low[i], K[i], lost, sum); K[i] = sum;\n"
                                 "        W[i] -= Z[i] * lost;";
    const row_function kicks = {
        .name = "kicks",
        .wanted = OF_FORCE,
        .reads = l->x.work ? by : none,
        .writes = l->x.work ? works : into,
        .each = l->x.resistance ? damped : l->x.work ? forced : plain,
        .force = l->x.force ? "W[i] += Z[i] * (F[i] + force); F[i] = force;" : NULL};
    row_plan_function(l->plan, &kicks, out);
}

/* The call of `kicks` for rows a .. b-1, with or without the arrays of work. */
static void write_tile(const leapfrog *l, text *out)
{
    const char *momenta = "x->p + a, x->p_low + a, x->kick + a";
    text_add(out,
             "static void kick_rows(const struct leapfrog_pass *x, const double *q, int first, "
             "int a, int b)\n{\n");
    if (l->x.work)
        text_printf(out,
                    "    double Z[TILE];\n"
                    "    kicks(x->s, x->c, x->c, q, q, first, a, b, x->drift + a, %s, %s,\n"
                    "          x->work + a, Z, %s);\n}\n",
                    l->x.resistance ? "x->resistance + a" : "0", momenta,
                    l->x.force ? "x->force + a" : "0");
    else text_printf(out, "    kicks(x->s, x->c, x->c, q, q, first, a, b, %s);\n}\n", momenta);
}

static void write_text(const leapfrog *l, text *out)
{
    const row_plan *plan = l->plan;
    text_add(out, "#ifdef __GNUC__\n#pragma GCC optimize(\"O3\")\n#endif\n"); /* loops as vectors */
    emit_c_prologue(out);
    text_printf(out, "#define PLAIN %d\n#define HALO %d\n#define TILE %d\n", l->plain,
                row_plan_halo(plan), ROWS_TILE);
    if (l->parts > 1) text_printf(out, "#define BY(x) (c[%d] * (x))\n", OF_PART);
    else text_add(out, "#define BY(x) (x)\n");
    text_add(out,
             "typedef double real;\n#define WITHIN static inline\n"
             "#ifdef __GNUC__\n#define inline inline __attribute__((always_inline))\n#endif\n");
    row_plan_declare(out);
    text_add(out, step_text("sum.h"));
    text_add(out, step_text("leapfrog.h"));
    write_forces(l, out);
    write_kicks(l, out);
    write_tile(l, out);
    if (l->in_lanes) leapfrog_lanes_text(l, out);
}

/* False: no compiler, or it failed; `why` says which. */
bool leapfrog_compile(leapfrog *l, mem *m, text *why)
{
    text words = text_new(m);
    write_text(l, &words);
    const native_library *lib = native_build(m, words.at, words.n, why);
    text_drop(&words);
    if (!lib) return false;
    l->forces = (leapfrog_function)native_symbol(lib, "forces");
    l->step = (leapfrog_function)native_symbol(lib, "step");
    if (l->in_lanes) l->lanes = (lanes_function)native_symbol(lib, "lanes");
    return l->forces && l->step && (l->lanes || !l->in_lanes);
}
