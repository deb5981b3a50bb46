/* chain_text.c - C text for the two passes in lanes. In quick stretches a row is evaluated in all
 * lanes right where it is eliminated; in others, at the ends of runs, each partition is evaluated
 * by itself, into planes. */
#include "mech/large/chain_inside.h"

/* With plain sums a number has one part. */
static const char PLAIN[] =
    "#define IN_TWO(x, low) (x)\n#define AND(low)\n#define LOW(...)\n"
    "#define MOVE(to, to_low, x, low, d) (to = x + (d))\n";
static const char COMPENSATED[] =
    "#define IN_TWO(x, low) ((x) + (low))\n#define AND(low) (low) +\n#define LOW(...) __VA_ARGS__\n"
    "#define MOVE(to, to_low, x, low, d) two(x, low, d, &to, &to_low)\n";

static const char HELP[] =
    "#ifdef __GNUC__\n"
    "#define inline inline __attribute__((always_inline))\n"
    "#pragma GCC optimize(\"no-tree-loop-distribute-patterns\")\n" /* no calls for so few numbers */
    "#endif\n";

/* Where row 0 of the partitions of a group is, and the sample points i rows after the first of a
 * site, in lane l, at which q and y point. */
static const char POINTS[] =
    "static inline long place(const group *s, int number)\n{\n"
    "    return ((long)number * (s->length + 2 * GUARD) + GUARD) * GROUP;\n"
    "}\n"
    "#define Q_AT(i) (q[(i) * L + l] + (AND(q_low[(i) * L + l]) along * y[(i) * L + l]))\n"
    "#define W_AT(i) (slope * y[(i) * L + l])\n"
    "#define GO_ON(x) (x += SITE * L)\n";

/* One by one. ---------------------------------------------------------------------------------- */

/* Copies rows a .. b-1 of a partition and those around them; row a is at `at`. */
static const char PARTITION[] =
    "enum { PARTITION_ROOM = PARTITION_TILE + 2 * HALO };\n"
    "static inline int partition_points(const chain_pass *x, long at, int a, int b, "
    "double *restrict Q, double *restrict W)\n{\n"
    "    const int low = a > HALO ? a - HALO : 0, high = b + HALO < x->n ? b + HALO : x->n;\n"
    "    for (int i = low; i < high; i++) {\n"
    "        const long k = at + (long)(i - a) * GROUP;\n"
    "        Q[i - low] = x->q[k] + (AND(x->q_low[k]) x->l * x->y[k]);\n"
    "        W[i - low] = x->slope * x->y[k];\n"
    "    }\n"
    "    return low;\n"
    "}\n";

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

/* Beyond the last row the matrix is the identity. */
static const char PAD[] = "static inline void pad(const int B, double *to, int have, int rows)\n{\n"
                          "    for (int i = have > 0 ? have : 0; i < rows; i++)\n"
                          "        for (int plane = 0; plane < 2 * B + 2; plane++) "
                          "to[plane * GROUP_PLANE + i] = plane == B + 1;\n"
                          "}\n";

static const char ONE_BY_ONE[] =
    "static void partition_by_partition(const chain_pass *x, int number, group *s, int from, "
    "int rows)\n"
    "{\n"
    "    enum { B = PARTITION_REACH, PLANES = 2 * B + 2 };\n"
    "    double planes[GROUP * PLANES * GROUP_PLANE];\n"
    "    for (int l = 0; l < GROUP; l++) {\n"
    "        const int a = (number * GROUP + l) * s->length + from, "
    "b = a + rows < x->n ? a + rows : x->n;\n"
    "        double *to = planes + l * PLANES * GROUP_PLANE;\n"
    "        if (a < b) evaluate(x, place(s, number) + (long)from * GROUP + l, a, b, to);\n"
    "        if (b - a < rows) pad(B, to, b - a, rows);\n"
    "    }\n"
    "    take_rows(B, s, planes, from, rows);\n"
    "}\n";

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

/* Both ways. ----------------------------------------------------------------------------------- */

static const char DOWNWARD[] =
    "void chain_down(const chain_pass *x, group *s, int number)\n{\n"
    "    begin_group(PARTITION_REACH, s);\n"
    "    for (int k = x->first[number]; k < x->first[number + 1]; k++) {\n"
    "        const stretch *t = x->stretch + k;\n"
    "        if (t->quick) side_by_side(x, number, s, t);\n"
    "        else partition_by_partition(x, number, s, t->from, t->rows);\n"
    "    }\n"
    "}\n";

