/* chain_end_text.c - C text for the end of a step in lanes: increments of momentum, the new state,
 * and the prediction of the next step; and the conversion of rows to lanes and back. */
#include "mech/large/chain_inside.h"
#include "step/embedded.h"

enum { OF_MOMENTUM = 1u << ROW_LQ | 1u << ROW_F };

/* A site in all lanes: dp of each of its rows, then END_NUMBER of step/chain_end.h. */
static void write_sites(const chain_passes *c, text *out)
{
    text_add(out, "static inline void quick_end(const double *c, double along, double slope, "
                  "int rows, double *restrict bad,\n"
                  "                             END_READS, END_WRITES");
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

/* Without lanes the function is there and empty: no stretch is quick. */
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

void chain_write_end(const chain_passes *c, text *out)
{
    text_printf(out, "typedef struct { const chain_pass *at; %s } chain_close;\n",
                TEXT_OF_ALL(CLOSE_FIELDS));
    text_add(out, step_text("cubic.h")), text_add(out, step_text("chain_end.h"));
    write_quick(c, out);
}
