/* relax.c - relaxation: the velocities at the sample points of a step, corrected by a small matrix
 * at each point until the remaining error is below roundoff. For systems of any inertia, with and
 * without constraints.
 *
 *     M dv^i - A^T eta^i = -(L_w^i - p_0 - h sum_k B_ik F^k - sum_nu E_i,nu A(Q^nu)^T h lam^nu)
 *     A dv^i = -(W v + b)^i, or of g likewise;   E h dlam = eta              mech/solve/rates.h
 *
 * M and A are evaluated at the predicted sample points, and dq^i = h sum_k a_ik dv^k is
 * approximated by h d_i dv^i with d_i = c_i/d: the remainder for a constant slope, a - diag(d_i),
 * is nilpotent of degree d. So a correction leaves an error of order h, and several of them less.
 * Where this converges slowly Newton's iteration takes over, as in step/fixed_point.h. */
#include "fuse/relax.h"
#include "mech/solve/rates.h"

enum {
    BLOCK_MOST = 16,    /* coordinates and relations                       */
    UNKNOWNS_LEAST = 6, /* below, Newton's matrix costs little             */
    OPERATIONS_MOST = 3000,
    CORRECTIONS_MOST = 40
};

static void choose(fusing *f, program *p, const field_name *of, int count)
{
    for (int k = 0; k < f->f->roots; k++)
        for (int a = 0; a < count; a++) {
            const field_root *r = &f->f->root[k];
            if (r->of == of[a] && (r->of != FIELD_E || r->row < f->m)) program_add(f, p, r);
        }
    program_make(f, p);
}

static void make_programs(fusing *f, bool fully)
{
    static const field_name of_stages[] = {FIELD_LQ, FIELD_LW, FIELD_F, FIELD_E},
                            of_nodes[] = {FIELD_A, FIELD_G},
                            of_inertia[] = {FIELD_LWW, FIELD_A, FIELD_LQW, FIELD_FW, FIELD_EQ};
    relaxation *x = &f->relaxation;
    program_init(f, &x->stages, "stages", relax_lanes(f)), choose(f, &x->stages, of_stages, 4);
    program_init(f, &x->nodes, "nodes", relax_nodes(f)), choose(f, &x->nodes, of_nodes, 2);
    program_init(f, &x->inertia, "inertia", relax_lanes(f)),
        choose(f, &x->inertia, of_inertia, fully ? 5 : 2);
    x->at_points.n = x->at_nodes.n = 0;
    x->stages.near = x->inertia.near = &x->at_points, x->nodes.near = &x->at_nodes;
    angles_list(f, &x->stages), angles_list(f, &x->nodes), angles_list(f, &x->inertia);
}

/* Are there programs that are short enough? fully: including the effect of velocities on inertia
 * and relations. */
static bool has_programs(fusing *f, bool fully)
{
    const int before = f->operations;
    make_programs(f, fully);
    if (f->operations - before <= OPERATIONS_MOST) return true;
    f->operations = before;
    return false;
}

bool relax_fits(fusing *f)
{
    if (f->linear || f->d < 2 || f->N < UNKNOWNS_LEAST || f->n + f->relations > BLOCK_MOST ||
        !rates_fit(f->eq))
        return false;
    const int before = f->operations;
    if (!has_programs(f, true) && !has_programs(f, false)) return false;
    for (int j = 0; j < f->n; j++)
        if (program_slot(&f->relaxation.inertia, FIELD_LWW, j, j) < 0) {
            f->operations = before;
            return false;
        }
    return true;
}

/* Tables by lane; lanes without a point repeat the last. */

typedef struct {
    const char   *name;
    const double *x;
    int           rows, columns; /* x is rows x columns, and written by columns */
    int           lanes;
} lane_table;

static void write_by_lane(fusing *f, const lane_table *t)
{
    double *out = mem_array(f->w.m, t->lanes * t->columns, double);
    for (int k = 0; k < t->columns; k++)
        for (int i = 0; i < t->lanes; i++)
            out[k * t->lanes + i] = t->x[(i < t->rows ? i : t->rows - 1) * t->columns + k];
    write_table(&f->w, t->name, out, t->lanes * t->columns);
}

