/* scheme_latex.c - the discrete equations of a scheme in LaTeX: paragraphs between displayed
 * equations, to be put into a document with amsmath. */
#include "mech/scheme/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS_A_LINE = 3 };

/* Fractions with a small denominator as such; others to all digits, powers of ten set as such. */
static void add_number(text *out, double x)
{
    char s[NUMBER_ROOM], *e;
    for (int below = 1; below <= 720; below++) {
        double above = x * below;
        if (fabs(above - nearbyint(above)) > 4e-16 * fabs(above)) continue;
        text_printf(out, below > 1 ? "\\tfrac{%.0f}{%d}" : "%.0f", nearbyint(above), below);
        return;
    }
    number_print(s, x);
    if ((e = strchr(s, 'e'))) *e = 0;
    text_add(out, s);
    if (e) text_printf(out, " \\cdot 10^{%d}", atoi(e + 1));
}

typedef struct { /* a sum that grows, and is broken where a line is full */
    text *out;
    int   terms;
} sum;

/* "+ c what_index" */
static void add_term(sum *s, double c, const char *what, int index, const char *prime)
{
    if (fabs(c) < 1e-14) return; /* a zero of the basis, up to roundoff */
    if (s->terms && s->terms % TERMS_A_LINE == 0) text_add(s->out, " \\\\\n  &\\quad");
    text_add(s->out, s->terms ? (c < 0 ? " - " : " + ") : (c < 0 ? "-" : ""));
    if (fabs(c) != 1) add_number(s->out, fabs(c)), text_add(s->out, " \\, ");
    text_add(s->out, what);
    if (index) text_printf(s->out, "_{%d}%s", index, prime);
    s->terms++;
}

static void end_sum(sum *s)
{
    if (!s->terms) text_add(s->out, "0");
}

static void add_combination(sum *s, const double *c, int d)
{
    for (int nu = 1; nu <= d; nu++) add_term(s, c[nu], "Z", nu, "");
    end_sum(s);
}

/* q_i = q + sum l_nu(c_i) Z_nu,  h v_i = sum l'_nu(c_i) Z_nu                      theory.md [CURVE]
 */
static void add_samples(text *out, const quadrature *rule, const basis *at, const char *prime)
{
    for (int i = 0; i < rule->s; i++) {
        const double *l = at->l + i * (at->d + 1), *dl = at->dl + i * (at->d + 1);
        sum           t = {out, 1}, q = {out, 1}, v = {out, 0};
        text_printf(out, "t_{%d}%s &= t", i + 1, prime);
        add_term(&t, rule->c[i], "h", 0, "");
        text_printf(out, ", \\quad q_{%d}%s = q", i + 1, prime);
        for (int nu = 1; nu <= at->d; nu++) add_term(&q, l[nu], "Z", nu, "");
        text_printf(out, " \\\\\nh \\, v_{%d}%s &= ", i + 1, prime);
        add_combination(&v, dl, at->d);
        text_add(out, " \\\\\n");
    }
}

/* z_i = z + sum (l_nu + u_nu)(c_i) Z_nu                                    theory.md [STATES] */
static void add_states(text *out, const scheme *sch, const basis *at)
{
    const int     N = at->d + 1;
    const double *u = upwind_new(out->m, at, sch->rule.c, sch->rule.b);
    for (int i = 0; i < sch->rule.s; i++) {
        sum z = {out, 1};
        text_printf(out, "z_{%d} &= z", i + 1);
        for (int nu = 1; nu < N; nu++) add_term(&z, at->l[i * N + nu] + u[i * N + nu], "Z", nu, "");
        text_add(out, " \\quad \\text{of a state}, \\ \\dot z = g \\\\\n");
    }
}

static void add_nodes(sum *s, const quadrature *rule, const double *table, int stride, int nu,
                      const char *what, const char *prime)
{
    for (int i = 0; i < rule->s; i++)
        add_term(s, rule->b[i] * table[i * stride + nu], what, i + 1, prime);
}

/* G_nu = sum_i b_i [ l'_nu L_v + h l_nu (L_q + f) - h u_nu D ]       theory.md [GALERKIN] [DAMPING]
 */
