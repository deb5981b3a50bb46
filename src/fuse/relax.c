/* relax.c - the velocities at the points of a step, corrected by one small matrix for all of them
 * until what is left is below roundoff: systems of any inertia, with constraints and without.
 *
 *     M dv^i - A^T eta^i = -(L_w^i - p_0 - h sum_k B_ik F^k - sum_nu E_i,nu A(Q^nu)^T h lam^nu)
 *     A dv^i = -(W v + b)^i, or of g likewise;   E h dlam = eta                    mech/rates.h
 *
 * M and A are those at the points of the step as it was predicted, and dq^i = h sum_k a_ik dv^k is
 * taken for h d_i dv^i with d_i = c_i/d: what this leaves of a constant slope, a - diag(d_i), vanishes
 * in its d-th power. So a correction leaves an error of the order h, and several of them less. Where this is slow Newton's iteration takes over, as in picard.c. */
#include "fuse/inside.h"
#include "mech/rates.h"

enum {
    BLOCK_MOST = 16,    /* coordinates and relations                       */
    UNKNOWNS_LEAST = 6, /* below, Newton's matrix costs little             */
    OPERATIONS_MOST = 3000,
    CORRECTIONS_MOST = 40
};

static int lanes_of(const fusing *f)
{
    return f->of[AT_RULE][0].lanes;
}

/* Nodes where reactions act, and those where positions are constrained. */
static int nodes_of(const fusing *f)
{
    return f->relations > f->m ? f->d + 1 : f->d;
}

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
    program_init(f, &x->stages, "stages", lanes_of(f)), choose(f, &x->stages, of_stages, 4);
    program_init(f, &x->nodes, "nodes", nodes_of(f)), choose(f, &x->nodes, of_nodes, 2);
    program_init(f, &x->inertia, "inertia", lanes_of(f)), choose(f, &x->inertia, of_inertia, fully ? 5 : 2);
    x->at_points.n = x->at_nodes.n = 0;
    x->stages.near = x->inertia.near = &x->at_points, x->nodes.near = &x->at_nodes;
    angles_list(f, &x->stages), angles_list(f, &x->nodes), angles_list(f, &x->inertia);
}

/* Are there programs that are short enough? fully: with what velocities do to inertia and relations. */
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

/*     sum_k table[k lanes + i] * of[k], in pairs */
static const char *combined(fusing *f, const char *of_table, int lanes, const char *of, int first)
{
    text t = text_new(f->w.m);
    for (int k = 0; k < f->d; k += 2) {
        text_printf(&t, "%s(%s[%d + i] * %s[%d]", k ? " + " : "", of_table, k * lanes, of,
                    first + k);
        if (k + 1 < f->d)
            text_printf(&t, " + %s[%d + i] * %s[%d]", of_table, (k + 1) * lanes, of, first + k + 1);
        text_add(&t, ")");
    }
    return text_str(&t);
}

/* Points, what is left of the equations there, and the correction. */

static bool reads_position(const fusing *f, const program *p, int j)
{
    const kernel *k = p->k;
    if (!k) return false;
    for (int v = 0; v < k->inputs; v++)
        if (f->f->variable[v].from == READ_Q && f->f->variable[v].index == j)
            return program_reads(p, v);
    return false;
}

static bool reads_positions(const fusing *f, const program *p)
{
    for (int j = 0; j < f->n; j++)
        if (reads_position(f, p, j)) return true;
    return false;
}

static void place_stage(fusing *f, int j, text *t)
{
    const int W = lanes_of(f);
    write_lanes(t, W,
                mem_printf(f->w.m, "qR[%d + i] = q[%d] + (q_low[%d] + h * (%s));", j * W, j, j,
                           combined(f, "RATE_A", W, "vR", j * W)));
}

static const char *place_text(fusing *f)
{
    const relaxation *x = &f->relaxation;
    const int         W = lanes_of(f), K = nodes_of(f);
    text              t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        if (reads_position(f, &x->stages, j)) place_stage(f, j, &t);
        if (reads_position(f, &x->nodes, j))
            write_lanes(&t, K,
                        mem_printf(f->w.m, "qK[%d + i] = q[%d] + (q_low[%d] + h * (%s));", j * K, j,
                                   j, combined(f, "RATE_NODES", K, "vR", j * W)));
    }
    return text_str(&t);
}

/* Once, before the first correction: the matrices, and what only they read. */
static const char *blocks_text(fusing *f)
{
    const relaxation *x = &f->relaxation;
    text              t = text_new(f->w.m);
    text_add(&t, "if (it == 1) {\n");
    for (int j = 0; j < f->n; j++)
        if (reads_position(f, &x->inertia, j) && !reads_position(f, &x->stages, j))
            place_stage(f, j, &t);
    text_printf(&t, "inertia(%soM);\nif (!blocks(h, oM, K)) return 0;\n}\n",
                program_passed(f, &x->inertia, AT_RULE));
    return text_str(&t);
}

