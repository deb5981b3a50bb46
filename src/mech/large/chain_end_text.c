/* chain_end_text.c - C text for the end of a step in lanes: increments of momentum, the new state,
 * and the prediction of the next step; and the conversion of rows to lanes and back. */
#include "mech/large/chain_inside.h"

enum { OF_MOMENTUM = 1u << ROW_LQ | 1u << ROW_F };

/* Rows of a group from `from` on. */
static const char TURNING[] =
    "static inline void turn(const int in, const chain_pass *x, long length, int number, int from, "
    "int rows,\n"
    "                        const double *of, double *to)\n{\n"
    "    const long row = (long)number * GROUP * length + from;\n"
    "    const int whole = row + (GROUP - 1) * length + rows <= x->n ? rows - rows % 4 : 0;\n"
    "    for (int i = 0; i < whole; i += 4)\n"
    "        for (int l = 0; l < GROUP; l += 4) {\n"
    "            if (in) turn_four(of + row + l * length + i, length, to + i * GROUP + l, GROUP);\n"
    "            else turn_four(of + i * GROUP + l, GROUP, to + row + l * length + i, length);\n"
    "        }\n"
    "    for (int l = 0; l < GROUP; l++)\n"
    "        for (int i = whole; i < rows && row + l * length + i < x->n; i++) {\n"
    "            if (in) to[i * GROUP + l] = of[row + l * length + i];\n"
    "            else to[row + l * length + i] = of[i * GROUP + l];\n"
    "        }\n"
    "}\n"
    "void chain_in(const chain_pass *x, int length, int number, const double *of, double *to)\n{\n"
    "    turn(1, x, length, number, 0, length, of, to);\n"
    "}\n"
    "void chain_out(const chain_pass *x, int length, int number, const double *of, double *to)\n{\n"
    "    turn(0, x, length, number, 0, length, of, to);\n"
    "}\n";

/* Increments of momenta, partition by partition. ----------------------------------------------- */

static const char BY_PARTITION[] =
    "static void momenta_by_partition(const chain_close *e, int number, const group *s, int from, "
    "int rows, double *restrict dp,\n"
    "                              double *bad)\n{\n"
    "    const chain_pass *x = e->at;\n"
    "    double Q[PARTITION_ROOM], W[PARTITION_ROOM], sum[PARTITION_TILE];\n"
    "    for (int l = 0; l < GROUP; l++) {\n"
    "        const int a = (number * GROUP + l) * s->length + from, "
    "b = a + rows < x->n ? a + rows : x->n;\n"
    "        const int low = a < b ? partition_points(x, place(s, number) + (long)from * GROUP "
    "+ l, a, b, Q, W) : 0;\n"
    "        if (a < b) momentum_sums(x->s, e->c, e->c, Q, W, low, a, b, sum);\n"
    "        for (int i = 0; i < rows; i++) dp[i * GROUP + l] = i < b - a ? sum[i] : 0;\n"
    "        for (int i = 0; i < b - a; i++) bad[l] += sum[i] - sum[i];\n"
    "    }\n"
    "}\n";

/* The state, and what comes next. -------------------------------------------------------------- */

/*     q_1 = q_0 + Z,   p_1 = p_0 + h b L_q,
 *     y_{k+1} = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}                      theory.md [PREDICT]
 * of number k; y1, y2 and y3 are the solutions before y. */
#define READS                                                                                      \
    "    const double *restrict q, const double *restrict q_low, const double *restrict y, const " \
    "double *restrict p,\n"                                                                        \
    "    const double *restrict p_low, const double *restrict y1, const double *restrict y2, "     \
    "const double *restrict y3,\n"
#define WRITES                                                                                     \
    "    double *restrict to_q, double *restrict to_q_low, double *restrict to_p, double "         \
    "*restrict to_p_low,\n"                                                                        \
    "    double *restrict next, double *restrict scale"
static const char NUMBERS[] =
    "#define END_NUMBER(k, dp) do { \\\n"
    "    const double z = 4 * (y[k] + y2[k]) - 6 * y1[k] - y3[k]; \\\n"
    "    MOVE(to_q[k], to_q_low[k], q[k], q_low[k], y[k]); \\\n"
    "    MOVE(to_p[k], to_p_low[k], p[k], p_low[k], dp); \\\n"
    "    next[k] = z, scale[k] = larger(fabs(y1[k]), larger(fabs(y[k]), fabs(z))); \\\n"
    "} while (0)\n"
    "#define FROM(at) x->q + at, x->q_low + at, x->y + at, x->p + at, x->p_low + at, \\\n"
    "    e->past[0] + at, e->past[1] + at, e->past[2] + at, \\\n"
    "    e->to[0] + at, e->to[1] + at, e->to[2] + at, e->to[3] + at, e->next + at, e->scale + at\n"
    "static inline void end_numbers(int n, const double *restrict dp,\n" READS WRITES ")\n{\n"
    "    for (int k = 0; k < n; k++) END_NUMBER(k, dp[k]);\n"
    "}\n";