static void add_gradient(text *out, const scheme *sch, step_blocks has, const basis *at,
                         const basis *f_at, int nu)
{
    const int  stride = sch->degree + 1;
    const bool shared = has.forced && !sch->own_force_rule;
    sum        s = {out, 0};
    text_printf(out, "G_{%d} &= ", nu);
    add_nodes(&s, &sch->rule, at->dl, stride, nu, has.hamiltonian && !has.lagrangian ? "P" : "{L_v}",
              "");
    add_nodes(&s, &sch->rule, at->l, stride, nu, shared ? "h \\, F" : "h \\, {L_q}", "");
    if (has.forced && sch->own_force_rule)
        add_nodes(&s, &sch->force, f_at->l, stride, nu, "h \\, f", "'");
    if (has.damped && scheme_upwinds(sch)) {
        double *u = upwind_new(out->m, at, sch->rule.c, sch->rule.b);
        for (int k = 0; k < sch->rule.s * stride; k++) u[k] = -u[k];
        add_nodes(&s, &sch->rule, u, stride, nu, "h \\, D", "");
    }
    end_sum(&s);
    text_add(out, " \\\\\n");
}

/* What the letters of the gradient stand for. */
static void add_legend(text *out, const scheme *sch, step_blocks has)
{
    const bool  shared = has.forced && !sch->own_force_rule;
    const char *lq = has.hamiltonian ? (has.lagrangian ? "\\partial (L-H)/\\partial q"
                                                       : "-\\partial H/\\partial q")
                                     : "\\partial L/\\partial q";
    text_add(out, "The gradient of the discrete action and the forces, with ");
    if (has.lagrangian) text_add(out, "$L_v = \\partial L/\\partial v$ ");
    if (has.hamiltonian) text_add(out, "(the stage momentum $P$ for Hamiltonian coordinates) ");
    text_printf(out, "and $%s = %s%s$%s, each at its node:\n", shared ? "F" : "L_q", lq,
                shared ? " + f" : "", has.damped ? ", of which $D$ is damping" : "");
}

/* R_nu, C_kappa, D_kappa                                                 theory.md [CONSTRAINED] */
static void add_equations(text *out, const scheme *sch, step_blocks has)
{
    const bool rows = has.velocity_rows || has.holonomic_rows;
    const int  d = sch->degree;
    for (int nu = 0; nu < d; nu++) {
        text_printf(out, "%sG_{%d}", nu ? "" : "p + ", nu);
        if (rows) text_printf(out, " + h \\, w_{%d} \\, A(Q_{%d})^T \\lambda_{%d}", nu, nu, nu);
        text_add(out, " &= 0 \\\\\n");
    }
    if (has.velocity_rows)
        text_printf(out, "A(q) \\, v + b(q) &= 0 \\quad \\text{at the points of gauss(%d)} \\\\\n",
                    d);
    if (has.holonomic_rows) text_printf(out, "g(Q_k) &= 0, \\quad k = 1, \\dots, %d \\\\\n", d);
    text_printf(out, "q &\\leftarrow q + Z_{%d}, \\quad p \\leftarrow G_{%d}%s \\\\\n", d, d,
                rows ? " \\text{, projected so that } A \\, v + b = 0" : "");
}

/*     S = sum b [e + (1-c) h P] = E,   E <- sum b [e - c h P]                 theory.md [ENERGY] */
static void add_energy(text *out, const scheme *sch, step_blocks has)
{
    const bool        own = has.forced && sch->own_force_rule;
    const quadrature *rule[] = {&sch->rule, own ? &sch->force : NULL};
    for (int end = 0; end < 2; end++) {
        sum s = {out, 0};
        text_add(out, end ? "E &\\leftarrow " : "E &= ");
        for (int i = 0; i < sch->rule.s; i++) add_term(&s, sch->rule.b[i], "e", i + 1, "");
        for (int k = 0; k < 2 && rule[k]; k++)
            for (int i = 0; i < rule[k]->s; i++) {
                const double c = rule[k]->c[i];
                add_term(&s, rule[k]->b[i] * (end ? -c : 1 - c), "h \\, P", i + 1, k ? "'" : "");
            }
        text_add(out, " \\\\\n");
    }
    text_printf(out, "e &= L_v v - L, \\quad P = \\partial L/\\partial t%s \\\\\n",
                has.forced && !own ? " - f v" : "");
    if (own) text_add(out, "P' &= -f v \\\\\n");
}

