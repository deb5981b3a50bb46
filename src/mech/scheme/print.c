/* print.c - `show` for the discrete side: theory.md [GALERKIN], [DEL] and [CONSTRAINED] with the
 * numbers of one scheme, so that a reader can check a step by hand. */
#include "mech/scheme/print.h"

#include <math.h>

/* 0.16666666666666666 reads better as 1/6 */
static void add_number(text *out, double x)
{
    for (int below = 1; below <= 720; below++) {
        /* x = above/below, if that is a whole number to roundoff */
        double above = x * below;
        if (fabs(above - nearbyint(above)) > 4e-16 * fabs(above)) continue;
        text_number(out, nearbyint(above));
        if (below > 1) text_printf(out, "/%d", below);
        return;
    }
    text_number(out, x);
}

/* adds "+ c*what", with the signs and ones that people write; %d in `what` is the index */
static void add_term(text *out, double c, bool first, const char *what, int index)
{
    if (fabs(c) < 1e-14) return; /* a zero of the basis, up to roundoff */
    text_add(out, first ? (c < 0 ? "-" : "") : (c < 0 ? " - " : " + "));
    if (fabs(c) != 1) add_number(out, fabs(c)), text_add(out, "*");
    for (; *what; what++) {
        bool hole = what[0] == '%' && what[1] == 'd';
        if (hole) text_printf(out, "%d", index), what++;
        else text_add_bytes(out, what, 1);
    }
}

/* sum over nu >= from of c[nu]*Z_nu; "0" if there is none */
static void add_combination(text *out, const double *c, int d, bool first)
{
    size_t before = out->n;
    for (int nu = 1; nu <= d; nu++) add_term(out, c[nu], first && out->n == before, "Z%d", nu);
    if (first && out->n == before) text_add(out, "0");
}

/* q_i = q + sum l_nu(c_i) Z_nu,  v_i = (1/h) sum l'_nu(c_i) Z_nu                  theory.md [CURVE]
 */
static void add_samples(text *out, const quadrature *rule, const basis *at, const char *suffix)
{
    for (int i = 0; i < rule->s; i++) {
        const double *l = at->l + i * (at->d + 1), *dl = at->dl + i * (at->d + 1);
        text_printf(out, "  t%d%s = t", i + 1, suffix);
        add_term(out, rule->c[i], false, "h", 0);
        text_printf(out, ",  q%d%s = q", i + 1, suffix);
        add_combination(out, l, at->d, false);
        text_printf(out, ",  v%d%s = (", i + 1, suffix);
        add_combination(out, dl, at->d, true);
        text_add(out, ")/h\n");
    }
}

/* z_i = z + sum (l_nu + u_nu)(c_i) Z_nu                                    theory.md [STATES] */
static void add_states(text *out, const scheme *sch, const basis *at)
{
    const int     N = at->d + 1;
    const double *u = upwind_new(out->m, at, sch->rule.c, sch->rule.b);
    for (int i = 0; i < sch->rule.s; i++) {
        double c[STAGES_MOST];
        for (int nu = 0; nu < N; nu++) c[nu] = at->l[i * N + nu] + u[i * N + nu];
        text_printf(out, "  of a state z%d = z", i + 1);
        add_combination(out, c, at->d, false);
        text_printf(out, ",  with z' = g in place of v%d\n", i + 1);
    }
}

/* one sum over the nodes of a rule: weights b_i l_nu(c_i) or b_i l'_nu(c_i) times what[i] */
static void add_nodes(text *out, const quadrature *rule, const double *table, int stride, int nu,
                      bool first, const char *what)
{
    for (int i = 0; i < rule->s; i++) {
        double c = rule->b[i] * table[i * stride + nu];
        if (fabs(c) < 1e-14) continue; /* a zero of the basis, up to roundoff */
        add_term(out, c, first, what, i + 1);
        first = false;
    }
    if (first) text_add(out, "0");
}

/* G_nu = sum_i b_i [ l'_nu L_v + h l_nu (L_q + f) - h u_nu D ]       theory.md [GALERKIN] [DAMPING]
 */
