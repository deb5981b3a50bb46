/* residual.c - sample points and residual, generated for one system: the same sums as
 * mech/equations/residual.c, with the coefficients of the scheme as constants.
 *
 *     R_nu = delta_{nu 0} p_0 + sum_i b_i [l'_nu L_w + h l_nu (L_q + f) - h u_nu D]^i
 *            + h w_nu A^T lam^nu
 *     C_k  = W v + b,   D_k = g/h,   b_i h (v^i + Lambda_w^i)               theory.md [CONSTRAINED]
 *
 * Unknowns and rows stand node by node, as there: Z^mu_j has the place (mu - 1) n + j, R_nu of
 * coordinate j the place nu n + j. */
#include "codegen/inside.h"
#include "codegen/turning.h"

static const char letter[] = "RFKG";

static int lanes_of(const codegen *f, point_set set)
{
    return f->of[set][1].lanes;
}

/* Points of the curve: tX, qX and vX, a lane each. */
static const char *place_text(codegen *f, point_set set)
{
    const int  W = lanes_of(f, set);
    const char X = letter[set];
    text       t = text_new(f->w.m);
    text_printf(&t, "real t%c[%d], q%c[%d], v%c[%d];\n(void)t%c;\n(void)q%c;\n(void)v%c;\n", X, W,
                X, (f->n + TURNING_MATRIX * turning_count(f)) * W, X, f->n * W, X, X, X);
    text_printf(&t,
                "sample_times(%d, t, h, %c_c, t%c);\n"
                "sample_curve(%d, %c_l, c->%cv, q, q_low, y, q%c, v%c);\n",
                W, X, X, W, X, X, X, X);
    for (int k = 0; k < f->eq->upwind.states; k++)
        text_printf(&t, "sample_state(%d, %d, %c_z, y, q%c);\n", W, f->eq->upwind.state_list[k], X,
                    X);
    if (turning_count(f)) text_add(&t, turning_places(f, set));
    return text_str(&t);
}

/* w is the stage momentum for Hamiltonian coordinates, the velocity for the others. */
static const char *momenta_text(codegen *f)
{
    const int W = lanes_of(f, AT_RULE);
    text      t = text_new(f->w.m);
    if (!f->phase) return "";
    text_printf(&t, "real wR[%d];\n", f->n * W);
    for (int j = 0; j < f->n; j++) {
        const int   number = f->eq->phase_number[j];
        const char *from = number < 0
                               ? mem_printf(f->w.m, "vR[%d + i]", j * W)
                               : mem_printf(f->w.m, "y[%d + (i < %d ? i : %d) * %d]",
                                            f->eq->P + number, f->eq->s, f->eq->s - 1, f->phase);
        text_add(&t,
                 write_loop(&f->w, "i", W, mem_printf(f->w.m, "wR[%d + i] = %s;", j * W, from)));
    }
    text_add(&t, "(void)wR;\n");
    return text_str(&t);
}

/* Nodes of the curve; multipliers of relations that act inside are 0 there. */
static const char *control_text(codegen *f)
{
    const int W = f->d + 1;
    text      t = text_new(f->w.m);
    text_printf(&t,
                "real tK[%d], qK[%d], lamK[%d];\n(void)tK;\n(void)qK;\n(void)lamK;\n"
                "sample_times(%d, t, h, K_c, tK);\nsample_nodes(q, q_low, y, qK, lamK);\n",
                W, (f->n + TURNING_MATRIX * turning_count(f)) * W, f->relations * W, W);
    for (int a = 0; a < f->relations; a++)
        if (acts_inside(f->eq, a))
            text_add(&t, write_loop(&f->w, "i", f->d,
                                    mem_printf(f->w.m, "lamK[%d + i] = REAL(0);", a * W)));
    if (turning_count(f)) text_add(&t, turning_places(f, AT_CONTROL));
    return text_str(&t);
}

/* Multipliers at the Gauss points: 0 of relations that act at the nodes. */
static const char *inner_text(codegen *f)
{
    const int W = lanes_of(f, AT_GAUSS), rel = f->relations;
    text      t = text_new(f->w.m);
    text_printf(&t, "real lamG[%d];\n(void)lamG;\n", rel * W);
    for (int a = 0; a < rel; a++) {
        const char *from = acts_inside(f->eq, a)
                               ? mem_printf(f->w.m, "y[%d + (i < %d ? i : %d) * %d]",
                                            f->eq->lam + a, f->d, f->d - 1, rel)
                               : "REAL(0)";
        text_add(&t,
                 write_loop(&f->w, "i", W, mem_printf(f->w.m, "lamG[%d + i] = %s;", a * W, from)));
    }
    return text_str(&t);
}

