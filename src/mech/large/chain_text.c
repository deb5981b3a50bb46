/* chain_text.c - C text for the two passes in lanes. In quick stretches a row is evaluated in all
 * lanes right where it is eliminated; in others, at the ends of runs, each partition is evaluated
 * by itself, into planes. */
#include "mech/large/chain_inside.h"
#include "step/embedded.h"

static const char HELP[] =
    "#ifdef __GNUC__\n"
    "#define inline inline __attribute__((always_inline))\n"
    "#pragma GCC optimize(\"no-tree-loop-distribute-patterns\")\n" /* no calls for so few numbers */
    "#endif\n";

/* Planes of rows a .. b-1: r, and the entries of the matrix from the left. */
static void write_evaluation(const chain_passes *c, text *out)
{
    const int planes = 2 * c->partitions->reach + 2;
    text_add(out, "static void evaluate(const chain_pass *x, long at, int a, int b, "
                  "double *restrict to)\n{\n"
                  "    const struct rows *s = x->s;\n    const double *c = x->c;\n"
                  "    double Q[PARTITION_ROOM], W[PARTITION_ROOM];\n"
                  "    const int first = partition_points(x, at, a, b, Q, W);\n"
                  "    const double *restrict q = Q, *restrict w = W;\n"
                  "    (void)q, (void)w, (void)first;\n");
    row_plan_loops(c->plan, c->sources, out);
    text_add(out, "    const double *restrict p = x->p + at;\n"
                  "    LOW(const double *restrict p_low = x->p_low + at;)\n"
                  "    for (int i = 0; i < b - a; i++) to[i] = IN_TWO(p[i * GROUP] + (");
    row_plan_sum(c->plan, c->sources, 0, out);
    text_add(out, "), p_low[i * GROUP]);\n");
    for (int plane = 1; plane < planes; plane++) {
        text_printf(out, "    for (int i = 0; i < b - a; i++) to[%d * GROUP_PLANE + i] = ", plane);
        row_plan_sum(c->plan, c->sources, plane, out);
        text_add(out, ";\n");
    }
    text_add(out, "}\n");
}

/* In lanes. ------------------------------------------------------------------------------------ */

/* A row of a site: its sums, and what elimination makes of it. */
static void write_row(const chain_passes *c, int row, text *out)
{
    const int B = c->partitions->reach;
    text_printf(out,
                "        {\n        double e[2 * B + 2];\n"
                "        e[2 * B + 1] = IN_TWO(p[%d * L + l] + (",
                row);
    row_sites_sum(c->lanes, c->sources, 0, row, out);
    text_printf(out, "), p_low[%d * L + l]);\n", row);
    for (int q = 0; q <= 2 * B; q++) {
        text_printf(out, "        e[%d] = ", q);
        row_sites_sum(c->lanes, c->sources, q + 1, row, out);
        text_add(out, ";\n");
    }
    text_printf(out,
                "        eliminate(B, spikes, &at, U + %d * (B + 1) * L, e, l, "
                "multiplier[%d], inverse[%d]);\n        }\n",
                row, row, row);
}

/* Arrays begin with row `from`. */
static void write_sites(const chain_passes *c, text *out)
{
    text_add(out, "static inline void quick_rows(const int spikes, "
                  "const chain_pass *x, group *s, int from, int rows,\n"
                  "    const double *restrict q, const double *restrict q_low, "
                  "const double *restrict y,\n"
                  "    const double *restrict p, const double *restrict p_low, double *restrict U");
    row_sites_parameters(c->lanes, "const double *restrict ", out);
    text_printf(out,
                ")\n{\n    enum { B = PARTITION_REACH, SITE = %d };\n"
                "    const double *c = x->c, along = x->l, slope = x->slope;\n"
                "    double multiplier[SITE][B][L], inverse[SITE][L];\n    front at;\n",
                c->lanes->site);
    row_sites_arrays(c->lanes, out);
    text_add(out, "    open_front(B, s, from, &at);\n"
                  "    IN_LANES(l) {\n"
                  "        enum { a = 0 };\n");
    row_sites_history(c->lanes, out);
    text_add(out, "    }\n    for (int a = 0; a < rows; a += SITE) {\n    IN_LANES(l) {\n");
    row_sites_terms(c->lanes, out);
    for (int row = 0; row < c->lanes->site; row++) write_row(c, row, out);
    row_sites_carry(c->lanes, out);
    text_add(out, "    }\n    for (int k = 0; k < (spikes ? SITE : 0); k++)\n"
                  "        follow_spikes(B, s, from + a + k, multiplier[k], inverse[k]);\n"
                  "    GO_ON(q), GO_ON(q_low), GO_ON(y), GO_ON(p), GO_ON(p_low), "
                  "U += SITE * (B + 1) * L;\n"
                  "    }\n    close_front(s, &at);\n}\n");
}