static void add_gradient(text *out, const scheme *sch, step_blocks has, const basis *at,
                         const basis *f_at, int nu)
{
    int         stride = sch->degree + 1;
    bool        shared = has.forced && !sch->own_force_rule;
    const char *lv = has.hamiltonian && !has.lagrangian ? "P%d" : "Lv%d";
    const char *lq = shared ? "F%d" : "Lq%d";
    text_printf(out, "  G%d = ", nu);
    add_nodes(out, &sch->rule, at->dl, stride, nu, true, lv);
    text_add(out, " + h*(");
    add_nodes(out, &sch->rule, at->l, stride, nu, true, lq);
    text_add(out, ")");
    if (has.forced && sch->own_force_rule) {
        text_add(out, " + h*(");
        add_nodes(out, &sch->force, f_at->l, stride, nu, true, "f%d'");
        text_add(out, ")");
    }
    if (has.damped && scheme_upwinds(sch)) {
        text_add(out, " - h*(");
        add_nodes(out, &sch->rule, upwind_new(out->m, at, sch->rule.c, sch->rule.b), stride, nu,
                  true, "D%d");
        text_add(out, ")");
    }
    text_add(out, "\n");
}

/* What the letters of the gradient stand for. */
static void add_legend(text *out, const scheme *sch, step_blocks has)
{
    const char *lq = has.hamiltonian ? (has.lagrangian ? "d(L-H)/dq" : "-dH/dq") : "dL/dq";
    if (has.lagrangian) text_add(out, "  Lv = dL/dv");
    if (has.hamiltonian)
        text_add(out, has.lagrangian ? " (the stage momentum P for Hamiltonian coordinates)"
                                     : "  P: the stage momentum, with v = dH/dp at every node");
    text_printf(out, ",  %s = %s%s, each at its node\n",
                has.forced && !sch->own_force_rule ? "F" : "Lq", lq,
                has.forced && !sch->own_force_rule ? " + force" : "");
    if (has.damped) text_add(out, "  D: what of the force is damping\n");
}

/* R_nu, C_kappa, D_kappa                                                 theory.md [CONSTRAINED] */
static void add_equations(text *out, const scheme *sch, step_blocks has)
{
    bool rows = has.velocity_rows || has.holonomic_rows;
    int  d = sch->degree;
    for (int nu = 0; nu < d; nu++)
        text_printf(out, rows ? "  %sG%d + h*w%d*A(Q%d)^T*lambda%d = 0\n" : "  %sG%d = 0\n",
                    nu ? "" : "p + ", nu, nu, nu, nu);
    if (has.velocity_rows)
        text_printf(out, "  A(q)*v + b(q) = 0 at the %d point%s of gauss(%d)\n", d,
                    d > 1 ? "s" : "", d);
    if (has.holonomic_rows) text_printf(out, "  g(Qk) = 0 for k = 1..%d\n", d);
    text_printf(out, "  then q <- q + Z%d,  p <- G%d%s\n", d, d,
                rows ? ", projected so that A*v + b = 0 at the new grid point" : "");
}

/*     S = sum b [e + (1-c) h P] = E,   E <- sum b [e - c h P]                 theory.md [ENERGY] */
static void add_energy(text *out, const scheme *sch, step_blocks has)
{
    const bool        own = has.forced && sch->own_force_rule;
    const quadrature *rule[] = {&sch->rule, own ? &sch->force : NULL};
    const char       *defect[] = {"h*P%d", "h*P%d'"};
    text_printf(out, "  e = Lv*v - L,  P = dL/dt%s\n", has.forced && !own ? " - force*v" : "");
    if (own) text_add(out, "  P' = -force*v\n");
    for (int end = 0; end < 2; end++) {
        text_add(out, end ? "  then E <- " : "  ");
        for (int i = 0; i < sch->rule.s; i++) add_term(out, sch->rule.b[i], i == 0, "e%d", i + 1);
        for (int k = 0; k < 2 && rule[k]; k++)
            for (int i = 0; i < rule[k]->s; i++) {
                double c = rule[k]->c[i];
                add_term(out, rule[k]->b[i] * (end ? -c : 1 - c), false, defect[k], i + 1);
            }
        text_add(out, end ? "\n" : " = E\n");
    }
}