/* The chart that is centred in the step, its row R_0, and what is carried. theory.md [ROTATION] */
static void add_rotations(text *out, const scheme *sch, step_blocks has)
{
    const bool  rows = has.velocity_rows || has.holonomic_rows;
    const char *lq = has.forced ? "F" : "{L_q}";
    sum         M = {out, 0}, S = {out, 0};
    text_printf(out,
                "A rotation $R$ has $q = 0$, and a chart that is centred in the step; all is in body "
                "axes, with $[y] x = y \\times x$, $s = |y|$%s:\n\\begin{align*}\n"
                "a &= \\tfrac{1}{2} Z_{%d}, \\quad R_m = R \\exp a, \\quad y_i = q_i - a, \\quad "
                "R_i = R_m \\exp y_i, \\quad \\Omega_i = D_{y_i} v_i \\\\\n"
                "D_y &= 1 - \\tfrac{1 - \\cos s}{s^2} [y] + \\tfrac{s - \\sin s}{s^3} [y]^2 \\\\\n"
                "L_v &= D_y^T \\mu, \\quad %s = D_y^T \\tau + \\partial (\\mu \\cdot D_y v)/\\partial y, "
                "\\quad \\mu = \\partial L/\\partial \\Omega, \\quad \\tau = L_R%s \\\\\nM &= ",
                rows ? ", and $A D_y$ in place of $A$" : "", sch->degree, lq,
                has.forced ? " + f" : "");
    for (int i = 0; i < sch->rule.s; i++)
        add_term(&M, sch->rule.b[i], "h \\, (e^y \\tau)", i + 1, "");
    if (rows) text_add(out, " + \\sum_\\nu h w_\\nu e^{y_\\nu} A^T \\lambda_\\nu");
    text_add(out, " \\\\\nS &= ");
    for (int i = 0; i < sch->rule.s; i++)
        add_term(&S, sch->rule.b[i], has.forced ? "h \\, F" : "h \\, {L_q}", i + 1, "");
    if (rows) text_add(out, " + \\sum_\\nu h w_\\nu D_{y_\\nu}^T A^T \\lambda_\\nu");
    text_printf(out,
                " \\\\\n0 &= \\tfrac{1}{2} (D_a^T m_0 + D_{-a}^T m_1 - S) + G_0%s, \\quad m_0 = R_m^T \\pi, "
                "\\quad m_1 = m_0 + M \\\\\n"
                "R &\\leftarrow R_m \\exp a, \\quad \\pi \\leftarrow \\pi + R_m M\n\\end{align*}\n",
                rows ? " + h w_0 D_{-a}^T A^T \\lambda_0" : "");
    if (has.directions)
        text_add(out, "A direction is $n = R e_3$, with the third components of $Z_k$ zero.\n");
}

static void add_composition(text *out, const scheme *sch)
{
    if (sch->substeps == 1) return;
    text_printf(out,
                "One step is %d of the following, with $h$ replaced by $\\gamma h$:\n"
                "\\begin{gather*}\n",
                sch->substeps);
    for (int j = 0; j < sch->substeps; j++) {
        text_printf(out, "\\gamma_{%d} = ", j + 1);
        add_number(out, sch->gamma[j]);
        text_add(out, " \\\\\n");
    }
    text_add(out, "\\end{gather*}\n");
}

void scheme_print_latex(const scheme *sch, step_blocks has, text *out)
{
    mem  *m = out->m;
    basis at = basis_new(m, sch->degree, sch->rule.c, sch->rule.s);
    basis f_at = basis_new(m, sch->degree, sch->force.c, sch->force.s);
    text_printf(out, "\\noindent %s, order %d.\n", sch->title,
                scheme_order(sch, has.damped || has.states));
    add_composition(out, sch);
    text_printf(out,
                "Unknown are the increments $Z_k$ of every coordinate, $k = 1, \\dots, %d$%s; the "
                "curve passes through $Q_k = q + Z_k$. Its nodes:\n\\begin{align*}\n",
                sch->degree, has.energy ? ", and the step $h$" : "");
    add_samples(out, &sch->rule, &at, "");
    if (has.forced && sch->own_force_rule) add_samples(out, &sch->force, &f_at, "'");
    if (has.states && scheme_upwinds(sch)) add_states(out, sch, &at);
    text_add(out, "\\end{align*}\n");
    add_legend(out, sch, has);
    text_add(out, "\\begin{align*}\n");
    for (int nu = 0; nu <= sch->degree; nu++) add_gradient(out, sch, has, &at, &f_at, nu);
    text_add(out, "\\end{align*}\nThe equations of a step:\n\\begin{align*}\n");
    add_equations(out, sch, has);
    if (has.energy) add_energy(out, sch, has);
    text_add(out, "\\end{align*}\n");
    if (has.rotations) add_rotations(out, sch, has);
}
