/* leapfrog_lanes_text.c - C text for a pass over stretches in lanes: a few sites at a time, in
 * loops of known length, so that intermediate results stay in registers or in the nearest cache. */
#include "mech/large/leapfrog_inside.h"
#include "step/embedded.h"

enum { AT_A_TIME = 8 }; /* rows */

/* The arrays of a pass, declared so that the compiler knows they do not alias. */
static const char OPENING[] =
    "void lanes(const struct lanes *x, struct range *r)\n{\n    int a = r->a;\n"
    "    double *restrict const Q0 = x->q, *restrict const P0 = x->p;\n"
    "    double *restrict const Q0_low = x->q_low, *restrict const P0_low = x->p_low;\n"
    "    double *restrict const K0 = x->kick;\n"
    "    const double *restrict const drift0 = x->drift, same = x->same, *c = x->c;\n"
    "    const double *restrict const R0 = x->resistance, same_R = x->same_resistance;\n"
    "    double *restrict const F0 = x->force, *restrict const W0 = x->work;\n"
    "    (void)c, (void)Q0_low, (void)P0_low, (void)R0, (void)same_R, (void)F0, (void)W0;\n";

/* Positions of some rows are advanced in all lanes. */
static void write_drift(const char *from, const char *rows, text *out)
{
    text_printf(out,
                "    drift_lanes(x, Q0 + (%s) * L, Q0_low + (%s) * L, P0 + (%s) * L,\n"
                "                P0_low + (%s) * L, K0 + (%s) * L, %s, %s);\n",
                from, from, from, from, from, from, rows);
}

/* What becomes of a row whose kick is `k_`: as in leapfrog_text.c. */
static void write_row(const leapfrog *l, int row, const char *drift, const char *R, text *out)
{
    if (l->x.resistance || l->lanes_forced)
        text_printf(out, ";\n        const double z_ = %s * MIDDLE(P[e], P_low[e], K[e])", drift);
    if (l->x.resistance)
        text_printf(out,
                    ", lost_ = %s * z_;\n        GO_LESS(P[e], P_low[e], K[e], lost_, k_);\n"
                    "        W[e] -= z_ * lost_;\n",
                    R);
    else text_add(out, ";\n        GO_ON(P[e], P_low[e], K[e], k_);\n");
    if (!l->lanes_forced) return;
    text_add(out, "        const double f_ = ");
    row_lanes_sum(l->in_lanes, OF_F_ALONE, row, out);
    text_add(out, ";\n        W[e] += z_ * (F[e] + f_);\n        F[e] = f_;\n");
}

/* Loops of known length over the rows of a site; with one row to a site, over all numbers at
 * once. */
static void write_rows(const leapfrog *l, const char *drift, const char *R, text *out)
{
    const row_lanes *w = l->in_lanes;
    for (int row = 0; row < w->site; row++) {
        if (w->site == 1)
            text_add(out, "    for (int e = 0; e < n * L; e++) {\n        const double k_ = ");
        else
            text_printf(out,
                        "    for (int k = 0; k < n; k++) for (int i = 0; i < L; i++) {\n"
                        "        const int e = (k * %d + %d) * L + i;\n        const double k_ = ",
                        w->site, row);
        row_lanes_sum(w, OF_FORCE, row, out);
        write_row(l, row, drift, R, out);
        text_add(out, "    }\n");
    }
}

/* Where all rows have the same drift and resistance, these are two numbers. */
static void write_kick(const leapfrog *l, text *out)
{
    text_add(
        out,
        "    double *restrict P = P0 + a * L, *restrict P_low = P0_low + a * L;\n"
        "    double *restrict K = K0 + a * L;\n    (void)P_low, (void)K;\n");
    if (!l->x.resistance && !l->lanes_forced) {
        write_rows(l, "", "", out);
        return;
    }
    text_add(out, "    double *restrict W = W0 + a * L;\n");
    if (l->lanes_forced) text_add(out, "    double *restrict F = F0 + a * L;\n");
    text_add(out, "    if (!drift0) {\n");
    write_rows(l, "same", "same_R", out);
    text_add(out, "    } else {\n    const double *restrict drift = drift0 + a * L;\n");
    if (l->x.resistance) text_add(out, "    const double *restrict R = R0 + a * L;\n");
    write_rows(l, "drift[e]", "R[e]", out);
    text_add(out, "    }\n");
}

/* n sites from row a. */
static void write_sites(const leapfrog *l, text *out)
{
    const row_lanes *w = l->in_lanes;
    write_drift(mem_printf(out->m, "a + %d", w->ahead), mem_printf(out->m, "n * %d", w->site), out);
    text_add(out, "    {\n    const double *restrict q = Q0 + a * L;\n    (void)q;\n");
    row_lanes_terms(w, out);
    text_add(out, "    }\n");
    write_kick(l, out);
    row_lanes_shift(w, out);
}

/* Positions up to `ahead` rows beyond the first are advanced before it; then so many sites at a
 * time, and the rest of them. */
void leapfrog_lanes_text(const leapfrog *l, text *out)
{
    const row_lanes *w = l->in_lanes;
    const int   sites = AT_A_TIME > w->site ? AT_A_TIME / w->site : 1, rows = sites * w->site;
    text_printf(out, "#define L %d\n%s%s", ROW_LANES, step_text("leapfrog_lanes.h"), OPENING);
    row_lanes_arrays(w, sites, out);
    text_printf(out, "    if (a + %d > r->done)\n", w->ahead);
    write_drift("r->done", mem_printf(out->m, "a + %d - r->done", w->ahead), out);
    text_add(out, "    {\n    const double *restrict q = Q0 + a * L;\n    (void)q;\n");
    row_lanes_history(w, out);
    text_printf(out, "    }\n    for (; a + %d <= r->b; a += %d) {\n    enum { n = %d };\n", rows,
                rows, sites);
    write_sites(l, out);
    text_printf(out, "    }\n    if (a < r->b) {\n    const int n = (r->b - a) / %d;\n", w->site);
    write_sites(l, out);
    text_printf(out, "    }\n    r->done = r->b + %d;\n}\n", w->ahead);
}
