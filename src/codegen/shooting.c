/* shooting.c - a step along a curve that is shot, as generated code: the programs of M x_k = g_k
 * and of its derivatives, and the sums of step/shooting.h.                       theory.md
 * [SHOOTING]
 *
 *     g_2 = L_q + f - D L_v,   g_{k+1} = D g_k - (D M) x_k,   M = L_vv
 *
 * D is d/dt along the curve: d/dt t = 1, q' = v, v' = x_2, x_k' = x_{k+1}; what it has of x_{k+1}
 * is M x_{k+1}, left of the sign of equality. Derivatives follow from M dx_k = dg_k - dM x_k. */
#include "codegen/factors.h"
#include "mech/scheme/flow.h"

#include <string.h>

enum {
    KILOBYTES_MOST = 256, /* of derivatives of all stages, which stand on the stack */
    NODES_MOST = 60000    /* of the expressions of the derivatives                  */
};

/* Roots of our own: g_k and M = L_vv, and their derivatives in q, v, x_2 .. x_{k-1}. */
enum { OF_G = FIELDS, OF_G_BY, OF_M, OF_M_BY };

struct shot_curve {
    const one_step_map *map;
    int                 p;               /* the expansion goes to x_p                        */
    int                 lanes, expanded; /* points at once: of the curve, of its expansion   */
    int                 end;             /* the lane of the end                              */
    double             *c, *b, *force_b; /* by lane; weights are 0 where a rule has no point */
    program            *drive;           /* of x_2 .. x_p; the first with M                  */
};

/* Expressions. --------------------------------------------------------------------------------- */

typedef struct { /* the model's, and what is derived from them, in a graph that may grow */
    mem    *m;
    fields *f;
    vec(field_variable) variable;
    int   n, time;
    int  *by;        /* variables: q, v, x_2 .. x_p */
    expr *direction; /* their derivatives along the curve */
    expr *M, *g;     /* n x n; n */
} deriving;

static int variable_of(deriving *x, read_from from, int index)
{
    for (int k = 0; k < x->variable.n; k++)
        if (x->variable.at[k].from == from &&
            (from == READ_TIME || x->variable.at[k].index == index))
            return k;
    vec_push(x->m, x->variable, (field_variable){from, index});
    return x->variable.n - 1;
}

/* Every root of the model, copied. */
static void copy_roots(deriving *x, const fields *from)
{
    field_root *root = mem_array(x->m, from->roots + 1, field_root);
    expr       *image = mem_array(x->m, from->variables + 1, expr);
    int        *memo = mem_array(x->m, from->g.nodes.n + 1, int);
    for (int k = 0; k < from->g.nodes.n; k++) memo[k] = EXPR_NONE;
    *x->f = *from;
    graph_init(&x->f->g, x->m);
    for (int v = 0; v < from->variables; v++) {
        image[v] = expr_var(&x->f->g, v);
        vec_push(x->m, x->variable, from->variable[v]);
    }
    for (int k = 0; k < from->roots; k++) {
        root[k] = from->root[k];
        root[k].value = expr_import(&x->f->g, &from->g, root[k].value, image, memo);
    }
    x->f->root = root;
}

static expr root_of(deriving *x, field_name of, int row, int in)
{
    for (int k = 0; k < x->f->roots; k++) {
        const field_root *r = &x->f->root[k];
        if (r->of == of && r->row == row && r->column == in) return r->value;
    }
    return expr_const(&x->f->g, 0);
}

/*     q' = v, v' = x_2, ... */
static void name_variables(deriving *x, int p)
{
    graph *g = &x->f->g;
    x->by = mem_array(x->m, (p + 1) * x->n, int);
    x->direction = mem_array(x->m, (p + 1) * x->n, expr);
    x->time = variable_of(x, READ_TIME, 0);
    for (int k = 0; k <= p; k++)
        for (int j = 0; j < x->n; j++)
            x->by[k * x->n + j] = k == 0   ? variable_of(x, READ_Q, j)
                                  : k == 1 ? variable_of(x, READ_W, j)
                                           : variable_of(x, READ_RATE, (k - 2) * x->n + j);
    for (int a = 0; a < p * x->n; a++) x->direction[a] = expr_var(g, x->by[a + x->n]);
    x->f->variable = x->variable.at, x->f->variables = x->variable.n;
}

