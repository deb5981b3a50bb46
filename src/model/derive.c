/* derive.c - exact derivatives of one element, each with the array and the entry it is added to.
 *
 *     Lambda(t,q,w) = L - H      f(t,q,w)      e = A v + beta      g, as G v + g_t
 *                                                                      theory.md [NOTATION]
 * Zero derivatives yield nothing, so what a model does not need costs nothing. Two slots of an
 * instance may stand for the same coordinate: each adds its share, by the chain rule. */
#include "model/shape.h"

typedef vec(int) variables;

/* Nodes for the variables, in the order in which products are to be read: m*x', not x'*m. */
static void name_variables(derived *d, expr *image)
{
    for (feed_kind from = FROM_DATA; from < FEEDS; from++)
        for (int k = 0; k < d->feed.n; k++)
            if (d->feed.at[k].from == from) image[k] = expr_var(&d->g, k);
}

/* Entries of matrices stand behind the n numbers of a position. */
static slot slot_behind(mem *m, const slot *s, int instances, int n)
{
    slot out = *s;
    int *list = s->at ? mem_array(m, instances + 1, int) : NULL;
    for (int k = 0; list && k < instances; k++) list[k] = n + s->at[k];
    out.at = list, out.base += n;
    return out;
}

/* The element's roots in a graph of its own, in which derivatives may be built. */
static expr *open_element(mem *m, const model *md, const element *el, feed_kind velocity,
                          feed_kind momentum, derived *out)
{
    static const feed_kind plain[] = {
        [SLOT_TIME] = FROM_TIME,     [SLOT_DATA] = FROM_DATA, [SLOT_PARAMETER] = FROM_PARAMETER,
        [SLOT_INPUT] = FROM_INPUT,   [SLOT_Q] = FROM_Q,       [SLOT_MULTIPLIER] = FROM_LAM,
        [SLOT_ENERGY] = FROM_ENERGY, [SLOT_AXIS_1] = FROM_Q,  [SLOT_AXIS_2] = FROM_Q,
        [SLOT_AXIS_3] = FROM_Q,
    };
    *out = (derived){.of = el, .instances = el->instances};
    graph_init(&out->g, m);
    expr *image = mem_array(m, el->slots, expr), *root = mem_array(m, el->roots, expr);
    for (int k = 0; k < el->slots; k++) {
        slot_kind kind = el->slot[k].kind;
        feed_kind from = kind == SLOT_V ? velocity : kind == SLOT_P ? momentum : plain[kind];
        feed      own = {from, el->slot[k]};
        if (slot_is_axis(kind))
            own.at = slot_behind(m, &el->slot[k], el->instances, md->coordinates);
        vec_push(m, out->feed, own);
    }
    name_variables(out, image);
    int *memo = mem_resize(m, NULL, (size_t)(el->g.nodes.n + 1) * sizeof *memo);
    for (int k = 0; k < el->g.nodes.n; k++) memo[k] = EXPR_NONE;
    for (int j = 0; j < el->roots; j++)
        root[j] = expr_import(&out->g, &el->g, el->root[j], image, memo);
    mem_drop(m, memo);
    return root;
}

static int add_feed(mem *m, derived *d, feed f)
{
    vec_push(m, d->feed, f);
    return d->feed.n - 1;
}

/* A node is below a root if a parent of it is; children come first, so one pass downwards from
 * the last root finds all. */
void derived_reads(mem *m, const graph *g, const expr *root, int n, uint8_t *used)
{
    int last = -1;
    for (int k = 0; k < n; k++) last = root[k] > last ? root[k] : last;
    uint8_t *below = mem_resize(m, NULL, (size_t)last + 2);
    for (int i = 0; i <= last; i++) below[i] = 0;
    for (int k = 0; k < n; k++) below[root[k]] = 1;
    for (int i = last; i >= 0; i--) {
        const expr_node *node = &g->nodes.at[i];
        if (!below[i]) continue;
        if (node->op == OP_VAR) used[node->variable] = 1;
        for (int a = 0; a < node->n; a++) below[g->args.at[node->first + a]] = 1;
    }
    mem_drop(m, below);
}

