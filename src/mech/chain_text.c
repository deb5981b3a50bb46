/* chain_text.c - the two passes as C text. In quick stretches points of the curve are brought together in lanes, and rows are
 * evaluated where they are eliminated; in others, at the ends of runs, every strand is evaluated by itself, into planes. */
#include "mech/chain_inside.h"

/* With plain sums a number has one part. */
static const char PLAIN[] = "#define IN_TWO(x, low) (x)\n#define AND(low)\n#define LOW(...)\n#define LOW_OF(x) x\n";
static const char COMPENSATED[] =
    "#define IN_TWO(x, low) ((x) + (low))\n#define AND(low) (low) +\n#define LOW(...) __VA_ARGS__\n#define LOW_OF(x) x##_low\n";

/* Of eight strands and several arrays the machine does not guess what is read next. */
static const char HELP[] =
    "#ifdef __GNUC__\n"
    "#define inline inline __attribute__((always_inline))\n"
    "#pragma GCC optimize(\"no-tree-loop-distribute-patterns\")\n" /* no calls for so few numbers */
    "#define AHEAD(x, n) for (int k = 0; k < (n); k += 8) __builtin_prefetch((x) + k, 0, 2)\n"
    "#else\n"
    "#define AHEAD(x, n)\n"
    "#endif\n";

/* One by one. ------------------------------------------------------------------------------------------------------ */

/* Planes of rows a .. b-1: -r, and the entries of the matrix from the left. */
static void write_evaluation(const chain_passes *c, text *out)
{
    const int halo = row_plan_halo(c->plan), planes = 2 * c->strands->reach + 2;
    text_printf(out,
                "static void evaluate(const struct chain *x, int a, int b, double *restrict to)\n{\n"
                "    enum { HALO = %d };\n"
                "    const struct rows *s = x->s;\n    const double *c = x->c;\n"
                "    const int low = a > HALO ? a - HALO : 0, high = b + HALO < x->n ? b + HALO : x->n;\n"
                "    const double *restrict base = x->q + low, *restrict rest = x->q_low + low, *restrict z = x->y + low;\n"
                "    double Q[STRANDS_TILE + 2 * HALO], W[STRANDS_TILE + 2 * HALO];\n"
                "    for (int i = 0; i < high - low; i++) {\n"
                "        Q[i] = base[i] + (AND(rest[i]) x->l * z[i]);\n"
                "        W[i] = x->slope * z[i];\n"
                "    }\n"
                "    const double *restrict q = Q, *restrict w = W;\n    const int first = low;\n"
                "    (void)q, (void)w, (void)first;\n",
                halo);
    row_plan_loops(c->plan, c->sources, out);
    text_add(out, "    const double *restrict p = x->p + a, *restrict p_low = x->p_low + a;\n"
                  "    for (int i = 0; i < b - a; i++) to[i] = -IN_TWO(p[i] + (");
    row_plan_sum(c->plan, c->sources, 0, out);
    text_add(out, "), p_low[i]);\n");
    for (int plane = 1; plane < planes; plane++) {
        text_printf(out, "    for (int i = 0; i < b - a; i++) to[%d * ROPE_PLANE + i] = ", plane);
        row_plan_sum(c->plan, c->sources, plane, out);
        text_add(out, ";\n");
    }
    text_add(out, "}\n");
}

static const char ONE_BY_ONE[] =
    "static void strand_by_strand(const chain_pass *x, int number, rope *s, int from, int rows)\n{\n"
    "    enum { B = STRANDS_REACH, PLANES = 2 * B + 2 };\n"
    "    double planes[ROPE * PLANES * ROPE_PLANE];\n"
    "    for (int l = 0; l < ROPE; l++) {\n"
    "        const int a = (number * ROPE + l) * s->length + from, b = a + rows < x->n ? a + rows : x->n;\n"
    "        double *to = planes + l * PLANES * ROPE_PLANE;\n"
    "        if (a < b) evaluate(x, a, b, to);\n"
    "        if (b - a < rows) pad(B, to, b - a, rows);\n"
    "    }\n"
    "    take_rows(B, s, planes, from, rows);\n"
    "}\n";

/* In lanes. -------------------------------------------------------------------------------------------------------- */

/* A row of a site: its sums, and what elimination makes of it. */
static void write_row(const chain_passes *c, int row, text *out)
{
    const int B = c->strands->reach;
    text_printf(out,
                "        {\n        double e[2 * B + 2];\n"
                "        e[2 * B + 1] = -IN_TWO(P[(a + %d) * L + l] + (",
                row);
    row_sites_sum(c->lanes, 0, row, out);
    text_printf(out, "), P_low[(a + %d) * L + l]);\n", row);
    for (int q = 0; q <= 2 * B; q++) {
        text_printf(out, "        e[%d] = ", q);
        row_sites_sum(c->lanes, q + 1, row, out);
        text_add(out, ";\n");
    }
    text_printf(out, "        eliminate(B, spikes, &at, U + %d * (B + 1) * L, e, l, multiplier[%d], inverse[%d]);\n        }\n",
                row, row, row);
}