/* D e, of which the first `known` derivatives q', v', x_2', ... are known. */
static expr along_curve(deriving *x, expr e, int known)
{
    graph     *g = &x->f->g;
    const int  one = x->time;
    const expr unit = expr_const(g, 1);
    return expr_add(g, expr_along(g, e, &one, &unit, 1),
                    expr_along(g, e, x->by, x->direction, known * x->n));
}

static void first_drive(deriving *x)
{
    graph *g = &x->f->g;
    x->M = mem_array(x->m, x->n * x->n, expr), x->g = mem_array(x->m, x->n, expr);
    for (int i = 0; i < x->n; i++) {
        const expr force = expr_add(g, root_of(x, FIELD_LQ, i, -1), root_of(x, FIELD_F, i, -1));
        x->g[i] = expr_sub(g, force, along_curve(x, root_of(x, FIELD_LW, i, -1), 1));
        for (int j = 0; j < x->n; j++) x->M[i * x->n + j] = root_of(x, FIELD_LWW, i, j);
    }
}

/* g_{k+1} of g_k */
static void next_drive(deriving *x, int k)
{
    graph *g = &x->f->g;
    for (int i = 0; i < x->n; i++) {
        x->g[i] = along_curve(x, x->g[i], k);
        for (int j = 0; j < x->n; j++) {
            const expr rate = expr_var(g, x->by[k * x->n + j]);
            const expr moved = along_curve(x, x->M[i * x->n + j], 2);
            x->g[i] = expr_sub(g, x->g[i], expr_mul(g, moved, rate));
        }
    }
}

/* Programs. ------------------------------------------------------------------------------------ */

static void add_root(codegen *f, program *p, field_root r)
{
    field_root *kept = mem_array(f->w.m, 1, field_root);
    *kept = r;
    program_add(f, p, kept);
}

/* The derivatives of e that do not vanish, in the first `count` of q, v, x_2, ... */
static void add_gradient(codegen *f, deriving *x, program *p, int of, int row, expr e, int count)
{
    graph *g = &x->f->g;
    expr  *by = mem_array(f->w.m, count, expr);
    expr_gradient(g, e, x->by, count, by);
    for (int a = 0; a < count; a++)
        if (!expr_is_zero(g, by[a]))
            add_root(f, p,
                     (field_root){.of = (field_name)of, .row = row, .column = a, .value = by[a]});
}

/* g_k and its derivatives; with the first M and its own. */
static void choose_drive(codegen *f, deriving *x, int k, program *p)
{
    for (int i = 0; i < f->n; i++) {
        add_root(f, p,
                 (field_root){.of = (field_name)OF_G, .row = i, .column = -1, .value = x->g[i]});
        add_gradient(f, x, p, OF_G_BY, i, x->g[i], k * f->n);
    }
    for (int a = 0; a < f->n * f->n && k == 2; a++) {
        if (expr_is_zero(&x->f->g, x->M[a])) continue;
        add_root(f, p,
                 (field_root){.of = (field_name)OF_M, .row = a, .column = -1, .value = x->M[a]});
        add_gradient(f, x, p, OF_M_BY, a, x->M[a], k * f->n);
    }
}

/* False: there are too many. */
static bool choose_expansion(codegen *f, deriving *x)
{
    shot_curve *s = f->shot;
    s->drive = mem_array(f->w.m, s->p, program);
    for (int k = 2; k <= s->p; k++) {
        program *p = &s->drive[k - 2];
        if (k == 2) first_drive(x);
        else next_drive(x, k - 1);
        program_init(f, p, mem_printf(f->w.m, "drive_%d", k), s->expanded);
        choose_drive(f, x, k, p);
        if (x->f->g.nodes.n > NODES_MOST) return false;
    }
    return true;
}

