/* chain_end_text.c - the end of a step as C text, over numbers in lanes: momenta, the state, and
 * the prediction of the next step; and how rows come into lanes and out of them. */
#include "mech/chain_inside.h"

enum { OF_MOMENTUM = 1u << ROW_LQ | 1u << ROW_F };

/* Rows of a rope from `from` on. */
static const char TURNING[] =
    "static inline void turn(const int in, const chain_pass *x, long length, int number, int "
    "from, int rows,\n"
    "                        const double *of, double *to)\n{\n"
    "    const long row = (long)number * ROPE * length + from;\n"
    "    const int whole = row + (ROPE - 1) * length + rows <= x->n ? rows - rows % 4 : 0;\n"
    "    for (int i = 0; i < whole; i += 4)\n"
    "        for (int l = 0; l < ROPE; l += 4) {\n"
    "            if (in) turn_four(of + row + l * length + i, length, to + i * ROPE + l, ROPE);\n"
    "            else turn_four(of + i * ROPE + l, ROPE, to + row + l * length + i, length);\n"
    "        }\n"
    "    for (int l = 0; l < ROPE; l++)\n"
    "        for (int i = whole; i < rows && row + l * length + i < x->n; i++) {\n"
    "            if (in) to[i * ROPE + l] = of[row + l * length + i];\n"
    "            else to[row + l * length + i] = of[i * ROPE + l];\n"
    "        }\n"
    "}\n"
    "void chain_in(const chain_pass *x, int length, int number, const double *of, double *to)\n{\n"
    "    turn(1, x, length, number, 0, length, of, to);\n"
    "}\n"
    "void chain_out(const chain_pass *x, int length, int number, const double *of, double *to)\n{\n"
    "    turn(0, x, length, number, 0, length, of, to);\n"
    "}\n";

/* Increments of momenta. ----------------------------------------------------------------------- */

static const char BY_STRAND[] =
    "static void momenta_by_strand(const chain_close *e, int number, const rope *s, int from, int "
    "rows, double *restrict dp,\n"
    "                              double *bad)\n{\n"
    "    const chain_pass *x = e->at;\n"
    "    double Q[STRAND_ROOM], W[STRAND_ROOM], sum[STRANDS_TILE];\n"
    "    for (int l = 0; l < ROPE; l++) {\n"
    "        const int a = (number * ROPE + l) * s->length + from, b = a + rows < x->n ? a + rows "
    ": x->n;\n"
    "        const int low = a < b ? strand_points(x, place(s, number) + (long)from * ROPE + l, "
    "a, b, Q, W) : 0;\n"
    "        if (a < b) momentum_sums(x->s, e->c, e->c, Q, W, low, a, b, sum);\n"
    "        for (int i = 0; i < rows; i++) dp[i * ROPE + l] = i < b - a ? sum[i] : 0;\n"
    "        for (int i = 0; i < b - a; i++) bad[l] += sum[i] - sum[i];\n"
    "    }\n"
    "}\n";

static void write_sites(const chain_passes *c, text *out)
{
    text_add(
        out,
        "static inline void quick_momenta(const double *c, double along, double slope, int rows,\n"
        "    const double *restrict q, const double *restrict q_low, const double "
        "*restrict y,\n"
        "    double *restrict dp, double *restrict bad");
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
        text_printf(out, ";\n        dp[%d * L + l] = dp%d, bad[l] += dp%d - dp%d;\n", row, row,
                    row, row);
    }
    row_sites_carry(c->lanes, out);
    text_add(out, "    }\n    GO_ON(q), GO_ON(q_low), GO_ON(y), GO_ON(dp);\n    }\n}\n");
}

static void write_quick(const chain_passes *c, text *out)
{
    write_sites(c, out);
    chain_begin_quick(c, "momenta_side_by_side", out);
    text_add(
        out,
        "    quick_momenta(c, x->l, x->slope, rows, x->q + at, x->q_low + at, x->y + at, dp, bad");
    row_sites_parameters(c->lanes, "", out);
    text_add(out, ");\n}\n");
}

