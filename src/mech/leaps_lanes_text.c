/* leaps_lanes_text.c - a pass over stretches side by side as C text: a few sites at a time, in
 * loops of known length, so that what one loop leaves for the next stays in registers or next to
 * them. */
#include "mech/leaps_inside.h"

enum { AT_A_TIME = 8 }; /* rows */

static const char DECLARATIONS[] =
    "struct lanes { const double *c, *still; const double *const *moving;\n"
    "               double *q, *q_low, *p, *p_low, *kick; const double *drift; double same; };\n";

/* What a pass reads and writes, told apart for the compiler. */
static const char OPENING[] =
    "void lanes(const struct lanes *x, struct range *r)\n{\n    int a = r->a;\n"
    "    double *restrict const Q0 = x->q, *restrict const P0 = x->p;\n"
    "    double *restrict const Q0_low = x->q_low, *restrict const P0_low = x->p_low;\n"
    "    double *restrict const K0 = x->kick;\n"
    "    const double *restrict const drift0 = x->drift, same = x->same;\n"
    "    (void)Q0_low, (void)P0_low;\n";

/* Positions of some rows move on. */
static void write_move(const char *from, const char *rows, text *out)
{
    text_printf(
        out,
        "    {\n    double *restrict Q = Q0 + (%s) * L, *restrict Q_low = Q0_low + (%s) * L;\n"
        "    const double *restrict P = P0 + (%s) * L, *restrict P_low = P0_low + (%s) * L;\n"
        "    const double *restrict K = K0 + (%s) * L;\n    (void)Q_low, (void)P_low, (void)K;\n"
        "    if (!drift0)\n"
        "        for (int e = 0; e < (%s) * L; e++)\n"
        "            ADD(Q[e], Q_low[e], same * MIDDLE(P[e], P_low[e], K[e]));\n"
        "    else {\n        const double *restrict drift = drift0 + (%s) * L;\n"
        "        for (int e = 0; e < (%s) * L; e++)\n"
        "            ADD(Q[e], Q_low[e], drift[e] * MIDDLE(P[e], P_low[e], K[e]));\n    }\n    }\n",
        from, from, from, from, from, rows, from, rows);
}

static void write_kick(const row_lanes *w, text *out)
{
    text_add(
        out,
        "    double *restrict P = P0 + a * L, *restrict P_low = P0_low + a * L;\n"
        "    double *restrict K = K0 + a * L;\n    (void)P_low, (void)K;\n");
    for (int row = 0; row < w->site; row++) {
        if (w->site == 1)
            text_add(out, "    for (int e = 0; e < n * L; e++) {\n        const double k_ = ");
        else
            text_printf(out,
                        "    for (int k = 0; k < n; k++) for (int i = 0; i < L; i++) {\n"
                        "        const int e = (k * %d + %d) * L + i;\n        const double k_ = ",
                        w->site, row);
        row_lanes_sum(w, row, out);
        text_add(out, ";\n        GO_ON(P[e], P_low[e], K[e], k_);\n    }\n");
    }
}

/* n sites from row a. */
static void write_sites(const row_lanes *w, text *out)
{
    write_move(mem_printf(out->m, "a + %d", w->ahead), mem_printf(out->m, "n * %d", w->site), out);
    text_add(out, "    {\n    const double *restrict q = Q0 + a * L;\n    (void)q;\n");
    row_lanes_terms(w, out);
    text_add(out, "    }\n");
    write_kick(w, out);
    row_lanes_shift(w, out);
}

void leaps_lanes_text(const row_lanes *w, text *out)
{
    const int   sites = AT_A_TIME > w->site ? AT_A_TIME / w->site : 1, rows = sites * w->site;
    const char *missing = mem_printf(out->m, "a + %d - r->done", w->ahead);
    text_printf(out, "enum { L = %d };\n%s%s", ROW_LANES, DECLARATIONS, OPENING);
    row_lanes_arrays(w, sites, out);
    text_printf(out, "    if (%s > 0)\n", missing);
    write_move("r->done", missing, out);
    text_add(out, "    {\n    const double *restrict q = Q0 + a * L;\n    (void)q;\n");
    row_lanes_history(w, out);
    text_printf(out, "    }\n    for (; a + %d <= r->b; a += %d) {\n    enum { n = %d };\n", rows,
                rows, sites);
    write_sites(w, out);
    text_printf(out, "    }\n    if (a < r->b) {\n    const int n = (r->b - a) / %d;\n", w->site);
    write_sites(w, out);
    text_printf(out, "    }\n    r->done = r->b + %d;\n}\n", w->ahead);
}