/* L and f at the points of a set: [1] with their derivatives, constant ones too. */
static void choose_point_roots(codegen *f, point_set set, bool second)
{
    static const char *const title[2][2] = {{"rule", "rule_second"}, {"force", "force_second"}};
    program                 *p = &f->of[set][second];
    program_init(f, p, title[set][second], f->shot->lanes);
    for (int k = 0; k < f->f->roots; k++) {
        const field_root *r = &f->f->root[k];
        const bool        of_L = r->of == FIELD_LQ || r->of == FIELD_LW, of_f = r->of == FIELD_F;
        const bool second_of_L = r->of == FIELD_LQQ || r->of == FIELD_LQW || r->of == FIELD_LWW;
        const bool second_of_f = r->of == FIELD_FQ || r->of == FIELD_FW;
        const bool L = of_L || (second && second_of_L), force = of_f || (second && second_of_f);
        if (set == AT_RULE ? L || (force && f->here) : force) program_add(f, p, r);
    }
}

static int sets_of(const codegen *f)
{
    return f->points[AT_FORCE] ? 2 : 1;
}

static void make_programs(codegen *f)
{
    shot_curve *s = f->shot;
    bool        calls = false;
    for (int k = 0; k < s->p - 1; k++) {
        program_make(f, &s->drive[k]);
        calls |= s->drive[k].calls;
    }
    for (int set = 0; set < sets_of(f); set++)
        for (int second = 0; second < 2; second++) {
            choose_point_roots(f, (point_set)set, second);
            program_make(f, &f->of[set][second]);
            calls |= f->of[set][second].calls;
        }
    /* whole vectors, unless a lane costs calls */
    const int width = f->w.single ? 8 : 4;
    if (s->lanes > 1 && !calls) s->lanes = (s->lanes + width - 1) / width * width;
    s->expanded = s->map->stages ? s->lanes : 1;
    for (int k = 0; k < s->p - 1; k++) s->drive[k].lanes = s->expanded;
    for (int set = 0; set < sets_of(f); set++) f->of[set][0].lanes = f->of[set][1].lanes = s->lanes;
}

/* Points. -------------------------------------------------------------------------------------- */

static int lane_at(shot_curve *s, double c)
{
    for (int i = 0; i < s->lanes; i++)
        if (s->c[i] == c) return i;
    s->c[s->lanes] = c;
    return s->lanes++;
}

/* Points of both rules and the end, each once. */
static void place_points(codegen *f)
{
    shot_curve    *s = f->shot;
    const samples *rule = &f->eq->rule, *force = &f->eq->force;
    const int      most = rule->count + force->count + 8;
    s->c = mem_array(f->w.m, most, double), s->b = mem_array(f->w.m, most, double);
    s->force_b = mem_array(f->w.m, most, double);
    for (int i = 0; i < rule->count; i++) s->b[lane_at(s, rule->x[0][i])] += rule->b[i];
    for (int i = 0; i < force->count; i++) s->force_b[lane_at(s, force->x[0][i])] += force->b[i];
    s->end = lane_at(s, 1);
    for (int i = s->lanes; i < most; i++) s->c[i] = 1; /* lanes without a point repeat the end */
}

/* What `shoot` and who calls it keep: of each stage, or coefficient, and of the curve. */
static int kilobytes(const codegen *f)
{
    const shot_curve *s = f->shot;
    const int         by_start = 2 * f->n * f->n, lanes = (s->lanes + 3) / 4 * 4;
    const int         of_curve = 3 * lanes, of_stages = 2 * s->map->stages * lanes;
    return by_start * (of_curve + of_stages + (s->map->stages ? 0 : s->p)) * (int)sizeof(double) /
           1024;
}