/* The variables of e that come from one source; of positions, those that are numbers. */
static variables variables_of(mem *m, const derived *d, expr e, feed_kind from)
{
    variables v = {0};
    uint8_t  *used = mem_resize(m, NULL, (size_t)d->feed.n + 1);
    for (int k = 0; k < d->feed.n; k++) used[k] = 0;
    derived_reads(m, &d->g, &e, 1, used);
    for (int k = 0; k < d->feed.n; k++)
        if (used[k] && d->feed.at[k].from == from && !slot_is_axis(d->feed.at[k].at.kind))
            vec_push(m, v, k);
    mem_drop(m, used);
    return v;
}

/* Derivatives that are identically 0 are left out of patterns and programs here. */
static void add_yield(mem *m, derived *d, sink into, expr root, const slot *i, const slot *j)
{
    if (!expr_is_zero(&d->g, root)) vec_push(m, d->yield, (yield){into, root, i, j, {0}});
}

/* Which sources each node depends on, as a set of 1 << feed_kind: one pass, children first. */
static void note_sources(mem *m, derived *d)
{
    const graph *g = &d->g;
    d->holds = mem_array(m, g->nodes.n, uint16_t);
    for (int k = 0; k < g->nodes.n; k++) {
        const expr_node *node = &g->nodes.at[k];
        if (node->op == OP_VAR) d->holds[k] = (uint16_t)(1u << d->feed.at[node->variable].from);
        for (int a = 0; a < node->n; a++) d->holds[k] |= d->holds[g->args.at[node->first + a]];
    }
}

static bool has_feed(const derived *d, feed_kind from)
{
    for (int k = 0; k < d->feed.n; k++)
        if (d->feed.at[k].from == from) return true;
    return false;
}

/* A copy of a feed's slot that stays where it is while the feeds grow. */
static const slot *slot_of(mem *m, const derived *d, int variable)
{
    slot *s = mem_array(m, 1, slot);
    *s = d->feed.at[variable].at;
    return s;
}

/* The coordinates (or rows) that variables v stand for, one slot each. */
static const slot **slots_of(mem *m, const derived *d, variables v)
{
    const slot **s = mem_array(m, v.n + 1, const slot *);
    for (int k = 0; k < v.n; k++) s[k] = slot_of(m, d, v.at[k]);
    return s;
}

/* de/dv_k for k = 0 .. v.n - 1, in memory that the caller drops. */
static expr *gradient(mem *m, derived *d, expr e, variables v)
{
    expr *out = mem_resize(m, NULL, (size_t)(v.n + 1) * sizeof *out);
    if (v.n) expr_gradient(&d->g, e, v.at, v.n, out);
    return out;
}

/* d e / dt of what is written with t; what comes through q and w is left out */
static expr by_time(mem *m, derived *d, expr e)
{
    if (!has_feed(d, FROM_TIME)) return expr_const(&d->g, 0);
    variables t = variables_of(m, d, e, FROM_TIME);
    expr     *dt = gradient(m, d, e, t), sum = expr_sum(&d->g, dt, t.n);
    mem_drop(m, dt);
    vec_drop(m, t);
    return sum;
}

/* Row i of a matrix of derivatives: of e by the variables v from number `from` on, whose columns
 * are j; off the diagonal of a symmetric one each stands for two entries. */
static void add_row(mem *m, derived *d, sink into, expr e, const slot *i, variables v,
                    const slot **j, int from, bool symmetric)
{
    expr *de = gradient(m, d, e, v);
    for (int k = from; k < v.n; k++) {
        add_yield(m, d, into, de[k], i, j[k]);
        if (symmetric && k > from) add_yield(m, d, into, de[k], j[k], i);
    }
    mem_drop(m, de);
}

/* Moves of a position. ------------------------------------------------------------------------- */

/* Entries of one rotation that the element reads: the variables, and the slot of the first. */
typedef struct {
    variables entry;
    int       of; /* a variable among them: its slot tells the rotation, of each instance */
} turning_group;

/* What a position is differentiated by: its numbers, and of each rotation zeta_1 .. zeta_3. */
typedef struct {
    variables          number;
    vec(turning_group) groups;
    int                n;
    const slot       **row; /* of each */
} moves;