static void write_sites(const chain_passes *c, text *out)
{
    text_add(out, "static inline void quick_end(const double *c, double along, double slope, "
                  "int rows, double *restrict bad,\n" READS WRITES);
    row_sites_parameters(c->lanes, "const double *restrict ", out);
    text_printf(out, ")\n{\n    enum { SITE = %d };\n", c->lanes->site);
    row_sites_arrays(c->lanes, out);
    text_add(out, "    IN_LANES(l) {\n        enum { a = 0 };\n");
    row_sites_history(c->lanes, out);
    text_add(out, "    }\n    for (int a = 0; a < rows; a += SITE) {\n"
                  "    IN_LANES(l) {\n");
    row_sites_terms(c->lanes, out);
    for (int row = 0; row < c->lanes->site; row++) {
        text_printf(out, "        const double dp%d = ", row);
        row_sites_sum(c->lanes, OF_MOMENTUM, 0, row, out);
        text_printf(out,
                    ";\n        END_NUMBER(%d * L + l, dp%d);\n"
                    "        bad[l] += dp%d - dp%d;\n",
                    row, row, row, row);
    }
    row_sites_carry(c->lanes, out);
    text_add(out, "    }\n    GO_ON(q), GO_ON(q_low), GO_ON(y), GO_ON(p), GO_ON(p_low);\n"
                  "    GO_ON(y1), GO_ON(y2), GO_ON(y3), GO_ON(next), GO_ON(scale);\n"
                  "    GO_ON(to_q), GO_ON(to_q_low), GO_ON(to_p), GO_ON(to_p_low);\n"
                  "    }\n}\n");
}

static void write_quick(const chain_passes *c, text *out)
{
    if (c->lanes) write_sites(c, out);
    text_add(out, "static void end_side_by_side(const chain_close *e, int number, const group *s, "
                  "const stretch *t,\n                             double *bad)\n{\n"
                  "    const chain_pass *x = e->at;\n");
    if (c->lanes) {
        chain_begin_quick(c, out);
        text_add(out, "    quick_end(e->c, x->l, x->slope, rows, bad, FROM(at)");
        row_sites_parameters(c->lanes, "", out);
        text_add(out, ");\n");
    }
    text_add(out, "}\n");
}

/* The first number that a group has to say of its correction is then 0 if all is finite. */
static const char CLOSING[] =
    "static void end_by_partition(const chain_close *e, int number, const group *s, "
    "const stretch *t, double *bad)\n{\n"
    "    const chain_pass *x = e->at;\n"
    "    const long at = place(s, number) + (long)t->from * GROUP;\n"
    "    double dp[PARTITION_TILE * GROUP];\n"
    "    momenta_by_partition(e, number, s, t->from, t->rows, dp, bad);\n"
    "    end_numbers(t->rows * GROUP, dp, FROM(at));\n"
    "}\n"
    "void chain_end(const chain_close *e, const group *s, int number)\n{\n"
    "    const chain_pass *x = e->at;\n"
    "    double bad[GROUP] = {0}, all = 0;\n"
    "    for (const stretch *t = x->stretch + x->first[number], "
    "*end = x->stretch + x->first[number + 1]; t < end; t++) {\n"
    "        const long at = place(s, number) + (long)t->from * GROUP;\n"
    "        if (t->quick) end_side_by_side(e, number, s, t, bad);\n"
    "        else end_by_partition(e, number, s, t, bad);\n"
    "        for (int j = 0; j < 4; j++)\n"
    "            if (e->row[j]) turn(0, x, s->length, number, t->from, t->rows, e->to[j] + at, "
    "e->row[j]);\n"
    "    }\n"
    "    for (int l = 0; l < GROUP; l++) all += bad[l];\n"
    "    x->made[MEASURES * number] = all;\n"
    "}\n";

void chain_write_end(const chain_passes *c, text *out)
{
    text_printf(out, "typedef struct { const chain_pass *at; %s } chain_close;\n",
                TEXT_OF_ALL(CLOSE_FIELDS));
    text_add(out, TURNING);
    text_add(out, BY_PARTITION);
    text_add(out, NUMBERS);
    write_quick(c, out);
    text_add(out, CLOSING);
}