/* x_nu += sum over the points of coefficient[i d + nu] * value(i) */
static const char *add_points(codegen *f, point_set set, const char *coefficient, const char *value)
{
    const char *each =
        mem_printf(f->w.m, "x[nu] += c->%s[i * %d + nu] * %s;", coefficient, f->d, value);
    return write_loop(&f->w, "i", f->points[set], write_loop(&f->w, "nu", f->d, each));
}

/* A result of a program at point i, from its array of results. */
static const char *slot_text(codegen *f, const program *p, int held, char set)
{
    return p->lanes > 1 ? mem_printf(f->w.m, "o%c[%d + i]", set, held * p->lanes)
                        : mem_printf(f->w.m, "o%c[%d]", set, held);
}

/* P of a Hamiltonian coordinate, which is an unknown, else L_w; NULL: it is 0. */
static const char *momentum_of(codegen *f, const program *p, int j)
{
    const int held = program_slot(p, FIELD_LW, j, -1);
    if (is_phase(f, j)) return mem_printf(f->w.m, "wR[%d + i]", j * p->lanes);
    return held < 0 ? NULL : slot_text(f, p, held, 'R');
}

/* L_q + f of coordinate j at point i, or NULL. */
static const char *force_of(codegen *f, const program *p, int j)
{
    const int Lq = program_slot(p, FIELD_LQ, j, -1), F = program_slot(p, FIELD_F, j, -1);
    if (Lq < 0 && F < 0) return NULL;
    if (Lq < 0 || F < 0) return slot_text(f, p, Lq < 0 ? F : Lq, 'R');
    return mem_printf(f->w.m, "(%s + %s)", slot_text(f, p, Lq, 'R'), slot_text(f, p, F, 'R'));
}

/* Is there damping on coordinate j? */
static bool damps(const codegen *f, int j)
{
    return f->damped && program_slot(&f->of[AT_RULE][0], FIELD_D, j, -1) >= 0;
}

/* Reactions on coordinate j:  x_nu += h w_nu A^T lam^nu */
static const char *add_reactions(codegen *f, const program *at, int j)
{
    text t = text_new(f->w.m);
    for (int k = 0; f->relations && k < at->root.n; k++) {
        const field_root *r = at->root.at[k];
        if (r->of != FIELD_A || r->column != j) continue;
        text_add(&t, write_loop(&f->w, "nu", f->d,
                                mem_printf(f->w.m,
                                           "x[nu] += c->impulse[nu] * lamK[%d + nu] * oK[%d + nu];",
                                           r->row * (f->d + 1), at->slot[k] * at->lanes)));
    }
    return text_str(&t);
}

/* Those that act inside:  x_nu += h b_i l_nu A^T lam^i */
static const char *add_inner_reactions(codegen *f, const program *at, int j)
{
    text t = text_new(f->w.m);
    for (int k = 0; f->eq->inside && k < at->root.n; k++) {
        const field_root *r = at->root.at[k];
        if (r->of != FIELD_A || r->column != j || !acts_inside(f->eq, r->row)) continue;
        text_add(&t, add_points(f, AT_RULE, "rq",
                                mem_printf(f->w.m, "lamG[%d + i] * oG[%d + i]", r->row * at->lanes,
                                           at->slot[k] * at->lanes)));
    }
    return text_str(&t);
}

/*     R_nu = delta_{nu 0} p_0 + sum_i b_i [l'_nu L_w + h l_nu (L_q + f) - h u_nu D]^i
 *            + h w_nu A^T lam^nu,   or h b_i l_nu A^T lam^i inside
 * and h sum_j b'_j l_nu(c'_j) f^j of forces with a rule of their own. The d rows of a coordinate
 * are summed up side by side; p_low is added last, as the sum is small by then. theory.md [FORCE]
 */