static int column_of(const derived *d, int variable)
{
    return (int)(d->feed.at[variable].at.kind - SLOT_AXIS_1);
}

static int rotation_of(const derived *d, int variable, int instance, int n)
{
    return (slot_index(&d->feed.at[variable].at, instance) - n) / TURNING_MATRIX;
}

static bool same_rotation(const derived *d, int a, int b, int n)
{
    for (int k = 0; k < d->instances; k++)
        if (rotation_of(d, a, k, n) != rotation_of(d, b, k, n)) return false;
    return true;
}

/* Row `axis` of the rotation that each instance reads. */
static const slot *row_of_axis(mem *m, const model *md, const derived *d, int variable, int axis)
{
    int  *list = mem_resize(m, NULL, (size_t)(d->instances + 1) * sizeof *list);
    slot *s = mem_array(m, 1, slot);
    for (int k = 0; k < d->instances; k++)
        list[k] = md->turns->first[rotation_of(d, variable, k, md->coordinates)] + axis;
    *s = slot_from_list(m, list, d->instances);
    return s;
}

static void find_groups(mem *m, const derived *d, expr e, int n, moves *out)
{
    uint8_t *used = mem_resize(m, NULL, (size_t)d->feed.n + 1);
    for (int k = 0; k < d->feed.n; k++) used[k] = 0;
    derived_reads(m, &d->g, &e, 1, used);
    for (int k = 0; k < d->feed.n; k++) {
        if (!used[k] || !slot_is_axis(d->feed.at[k].at.kind)) continue;
        int i = 0;
        while (i < out->groups.n && !same_rotation(d, out->groups.at[i].of, k, n)) i++;
        if (i == out->groups.n) vec_push(m, out->groups, (turning_group){.of = k});
        vec_push(m, out->groups.at[i].entry, k);
    }
    mem_drop(m, used);
}

static moves moves_of(mem *m, const model *md, const derived *d, expr e)
{
    moves out = {.number = variables_of(m, d, e, FROM_Q)};
    if (md->turns) find_groups(m, d, e, md->coordinates, &out);
    out.row = mem_array(m, out.number.n + 3 * out.groups.n + 1, const slot *);
    for (int k = 0; k < out.number.n; k++) out.row[out.n++] = slot_of(m, d, out.number.at[k]);
    for (int i = 0; i < out.groups.n; i++)
        for (int axis = 0; axis < 3; axis++)
            out.row[out.n++] = row_of_axis(m, md, d, out.groups.at[i].of, axis);
    return out;
}

static void moves_drop(mem *m, moves *q)
{
    for (int i = 0; i < q->groups.n; i++) vec_drop(m, q->groups.at[i].entry);
    vec_drop(m, q->groups);
    vec_drop(m, q->number);
}

static bool same_slot(const slot *a, const slot *b, int instances)
{
    if (a->kind != b->kind) return false;
    for (int k = 0; k < instances; k++)
        if (slot_index(a, k) != slot_index(b, k)) return false;
    return true;
}

/* The entry in column j of the row of this one; it joins the group. */
static int neighbour(mem *m, derived *d, turning_group *g, int variable, int j)
{
    slot s = slot_behind(m, &d->feed.at[variable].at, d->instances, j - column_of(d, variable));
    s.kind = (slot_kind)(SLOT_AXIS_1 + j);
    for (int k = 0; k < g->entry.n; k++)
        if (same_slot(&d->feed.at[g->entry.at[k]].at, &s, d->instances)) return g->entry.at[k];
    const int made = add_feed(m, d, (feed){FROM_Q, s});
    vec_push(m, g->entry, made);
    return made;
}

/*     dR_ij = (R [zeta])_ij = R_ik zeta_l - R_il zeta_k,   (j, k, l) = (1, 2, 3), ...
 * so de/dzeta_axis is a sum over the entries that e holds. */