/* What the terms of a quick stretch read besides the sample points, one lane at a time. */
static void write_reading(const chain_passes *c, text *out)
{
    text_add(out, "static void read_lane(const struct rows *s, const int *run, long row, int rows, "
                  "int l");
    row_sites_parameters(c->lanes, "double *restrict ", out);
    text_add(out, ")\n{\n    (void)s, (void)run, (void)row, (void)rows, (void)l, (void)still;\n");
    row_sites_read(c->lanes, out);
    text_add(out, "}\n");
}

/* A function for a quick stretch begins by loading what its rows need besides the sample points. */
void chain_begin_quick(const chain_passes *c, text *out)
{
    text_add(out, "    enum { B = PARTITION_REACH };\n"
                  "    const int from = t->from, rows = t->rows;\n"
                  "    const long at = place(s, number) + (long)from * L, "
                  "row = (long)number * GROUP * s->length + from;\n");
    row_sites_room(c->lanes, QUICK_TILE, out);
    text_add(out, "    IN_LANES(l)\n"
                  "        read_lane(x->s, x->run + t->region[l] * TERMS, "
                  "row + (long)l * s->length, rows, l");
    row_sites_parameters(c->lanes, "", out);
    text_add(out, ");\n");
}

/* While a spike of the elimination is not 0 yet, it is carried along (mind_spikes). */
static void write_ways(const row_lanes *w, text *out)
{
    static const char *const ways[] = {"if (from < s->alive) quick_rows(1", "else quick_rows(0"};
    text_add(out, "    double *U = s->row + (long)from * (B + 1) * L;\n");
    for (int k = 0; k < 2; k++) {
        text_printf(out,
                    "    %s, x, s, from, rows, x->q + at, x->q_low + at, x->y + at, x->p + at, "
                    "x->p_low + at, U",
                    ways[k]);
        row_sites_parameters(w, "", out);
        text_add(out, ");\n");
    }
    text_add(out, "    if (from < s->alive) mind_spikes(B, s, from + rows);\n");
}

/* Without lanes no stretch is quick. */
static void write_quick(const chain_passes *c, text *out)
{
    if (c->lanes) {
        text_printf(out, "enum { L = GROUP, TERMS = %d };\n", c->lanes->terms);
        write_sites(c, out);
        write_reading(c, out);
    }
    text_add(out, "static void side_by_side(const chain_pass *x, int number, group *s, "
                  "const stretch *t)\n{\n");
    if (c->lanes) chain_begin_quick(c, out), write_ways(c->lanes, out);
    text_add(out, "}\n");
}

/* Sizes and structs, step/chain.h with partition.h, then the functions of the model. */
void chain_write(const chain_passes *c, text *out)
{
    text_add(out, HELP);
    group_write(out, c->partitions->reach);
    text_printf(out, "#define MEASURES %d\n#define GUARD %d\n", MEASURES, c->guard);
    text_printf(out, "typedef struct { %s } stretch;\n", TEXT_OF_ALL(STRETCH_FIELDS));
    text_printf(out, "typedef struct { const struct rows *s; %s } chain_pass;\n",
                TEXT_OF_ALL(CHAIN_FIELDS));
    text_add(out, step_text("chain.h"));
    write_evaluation(c, out);
    write_quick(c, out);
    chain_write_end(c, out);
}

/* False: a function is missing from the library. */
bool chain_link(chain_passes *c, mem *m, const native_library *lib)
{
    chain_make_lanes(c, m);
    c->down = (chain_down)native_symbol(lib, "chain_down");
    c->up = (chain_up)native_symbol(lib, "chain_up");
    c->close = (chain_end)native_symbol(lib, "chain_end");
    c->turn_in = (chain_turn)native_symbol(lib, "chain_in");
    c->turn_out = (chain_turn)native_symbol(lib, "chain_out");
    return c->down && c->up && c->close && c->turn_in && c->turn_out;
}