/* The state, and what comes next. -------------------------------------------------------------- */

/*     q_1 = q_0 + Z,   p_1 = p_0 + h b L_q,
 *     y_{k+1} = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}                      theory.md [PREDICT]
 * A stretch moves on once no other needs it where it was. What elimination left of a rope gives
 * room for increments. The first number that a rope has to say of its correction is then 0 if all
 * is finite. */
static const char CLOSING[] =
    "static inline void predict(int n, const double *restrict y, const double *restrict b, const "
    "double *restrict c,\n"
    "                           const double *restrict d, double *restrict next, double *restrict "
    "scale)\n{\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        const double z = 4 * (y[k] + c[k]) - 6 * b[k] - d[k];\n"
    "        next[k] = z, scale[k] = larger(fabs(b[k]), larger(fabs(y[k]), fabs(z)));\n"
    "    }\n"
    "}\n"
    "static inline void move(int n, double *restrict x, double *restrict low, const double "
    "*restrict by)\n{\n"
    "    for (int k = 0; k < n; k++) MOVE(x[k], low[k], by[k]);\n"
    "}\n"
    "static void move_on(const chain_close *e, int number, const rope *s, const stretch *t, const "
    "double *dp)\n{\n"
    "    const chain_pass *x = e->at;\n"
    "    const double *const of[4] = {e->q, e->q_low, e->p, e->p_low};\n"
    "    const int from = t->from, rows = t->rows;\n"
    "    const long at = place(s, number) + (long)from * ROPE;\n"
    "    move(rows * ROPE, e->q + at, e->q_low + at, x->y + at);\n"
    "    move(rows * ROPE, e->p + at, e->p_low + at, dp);\n"
    "    predict(rows * ROPE, x->y + at, e->past[0] + at, e->past[1] + at, e->past[2] + at, "
    "e->next + at, e->scale + at);\n"
    "    for (int j = 0; j < 4; j++)\n"
    "        if (e->row[j]) turn(0, x, s->length, number, from, rows, of[j] + at, e->row[j]);\n"
    "}\n"
    "void chain_end(const chain_close *e, rope *s, int number)\n{\n"
    "    const chain_pass *x = e->at;\n"
    "    double *dp = s->row, bad[ROPE] = {0}, all = 0;\n"
    "    for (const stretch *t = x->stretch + x->first[number], *on = t, *end = x->stretch + "
    "x->first[number + 1]; t < end; t++) {\n"
    "        double *to = dp + (long)t->from * ROPE;\n"
    "        const int needed = t + 1 < end ? t->from + t->rows - GUARD : s->length;\n"
    "        if (t->quick) momenta_side_by_side(x, e->c, number, s, t, to, bad);\n"
    "        else momenta_by_strand(e, number, s, t->from, t->rows, to, bad);\n"
    "        for (; on <= t && on->from + on->rows <= needed; on++) move_on(e, number, s, on, dp "
    "+ (long)on->from * ROPE);\n"
    "    }\n"
    "    for (int l = 0; l < ROPE; l++) all += bad[l];\n"
    "    x->made[MEASURES * number] = all;\n"
    "}\n";

static const char NONE_QUICK[] =
    "static void momenta_side_by_side(const chain_pass *x, const double *c, int number, rope *s, "
    "const stretch *t, double *dp, double *bad)\n"
    "{\n    (void)x, (void)c, (void)number, (void)s, (void)t, (void)dp, (void)bad;\n}\n";

void chain_write_end(const chain_passes *c, text *out)
{
    text_printf(out, "typedef struct { const chain_pass *at; %s } chain_close;\n",
                TEXT_OF_ALL(CLOSE_FIELDS));
    text_add(out, TURNING);
    text_add(out, BY_STRAND);
    if (c->lanes) write_quick(c, out);
    else text_add(out, NONE_QUICK);
    text_add(out, CLOSING);
}
