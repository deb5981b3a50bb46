/* leapfrog_text.c - C text for a pass over rows: positions drift as far ahead as forces read them,
 * then forces are summed and momenta kicked, tile by tile. */
#include "mech/large/leapfrog_inside.h"

#include "kernel/emit_c.h"
#include "kernel/native.h"

/* Updates of positions and momenta; LESS: with damping; MIDDLE, GO_ON, GO_LESS: the same for
 * stretches in lanes (leapfrog_inside.h). */
static const char PLAIN[] =
    "#define IN_TWO(x, low) (x)\n"
    "#define ADD(x, low, d) ((x) += (d))\n"
    "#define KICK(p, low, k, next) ((p) = ((p) + (k)) + (next))\n"
    "#define LESS(p, low, k, lost, next) ((p) = (((p) + (k)) - (lost)) + (next))\n"
    "#define MIDDLE(p, low, k) (p)\n"
    "#define GO_ON(p, low, k, next) ((p) = ((p) + (next)) + (next))\n"
    "#define GO_LESS(p, low, k, lost, next) ((p) = (((p) - (lost)) + (next)) + (next))\n";
static const char COMPENSATED[] =
    "#define IN_TWO(x, low) ((x) + (low))\n"
    "#define ADD(x, low, d) do { const double d_ = (d) + (low), x_ = (x), s_ = x_ + d_; \\\n"
    "    (x) = s_, (low) = d_ - (s_ - x_); } while (0)\n"
    "#define KICK(p, low, k, next) ADD(p, low, (k) + (next))\n"
    "#define LESS(p, low, k, lost, next) ADD(p, low, ((k) + (next)) - (lost))\n"
    "#define MIDDLE(p, low, k) IN_TWO((p) + (k), low)\n"
    "#define GO_ON(p, low, k, next) do { KICK(p, low, k, next); (k) = (next); } while (0)\n"
    "#define GO_LESS(p, low, k, lost, next) \\\n"
    "    do { LESS(p, low, k, lost, next); (k) = (next); } while (0)\n";

static const char DECLARATIONS[] =
    "struct leapfrog_pass { const struct rows *s; const double *c;\n"
    "              double *q, *q_low, *p, *p_low, *kick;\n"
    "              const double *drift, *same, *resistance; double *force, *work; };\n"
    "struct range { int a, b, done, to; };\n";

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

static void write_forces(const leapfrog *l, text *out)
{
    const int halo = row_plan_halo(l->plan);
    text_printf(
        out,
        "void forces(const struct leapfrog_pass *x, struct range *r)\n{\n"
        "    const struct rows *s = x->s;\n    const double *c = x->c;\n"
        "    for (int a = r->a; a < r->b; a += %d) {\n"
        "        const int b = a + %d < r->b ? a + %d : r->b, first = a > %d ? a - %d : 0;\n"
        "        const double *restrict q = x->q + first;\n",
        ROWS_TILE, ROWS_TILE, ROWS_TILE, halo, halo);
    write_rows(l->plan, OF_FORCE, "kick", out);
    if (l->x.force) write_rows(l->plan, OF_F_ALONE, "force", out);
    text_add(out, "    }\n}\n");
}

/* Positions up to `halo` rows ahead; masses are mostly the same in all tiles that these lie in. */
static const char AHEAD[] =
    "        if (done < end) {\n"
    "            double *restrict Q = x->q, *restrict Q_low = x->q_low;\n"
    "            const double *restrict P = x->p, *restrict P_low = x->p_low;\n"
    "            const double *restrict K = x->kick, *restrict drift = x->drift;\n"
    "            double same = x->same[done / TILE];\n"
    "            for (int t = done / TILE + 1; t <= (end - 1) / TILE; t++)\n"
    "                same = x->same[t] == same ? same : 0.0 / 0.0;\n"
    "            (void)Q_low, (void)P_low;\n"
    "            if (same == same)\n"
    "                for (int i = done; i < end; i++)\n"
    "                    ADD(Q[i], Q_low[i], same * (IN_TWO(P[i] + K[i], P_low[i])));\n"
    "            else\n"
    "                for (int i = done; i < end; i++)\n"
    "                    ADD(Q[i], Q_low[i], drift[i] * (IN_TWO(P[i] + K[i], P_low[i])));\n"
    "            done = end;\n"
    "        }\n"
    "        const double *restrict q = x->q + first;\n";

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

static void write_step(const leapfrog *l, text *out)
{
    const int   halo = row_plan_halo(l->plan);
    const char *momenta = "x->p + a, x->p_low + a, x->kick + a";
    text_printf(
        out,
        "void step(const struct leapfrog_pass *x, struct range *range)\n{\n"
        "    enum { TILE = %d, HALO = %d };\n"
        "    const int stop = range->b, to = range->to;\n"
        "    int done = range->done;\n"
        "    for (int a = range->a, b; a < stop; a = b) {\n"
        "        b = a + TILE < stop ? a + TILE : stop;\n"
        "        const int end = b + HALO < to ? b + HALO : to, first = a > HALO ? a - HALO : 0;\n"
        "%s",
        ROWS_TILE, halo, AHEAD);
    if (l->x.work)
        text_printf(out,
                    "        double Z[TILE];\n"
                    "        kicks(x->s, x->c, x->c, q, q, first, a, b, x->drift + a,\n"
                    "              %s, %s, x->work + a, Z, %s);\n",
                    l->x.resistance ? "x->resistance + a" : "0", momenta,
                    l->x.force ? "x->force + a" : "0");
    else text_printf(out, "        kicks(x->s, x->c, x->c, q, q, first, a, b, %s);\n", momenta);
    text_add(out, "    }\n"
                  "    range->done = done;\n"
                  "}\n");
}

static void write_text(const leapfrog *l, text *out)
{
    const row_plan *plan = l->plan;
    text_add(out, "#ifdef __GNUC__\n#pragma GCC optimize(\"O3\")\n#endif\n"); /* loops as vectors */
    emit_c_prologue(out);
    row_plan_declare(plan, out);
    text_add(out, DECLARATIONS);
    text_add(out, l->plain ? PLAIN : COMPENSATED);
    write_forces(l, out);
    write_kicks(l, out);
    write_step(l, out);
    if (l->in_lanes) leapfrog_lanes_text(l, out);
}

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
