/* picard.c - systems of constant, diagonal inertia as generated code: their stages are iterated
 * without any matrix.
 *
 *     Q^i = q + c_i z + h sum_k C_ik g_k,   z = (h/m) (p - a),   g_k = b_k (h/m) (L_q + f)^k
 *
 * is what the equations of a step say when L = v.m v/2 + a.v - V: stages.h.            [GALERKIN]
 * Corrections shrink by a factor of the order (h omega)^2, so that with a good prediction a few
 * evaluations of the force reach roundoff. What is left is estimated by the ratio of the last two
 * corrections, and where that is slow Newton's iteration takes over. */
#include "fuse/inside.h"
#include "mech/solve/stages.h"

#include <float.h>

static int lanes_of(const fusing *f)
{
    return f->of[AT_RULE][1].lanes;
}

/* Several points or many coordinates, nothing but these, L_w = m v + a. */
bool picard_fits(const fusing *f)
{
    const bool bent = f->points[AT_RULE] > 1 && f->d > 1;
    if ((!bent && f->N < MATRIX_LEAST) || explicit_is_written(&f->st->leap) || f->phase ||
        f->relations || f->points[AT_FORCE] || f->linear)
        return false;
    for (int k = 0; k < f->f->roots; k++) {
        const field_root *r = &f->f->root[k];
        if (r->of == FIELD_LQW || (r->of == FIELD_LWW && (r->varies || r->row != r->column)))
            return false;
        if (r->of == FIELD_LW && r->reads & ~(1u << READ_PARAMETER | 1u << READ_W)) return false;
    }
    for (int j = 0; j < f->n; j++)
        if (program_slot(&f->constant, FIELD_LWW, j, j) < 0) return false;
    return true;
}

/* Do forces depend on velocities? */
static bool force_moves(const fusing *f)
{
    for (int k = 0; k < f->f->roots; k++)
        if ((f->f->root[k].of == FIELD_F || f->f->root[k].of == FIELD_LQ) &&
            f->f->root[k].reads & 1u << READ_W)
            return true;
    return false;
}

/* C and D, by lane. */
static void write_stages(fusing *f, const stage_tables *t)
{
    const int S = f->points[AT_RULE], W = lanes_of(f);
    double   *C = mem_array(f->w.m, S * W, double), *D = mem_array(f->w.m, S * W, double);
    for (int k = 0; k < S; k++)
        for (int i = 0; i < W; i++) {
            const int at = i < S ? i : S - 1;
            C[k * W + i] = stage_position(t, at, k), D[k * W + i] = stage_velocity(t, at, k);
        }
    write_table(&f->w, "STAGES", C, S * W);
    if (f->forced || force_moves(f)) write_table(&f->w, "SLOPES", D, S * W);
}

/* E and the nodes of the curve; its points and weights by lane. */
static void tables_write(fusing *f)
{
    const int    d = f->d, S = f->points[AT_RULE], W = lanes_of(f);
    stage_tables t = stages_of(f->w.m, f->eq, f->side, f->w.single ? FLT_MANT_DIG : DBL_MANT_DIG);
    double      *E = mem_array(f->w.m, d * S, double), *x = mem_array(f->w.m, d, double);
    double      *c = mem_array(f->w.m, W, double), *b = mem_array(f->w.m, W, double);
    write_stages(f, &t);
    for (int mu = 0; mu < d; mu++) {
        x[mu] = f->eq->control.x[0][mu + 1];
        for (int k = 0; k < S; k++) E[k * d + mu] = stage_node(&t, mu, k);
    }
    for (int i = 0; i < W; i++) c[i] = t.c[i < S ? i : S - 1], b[i] = t.b[i < S ? i : S - 1];
    write_table(&f->w, "CURVE", E, S * d);
    write_table(&f->w, "NODES", x, d);
    write_table(&f->w, "ALONG", c, W);
    write_table(&f->w, "WEIGHTS", b, W);
}