static bool reads_positions(const fusing *f, const program *p)
{
    for (int j = 0; j < f->n; j++)
        if (relax_reads(f, p, j)) return true;
    return false;
}

static bool any_coordinate(fusing *f, const char *(*of)(fusing *, int))
{
    for (int j = 0; j < f->n; j++)
        if (of(f, j)) return true;
    return false;
}

/* Those that the text will read. */
static void tables_write(fusing *f)
{
    const relaxation *x = &f->relaxation;
    const rate_tables r = rates_of(f->w.m, f->eq, f->side);
    const int         d = f->d, W = relax_lanes(f), K = relax_nodes(f);
    double *unreact = mem_array(f->w.m, K * d, double), *self = mem_array(f->w.m, d, double);
    for (int k = 0; k < d * d; k++) unreact[k] = r.unreact[k];
    for (int i = 0; i < d; i++)
        for (int k = 0; k < d; k++) self[i] += r.a[i * d + k] / d;
    const struct {
        lane_table table;
        bool       read;
    } all[] = {
        {{"RATE_A", r.a, d, d, W},
         reads_positions(f, &x->stages) || reads_positions(f, &x->inertia)},
        {{"RATE_PUSH", r.push, d, d, W}, any_coordinate(f, relax_force)},
        {{"RATE_REACT", r.react, d, d, W}, any_coordinate(f, relax_reaction)},
        {{"RATE_REST", r.rest, d, 1, W}, true},
        {{"RATE_UNREACT", unreact, K, d, K}, f->relations > 0},
        {{"RATE_NODES", r.nodes, K, d, K}, reads_positions(f, &x->nodes)},
        {{"RATE_CURVE", r.nodes + d, d, d, d}, true},
        {{"SELF", self, d, 1, W}, relax_by_positions(f)},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].read) write_by_lane(f, &all[k].table);
}

/*     Z^mu = h sum_k N_mu,k v^k,   p^- - p_0 = h sum_i b_i F^i + sum_nu w_nu A^T h lam^nu */
static void conclusion_write(fusing *f)
{
    const program *p = &f->relaxation.stages;
    const int      W = p->lanes, K = relax_nodes(f), d = f->d, S = f->points[AT_RULE];
    text          *out = &f->w.out;
    text_add(out, relax_reactions(f));
    for (int j = 0; j < f->n; j++) {
        write_lanes(out, d,
                    mem_printf(f->w.m, "y[%d + i] = h * (%s);", j * d,
                               relax_combined(f, "RATE_CURVE", d, "vR", j * W)));
        text_printf(out, "{\nreal sum = 0;\n");
        if (relax_force(f, j))
            text_printf(out, "for (int i = 0; i < %d; i++) sum += R_b[i] * F[%d + i];\nsum *= h;\n",
                        S, j * W);
        if (relax_reaction(f, j))
            text_printf(out, "for (int i = 0; i < %d; i++) sum += K_b[i] * X[%d + i];\n", d, j * K);
        text_printf(out, "dp[%d] = sum;\n}\n", j);
    }
    for (int a = 0; a < f->relations; a++)
        write_lanes(out, d,
                    mem_printf(f->w.m, "y[%d + i * %d] = pull[%d + i] / h;", f->eq->lam + a,
                               f->relations, a * K));
    text_add(out, "*work = 0;\n");
    for (int j = 0; j < f->n && f->forced; j++) {
        const int held = program_slot(p, FIELD_F, j, -1);
        if (held >= 0)
            text_printf(
                out, "for (int i = 0; i < %d; i++) *work += c->hb[i] * oR[%d + i] * vR[%d + i];\n",
                S, held * W, j * W);
    }
}

static const char *near_array(fusing *f, const program *p, char letter)
{
    const int count = p->near->n * 3 * p->lanes;
    if (!count) return "";
    return mem_printf(f->w.m,
                      "real near%c[%d];\nfor (int k = 0; k < %d; k++) near%c[k] = HUGE_VALUE;\n",
                      letter, count, count, letter);
}