static const char *momentum_rows(codegen *f, bool second)
{
    const program *at = &f->of[AT_RULE][second], *own = &f->of[AT_FORCE][second];
    text           t = text_new(f->w.m);
    for (int k = 0; k < turning_count(f); k++) text_add(&t, turning_rows_text(f, second, k));
    if (turning_count(f)) text_add(&t, "strike_rows(y, r);\n");
    for (int j = 0; j < f->n; j++) {
        if (turning_row(f, j)) continue;
        const char *Lw = momentum_of(f, at, j), *force = force_of(f, at, j);
        const int   held = f->points[AT_FORCE] ? program_slot(own, FIELD_F, j, -1) : -1;
        text_printf(&t, "{\nreal x[%d];\nx[0] = p[%d];\n", f->d, j);
        for (int nu = 1; nu < f->d; nu++) text_printf(&t, "x[%d] = REAL(0);\n", nu);
        if (Lw) text_add(&t, add_points(f, AT_RULE, "rw", Lw));
        if (force) text_add(&t, add_points(f, AT_RULE, "rq", force));
        if (damps(f, j))
            text_add(&t, add_points(f, AT_RULE, "rd",
                                    slot_text(f, at, program_slot(at, FIELD_D, j, -1), 'R')));
        if (held >= 0) text_add(&t, add_points(f, AT_FORCE, "fq", slot_text(f, own, held, 'F')));
        text_add(&t, add_reactions(f, &f->of[AT_CONTROL][second], j));
        text_add(&t, add_inner_reactions(f, &f->of[AT_GAUSS][second], j));
        text_printf(&t, "r[%d] = x[0] + p_low[%d];\n", j, j);
        for (int nu = 1; nu < f->d; nu++) text_printf(&t, "r[%d] = x[%d];\n", nu * f->n + j, nu);
        text_add(&t, "}\n");
    }
    return text_str(&t);
}

/* D_k = g/h; and the error of lam due to roundoff in p. */
static const char *control_rows(codegen *f, const program *at, bool widen)
{
    const int W = at->lanes, lam = f->eq->lam, rel = f->relations;
    text      t = text_new(f->w.m);
    for (int k = 0; k < at->root.n; k++) {
        const field_root *r = at->root.at[k];
        const int         o = at->slot[k] * W;
        if (r->of == FIELD_A && widen)
            text_add(&t, write_loop(&f->w, "nu", f->d,
                                    mem_printf(f->w.m,
                                               "widen(&scale[%d + nu * %d], ABS(p[%d]), "
                                               "ABS(c->impulse[nu] * oK[%d + nu]));",
                                               lam + r->row, rel, r->column, o)));
        if (r->of == FIELD_G)
            text_add(&t, write_loop(&f->w, "k", f->d,
                                    mem_printf(f->w.m, "r[%d + k * %d] = oK[%d + k] / h;",
                                               lam + r->row, rel, o + 1)));
    }
    return text_str(&t);
}

/*     C_k = W v + b at the Gauss points, and g/h of holonomic relations that act there */
static const char *gauss_rows(codegen *f, const program *at, bool widen)
{
    const int lam = f->eq->lam, rel = f->relations;
    text      t = text_new(f->w.m);
    for (int k = 0; k < at->root.n; k++) {
        const field_root *r = at->root.at[k];
        const int         o = at->slot[k] * at->lanes;
        if (r->of == FIELD_E || r->of == FIELD_G)
            text_add(&t,
                     write_loop(&f->w, "k", f->d,
                                mem_printf(f->w.m, "r[%d + k * %d] = oG[%d + k]%s;", lam + r->row,
                                           rel, o, r->of == FIELD_G ? " / h" : "")));
        if (r->of == FIELD_A && acts_inside(f->eq, r->row) && widen)
            text_add(&t, write_loop(&f->w, "i", f->d,
                                    mem_printf(f->w.m,
                                               "widen(&scale[%d + i * %d], ABS(p[%d]), "
                                               "ABS(c->hb[i] * oG[%d + i]));",
                                               lam + r->row, rel, r->column, o)));
    }
    return text_str(&t);
}

/*     b_i h (v^i + Lambda_w^i), rows of the stage momenta      theory.md [PHASE] */
static const char *phase_rows(codegen *f, const program *at)
{
    text t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        const int number = f->eq->phase_number[j], held = program_slot(at, FIELD_LW, j, -1);
        if (number < 0) continue;
        const char *Lw = held < 0 ? "" : mem_printf(f->w.m, " + oR[%d + i]", held * at->lanes);
        text_add(&t, write_loop(&f->w, "i", f->points[AT_RULE],
                                mem_printf(f->w.m, "r[%d + i * %d] = c->hb[i] * (vR[%d + i]%s);",
                                           f->eq->P + number, f->phase, j * at->lanes, Lw)));
    }
    return text_str(&t);
}

/* Sample points, and the system there; `second`: with the fields of the Jacobian. Points of
 * velocity constraints are evaluated for their rows only. */