/* Q, W and P in lanes begin with row `from`. */
static void write_sites(const chain_passes *c, text *out)
{
    text_add(out, "static inline void quick_rows(const int spikes, const chain_pass *x, rope *s, int from, int rows,\n"
                  "    const double *restrict Q, const double *restrict W, const double *restrict P,\n"
                  "    const double *restrict P_low");
    row_sites_parameters(c->lanes, "const double *restrict ", out);
    text_printf(out, ")\n{\n    enum { B = STRANDS_REACH, SITE = %d };\n    const double *c = x->c;\n"
                     "    double multiplier[SITE][B][L], inverse[SITE][L];\n    front at;\n", c->lanes->site);
    row_sites_arrays(c->lanes, out);
    text_add(out, "    open_front(B, s, from, &at);\n"
                  "    for (int l = 0; l < L; l++) {\n"
                  "        enum { a = 0 };\n        const double *restrict q = Q, *restrict w = W;\n        (void)q, (void)w;\n");
    row_sites_history(c->lanes, out);
    text_add(out, "    }\n    for (int a = 0; a < rows; a += SITE) {\n"
                  "    const double *restrict q = Q + a * L, *restrict w = W + a * L;\n"
                  "    double *restrict U = s->row + ((long)from + a) * (B + 1) * L;\n"
                  "    for (int l = 0; l < L; l++) {\n        (void)q, (void)w;\n");
    row_sites_terms(c->lanes, out);
    for (int row = 0; row < c->lanes->site; row++) write_row(c, row, out);
    row_sites_carry(c->lanes, out);
    text_add(out, "    }\n    for (int k = 0; k < (spikes ? SITE : 0); k++)\n"
                  "        follow_spikes(B, s, from + a + k, multiplier[k], inverse[k]);\n"
                  "    }\n    for (int l = 0; l < L; l++) s->fault[l] = at.fault[l];\n}\n");
}

static void write_reading(const chain_passes *c, text *out)
{
    text_add(out, "static void read_lane(const struct rows *s, const int *run, long row, int rows, int l");
    row_sites_parameters(c->lanes, "double *restrict ", out);
    text_add(out, ")\n{\n    (void)s, (void)run, (void)row, (void)rows, (void)l, (void)still;\n");
    row_sites_read(c->lanes, out);
    text_add(out, "}\n");
}

/* Points of the curve around a stretch, and momenta in it, four rows of all strands at a time. */
static const char POINTS[] =
    "static inline void turn_points(const chain_pass *x, long row, long length, double *restrict Q, double *restrict W)\n{\n"
    "    double of_q[4 * L], of_w[4 * L];\n"
    "    for (int l = 0; l < L; l++) {\n"
    "        const double *restrict base = x->q + row + l * length, *restrict z = x->y + row + l * length;\n"
    "        LOW(const double *restrict rest = x->q_low + row + l * length;)\n"
    "        for (int k = 0; k < 4; k++) {\n"
    "            of_q[l * 4 + k] = base[k] + (AND(rest[k]) x->l * z[k]);\n"
    "            of_w[l * 4 + k] = x->slope * z[k];\n"
    "        }\n"
    "    }\n"
    "    for (int l = 0; l < L; l += 4) turn_four(of_q + l * 4, 4, Q + l, L), turn_four(of_w + l * 4, 4, W + l, L);\n"
    "}\n"
    "static inline void turn_rows(const double *of, long length, int rows, double *restrict to)\n{\n"
    "    for (int i = 0; i < rows; i += 4)\n"
    "        for (int l = 0; l < L; l += 4) turn_four(of + l * length + i, length, to + i * L + l, L);\n"
    "}\n";