static expr along_axis(mem *m, derived *d, turning_group *g, const expr *by_entry, int entries,
                       int axis)
{
    expr *term = mem_resize(m, NULL, (size_t)(entries + 1) * sizeof *term);
    int   n = 0;
    for (int k = 0; k < entries; k++) {
        const int variable = g->entry.at[k], j = column_of(d, variable);
        if (j == axis || expr_is_zero(&d->g, by_entry[k])) continue;
        const bool minus = axis == (j + 1) % 3;
        const int  other = neighbour(m, d, g, variable, (j + (minus ? 2 : 1)) % 3);
        const expr x = expr_mul(&d->g, by_entry[k], expr_var(&d->g, other));
        term[n++] = minus ? expr_neg(&d->g, x) : x;
    }
    const expr sum = expr_sum(&d->g, term, n);
    mem_drop(m, term);
    return sum;
}

/* The derivatives of e, in memory that the caller drops. */
static expr *slopes(mem *m, derived *d, expr e, moves *q)
{
    expr *by_number = gradient(m, d, e, q->number);
    if (!q->groups.n) return by_number;
    expr *out = mem_resize(m, NULL, (size_t)(q->n + 1) * sizeof *out);
    int   n = 0;
    for (; n < q->number.n; n++) out[n] = by_number[n];
    for (int i = 0; i < q->groups.n; i++) {
        turning_group *g = &q->groups.at[i];
        const int      entries = g->entry.n;
        expr          *by_entry = gradient(m, d, e, g->entry);
        for (int axis = 0; axis < 3; axis++)
            out[n++] = along_axis(m, d, g, by_entry, entries, axis);
        mem_drop(m, by_entry);
    }
    mem_drop(m, by_number);
    return out;
}

/* Row i of a matrix of derivatives by positions. */
static void add_slopes(mem *m, derived *d, sink into, expr e, const slot *i, moves *q)
{
    expr *de = slopes(m, d, e, q);
    for (int k = 0; k < q->n; k++) add_yield(m, d, into, de[k], i, q->row[k]);
    mem_drop(m, de);
}

/* Lambda, its gradient and Hessian in (q, w), and their derivatives in t. */
void derive_lambda(mem *m, const model *md, const element *el, derived *out)
{
    expr lambda = *open_element(m, md, el, FROM_W, FROM_W, out);
    if (el->kind == EL_HAMILTONIAN) lambda = expr_neg(&out->g, lambda);
    moves        q = moves_of(m, md, out, lambda);
    variables    w = variables_of(m, out, lambda, FROM_W);
    const slot **ws = slots_of(m, out, w);
    expr        *lq = slopes(m, out, lambda, &q), *lw = gradient(m, out, lambda, w);
    expr         lt = by_time(m, out, lambda);

    add_yield(m, out, SINK_L, lambda, NULL, NULL);
    add_yield(m, out, SINK_LT, lt, NULL, NULL);
    add_yield(m, out, SINK_LTT, by_time(m, out, lt), NULL, NULL);
    /* L_q, L_qt, L_qq (its upper half, mirrored, unless something turns) and L_qw, whose transpose
     * is L_wq. */
    for (int i = 0; i < q.n; i++) {
        add_yield(m, out, SINK_LQ, lq[i], q.row[i], NULL);
        add_yield(m, out, SINK_LQT, by_time(m, out, lq[i]), q.row[i], NULL);
        if (q.groups.n) add_slopes(m, out, SINK_LQQ, lq[i], q.row[i], &q);
        else add_row(m, out, SINK_LQQ, lq[i], q.row[i], q.number, q.row, i, true);
        add_row(m, out, SINK_LQW, lq[i], q.row[i], w, ws, 0, false);
    }
    for (int i = 0; i < w.n; i++) {
        add_yield(m, out, SINK_LW, lw[i], ws[i], NULL);
        add_yield(m, out, SINK_LWT, by_time(m, out, lw[i]), ws[i], NULL);
        add_row(m, out, SINK_LWW, lw[i], ws[i], w, ws, i, true);
    }
    note_sources(m, out);
    mem_drop(m, lq);
    mem_drop(m, lw);
    moves_drop(m, &q);
    vec_drop(m, w);
}