/*     h*(b1*what1 + ...) */
static void add_sum(text *out, const quadrature *rule, const char *what)
{
    text_add(out, "h*(");
    for (int i = 0; i < rule->s; i++) add_term(out, rule->b[i], i == 0, what, i + 1);
    text_add(out, ")");
}

/* The chart that is centred in the step, its row R_0, and what is carried. theory.md [ROTATION] */
static void add_rotations(text *out, const scheme *sch, step_blocks has)
{
    const bool  rows = has.velocity_rows || has.holonomic_rows;
    const char *lq = has.forced ? "F" : "Lq";
    text_printf(
        out,
        "of a rotation R, in body axes: a chart that is centred in the step, and q = 0\n"
        "  a = Z%d/2,  Rm = R*exp(a);  at every node y = q - a,  R = Rm*exp(y),  bodyspin(R) = "
        "D(y)*v\n"
        "  D(y) = 1 - c2*[y] + c3*[y]^2,  c2 = (1 - cos(s))/s^2,  c3 = (s - sin(s))/s^3,  s = "
        "norm(y),  [y]*x = cross(y, x)\n"
        "  Lv = D(y)^T*mu,  %s = D(y)^T*T + d(dot(mu, D(y)*v))/dy,  mu = dL/dbodyspin,  T = "
        "dL/dR%s%s\n  M = ",
        sch->degree, lq, has.forced ? " + torque" : "",
        rows ? ";  A(Qk)*D(yk) in place of A(Qk)" : "");
    add_sum(out, &sch->rule, "exp(y%d)*T%d");
    if (rows) text_add(out, " + sum of h*wk*exp(yk)*A(Qk)^T*lambdak");
    text_add(out, ",  S = "), add_sum(out, &sch->rule, has.forced ? "F%d" : "Lq%d");
    if (rows) text_add(out, " + sum of h*wk*D(yk)^T*A(Qk)^T*lambdak");
    text_printf(out,
                ",  m0 = Rm^T*p(R),  m1 = m0 + M\n"
                "  (D(a)^T*m0 + D(-a)^T*m1 - S)/2 + G0%s = 0 in place of the first equation\n"
                "  then R <- Rm*exp(a),  p(R) <- p(R) + Rm*M\n",
                rows ? " + h*w0*D(y0)^T*A(Q0)^T*lambda0" : "");
    if (has.directions)
        text_add(out,
                 "of a direction n = R*[0, 0, 1]: the same, with Zk[3] = 0 as its third rows\n");
}

static void add_composition(text *out, const scheme *sch)
{
    if (sch->substeps == 1) return;
    text_printf(out, "one step is %d of the following, with h replaced by gamma*h:\n  gamma =",
                sch->substeps);
    for (int j = 0; j < sch->substeps; j++) {
        text_add(out, j ? ", " : " ");
        text_number(out, sch->gamma[j]);
    }
    text_add(out, "\n");
}

void scheme_print(const scheme *sch, step_blocks has, text *out)
{
    mem  *m = out->m;
    basis at = basis_new(m, sch->degree, sch->rule.c, sch->rule.s);
    basis f_at = basis_new(m, sch->degree, sch->force.c, sch->force.s);
    text_printf(out, "%s, order %d\n", sch->title, scheme_order(sch, has.damped || has.states));
    add_composition(out, sch);
    text_printf(out,
                "unknown: the increments Zk of every coordinate, k = 1..%d%s; the curve passes "
                "through Qk = q + Zk\n",
                sch->degree, has.energy ? ", and the step h" : "");
    text_add(out, "nodes\n");
    add_samples(out, &sch->rule, &at, "");
    if (has.states && scheme_upwinds(sch)) add_states(out, sch, &at);
    if (has.forced && sch->own_force_rule) add_samples(out, &sch->force, &f_at, "'");
    text_add(out, "gradient of the discrete action and forces\n");
    add_legend(out, sch, has);
    for (int nu = 0; nu <= sch->degree; nu++) add_gradient(out, sch, has, &at, &f_at, nu);
    text_add(out, "equations\n");
    add_equations(out, sch, has);
    if (has.energy) add_energy(out, sch, has);
    if (has.rotations) add_rotations(out, sch, has);
}