bool shooting_prepare(codegen *f, text *why)
{
    int         count;
    shot_curve *s = f->shot = mem_array(f->w.m, 1, shot_curve);
    s->map = &one_step_maps(&count)[f->st->sch.map];
    s->p = s->map->stages ? 2 : f->st->sch.map_order;
    place_points(f);
    if (kilobytes(f) > KILOBYTES_MOST)
        return text_printf(why,
                           "its curve is shot, and derivatives of %d coordinates at %d points take "
                           "%d kB; up to %d are written out",
                           f->n, s->lanes, kilobytes(f), KILOBYTES_MOST),
               false;
    deriving x = {.m = f->w.m, .f = mem_array(f->w.m, 1, fields), .n = f->n};
    copy_roots(&x, f->f);
    name_variables(&x, s->p);
    f->f = x.f;
    if (!choose_expansion(f, &x))
        return text_add(
                   why,
                   "the derivatives of its curve, which is shot, are too long to be written out"),
               false;
    make_programs(f);
    return true;
}

/* Text. ---------------------------------------------------------------------------------------- */

static void sizes_write(codegen *f)
{
    const shot_curve *s = f->shot;
    double            c[FLOW_STAGES_MOST] = {0};
    const int         below = s->map->stages * (s->map->stages - 1) / 2;
    write_size(&f->w, "STAGES", s->map->stages), write_size(&f->w, "DEGREE_SHOT", s->p);
    write_size(&f->w, "EXPANDED", s->expanded), write_size(&f->w, "SHOT_END", s->end);
    write_size(&f->w, "DIRECTIONS", 2 * f->n);
    write_table(&f->w, "SHOT_C", s->c, s->lanes);
    write_table(&f->w, "SHOT_B", s->b, s->lanes);
    if (f->points[AT_FORCE]) write_table(&f->w, "SHOT_F", s->force_b, s->lanes);
    if (!s->map->stages) return;
    for (int i = 1, at = 0; i < s->map->stages; i++)
        for (int j = 0; j < i; j++) c[i] += s->map->a[at++];
    write_table(&f->w, "STAGE_A", s->map->a, below);
    write_table(&f->w, "STAGE_B", s->map->b, s->map->stages);
    write_table(&f->w, "STAGE_C", c, s->map->stages);
}

/* What the files around it read of a curve, of one node. */
static void tables_write(codegen *f)
{
    int *of = mem_array(f->w.m, f->n, int);
    for (int j = 0; j < f->n; j++) of[j] = j;
    verbatim(f, "coefficients.h");
    write_table(&f->w, "END_SLOPE", (const double[]){1}, 1);
    write_table(&f->w, "CURVE_NODES", (const double[]){1}, 1);
    write_indices(&f->w, "MOMENTUM_OF", of, f->n);
    if (f->st->sch.substeps > 1) write_table(&f->w, "GAMMA", f->st->sch.gamma, f->st->sch.substeps);
}

/* The value of a root of a program in lane i. */
static const char *result_text(codegen *f, const program *p, int root, char set)
{
    return mem_printf(f->w.m, "o%c[%d + i]", set, p->slot[root] * p->lanes);
}

/* The result of program k for a root, in lane i. */
static const char *drive_text(codegen *f, int k, int root)
{
    const program *p = &f->shot->drive[k - 2];
    return mem_printf(f->w.m, "o%d[%d + i]", k, p->slot[root] * p->lanes);
}

/* The program of g_k, whose results stay as oK; g_k from them. */
static void values_write(codegen *f, int k)
{
    const program *p = &f->shot->drive[k - 2];
    const int      E = f->shot->expanded;
    text_printf(&f->w.out, "real o%d[%d];\n{\nreal *const oS = o%d;\n%s}\n", k, p->slots * E, k,
                program_call(f, p, AT_SHOT));
    for (int a = 0; a < p->root.n; a++) {
        const char *to =
            mem_printf(f->w.m, "aS[%d + i]", ((k - 2) * f->n + p->root.at[a]->row) * E);
        if ((int)p->root.at[a]->of == OF_G)
            text_add(
                &f->w.out,
                write_loop(&f->w, "i", E, mem_printf(f->w.m, "%s = %s;", to, drive_text(f, k, a))));
    }
}

/* M = L_vv of the first program. */
static factors inertia_of(codegen *f)
{
    const program *p = f->shot->drive;
    const char   **entry = mem_array(f->w.m, f->n * f->n, const char *);
    for (int a = 0; a < p->root.n; a++)
        if ((int)p->root.at[a]->of == OF_M) entry[p->root.at[a]->row] = drive_text(f, 2, a);
    return factors_of(f, f->n, f->shot->expanded, entry);
}