/* L_q + f of coordinate j at point i; NULL: it is 0. */
static const char *force_of(fusing *f, int j)
{
    const program *p = &f->relaxation.stages;
    const int      Lq = program_slot(p, FIELD_LQ, j, -1), F = program_slot(p, FIELD_F, j, -1),
              W = p->lanes;
    if (Lq < 0 && F < 0) return NULL;
    if (Lq < 0 || F < 0) return mem_printf(f->w.m, "oR[%d + i]", (Lq < 0 ? F : Lq) * W);
    return mem_printf(f->w.m, "(oR[%d + i] + oR[%d + i])", Lq * W, F * W);
}

/* A^T h lam of coordinate j at node i; NULL: no relation has it. */
static const char *reaction_of(fusing *f, int j)
{
    const program *p = &f->relaxation.nodes;
    text           t = text_new(f->w.m);
    for (int a = 0; a < f->relations; a++) {
        const int held = program_slot(p, FIELD_A, a, j);
        if (held >= 0)
            text_printf(&t, "%soK[%d + i] * pull[%d + i]", text_str(&t)[0] ? " + " : "",
                        held * p->lanes, a * p->lanes);
    }
    return text_str(&t)[0] ? text_str(&t) : NULL;
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
    const int         d = f->d, W = lanes_of(f), K = nodes_of(f);
    double           *unreact = mem_array(f->w.m, K * d, double), *self = mem_array(f->w.m, d, double);
    for (int k = 0; k < d * d; k++) unreact[k] = r.unreact[k];
    const struct {
        lane_table table;
        bool       read;
    } all[] = {
        {{"RATE_A", r.a, d, d, W}, reads_positions(f, &x->stages) || reads_positions(f, &x->inertia)},
        {{"RATE_PUSH", r.push, d, d, W}, any_coordinate(f, force_of)},
        {{"RATE_REACT", r.react, d, d, W}, any_coordinate(f, reaction_of)},
        {{"RATE_REST", r.rest, d, 1, W}, true},
        {{"RATE_UNREACT", unreact, K, d, K}, f->relations > 0},
        {{"RATE_NODES", r.nodes, K, d, K}, reads_positions(f, &x->nodes)},
        {{"RATE_CURVE", r.nodes + d, d, d, d}, true},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k].read) write_by_lane(f, &all[k].table);
    write_table(&f->w, "RATE_LOW", r.low, d);
    for (int i = 0; i < d; i++)
        for (int k = 0; k < d; k++) self[i] += r.a[i * d + k] / d;
    write_by_lane(f, &(lane_table){"SELF", self, d, 1, W});
}

static const char *reactions_text(fusing *f)
{
    const int K = nodes_of(f);
    text      t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        const char *reaction = reaction_of(f, j);
        if (reaction) write_lanes(&t, K, mem_printf(f->w.m, "X[%d + i] = %s;", j * K, reaction));
    }
    return text_str(&t);
}

/* Forces and reactions are gathered before they are spread over the points. */
static const char *gather_text(fusing *f)
{
    const int W = lanes_of(f);
    text      t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        const char *force = force_of(f, j);
        if (force) write_lanes(&t, W, mem_printf(f->w.m, "F[%d + i] = %s;", j * W, force));
    }
    text_add(&t, reactions_text(f));
    return text_str(&t);
}

/* r0 .. = minus what is left, in lane i */
static const char *left_text(fusing *f)
{
    const program *p = &f->relaxation.stages, *nodes = &f->relaxation.nodes;
    const int      W = p->lanes, K = nodes->lanes;
    text           t = text_new(f->w.m);
    for (int j = 0; j < f->n; j++) {
        const int   Lw = program_slot(p, FIELD_LW, j, -1);
        const char *push = force_of(f, j) ? mem_printf(f->w.m, " + h * (%s)",
                                                       combined(f, "RATE_PUSH", W, "F", j * W))
                                          : "";
        const char *pull = reaction_of(f, j) ? mem_printf(f->w.m, " + (%s)",
                                                          combined(f, "RATE_REACT", W, "X", j * K))
                                             : "";
        const char *own = Lw < 0 ? "" : mem_printf(f->w.m, " - oR[%d + i]", Lw * W);
        text_printf(&t, "const real r%d = ((RATE_REST[i] * p[%d]%s) + p_low[%d])%s%s;\n", j, j, own,
                    j, push, pull);
    }
    for (int a = 0; a < f->relations; a++) {
        const bool of_v = a < f->m;
        const int  held =
            of_v ? program_slot(p, FIELD_E, a, -1) : program_slot(nodes, FIELD_G, a, -1);
        const char *left =
            held < 0 ? "0"
            : of_v   ? mem_printf(f->w.m, "-oR[%d + i]", held * W)
                     : mem_printf(f->w.m, "-(%s)", combined(f, "c->Rv", W, "oK", held * K + 1));
        text_printf(&t, "const real r%d = %s;\n", f->n + a, left);
    }
    return text_str(&t);
}