/* Subtracts the correction d from an unknown and measures it: the largest d/s, d and s, where s is
 * the size of the unknown lately. Sizes below the smallest normal number count as 0: a motion that
 * has decayed to that has nothing left to correct. Going up a partition, the first non-finite
 * number is infinite, so it is the largest. */
static const char IMPROVE[] =
    "typedef struct { double relative[GROUP], most[GROUP], size[GROUP]; } measure;\n"
    "static inline double larger(double x, double y)\n{\n"
    "    return x > y ? x : y;\n"
    "}\n"
    "static inline double improved(double y, double by, double scale, measure *m, int l)\n{\n"
    "    const double least = 0x1p-1022;\n"
    "    const double z = y - by, d = fabs(by), s = larger(fabs(z), scale), r = d / s;\n"
    "    m->relative[l] = larger(d >= least ? r : 0, m->relative[l]);\n"
    "    m->most[l] = larger(d, m->most[l]), m->size[l] = larger(s, m->size[l]);\n"
    "    return z;\n"
    "}\n";

/* Above the separators the correction is subtracted where it is found. */
static const char UPWARD[] =
    "static inline void climb_rows(const int spikes, const group *s, int from, int rows, "
    "double *restrict y,\n"
    "    const double *restrict scale, measure *to)\n{\n"
    "    enum { B = PARTITION_REACH };\n"
    "    measure m = *to;\n"
    "    climb at;\n"
    "    open_climb(B, s, &at);\n"
    "    for (int i = rows - 1; i >= 0; i--) {\n"
    "        const double *restrict U = s->row + ((long)from + i) * (B + 1) * GROUP;\n"
    "        const double *restrict F = s->spike + ((long)from + i) * 2 * B * GROUP;\n"
    "        IN_LANES(l) {\n"
    "            const int k = i * GROUP + l;\n"
    "            y[k] = improved(y[k], up_lane(B, spikes, U, F, &at, l), scale[k], &m, l);\n"
    "        }\n"
    "    }\n"
    "    close_climb(B, s, &at);\n"
    "    *to = m;\n"
    "}\n"
    "static inline void last_rows(const group *s, int from, int rows, double *restrict y,\n"
    "    const double *restrict scale, measure *to)\n{\n"
    "    double by[GROUP * GROUP_PLANE];\n"
    "    give_rows(PARTITION_REACH, s, from, rows, by);\n"
    "    for (int i = rows - 1; i >= 0; i--)\n"
    "        IN_LANES(l) y[i * GROUP + l] = "
    "improved(y[i * GROUP + l], by[i * GROUP + l], scale[i * GROUP + l], to, l);\n"
    "}\n"
    "void chain_up(const chain_pass *x, group *s, int number)\n{\n"
    "    measure *made = (measure *)x->made + number;\n"
    "    for (int k = x->first[number + 1] - 1; k >= x->first[number]; k--) {\n"
    "        const int from = x->stretch[k].from, rows = x->stretch[k].rows;\n"
    "        const long at = place(s, number) + (long)from * GROUP;\n"
    "        if (from + rows > s->length - PARTITION_REACH)\n"
    "            last_rows(s, from, rows, x->y + at, x->scale + at, made);\n"
    "        else if (from < s->alive)\n"
    "            climb_rows(1, s, from, rows, x->y + at, x->scale + at, made);\n"
    "        else climb_rows(0, s, from, rows, x->y + at, x->scale + at, made);\n"
    "    }\n"
    "}\n";

void chain_write(const chain_passes *c, text *out)
{
    text_add(out, HELP);
    text_add(out, c->plain ? PLAIN : COMPENSATED);
    group_write(out, c->partitions->reach);
    text_printf(out, "enum { MEASURES = %d, GUARD = %d, HALO = %d };\n", MEASURES, c->guard,
                row_plan_halo(c->plan));
    text_printf(out, "typedef struct { %s } stretch;\n", TEXT_OF_ALL(STRETCH_FIELDS));
    text_printf(out, "typedef struct { const struct rows *s; %s } chain_pass;\n",
                TEXT_OF_ALL(CHAIN_FIELDS));
    text_add(out, POINTS);
    text_add(out, PARTITION);
    write_evaluation(c, out);
    text_add(out, PAD);
    text_add(out, ONE_BY_ONE);
    write_quick(c, out);
    text_add(out, DOWNWARD);
    text_add(out, IMPROVE);
    text_add(out, UPWARD);
    chain_write_end(c, out);
}

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
