/* leaps_lanes_text.c - a pass over stretches side by side as C text: a few sites at a time, in loops of known length,
 * so that what one loop leaves for the next stays in registers or next to them. */
#include "mech/leaps_inside.h"

enum { AT_A_TIME = 8 }; /* rows */

/* Positions of rows from .. from + rows - 1 move on. */
static const char MOVE[] =
    "PIECE void move(const struct lanes *x, int from, const int rows)\n{\n"
    "    double *restrict Q = x->q + from * L, *restrict Q_low = x->q_low + from * L;\n"
    "    const double *restrict P = x->p + from * L, *restrict P_low = x->p_low + from * L;\n"
    "    const double *restrict K = x->kick + from * L, h = x->h, hm = h * x->same;\n"
    "    (void)Q_low, (void)P_low;\n"
    "    if (!x->over)\n"
    "        for (int e = 0; e < rows * L; e++) ADD(Q[e], Q_low[e], hm * (IN_TWO(P[e] + K[e], P_low[e])));\n"
    "    else {\n"
    "        const double *restrict over = x->over + from * L;\n"
    "        for (int e = 0; e < rows * L; e++)\n"
    "            ADD(Q[e], Q_low[e], (h * over[e]) * (IN_TWO(P[e] + K[e], P_low[e])));\n"
    "    }\n}\n";

static const char DECLARATIONS[] =
    "struct lanes { const double *c, *still; const double *const *moving; double *q, *q_low, *p, *p_low, *kick;\n"
    "               const double *over; double h, same; };\n";

static void write_kick(const row_lanes *w, text *out)
{
    text_add(out, "    double *restrict P = x->p + a * L, *restrict P_low = x->p_low + a * L, *restrict K = x->kick + a * L;\n"
                  "    (void)P_low;\n");
    for (int row = 0; row < w->site; row++) {
        if (w->site == 1) text_add(out, "    for (int e = 0; e < n * L; e++) {\n        const double k_ = ");
        else
            text_printf(out, "    for (int k = 0; k < n; k++) for (int i = 0; i < L; i++) {\n"
                             "        const int e = (k * %d + %d) * L + i;\n        const double k_ = ",
                        w->site, row);
        row_lanes_sum(w, row, out);
        text_add(out, ", d_k = K[e] + k_;\n        ADD(P[e], P_low[e], d_k);\n        K[e] = k_;\n    }\n");
    }
}

/* n sites from row a. */
static void write_sites(const row_lanes *w, text *out)
{
    text_printf(out, "    move(x, a + %d, n * %d);\n    const double *restrict q = x->q + a * L;\n", w->ahead, w->site);
    row_lanes_terms(w, out);
    write_kick(w, out);
    row_lanes_shift(w, out);
}

void leaps_lanes_text(const row_lanes *w, text *out)
{
    const int sites = AT_A_TIME > w->site ? AT_A_TIME / w->site : 1;
    text_printf(out, "enum { L = %d };\n%s", ROW_LANES, DECLARATIONS);
    row_lanes_declare(w, out);
    text_add(out, MOVE);
    text_add(out, "void lanes(const struct lanes *x, struct range *r)\n{\n    int a = r->a;\n");
    row_lanes_arrays(w, sites, out);
    text_printf(out, "    if (r->done < a + %d) move(x, r->done, a + %d - r->done);\n"
                     "    {\n    const double *restrict q = x->q + a * L;\n    (void)q;\n",
                w->ahead, w->ahead);
    row_lanes_history(w, out);
    text_printf(out, "    }\n    for (; a + %d <= r->b; a += %d) {\n    enum { n = %d };\n", sites * w->site,
                sites * w->site, sites);
    write_sites(w, out);
    text_printf(out, "    }\n    if (a < r->b) {\n    const int n = (r->b - a) / %d;\n", w->site);
    write_sites(w, out);
    text_printf(out, "    }\n    r->done = r->b + %d;\n}\n", w->ahead);
}