/* The corrections: of v, and of h lam. */
static const char *correct_text(fusing *f, const factor_shape *b)
{
    const int W = lanes_of(f), K = nodes_of(f);
    text      t = text_new(f->w.m);
    text_printf(&t, "for (int i = 0; i < %d; i++) {\n%s%s", W, left_text(f), relax_divide(f, b));
    for (int j = 0; j < b->size; j++) {
        text_printf(&t, "r[%d + i] = z%d;\n", j * W, j);
        if (j < f->n) text_printf(&t, "vR[%d + i] += z%d;\n", j * W, j);
    }
    text_add(&t, "}\n");
    for (int a = 0; a < f->relations; a++)
        write_lanes(&t, K,
                    mem_printf(f->w.m, "pull[%d + i] -= %s;", a * K,
                               combined(f, "RATE_UNREACT", K, "r", (f->n + a) * W)));
    return text_str(&t);
}

/*     sum_i,j |r_j^i| weight_j, or without weights */
static const char *size_text(fusing *f, const char *array, const char *weight)
{
    const int W = lanes_of(f);
    text      t = text_new(f->w.m), sum = text_new(f->w.m);
    for (int j = 0; j < f->n; j++)
        text_printf(&sum, "%sfabs(r[%d + i])%s", j ? " + " : "", j * W,
                    *weight ? mem_printf(f->w.m, " * %s[%d]", weight, j) : "");
    write_lanes(&t, W, mem_printf(f->w.m, "%s[i] = %s;", array, text_str(&sum)));
    text_add(&t, write_lanes_sum(&f->w, array, W));
    return text_str(&t);
}

/* The scale of a coordinate: its velocity, and what has roundoff that the velocity takes over: the
 * terms of p over m, and q/h where positions are constrained. */
static void scales_write(fusing *f)
{
    const int   W = lanes_of(f);
    const char *held = f->relations > f->m ? " + fabs(q[%d] / h)" : "";
    text       *out = &f->w.out;
    text_add(out, "PIECE real scales(real h, const real *q, const real *p, const real *v, const real "
                  "*o,\n    real *RESTRICT weight)\n{\nreal whole = 0;\n(void)h;\n(void)q;\n");
    for (int j = 0; j < f->n; j++) {
        text_printf(out, "{\nreal size[%d];\nfor (int i = 0; i < %d; i++) size[i] = (fabs(p[%d])", W,
                    W, j);
        for (int k = 0; k < f->n; k++) {
            const char *M = relax_inertia(f, j, k);
            if (M) text_printf(out, " + fabs(%s * v[%d + i])", M, k * W);
        }
        text_printf(out, ") / fabs(%s)", relax_inertia(f, j, j));
        text_printf(out, held, j);
        text_printf(out, ";\n%sweight[%d] = size[0] > 0 ? 1 / size[0] : MOST;\nwhole += size[0];\n}\n",
                    write_lanes_sum(&f->w, "size", W), j);
    }
    text_add(out, "return whole;\n}\n\n");
}