static void begin_write(fusing *f, const factor_shape *b)
{
    const int         W = relax_lanes(f), K = relax_nodes(f), n = f->n, rel = f->relations;
    const relaxation *x = &f->relaxation;
    text             *out = &f->w.out;
    text_add(
        out,
        "/* Velocities corrected until what is left is below roundoff; "
        "the number of evaluations, or 0: too slow. */\n"
        "PIECE int iterate_points(const coefficients *c, real t, const real *q, const real *q_low, "
        "const real *p,\n"
        "    const real *p_low, const real *par, const real *u, real *y, real *dp, "
        "real *work)\n{\n"
        "const real h = c->h;\nreal before = HUGE_VALUE, earlier = HUGE_VALUE, whole = 0;\n"
        "int last = 0;\n(void)t;\n(void)par;\n(void)u;\n");
    text_printf(
        out,
        "real tR[%d], qR[%d], vR[%d], oR[%d], oM[%d], F[%d], r[%d], K[%d];\n"
        "real tK[%d], qK[%d], oK[%d], X[%d], pull[%d], weight[%d] = {0};\n"
        "(void)tR;\n(void)qR;\n(void)F;\n(void)tK;\n(void)qK;\n(void)oK;\n(void)X;\n(void)pull;\n"
        "%s%s",
        W, n * W, n * W, x->stages.slots * W, x->inertia.slots * W, n * W, b->size * W, b->held * W,
        K, n * K, (x->nodes.slots + 1) * K, n * K, (rel + 1) * K, n, near_array(f, &x->stages, 'R'),
        near_array(f, &x->nodes, 'K'));
    write_lanes(out, W, "tR[i] = t + R_c[i] * h;");
    if (rel) write_lanes(out, K, "tK[i] = t + K_c[i] * h;");
    for (int j = 0; j < n; j++)
        write_lanes(out, W,
                    mem_printf(f->w.m, "vR[%d + i] = %s;", j * W,
                               relax_combined(f, "c->Rv", W, "y", j * f->d)));
    for (int a = 0; a < rel; a++) {
        write_lanes(
            out, f->d,
            mem_printf(f->w.m, "pull[%d + i] = h * y[%d + i * %d];", a * K, f->eq->lam + a, rel));
        if (K > f->d) text_printf(out, "pull[%d] = 0;\n", a * K + f->d);
    }
}

/* The result combines the last evaluation with a correction by it, so the error left by the
 * correction before is reduced twice. Corrections shrink unevenly, so each is compared with the
 * last but one; a wrong prediction of lam shows only in the second, so with relations the fourth is
 * the first to be judged. */
void relax_write(fusing *f)
{
    const relaxation  *x = &f->relaxation;
    const factor_shape b = relax_block(f);
    const int          W = relax_lanes(f);
    text              *out = &f->w.out;
    tables_write(f);
    if (x->at_points.n) circle_write(f, W);
    if (x->at_nodes.n) circle_write(f, relax_nodes(f));
    program_write(f, &x->stages), program_write(f, &x->nodes), program_write(f, &x->inertia);
    relax_block_write(f, &b);
    relax_scales_write(f);
    begin_write(f, &b);
    text_printf(out, "for (int it = 1; it <= %d; it++) {\nreal eta[%d], moved[%d];\n",
                CORRECTIONS_MOST + 1, W, W);
    text_add(out, relax_sweep(f, &b));
    text_add(out, "if (last) {\n");
    conclusion_write(f);
    text_printf(out,
                "return it;\n}\nif (before >= 1) whole = scales(h, q, p, vR, oM, weight);\n%s"
                "const real now = eta[0];\nif (!(now >= 0)) return 0;\n"
                "last = now <= EPSILON || (earlier < 1 && now * now <= EPSILON / 16 * earlier);\n"
                "if (!last && it > 1 && now > HALF * before) {\n%s"
                "last = moved[0] <= %d * EPSILON * whole;\n}\n"
                "if (!last && it > %d && (now > QUARTER * earlier || !(now < 1))) return 0;\n"
                "earlier = before;\nbefore = now;\n}\nreturn 0;\n}\n\n",
                relax_size(f, "eta", "weight"), relax_size(f, "moved", ""), 4 * f->n,
                f->relations ? 3 : 2);
}