/* f_j on its target, with d f_j / dq, d f_j / dw and d f_j / dt; what is damping is D_j, too. */
void derive_force(mem *m, const model *md, derived *d, const expr *root, const slot *target,
                  int roots)
{
    static const struct {
        sink f, q, w;
    } into[] = {{SINK_F, SINK_FQ, SINK_FW}, {SINK_D, SINK_DQ, SINK_DW}};
    for (int j = 0; j < roots; j++) {
        moves        q = moves_of(m, md, d, root[j]);
        variables    w = variables_of(m, d, root[j], FROM_W);
        const slot **ws = slots_of(m, d, w);
        for (int k = 0; k < (d->of->damping ? 2 : 1); k++) {
            add_yield(m, d, into[k].f, root[j], target + j, NULL);
            add_slopes(m, d, into[k].q, root[j], target + j, &q);
            add_row(m, d, into[k].w, root[j], target + j, w, ws, 0, false);
        }
        add_yield(m, d, SINK_FT, by_time(m, d, root[j]), target + j, NULL);
        moves_drop(m, &q);
        vec_drop(m, w);
    }
    note_sources(m, d);
}

/* Forces see w; where a velocity of a Hamiltonian coordinate stands in one, lower.c replaces it. */
expr *derive_open_force(mem *m, const model *md, const element *el, derived *out)
{
    return open_element(m, md, el, FROM_W, FROM_W, out);
}

/* The rows of the relations in the order of the system, as the element's instances meet them. */
static slot *rows_of(mem *m, const int *row_of, const slot *s, int instances, int less)
{
    int  *list = mem_resize(m, NULL, (size_t)(instances + 1) * sizeof *list);
    slot *row = mem_array(m, 1, slot);
    for (int k = 0; k < instances; k++) list[k] = row_of[slot_index(s, k)] - less;
    *row = slot_from_list(m, list, instances);
    return row;
}

/* sum of g_u u' over the inputs u of g */
static expr by_inputs(mem *m, derived *d, expr g)
{
    variables u = variables_of(m, d, g, FROM_INPUT);
    expr     *terms = gradient(m, d, g, u);
    for (int i = 0; i < u.n; i++) {
        const int rate = add_feed(m, d, (feed){RATE_OF_INPUT, d->feed.at[u.at[i]].at});
        terms[i] = expr_mul(&d->g, terms[i], expr_var(&d->g, rate));
    }
    expr sum = expr_sum(&d->g, terms, u.n);
    mem_drop(m, terms);
    vec_drop(m, u);
    return sum;
}

/* g(t,q,u) = 0 as a condition on velocities: e = G v + g_t + g_u u'.    theory.md [CONSTRAINED] */
static expr velocity_form(mem *m, derived *d, expr g, moves *q, variables *v)
{
    expr *terms = slopes(m, d, g, q);
    for (int i = 0; i < q->n; i++) {
        int k = add_feed(m, d, (feed){FROM_V, *q->row[i]});
        vec_push(m, *v, k);
        terms[i] = expr_mul(&d->g, terms[i], expr_var(&d->g, k));
    }
    expr moving = expr_add(&d->g, by_time(m, d, g), by_inputs(m, d, g));
    expr e = expr_add(&d->g, expr_sum(&d->g, terms, q->n), moving);
    mem_drop(m, terms);
    return e;
}

/* e, A = de/dv, de/dq, de/dt and the curvature lam dA/dq of one relation. */
void derive_relation(mem *m, const compiled *c, const element *el, derived *out)
{
    expr        e = *open_element(m, c->md, el, FROM_V, FROM_V, out);
    bool        holonomic = c->md->relation.at[slot_index(el->target, 0)].kind != REL_VELOCITY;
    const slot *row = rows_of(m, c->row_of, el->target, el->instances, 0);
    moves       q = moves_of(m, c->md, out, e);
    variables   v = {0};
    /* g itself is kept for [CONSTRAINED] D = g/h; what follows is done with its velocity form. */
    if (holonomic) {
        const slot *below = rows_of(m, c->row_of, el->target, el->instances, c->sys.m);
        add_yield(m, out, SINK_G, e, below, NULL);
        e = velocity_form(m, out, e, &q, &v);
    } else v = variables_of(m, out, e, FROM_V);

    const slot **vs = slots_of(m, out, v);
    expr        *A = gradient(m, out, e, v);
    expr         lam = expr_var(&out->g, add_feed(m, out, (feed){FROM_LAM, *row}));
    add_yield(m, out, SINK_E, e, row, NULL);
    add_yield(m, out, SINK_ET, by_time(m, out, e), row, NULL);
    add_slopes(m, out, SINK_EQ, e, row, &q);
    /* A_i = de/dv_i, and its curvature lam dA_i/dq_j in row i, column j. */
    for (int i = 0; i < v.n; i++) {
        add_yield(m, out, SINK_A, A[i], row, vs[i]);
        add_slopes(m, out, SINK_CURV, expr_mul(&out->g, lam, A[i]), vs[i], &q);
    }
    note_sources(m, out);
    mem_drop(m, A);
    moves_drop(m, &q);
    vec_drop(m, v);
}