/*     Z^mu = h sum_k N_mu,k v^k,   p^- - p_0 = h sum_i b_i F^i + sum_nu w_nu A^T h lam^nu */
static void conclusion_write(fusing *f)
{
    const program *p = &f->relaxation.stages;
    const int      W = p->lanes, K = nodes_of(f), d = f->d, S = f->points[AT_RULE];
    text          *out = &f->w.out;
    text_add(out, reactions_text(f));
    for (int j = 0; j < f->n; j++) {
        write_lanes(out, d,
                    mem_printf(f->w.m, "y[%d + i] = %s;", j * d,
                               combined(f, "RATE_CURVE", d, "vR", j * W)));
        text_printf(out,
                    "{\nreal rest = 0, sum = 0;\nfor (int k = 0; k < %d; k++) rest += RATE_LOW[k] * "
                    "vR[%d + k];\n"
                    "y[%d] += rest;\nfor (int k = 0; k < %d; k++) y[%d + k] *= h;\n",
                    d, j * W, j * d + d - 1, d, j * d);
        if (force_of(f, j))
            text_printf(out, "for (int i = 0; i < %d; i++) sum += R_b[i] * F[%d + i];\nsum *= h;\n",
                        S, j * W);
        if (reaction_of(f, j))
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
    return mem_printf(f->w.m, "real near%c[%d];\nfor (int k = 0; k < %d; k++) near%c[k] = HUGE_VALUE;\n",
                      letter, count, count, letter);
}

static void begin_write(fusing *f, const factor_shape *b)
{
    const int         W = lanes_of(f), K = nodes_of(f), n = f->n, rel = f->relations;
    const relaxation *x = &f->relaxation;
    text             *out = &f->w.out;
    text_add(out,
             "/* Velocities corrected until what is left is below roundoff; the number of "
             "evaluations, or 0: too slow. */\n"
             "PIECE int picard(const coefficients *c, real t, const real *q, const real *q_low, "
             "const real *p,\n"
             "    const real *p_low, const real *par, const real *u, real *y, real *dp, real "
             "*work)\n{\n"
             "const real h = c->h;\nreal before = HUGE_VALUE, earlier = HUGE_VALUE, whole = 0;\n"
             "int last = 0;\n(void)t;\n(void)par;\n(void)u;\n");
    text_printf(
        out,
        "real tR[%d], qR[%d], vR[%d], oR[%d], oM[%d], F[%d], r[%d], K[%d];\n"
        "real tK[%d], qK[%d], oK[%d], X[%d], pull[%d], weight[%d];\n"
        "(void)tR;\n(void)qR;\n(void)F;\n(void)tK;\n(void)qK;\n(void)oK;\n(void)X;\n(void)pull;\n"
        "%s%s",
        W, n * W, n * W, x->stages.slots * W, x->inertia.slots * W, n * W, b->size * W, b->held * W, K,
        n * K, (x->nodes.slots + 1) * K, n * K, (rel + 1) * K, n, near_array(f, &x->stages, 'R'),
        near_array(f, &x->nodes, 'K'));
    write_lanes(out, W, "tR[i] = t + R_c[i] * h;");
    if (rel) write_lanes(out, K, "tK[i] = t + K_c[i] * h;");
    for (int j = 0; j < n; j++)
        write_lanes(
            out, W,
            mem_printf(f->w.m, "vR[%d + i] = %s;", j * W, combined(f, "c->Rv", W, "y", j * f->d)));
    for (int a = 0; a < rel; a++) {
        write_lanes(
            out, f->d,
            mem_printf(f->w.m, "pull[%d + i] = h * y[%d + i * %d];", a * K, f->eq->lam + a, rel));
        if (K > f->d) text_printf(out, "pull[%d] = 0;\n", a * K + f->d);
    }
}

/* What the step leaves is made of the last evaluation and of a correction by it, so that what was
 * left by the correction before is reduced twice. A wrong prediction of lam shows in the second
 * correction only, so with relations the third is the first to be judged. */
void relax_write(fusing *f)
{
    const relaxation  *x = &f->relaxation;
    const factor_shape b = relax_block(f);
    const int          W = lanes_of(f);
    text              *out = &f->w.out;
    tables_write(f);
    if (x->at_points.n) circle_write(f, W);
    if (x->at_nodes.n && (!x->at_points.n || nodes_of(f) != W)) circle_write(f, nodes_of(f));
    program_write(f, &x->stages), program_write(f, &x->nodes), program_write(f, &x->inertia);
    relax_block_write(f, &b);
    scales_write(f);
    begin_write(f, &b);
    text_printf(out, "for (int it = 1; it <= %d; it++) {\nreal eta[%d], moved[%d];\n",
                CORRECTIONS_MOST + 1, W, W);
    text_printf(out, "%s%s%s%s%s%s", place_text(f), blocks_text(f),
                program_call(f, &x->stages, AT_RULE), program_call(f, &x->nodes, AT_CONTROL),
                gather_text(f), correct_text(f, &b));
    text_add(out, "if (last) {\n");
    conclusion_write(f);
    text_printf(
        out,
        "return it;\n}\nif (before >= 1) whole = scales(h, q, p, vR, oM, weight);\n%s"
        "const real now = eta[0];\nif (!(now >= 0)) return 0;\n"
        "last = now <= EPSILON || (earlier < 1 && now * now <= EPSILON / 16 * earlier);\n"
        "if (!last && it > 1 && now > HALF * before) {\n%slast = moved[0] <= %d * EPSILON * whole;\n}\n"
        "if (!last && it > %d && (now > QUARTER * earlier || !(now < 1))) return 0;\n"
        "earlier = before;\nbefore = now;\n}\nreturn 0;\n}\n\n",
        size_text(f, "eta", "weight"), size_text(f, "moved", ""), 4 * f->n, f->relations ? 3 : 2);
}