/* Of a definite matrix, however it is scaled, sum_k |l_ik u_ki| < M_ii. Others may need exchanges:
 * where pivots are small, numbers become infinite, and there is no step. */
static void pivot_write(codegen *f, const factors *b, int k)
{
    const char *entry = b->entry[k * (b->size + 1)];
    text_printf(&f->w.out,
                "const real size%d = fabs(%s), taken%d = REAL(0)%s;\n"
                "const real e%d = 1 / CHOOSE((fabs(u%d_%d) > 1e-9 * size%d) & "
                "(taken%d <= 16 * size%d), u%d_%d, REAL(0));\n",
                k, entry ? entry : "REAL(0)", k, factors_taken(f, b, k), k, k, k, k, k, k, k, k);
}

static void inertia_write(codegen *f, const factors *b)
{
    text_printf(&f->w.out, "real K[%d];\nfor (int i = 0; i < %d; i++) {\n", b->held * b->lanes,
                b->lanes);
    factors_write(f, b, pivot_write);
    text_add(&f->w.out, "}\n");
}

/* The derivatives of variable a in direction b and lane i. */
static const char *derivative_of(codegen *f, int a)
{
    const int   width = 2 * f->n * f->shot->expanded, E = f->shot->expanded, n = f->n;
    const char *of = a < n ? "q_by" : a < 2 * n ? "v_by" : "a_by";
    return mem_printf(f->w.m, "%s[%d + b * %d + i]", of, (a < 2 * n ? a % n : a - 2 * n) * width,
                      E);
}

/*     d g_k,i/da - sum_j dM_ij/da x_k,j,   or "" */
static const char *coefficient_text(codegen *f, int k, int i, int a)
{
    const program *p = &f->shot->drive[k - 2], *of_M = &f->shot->drive[0];
    text           t = text_new(f->w.m);
    for (int r = 0; r < p->root.n; r++)
        if ((int)p->root.at[r]->of == OF_G_BY && p->root.at[r]->row == i &&
            p->root.at[r]->column == a)
            text_printf(&t, " + %s", drive_text(f, k, r));
    for (int r = 0; r < of_M->root.n; r++) {
        const field_root *at = of_M->root.at[r];
        if ((int)at->of == OF_M_BY && at->row / f->n == i && at->column == a)
            text_printf(&t, " - %s * aS[%d + i]", drive_text(f, 2, r),
                        ((k - 2) * f->n + at->row % f->n) * f->shot->expanded);
    }
    return text_str(&t);
}

/* The right-hand side of M dx_k, row i:  sum_a of these times da */
static void change_write(codegen *f, int k, int i)
{
    const int   E = f->shot->expanded, n = f->n;
    const char *to = mem_printf(f->w.m, "a_by[%d + b * %d + i]", ((k - 2) * n + i) * 2 * n * E, E);
    text        sum = text_new(f->w.m);
    text_add(&f->w.out, "{\n");
    for (int a = 0; a < k * n; a++) {
        const char *coefficient = coefficient_text(f, k, i, a);
        if (!*coefficient) continue;
        if (strchr(coefficient, '*')) { /* not a result as it is */
            text_printf(&f->w.out, "real x%d[%d];\n", a, E);
            text_add(&f->w.out,
                     write_loop(&f->w, "i", E, mem_printf(f->w.m, "x%d[i] =%s;", a, coefficient)));
            coefficient = mem_printf(f->w.m, " + x%d[i]", a);
        }
        text_printf(&sum, "%s * %s", coefficient, derivative_of(f, a));
    }
    const char *each = mem_printf(f->w.m, "%s =%s;", to, sum.n ? text_str(&sum) : " REAL(0)");
    text_add(&f->w.out, write_loop(&f->w, "b", 2 * n, write_loop(&f->w, "i", E, each)));
    text_add(&f->w.out, "}\n");
}