static const char *evaluate_text(codegen *f, bool second, bool rows)
{
    text t = text_new(f->w.m);
    if (turning_count(f)) text_add(&t, turning_middles(f));
    for (point_set set = 0; set < SETS; set++) {
        const program *p = &f->of[set][second];
        if (!f->points[set] || (set == AT_GAUSS && !rows && !f->eq->inside)) continue;
        text_add(&t, set == AT_CONTROL ? control_text(f) : place_text(f, set));
        if (set == AT_RULE) text_add(&t, momenta_text(f));
        if (set == AT_GAUSS && f->eq->inside) text_add(&t, inner_text(f));
        if (p->slots) text_printf(&t, "real o%c[%d];\n", letter[set], p->slots * p->lanes);
        text_add(&t, second && f->forward && set == AT_RULE ? forward_call(f)
                                                            : program_call(f, p, set));
    }
    return text_str(&t);
}

static const char *rows_text(codegen *f, bool second, bool widen)
{
    text      t = text_new(f->w.m);
    const int lam = f->eq->lam;
    if (turning_count(f)) text_printf(&t, "vector3 gain[%d];\n(void)gain;\n", turning_count(f));
    text_add(&t, momentum_rows(f, second));
    if (f->relations) {
        text_add(&t, write_loop(&f->w, "k", f->eq->P - lam,
                                mem_printf(f->w.m, "r[%d + k] = REAL(0);", lam)));
        text_add(&t, control_rows(f, &f->of[AT_CONTROL][second], widen));
        text_add(&t, gauss_rows(f, &f->of[AT_GAUSS][second], widen));
    }
    if (f->phase) text_add(&t, phase_rows(f, &f->of[AT_RULE][second]));
    return text_str(&t);
}

void function_open(codegen *f, const char *type, const char *title, const char *rest)
{
    text_printf(&f->w.out,
                "PIECE %s %s(const coefficients *c, number t, const real *q, const real *q_low,\n"
                "    const real *p, const real *p_low, const real *par, const real *u,\n"
                "    const real *y, %s)\n{\nconst number h = c->h;\n(void)h;\n(void)t;\n(void)p;\n"
                "(void)p_low;\n(void)par;\n(void)u;\n",
                type, title, rest);
}

/* In rows of damping, without it:                                             theory.md [DAMPING]
 *     p^- = sum_i b_i [chi' L_w + h chi (L_q + f - D)]^i + sum_nu chi_nu h w_nu A^T lam^nu */
static const char *damped_momentum(codegen *f, int j)
{
    const program *at = &f->of[AT_RULE][0];
    const char    *D = slot_text(f, at, program_slot(at, FIELD_D, j, -1), 'R');
    const char    *Lw = momentum_of(f, at, j);
    return mem_printf(
        f->w.m,
        "{\nreal m = REAL(0), kick = REAL(0);\n%sdp[%d] = (m - p[%d] + h * kick) - p_low[%d];\n}\n",
        write_loop(&f->w, "i", f->points[AT_RULE],
                   mem_printf(f->w.m, "m += END_W[i] * %s; kick += END_Q[i] * (%s - %s);",
                              Lw ? Lw : "REAL(0)", force_of(f, at, j), D)),
        j, j, j);
}