/* beta of e = A v + beta: what is left of e at v = 0, where A is finite. */
bool relation_has_offset(mem *m, const derived *d, expr e)
{
    graph g;
    graph_init(&g, m);
    g.asking = true;
    expr *image = mem_resize(m, NULL, (size_t)(d->feed.n + 1) * sizeof *image);
    int  *memo = mem_resize(m, NULL, (size_t)(d->g.nodes.n + 1) * sizeof *memo);
    for (int k = 0; k < d->feed.n; k++)
        image[k] = d->feed.at[k].from == FROM_V ? expr_const(&g, 0) : expr_var(&g, k);
    for (int k = 0; k < d->g.nodes.n; k++) memo[k] = EXPR_NONE;
    bool has = !expr_is_zero(&g, expr_import(&g, &d->g, e, image, memo));
    mem_drop(m, memo);
    mem_drop(m, image);
    graph_drop(&g);
    return has;
}

/* A column of the record. Multipliers are read by row. */
void derive_output(mem *m, const compiled *c, const element *el, derived *out)
{
    expr root = *open_element(m, c->md, el, FROM_V, FROM_P, out);
    for (int k = 0; k < out->feed.n; k++) {
        feed *f = &out->feed.at[k];
        if (f->from == FROM_LAM) f->at = *rows_of(m, c->row_of, &f->at, el->instances, 0);
    }
    add_yield(m, out, SINK_COLUMN, root, el->target, NULL);
    note_sources(m, out);
}

/* Numbers of the picture, at positions only. */
void derive_draw(mem *m, const model *md, const element *el, derived *out)
{
    const expr *root = open_element(m, md, el, FROM_V, FROM_P, out);
    for (int j = 0; j < el->roots; j++)
        add_yield(m, out, SINK_DRAWN, root[j], el->target + j, NULL);
    note_sources(m, out);
}

/* For records: v and p are those of the state, so w does not occur. */
expr *derive_open(mem *m, const model *md, const element *el, derived *out)
{
    return open_element(m, md, el, FROM_V, FROM_P, out);
}

/* Power of a force, f.v; it belongs to the part in which it was written. */
void derive_power(mem *m, const model *md, const element *el, derived *out)
{
    expr *terms = open_element(m, md, el, FROM_V, FROM_P, out);
    for (int j = 0; j < el->roots; j++) {
        int v = add_feed(m, out, (feed){FROM_V, el->target[j]});
        terms[j] = expr_mul(&out->g, terms[j], expr_var(&out->g, v));
    }
    add_yield(m, out, SINK_POWER, expr_sum(&out->g, terms, el->roots), &el->owner, NULL);
    note_sources(m, out);
}

/* Energy of the element: L_v.v - L, or H; it belongs to the part in which it was written. */
void derive_energy(mem *m, const model *md, const element *el, derived *out)
{
    expr e = *open_element(m, md, el, FROM_V, FROM_P, out);
    if (el->kind == EL_LAGRANGIAN) {
        variables v = variables_of(m, out, e, FROM_V);
        expr     *terms = gradient(m, out, e, v);
        for (int i = 0; i < v.n; i++)
            terms[i] = expr_mul(&out->g, terms[i], expr_var(&out->g, v.at[i]));
        e = expr_sub(&out->g, expr_sum(&out->g, terms, v.n), e);
        mem_drop(m, terms);
        vec_drop(m, v);
    }
    add_yield(m, out, SINK_ENERGY, e, &el->owner, NULL);
    note_sources(m, out);
}