/* x_2 .. x_p at EXPANDED points, and their derivatives in the start. */
static void expand_write(codegen *f)
{
    const int     n = f->n, E = f->shot->expanded;
    const factors b = f->shot->p >= 2 ? inertia_of(f) : (factors){0};
    if (f->shot->p >= 2) factors_divide(f, &b);
    text_add(&f->w.out,
             "PIECE void expand(const real *tS, const real *qS, const real *vS, const real *q_by,\n"
             "    const real *v_by, const real *par, const real *u, real *RESTRICT aS,\n"
             "    real *RESTRICT a_by)\n{\n(void)tS;\n(void)qS;\n(void)vS;\n(void)q_by;\n"
             "(void)v_by;\n(void)par;\n(void)u;\n(void)aS;\n(void)a_by;\n");
    for (int k = 2; k <= f->shot->p; k++) {
        const int from = (k - 2) * n * E;
        values_write(f, k);
        if (k == 2) inertia_write(f, &b);
        text_printf(&f->w.out, "divide(K, 1, aS + %d);\n", from);
        for (int i = 0; i < n; i++) change_write(f, k, i);
        text_printf(&f->w.out, "divide(K, DIRECTIONS, a_by + %d);\n", from * 2 * n);
    }
    text_add(&f->w.out, "}\n\n");
}

/* The curve, and L and f at its points: results oR, and oF of forces with a rule of their own. */
static void evaluate_write(codegen *f, bool second)
{
    const int W = f->shot->lanes;
    text     *out = &f->w.out;
    text_printf(
        out,
        "curve at;\nreal tR[%d], qR[%d];\nconst real *const vR = at.v;\n(void)tR;\n(void)vR;\n"
        "shoot(h, t, q, y, par, u, &at);\nplaces_of(&at, h, t, q, q_low, tR, qR);\n",
        W, f->n * W);
    for (int set = 0; set < sets_of(f); set++) {
        const program *p = &f->of[set][second];
        if (set)
            text_add(out, "const real *const tF = tR, *const qF = qR, *const vF = vR;\n"
                          "(void)tF;\n(void)qF;\n(void)vF;\n");
        if (p->slots)
            text_printf(out, "real o%c[%d];\n%s", "RF"[set], p -> slots *W,
                        program_call(f, p, (point_set)set));
    }
}

/* Adds an entry of a program, weighted, to F or P of a coordinate. */
static void add_entry(codegen *f, int set, bool second, int root, const char *to, int row,
                      const char *times)
{
    const program *p = &f->of[set][second];
    text_add(&f->w.out, write_loop(&f->w, "i", p->lanes,
                                   mem_printf(f->w.m, "%s[%d + i] += h * SHOT_%c[i] * %s%s;", to,
                                              row * p->lanes, "BF"[set],
                                              result_text(f, p, root, "RF"[set]), times)));
}

static void covectors_open(codegen *f)
{
    const int size = f->n * f->shot->lanes;
    text_printf(&f->w.out, "real F[%d], P[%d];\n", size, size);
    text_add(&f->w.out, write_loop(&f->w, "k", size, "F[k] = P[k] = REAL(0);"));
}

/*     F = h b (L_q + f),   P = h b L_v,   and their sum over all points */
static void sum_write(codegen *f, bool second)
{
    covectors_open(f);
    for (int set = 0; set < sets_of(f); set++)
        for (int k = 0; k < f->of[set][second].root.n; k++) {
            const field_root *r = f->of[set][second].root.at[k];
            if (r->of == FIELD_LQ || r->of == FIELD_F)
                add_entry(f, set, second, k, "F", r->row, "");
            if (r->of == FIELD_LW) add_entry(f, set, second, k, "P", r->row, "");
        }
    text_add(&f->w.out, "real sum[DIRECTIONS];\n");
    text_add(&f->w.out, write_loop(&f->w, "a", 2 * f->n, "sum[a] = REAL(0);"));
    text_add(&f->w.out, "add_covectors(&at, F, P, sum);\n");
}

/* The derivative in v0_b of q or v of coordinate j. */
static const char *moved(codegen *f, bool of_v, int j)
{
    const int W = f->shot->lanes, n = f->n;
    return mem_printf(f->w.m, " * at.%s_by[%d + b * %d + i]", of_v ? "v" : "dq",
                      (j * 2 * n + n) * W, W);
}