/*     p^- - p_0 = h sum_i b_i (L_q + f)^i + sum_{nu<d} h w_nu A^T lam^nu  (h b_i, inside) */
static const char *momentum_text(codegen *f)
{
    const program *at = &f->of[AT_RULE][0], *control = &f->of[AT_CONTROL][0];
    const program *gauss = &f->of[AT_GAUSS][0];
    text           t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        const char *force = force_of(f, at, j);
        text_printf(&t, "dp[%d] = REAL(0);\n", j);
        if (of_state(f, j) || turning_row(f, j)) continue;
        if (force)
            text_add(&t, write_loop(&f->w, "i", f->points[AT_RULE],
                                    mem_printf(f->w.m, "dp[%d] += R_b[i] * %s;", j, force)));
        const int held =
            f->points[AT_FORCE] ? program_slot(&f->of[AT_FORCE][0], FIELD_F, j, -1) : -1;
        if (held >= 0)
            text_add(&t, write_loop(&f->w, "i", f->points[AT_FORCE],
                                    mem_printf(f->w.m, "dp[%d] += F_b[i] * %s;", j,
                                               slot_text(f, &f->of[AT_FORCE][0], held, 'F'))));
        text_printf(&t, "dp[%d] *= h;\n", j);
        if (damps(f, j) && !f->side) text_add(&t, damped_momentum(f, j));
    }
    for (int k = 0; f->relations && k < control->root.n; k++) {
        const field_root *r = control->root.at[k];
        if (r->of == FIELD_A && !turning_row(f, r->column))
            text_add(
                &t, write_loop(
                        &f->w, "nu", f->d,
                        mem_printf(
                            f->w.m, "dp[%d] += %sc->impulse[nu] * y[%d + nu * %d] * oK[%d + nu];",
                            r->column, damps(f, r->column) && !f->side ? "END_NODE[nu] * " : "",
                            f->eq->lam + r->row, f->relations, control->slot[k] * control->lanes)));
    }
    for (int k = 0; f->eq->inside && k < gauss->root.n; k++) {
        const field_root *r = gauss->root.at[k];
        if (r->of == FIELD_A && acts_inside(f->eq, r->row))
            text_add(
                &t, write_loop(&f->w, "i", f->d,
                               mem_printf(f->w.m, "dp[%d] += c->hb[i] * lamG[%d + i] * oG[%d + i];",
                                          r->column, r->row * gauss->lanes,
                                          gauss->slot[k] * gauss->lanes)));
    }
    return text_str(&t);
}

/*     h sum_i b_i f^i . v^i, at the points where forces are sampled */
static const char *work_text(codegen *f)
{
    const point_set set = f->points[AT_FORCE] ? AT_FORCE : AT_RULE;
    const program  *at = &f->of[set][0];
    const char      X = letter[set];
    text            t = text_new(f->w.m);
    if (!f->forced) return "return REAL(0);\n";
    text_add(&t, "real work = REAL(0);\n");
    text each = text_new(f->w.m);
    text_add(&each, "real power = REAL(0);\n");
    for (int j = 0; j < f->n; j++) {
        const int held = program_slot(at, FIELD_F, j, -1);
        if (held >= 0 && !of_state(f, j))
            text_printf(&each, "power += o%c[%d + i] * v%c[%d + i];\n", X, held * at->lanes, X,
                        j * at->lanes);
    }
    text_printf(&each, "work += %c_b[i] * power;\n", X);
    text_add(&t, write_sum(&f->w, "i", 0, f->points[set], text_str(&each)));
    text_add(&t, "return h * work;\n");
    return text_str(&t);
}

/* Residual and Jacobian. */
static void linearise_write(codegen *f)
{
    const char *scale =
        f->energy ? "real *RESTRICT r, border *RESTRICT g" : "real *RESTRICT r, real *scale";
    function_open(f, "void", "linearise",
                  mem_printf(f->w.m, "%s, const real *J0, real *RESTRICT J", scale));
    if (!f->energy) text_add(&f->w.out, "(void)scale;\n");
    text_add(&f->w.out, write_loop(&f->w, "k", f->N * f->N, "J[k] = J0[k];"));
    text_add(&f->w.out, evaluate_text(f, true, true));
    text_add(&f->w.out, rows_text(f, true, f->relations > 0));
    for (point_set set = 0; set < SETS; set++)
        if (f->points[set]) text_add(&f->w.out, entries_text(f, &f->of[set][1], set, false));
    if (turning_count(f)) text_add(&f->w.out, turning_entries(f));
    if (f->energy) text_add(&f->w.out, border_text(f));
    text_add(&f->w.out, "}\n\n");
}

/* residual where the Jacobian is kept or constant, linearise for both at once, and finish: the
 * change of momentum and the work of a curve that was found. */
void rows_write(codegen *f)
{
    if (f->frozen || f->linear) {
        function_open(f, "void", "residual", "real *RESTRICT r");
        text_add(&f->w.out, evaluate_text(f, false, true));
        text_add(&f->w.out, rows_text(f, false, false));
        text_add(&f->w.out, "}\n\n");
    }
    if (!f->linear) linearise_write(f);
    function_open(f, "real", "finish",
                  f->energy ? "real *RESTRICT dp, energies *RESTRICT to" : "real *RESTRICT dp");
    text_add(&f->w.out, evaluate_text(f, false, false));
    text_add(&f->w.out, momentum_text(f));
    if (turning_count(f)) text_add(&f->w.out, turning_gains(f));
    if (f->energy) text_add(&f->w.out, energies_text(f));
    text_add(&f->w.out, work_text(f));
    text_add(&f->w.out, "}\n\n");
}