/* F of coordinate j at point i, over m. */
static const char *force_of(fusing *f, int j)
{
    const program *p = &f->of[AT_RULE][0];
    const int      Lq = program_slot(p, FIELD_LQ, j, -1), F = program_slot(p, FIELD_F, j, -1),
              W = p->lanes;
    if (Lq < 0 && F < 0) return "0";
    if (Lq < 0 || F < 0) return mem_printf(f->w.m, "oR[%d + i]", (Lq < 0 ? F : Lq) * W);
    return mem_printf(f->w.m, "(oR[%d + i] + oR[%d + i])", Lq * W, F * W);
}

/* h/m and a. */
static void inertia_write(fusing *f)
{
    const program *p = &f->constant, *at = &f->of[AT_RULE][0];
    text          *out = &f->w.out;
    program        rest = {.name = "momentum_at_rest", .lanes = 1};
    for (int k = 0; k < at->root.n; k++)
        if (at->root.at[k]->of == FIELD_LW) program_add(f, &rest, at->root.at[k]);
    program_make(f, &rest);
    program_write(f, &rest);
    text_printf(out,
                "PIECE void inertia(const real *par, real *mobility, real *shift)\n{\n"
                "static const real wR[%d] = {0};\n"
                "const real *const vR = wR;\n(void)par;\n(void)vR;\n",
                f->n);
    text_printf(out, "{\nreal oR[%d];\n%s", p->slots, program_call(f, p, AT_RULE));
    for (int j = 0; j < f->n; j++)
        text_printf(out, "mobility[%d] = 1 / oR[%d];\n", j, program_slot(p, FIELD_LWW, j, j));
    text_printf(out, "}\n{\nreal oR[%d];\n%s", rest.slots ? rest.slots : 1,
                program_call(f, &rest, AT_RULE));
    for (int j = 0; j < f->n; j++) {
        const int held = program_slot(&rest, FIELD_LW, j, -1);
        text_printf(out, "shift[%d] = %s;\n", j,
                    held < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", held));
    }
    text_add(out, "}\n}\n\n");
}

/*     to_i = sum_k table_ki g_k, two at a time */
static const char *combined(fusing *f, const char *to, const char *table)
{
    const int W = lanes_of(f), S = f->points[AT_RULE];
    text      t = text_new(f->w.m);
    for (int k = 0; k < S; k += 2) {
        const char *one = mem_printf(f->w.m, "%s[%d + i] * g[%d]", table, k * W, k);
        const char *two = mem_printf(f->w.m, "%s[%d + i] * g[%d]", table, (k + 1) * W, k + 1);
        text_printf(&t, "for (int i = 0; i < %d; i++) %s[i] %s %s%s%s;\n", W, to, k ? "+=" : "=",
                    one, k + 1 < S ? " + " : "", k + 1 < S ? two : "");
    }
    return text_str(&t);
}

/* Stages from forces, and their change relative to their size after the first sweep. The iteration
 * has converged when no position changes by more than a quarter of its roundoff. */
static const char *stages_text(fusing *f, bool moves)
{
    const int W = lanes_of(f);
    text      t = text_new(f->w.m);
    text_printf(&t,
                "for (int j = 0; j < %d; j++) {\nconst real *const g = G + j * %d;\n"
                "real x[%d], change[%d], size[%d];\n"
                "%s",
                f->n, W, W, W, W, combined(f, "x", "STAGES"));
    if (moves)
        text_printf(&t,
                    "real *const s = vR + j * %d;\n%sfor (int i = 0; i < %d; i++) s[i] += v[j];\n",
                    W, combined(f, "s", "SLOPES"), W);
    text_printf(&t,
                "for (int i = 0; i < %d; i++) {\n"
                "const real to = drift[j * %d + i] + part * (split * x[i]);\n"
                "change[i] = fabs(to - Z[j * %d + i]);\nsize[i] = fabs(to);\n"
                "Z[j * %d + i] = to;\nqR[j * %d + i] = q[j] + to;\n}\n%s",
                W, W, W, W, W, write_lanes_sum(&f->w, "change", W));
    text_printf(&t,
                "if (it == 1) {\n%sweight[j] = size[0] > 0 ? 1 / size[0] : MOST;\n"
                "whole += size[0];\n",
                write_lanes_sum(&f->w, "size", W));
    if (!moves) text_printf(&t, "grain[j] = GRAIN * (size[0] + %d * fabs(q[j]));\n", W);
    text_add(&t, "}\nif (change[0] * weight[j] > eta) eta = change[0] * weight[j];\n");
    if (!moves) text_add(&t, "if (change[0] > grain[j]) still = 0;\n");
    text_add(&t, "moved += change[0];\n}\n");
    return text_str(&t);
}

static const char *evaluate_text(fusing *f)
{
    const program *p = &f->of[AT_RULE][0];
    text           t = text_new(f->w.m);
    text_add(&t, program_call(f, p, AT_RULE));
    for (int j = 0; j < f->n; j++)
        text_add(
            &t, write_loop(&f->w, "i", p->lanes,
                           mem_printf(f->w.m, "G[%d + i] = WEIGHTS[i] * (kick[%d] * (split * %s));",
                                      j * p->lanes, j, force_of(f, j))));
    return text_str(&t);
}

/*     Z^mu = x_mu z + h sum_k E_mu,k g_k,   p^- - p_0 = h sum_i b_i F^i,
 *     and the work, h sum_i b_i f^i . v^i */
static void conclusion_write(fusing *f)
{
    const program *p = &f->of[AT_RULE][0];
    const int      S = f->points[AT_RULE], W = p->lanes, d = f->d;
    text          *out = &f->w.out;
    text_printf(out, "for (int j = 0; j < %d; j++) {\n", f->n);
    text_add(out, write_loop(&f->w, "mu", d, mem_printf(f->w.m, "y[j * %d + mu] = 0;", d)));
    text_printf(out, "for (int k = 0; k < %d; k++) {\nconst real g = G[j * %d + k];\n%s}\n", S, W,
                write_loop(&f->w, "mu", d,
                           mem_printf(f->w.m, "y[j * %d + mu] += CURVE[k * %d + mu] * g;", d, d)));
    text_add(out,
             write_loop(
                 &f->w, "mu", d,
                 mem_printf(f->w.m,
                            "y[j * %d + mu] = NODES[mu] * z[j] + part * (split * y[j * %d + mu]);",
                            d, d)));
    text_add(out, "}\n");
    for (int j = 0; j < f->n; j++)
        text_printf(out,
                    "dp[%d] = 0;\nfor (int i = 0; i < %d; i++) dp[%d] += R_b[i] * %s;\n"
                    "dp[%d] = part * (split * dp[%d]);\n",
                    j, S, j, force_of(f, j), j, j);
    text_add(out, "*work = 0;\n");
    for (int j = 0; j < f->n && f->forced; j++) {
        const int held = program_slot(p, FIELD_F, j, -1);
        if (held < 0) continue;
        text_printf(out,
                    "for (int i = 0; i < %d; i++) {\nreal at = v[%d];\n"
                    "for (int k = 0; k < %d; k++) at += SLOPES[k * %d + i] * G[%d + k];\n"
                    "*work += c->hb[i] * oR[%d + i] * at;\n}\n",
                    S, j, S, W, j * W, held * W);
    }
}

/* What the function takes, and what it works on. */
static void opening_write(fusing *f)
{
    const program *p = &f->of[AT_RULE][0];
    const int      W = p->lanes, n = f->n;
    text          *out = &f->w.out;
    text_add(
        out,
        "/* Stages iterated until what is left is below roundoff; the number of evaluations, "
        "or 0: too slow. */\n"
        "PIECE int picard(const coefficients *c, real t, const real *q, const real *q_low, "
        "const real *p,\n"
        "    const real *p_low, const real *par, const real *u, real *y, real *dp, real *work)\n{\n"
        "const real h = c->h, split = c->split, part = c->part;\nreal before = HUGE_VALUE;\n"
        "(void)t;\n(void)par;\n(void)u;\n");
    text_printf(out,
                "real tR[%d], qR[%d], vR[%d], oR[%d], G[%d], Z[%d], drift[%d];\n"
                "real z[%d], v[%d], mobility[%d], shift[%d], kick[%d], weight[%d], whole = 0;\n",
                W, n * W, n * W, (p->slots ? p->slots : 1) * W, n * W, n * W, n * W, n, n, n, n, n,
                n);
    if (!force_moves(f)) text_printf(out, "real grain[%d];\n", n);
}

/* Stages as the prediction y has them. */
static void prediction_write(fusing *f)
{
    const int W = f->of[AT_RULE][0].lanes, n = f->n;
    text     *out = &f->w.out;
    text_add(out, "(void)tR;\n(void)vR;\n(void)v;\ninertia(par, mobility, shift);\n");
    text_add(out, write_loop(&f->w, "i", W, "tR[i] = t + R_c[i] * h;"));
    text_printf(out,
                "for (int j = 0; j < %d; j++) {\nkick[j] = part * mobility[j];\nweight[j] = 0;\n"
                "v[j] = mobility[j] * ((p[j] - shift[j]) + p_low[j]);\n"
                "z[j] = kick[j] * (split * ((p[j] - shift[j]) + p_low[j]));\n%s",
                n, force_moves(f) ? "" : "grain[j] = 0;\n");
    text_add(out, write_loop(&f->w, "i", W,
                             mem_printf(f->w.m,
                                        "Z[j * %d + i] = 0;\nvR[j * %d + i] = 0;\n"
                                        "drift[j * %d + i] = q_low[j] + ALONG[i] * z[j];",
                                        W, W, W)));
    text_printf(out, "for (int k = 0; k < %d; k++) {\nconst real y_k = y[j * %d + k];\n%s}\n", f->d,
                f->d,
                write_loop(&f->w, "i", W,
                           mem_printf(f->w.m,
                                      "Z[j * %d + i] += R_l[k * %d + i] * y_k;\n"
                                      "vR[j * %d + i] += c->Rv[k * %d + i] * y_k;",
                                      W, W, W, W)));
    text_add(
        out,
        write_loop(&f->w, "i", W,
                   mem_printf(f->w.m,
                              "Z[j * %d + i] += q_low[j];\nqR[j * %d + i] = q[j] + Z[j * %d + i];",
                              W, W, W)));
    text_add(out, "}\n");
}

/* h = split part: mech/solve/stages.h */
const char *split_text(fusing *f)
{
    return mem_printf(f->w.m, "c->split = (real)(float)h == h ? 1 : %s;\nc->part = h / c->split;\n",
                      write_number(&f->w, STEP_SPLIT));
}

void picard_write(fusing *f)
{
    const bool moves = force_moves(f);
    text      *out = &f->w.out;
    tables_write(f);
    inertia_write(f);
    opening_write(f);
    prediction_write(f);
    text_printf(out, "%sfor (int it = 1; it <= %d; it++) {\nreal eta = 0, moved = 0;\n%s",
                evaluate_text(f), f->d > 1 ? SWEEPS_MOST : SWEEPS_FEW,
                moves ? "" : "int still = 1;\n");
    text_add(out, stages_text(f, moves));
    text_add(out, "if (!(moved <= MOST)) return 0;\n");
    text_add(out, evaluate_text(f));
    text_printf(out,
                "if (%seta <= EPSILON || (it > 1 && leaves_roundoff(eta, before)) ||\n"
                "    (it > 2 && eta > QUARTER * before && moved <= %d * EPSILON * whole)) {\n",
                moves ? "" : "still || ", 4 * f->n);
    conclusion_write(f);
    text_add(out, "return it + 1;\n}\n"
                  "if (it > 1 && (eta > QUARTER * before || !(eta < 1))) return 0;\n"
                  "before = eta;\n}\nreturn 0;\n}\n\n");
}