/*     dF = (L_qq + f_q) dq + (L_qv + f_v) dv,   dP = L_vq dq + L_vv dv   in v0_b */
static void add_second(codegen *f, int set, int k)
{
    const field_root *r = f->of[set][1].root.at[k];
    const int         i = r->row, j = r->column;
    if (r->of == FIELD_LQQ || r->of == FIELD_FQ)
        add_entry(f, set, 1, k, "F", i, moved(f, false, j));
    if (r->of == FIELD_LQW || r->of == FIELD_FW) add_entry(f, set, 1, k, "F", i, moved(f, true, j));
    if (r->of == FIELD_LQW) add_entry(f, set, 1, k, "P", j, moved(f, false, i));
    if (r->of == FIELD_LWW) add_entry(f, set, 1, k, "P", i, moved(f, true, j));
}

static void second_write(codegen *f)
{
    text_printf(&f->w.out, "real second[%d];\n", 2 * f->n * f->n);
    text_add(&f->w.out, write_loop(&f->w, "k", 2 * f->n * f->n, "second[k] = REAL(0);"));
    text_printf(&f->w.out, "for (int b = 0; b < %d; b++) {\n", f->n);
    covectors_open(f);
    for (int set = 0; set < sets_of(f); set++)
        for (int k = 0; k < f->of[set][1].root.n; k++) add_second(f, set, k);
    text_add(&f->w.out, "add_derivatives(&at, F, P, b, second);\n}\n");
}

/*     h sum_i b_i f^i . v^i */
static void work_write(codegen *f)
{
    const int set = f->points[AT_FORCE] ? AT_FORCE : AT_RULE, W = f->shot->lanes;
    text_printf(&f->w.out, "real work[%d];\n", W);
    text_add(&f->w.out, write_loop(&f->w, "i", W, "work[i] = REAL(0);"));
    for (int k = 0; k < f->of[set][0].root.n; k++)
        if (f->of[set][0].root.at[k]->of == FIELD_F)
            add_entry(f, set, false, k, "work", 0,
                      mem_printf(f->w.m, " * vR[%d + i]", f->of[set][0].root.at[k]->row * W));
    text_add(&f->w.out, "return lanes_sum(work);\n");
}

static void rows_of_shooting(codegen *f)
{
    function_open(f, "void", "residual", "real *RESTRICT r");
    evaluate_write(f, false), sum_write(f, false);
    text_add(&f->w.out, "put_rows(h, &at, sum, p, p_low, y, r);\n}\n\n");
    function_open(f, "void", "linearise",
                  "real *RESTRICT r, real *scale, const real *J0, real *RESTRICT J");
    text_add(&f->w.out, "(void)scale;\n(void)J0;\n");
    evaluate_write(f, true), sum_write(f, true), second_write(f);
    text_add(&f->w.out,
             "put_rows(h, &at, sum, p, p_low, y, r);\nput_entries(h, &at, second, J);\n}\n\n");
    function_open(f, "real", "finish", "real *RESTRICT dp");
    evaluate_write(f, false), sum_write(f, false);
    text_add(&f->w.out, "put_end(&at, sum, y, dp);\n");
    work_write(f);
    text_add(&f->w.out, "}\n\n");
}

/* What stands before Newton's iteration. */
void shooting_write(codegen *f)
{
    tables_write(f), sizes_write(f);
    for (int k = 0; k < f->shot->p - 1; k++) program_write(f, &f->shot->drive[k]);
    for (int set = 0; set < sets_of(f); set++)
        for (int second = 0; second < 2; second++) program_write(f, &f->of[set][second]);
    verbatim(f, "judge.h");
    verbatim(f, f->N <= 6 ? "lu.h" : "lu_rows.h");
    expand_write(f);
    verbatim(f, "shooting.h");
    rows_of_shooting(f);
}

int shooting_lanes(const codegen *f)
{
    return f->shot ? f->shot->lanes : 0;
}