static void write_quick(const chain_passes *c, text *out)
{
    const row_lanes *w = c->lanes;
    text_printf(out, "enum { L = ROPE, BACK = %d, AROUND = BACK + %d, QUICK = %d, TERMS = %d };\n%s", w->back,
                w->ahead, QUICK_TILE, w->terms, POINTS);
    write_sites(c, out);
    write_reading(c, out);
    text_add(out, "static void side_by_side(const chain_pass *x, int number, rope *s, const stretch *t)\n{\n"
                  "    enum { B = STRANDS_REACH, ROOM = (QUICK + AROUND + 4) * L };\n"
                  "    double Q[ROOM], W[ROOM], P[QUICK * L] LOW(, P_low[QUICK * L]);\n"
                  "    const int from = t->from, rows = t->rows;\n"
                  "    const long length = s->length, row = (long)number * ROPE * length + from;\n");
    row_sites_room(w, QUICK_TILE, out);
    text_add(out, "    for (int l = 0; l < L; l++) {\n"
                  "        const long next = row + l * length + rows;\n"
                  "        AHEAD(x->q + next, QUICK); AHEAD(x->y + next, QUICK); AHEAD(x->p + next, QUICK);\n"
                  "        LOW(AHEAD(x->q_low + next, QUICK); AHEAD(x->p_low + next, QUICK);)\n"
                  "        read_lane(x->s, x->run + t->region[l] * TERMS, row + l * length, rows, l");
    row_sites_parameters(w, "", out);
    text_add(out, ");\n    }\n"
                  "    for (int i = 0; i < rows + AROUND; i += 4)\n"
                  "        turn_points(x, row - BACK + i, length, Q + i * L, W + i * L);\n"
                  "    turn_rows(x->p + row, length, rows, P);\n"
                  "    LOW(turn_rows(x->p_low + row, length, rows, P_low);)\n");
    for (int spikes = 1; spikes >= 0; spikes--) {
        text_printf(out, "    %s quick_rows(%d, x, s, from, rows, Q + BACK * L, W + BACK * L, P, LOW_OF(P)",
                    spikes ? "if (from < s->alive) {\n       " : "} else", spikes);
        row_sites_parameters(w, "", out);
        text_add(out, spikes ? ");\n        mind_spikes(B, s, from + rows);\n" : ");\n");
    }
    text_add(out, "}\n");
}

/* Both ways. ------------------------------------------------------------------------------------------------------- */

static const char BOTH_WAYS[] =
    "int chain_down(const chain_pass *x, rope *s, int number, int k, int as_spikes)\n{\n"
    "    if (k == x->first[number]) begin_rope(STRANDS_REACH, s);\n"
    "    for (; k < x->first[number + 1]; k++) {\n"
    "        const stretch *t = x->stretch + k;\n"
    "        if (as_spikes && s->alive < s->length - STRANDS_REACH) break;\n"
    "        if (t->quick) side_by_side(x, number, s, t);\n"
    "        else strand_by_strand(x, number, s, t->from, t->rows);\n"
    "    }\n"
    "    return k;\n"
    "}\n"
    "void chain_up(const chain_pass *x, rope *s, int number)\n{\n"
    "    enum { B = STRANDS_REACH };\n"
    "    double by[ROPE * ROPE_PLANE], together[ROPE * ROPE_PLANE];\n"
    "    for (int k = x->first[number + 1] - 1; k >= x->first[number]; k--) {\n"
    "        const int from = x->stretch[k].from, rows = x->stretch[k].rows;\n"
    "        give_rows(B, s, from, rows, together);\n"
    "        turn_out(together, rows, by);\n"
    "        for (int l = 0; l < ROPE; l++) {\n"
    "            const int a = (number * ROPE + l) * s->length + from;\n"
    "            AHEAD(x->y + a - rows, rows); AHEAD(x->scale + a - rows, rows);\n"
    "            improve_rows(x, number, a, rows, by + l * ROPE_PLANE);\n"
    "        }\n"
    "    }\n"
    "}\n";

static const char NONE_QUICK[] =
    "static void side_by_side(const chain_pass *x, int number, rope *s, const stretch *t)\n"
    "{\n    (void)x, (void)number, (void)s, (void)t;\n}\n";

void chain_write(const chain_passes *c, text *out)
{
    text_add(out, HELP);
    text_add(out, c->plain ? PLAIN : COMPENSATED);
    rope_write(out, c->strands->reach);
    text_printf(out, "enum { MEASURED = %d };\n", MEASURED);
    text_printf(out, "typedef struct { %s } stretch;\n", TEXT_OF_ALL(STRETCH_FIELDS));
    text_printf(out, "typedef struct chain { const struct rows *s; %s } chain_pass;\n", TEXT_OF_ALL(CHAIN_FIELDS));
    write_evaluation(c, out);
    for (int k = 0; k < 3; k++) text_printf(out, "%s\n", CHAIN_IMPROVE[k]);
    text_add(out, ONE_BY_ONE);
    if (c->lanes) write_quick(c, out);
    else text_add(out, NONE_QUICK);
    text_add(out, BOTH_WAYS);
}

bool chain_link(chain_passes *c, const native_library *lib)
{
    c->down = (chain_down)native_symbol(lib, "chain_down");
    c->up = (chain_up)native_symbol(lib, "chain_up");
    return c->down && c->up;
}
