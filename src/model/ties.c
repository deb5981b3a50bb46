/* ties.c - finds the ties of a model, and the forest that they make. What is decided here depends
 * on the form of the model only; a simulation evaluates the numbers. */
#include "model/ties.h"

/* Reading a relation.
 * ------------------------------------------------------------------------------ */

static slot_kind bound_by(const model *md, const element *el)
{
    return md->relation.at[slot_index(el->target, 0)].kind == REL_TIE ? SLOT_Q : SLOT_V;
}

/* Nothing but coordinates (or velocities) and constants, and with primes no constant term. */
bool ties_is_constant(mem *m, const model *md, const element *el)
{
    if (el->kind != EL_RELATION || !el->instances) return false;
    if (md->relation.at[slot_index(el->target, 0)].kind == REL_HOLONOMIC) return false;
    slot_kind bound = bound_by(md, el);
    for (int k = 0; k < el->slots; k++) {
        slot_kind kind = el->slot[k].kind;
        if (kind != bound && kind != SLOT_PARAMETER && kind != SLOT_DATA) return false;
    }
    if (bound == SLOT_Q) return true;
    graph g;
    graph_init(&g, m);
    expr *image = mem_resize(m, NULL, (size_t)(el->slots + 1) * sizeof *image);
    int  *memo = mem_resize(m, NULL, (size_t)(el->g.nodes.n + 1) * sizeof *memo);
    for (int k = 0; k < el->slots; k++)
        image[k] = el->slot[k].kind == bound ? expr_const(&g, 0) : expr_var(&g, k);
    for (int k = 0; k < el->g.nodes.n; k++) memo[k] = EXPR_NONE;
    bool homogeneous = expr_is_zero(&g, expr_import(&g, &el->g, el->root[0], image, memo));
    mem_drop(m, memo);
    mem_drop(m, image);
    graph_drop(&g);
    return homogeneous;
}

/* The two coordinates that it joins, or one and the ground; false if there are more, or a
 * Hamiltonian one. */
static bool two_ends(const model *md, const element *el, int instance, int *i, int *j)
{
    int count = 0, end[2];
    for (int k = 0; k < el->slots; k++) {
        if (el->slot[k].kind != SLOT_Q && el->slot[k].kind != SLOT_V) continue;
        int at = slot_index(&el->slot[k], instance);
        if (md->hamiltonian && md->hamiltonian[at]) return false;
        if ((count > 0 && end[0] == at) || (count > 1 && end[1] == at)) continue;
        if (count == 2) return false;
        end[count++] = at;
    }
    if (!count) return false;
    *i = end[0], *j = count == 2 ? end[1] : md->coordinates;
    return true;
}

/* A relation that is linear is its values at 0 and at the unit vectors. */
typedef struct {
    const model  *md;
    const double *parameter; /* NULL: as if all were 0 */
    double       *vars, *scratch;
} reader;

static reader reader_new(mem *m, const model *md, const double *parameter)
{
    int slots = 0, nodes = 0;
    for (int e = 0; e < md->elements.n; e++) {
        const element *el = &md->elements.at[e];
        if (el->kind != EL_RELATION) continue;
        if (el->slots > slots) slots = el->slots;
        if (el->g.nodes.n > nodes) nodes = el->g.nodes.n;
    }
    return (reader){md, parameter, mem_array(m, slots + 1, double),
                    mem_array(m, nodes + 1, double)};
}

/* child q_child + parent q_parent = constant */
static void read_tie(const reader *r, const tie *t, double *child, double *parent, double *constant)
{
    const element *el = &r->md->elements.at[t->element];
    for (int k = 0; k < el->slots; k++) {
        int at = slot_index(&el->slot[k], t->instance);
        r->vars[k] = el->slot[k].kind == SLOT_DATA                        ? r->md->data.at[at]
                     : el->slot[k].kind == SLOT_PARAMETER && r->parameter ? r->parameter[at]
                                                                          : 0;
    }
    double at_zero = expr_eval(&el->g, el->root[0], r->vars, r->scratch);
    *child = *parent = 0, *constant = -at_zero;
    for (int k = 0; k < el->slots; k++) {
        if (el->slot[k].kind != SLOT_Q && el->slot[k].kind != SLOT_V) continue;
        r->vars[k] = 1;
        double a = expr_eval(&el->g, el->root[0], r->vars, r->scratch) - at_zero;
        r->vars[k] = 0;
        *(slot_index(&el->slot[k], t->instance) == t->child ? child : parent) += a;
    }
}

/* The forest.
 * -------------------------------------------------------------------------------------- */

typedef struct {
    mem  *m;
    ties *t;
    bool  grounded; /* fixed coordinates are taken out too */
    int  *up;       /* union-find */
    vec(tie) edge;  /* between trees that were apart */
    vec(tie) repeat;
} forest;

static int root_of(int *up, int i)
{
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
}

static void join(forest *f, tie t)
{
    int a = root_of(f->up, t.child), b = root_of(f->up, t.parent);
    f->t->role[t.relation] = a == b ? TIE_REPEATS : TIE_JOINS;
    if (a == b) vec_push(f->m, f->repeat, t);
    else vec_push(f->m, f->edge, t);
    bool over = a == f->t->md->coordinates || (b != f->t->md->coordinates && a < b);
    f->up[over ? b : a] =
        over ? a : b; /* a root is the ground, or the first coordinate of its tree */
}

/* Ties of positions come first: only they are repeated by others of their kind, offsets and all. */
static void collect(forest *f, bool position)
{
    const model *md = f->t->md;
    for (int e = 0; e < md->elements.n; e++) {
        const element *el = &md->elements.at[e];
        if (!ties_is_constant(f->m, md, el) || (bound_by(md, el) == SLOT_Q) != position) continue;
        for (int k = 0; k < el->instances; k++) {
            tie t = {.relation = slot_index(el->target, k),
                     .element = e,
                     .instance = k,
                     .position = position};
            if (!two_ends(md, el, k, &t.child, &t.parent)) continue;
            if (t.parent < md->coordinates || f->grounded) join(f, t);
        }
    }
}

static void number_trees(forest *f)
{
    ties *t = f->t;
    int   n = t->md->coordinates;
    t->z = mem_array(f->m, n, int);
    t->first = mem_array(f->m, n, int);
    for (int i = 0; i < n; i++) {
        int root = root_of(f->up, i);
        if (root == i) t->first[t->coordinates] = i, t->z[i] = t->coordinates++;
        else t->z[i] = root < n ? t->z[root] : -1;
    }
}

/* Edges in the order of a walk from the ground and from the first coordinate of every tree. */
static void order_edges(forest *f)
{
    ties *t = f->t;
    int   n = t->md->coordinates + 1, edges = f->edge.n;
    int  *start = mem_resize(f->m, NULL, (size_t)(n + 2) * sizeof *start);
    int  *of = mem_resize(f->m, NULL, (size_t)(2 * edges + 1) * sizeof *of);
    int  *queue = mem_resize(f->m, NULL, (size_t)(edges + 1) * sizeof *queue);
    for (int i = 0; i < n + 2; i++) start[i] = 0;
    for (int e = 0; e < edges; e++)
        start[f->edge.at[e].child + 2]++, start[f->edge.at[e].parent + 2]++;
    for (int i = 0; i < n; i++) start[i + 2] += start[i + 1];
    for (int e = 0; e < edges; e++)
        of[start[f->edge.at[e].child + 1]++] = e, of[start[f->edge.at[e].parent + 1]++] = e;
    t->join = mem_array(f->m, edges + 1, tie);
    for (int tree = -1; tree < t->coordinates; tree++) {
        int ends = 0;
        queue[ends++] = tree < 0 ? n - 1 : t->first[tree];
        for (int next = 0; next < ends; next++)
            for (int k = start[queue[next]]; k < start[queue[next] + 1]; k++) {
                tie *e = &f->edge.at[of[k]];
                if (e->relation < 0) continue; /* walked already */
                if (e->child == queue[next]) e->child = e->parent, e->parent = queue[next];
                queue[ends++] = e->child;
                t->join[t->joins++] = *e;
                e->relation = -1;
            }
    }
    mem_drop(f->m, queue);
    mem_drop(f->m, of);
    mem_drop(f->m, start);
}

static bool has_parameters(const element *el)
{
    for (int k = 0; k < el->slots; k++)
        if (el->slot[k].kind == SLOT_PARAMETER) return true;
    return false;
}

/* Which numbers there are: a slope that is surely 1 and an offset that is surely 0 need none. */
static void number_numbers(mem *m, ties *t)
{
    int    n = t->md->coordinates;
    reader r = reader_new(m, t->md, NULL);
    t->slope = mem_array(m, n + 1, int);
    t->offset = mem_array(m, n + 1, int);
    t->numbers = NUMBERS_KNOWN;
    for (int i = 0; i <= n; i++) t->slope[i] = NUMBER_ONE, t->offset[i] = NUMBER_ZERO;
    t->slope[n] = NUMBER_ZERO;
    for (int e = 0; e < t->joins; e++) {
        const tie *j = &t->join[e];
        double     a = 0, b = 0, c = 0;
        bool       open = has_parameters(&t->md->elements.at[j->element]);
        if (!open) read_tie(&r, j, &a, &b, &c);
        bool unit = !open && a == -b, exact = j->position && !open && c == 0;
        bool still = t->slope[j->parent] == NUMBER_ZERO;
        t->slope[j->child] = unit || still ? t->slope[j->parent] : t->numbers++;
        if (exact && unit) t->offset[j->child] = t->offset[j->parent];
        else if (!exact || t->offset[j->parent] != NUMBER_ZERO) t->offset[j->child] = t->numbers++;
    }
}

static ties *find(mem *m, const model *md, bool grounded)
{
    ties  *t = mem_array(m, 1, ties);
    forest f = {.m = m, .t = t, .grounded = grounded};
    t->md = md;
    t->role = mem_array(m, md->relation.n + 1, uint8_t);
    f.up = mem_resize(m, NULL, (size_t)(md->coordinates + 1) * sizeof *f.up);
    for (int i = 0; i <= md->coordinates; i++) f.up[i] = i;
    collect(&f, true);
    collect(&f, false);
    number_trees(&f);
    order_edges(&f);
    number_numbers(m, t);
    t->repeats = f.repeat.n, t->repeat = f.repeat.at;
    t->cut = branches_find(m, t);
    vec_drop(m, f.edge);
    mem_drop(m, f.up);
    return t;
}

/* A system that cannot move at all is left as it is. */
const ties *ties_find(mem *m, const model *md)
{
    const ties *t = find(m, md, true);
    return t->coordinates ? t : find(m, md, false);
}

/* Numbers.
 * ----------------------------------------------------------------------------------------- */

static const char *relation_called(mem *m, const ties *t, const tie *j)
{
    text word = text_new(m);
    model_name(t->md, MEMBER_RELATION, j->relation, &word);
    return text_str(&word);
}

static dal_status refuse_zero(mem *m, const ties *t, const tie *j, bool child, diags *ds)
{
    text word = text_new(m);
    model_name(t->md, MEMBER_COORDINATE, child ? j->child : j->parent, &word);
    return diag_error(ds, DAL_INVALID, t->md->relation.at[j->relation].at,
                      "with --interconnection multipliers it may vanish",
                      "in '%s' the coefficient of '%s' is 0: nothing is connected",
                      relation_called(m, t, j), text_str(&word));
}

static double magnitude(double x)
{
    return x < 0 ? -x : x;
}

/* A tie between two that are joined already must say what the others say:  a s_i + b s_j = 0,  a
 * c_i + b c_j = c. */
static dal_status check_repeat(mem *m, const tie_numbers *n, const reader *r, const tie *j,
                               diags *ds)
{
    double a, b, c;
    read_tie(r, j, &a, &b, &c);
    span   at = n->of->md->relation.at[j->relation].at;
    double x = a * tie_slope(n, j->child), y = b * tie_slope(n, j->parent);
    if (!(magnitude(x + y) <= 1e-12 * (magnitude(x) + magnitude(y))))
        return diag_error(
            ds, DAL_INVALID, at, "without it the others still connect what it connects",
            "'%s' contradicts the other connections: around the loop the ratio is %.10g, not 1",
            relation_called(m, n->of, j), -x / y);
    x = a * tie_offset(n, j->child), y = b * tie_offset(n, j->parent);
    if (j->position &&
        !(magnitude(x + y - c) <= 1e-12 * (magnitude(x) + magnitude(y) + magnitude(c))))
        return diag_error(
            ds, DAL_INVALID, at, "without it the others still connect what it connects",
            "'%s' contradicts the other connections: around the loop %.10g is left over",
            relation_called(m, n->of, j), x + y - c);
    return DAL_OK;
}

/* Repeats that agree, those of one statement together. */
static void note_repeats(mem *m, const ties *t, diags *ds)
{
    for (int e = 0, end; e < t->repeats; e = end) {
        span at = t->md->relation.at[t->repeat[e].relation].at;
        for (end = e + 1; end < t->repeats; end++) {
            span other = t->md->relation.at[t->repeat[end].relation].at;
            if (other.of != at.of || other.start != at.start) break;
        }
        const char *called = relation_called(m, t, &t->repeat[e]);
        if (end == e + 1)
            diag_note(ds, at, NULL, "'%s' repeats what other relations say, and is left out",
                      called);
        else
            diag_note(ds, at, NULL,
                      "'%s' and %d more repeat what other relations say, and are left out", called,
                      end - e - 1);
    }
}

static double negative_ratio(double over, double under)
{
    return over == -under ? 1 : -over / under;
}

/*     T_i z */
static double moving_part(const tie_numbers *n, int i, const double *q)
{
    const ties *t = n->of;
    return t->z[i] < 0 ? 0 : tie_slope(n, i) * q[t->first[t->z[i]]];
}

/*     z_i = q of the first coordinate of its tree */
static double z_at(const ties *t, const double *q, int z)
{
    return q[t->first[z]];
}

static void fill_branches(const tie_numbers *n, const double *q)
{
    const ties *t = n->of;
    for (int k = 0; t->cut && q && k < t->cut->count; k++) {
        const branch *b = &t->cut->at[k];
        double        rest = z_at(t, q, b->pivot);
        for (int j = 0; j < b->terms; j++) rest -= n->number[b->number[j]] * z_at(t, q, b->z[j]);
        n->number[b->offset] = rest;
    }
}

/* Coefficients of a relation in z. */
static dal_status read_branch(mem *m, const reader *r, tie_numbers *n, int k, diags *ds)
{
    const ties    *t = n->of;
    const branch  *b = &t->cut->at[k];
    const element *el = &t->md->elements.at[b->element];
    double         term[BRANCH_TERMS] = {0};
    n->pivot[k] = 0;
    for (int s = 0; s < el->slots; s++) {
        int at = slot_index(&el->slot[s], b->instance);
        r->vars[s] = el->slot[s].kind == SLOT_DATA        ? t->md->data.at[at]
                     : el->slot[s].kind == SLOT_PARAMETER ? r->parameter[at]
                                                          : 0;
    }
    for (int s = 0; s < el->slots; s++) {
        if (el->slot[s].kind != SLOT_V) continue;
        int i = slot_index(&el->slot[s], b->instance);
        r->vars[s] = 1;
        double a = expr_eval(&el->g, el->root[0], r->vars, r->scratch) * tie_slope(n, i);
        r->vars[s] = 0;
        if (t->z[i] == b->pivot) n->pivot[k] += a;
        for (int j = 0; j < b->terms; j++)
            if (t->z[i] == b->z[j]) term[j] += a;
    }
    for (int j = 0; j < b->terms; j++)
        n->number[b->number[j]] = negative_ratio(term[j], n->pivot[k]);
    if (n->pivot[k] != 0) return DAL_OK;
    text word = text_new(m);
    model_name(t->md, MEMBER_RELATION, b->relation, &word);
    return diag_error(ds, DAL_INVALID, t->md->relation.at[b->relation].at,
                      "with --interconnection multipliers it may vanish",
                      "in '%s' a coefficient is 0: nothing is connected", text_str(&word));
}

/* Offsets that the relations give, and with q those that the start gives. */
static void fill_offsets(const tie_numbers *n, const double *q)
{
    const ties *t = n->of;
    for (int e = 0; e < t->joins; e++) {
        const tie *j = &t->join[e];
        if (t->offset[j->child] == NUMBER_ZERO || t->offset[j->child] == t->offset[j->parent])
            continue;
        double *offset = &n->number[t->offset[j->child]];
        if (j->position)
            *offset = negative_ratio(n->parent[e], n->child[e]) * tie_offset(n, j->parent) +
                      n->constant[e] / n->child[e];
        else if (q) *offset = q[j->child] - moving_part(n, j->child, q);
    }
}

dal_status ties_evaluate(mem *m, const ties *t, const double *parameter, diags *ds,
                         tie_numbers *out)
{
    reader     r = reader_new(m, t->md, parameter);
    dal_status bad = DAL_OK;
    *out = (tie_numbers){t, mem_array(m, t->numbers, double), mem_array(m, t->joins + 1, double),
                         mem_array(m, t->joins + 1, double), mem_array(m, t->joins + 1, double),
                         t->cut ? mem_array(m, t->cut->count, double) : NULL};
    out->number[NUMBER_ONE] = 1;
    for (int e = 0; e < t->joins; e++) {
        const tie *j = &t->join[e];
        double    *a = &out->child[e], *b = &out->parent[e];
        read_tie(&r, j, a, b, &out->constant[e]);
        if (*a == 0 || (*b == 0 && j->parent < t->md->coordinates))
            return refuse_zero(m, t, j, *a == 0, ds);
        if (t->slope[j->child] != t->slope[j->parent])
            out->number[t->slope[j->child]] = negative_ratio(*b, *a) * tie_slope(out, j->parent);
    }
    fill_offsets(out, NULL);
    for (int k = 0; t->cut && k < t->cut->count && !bad; k++) bad = read_branch(m, &r, out, k, ds);
    for (int e = 0; e < t->repeats; e++) {
        dal_status wrong = check_repeat(m, out, &r, &t->repeat[e], ds);
        if (!bad) bad = wrong;
    }
    if (!bad) note_repeats(m, t, ds);
    return bad;
}

void ties_begin(const tie_numbers *n, const double *q)
{
    fill_offsets(n, q);
    fill_branches(n, q);
}

int ties_left(const ties *t)
{
    return t->coordinates - (t->cut ? t->cut->count : 0);
}

int *ties_first(mem *m, const ties *t)
{
    int *first = mem_array(m, t->coordinates + 1, int), n = 0;
    for (int z = 0; z < t->coordinates; z++)
        if (!t->cut || t->cut->y[z] >= 0) first[n++] = t->first[z];
    return first;
}

/*     A^T lam = rho:  the last coordinate of a branch feels one tie only, the one that joins it. */
void ties_reactions(const tie_numbers *n, double *rho, double *lam)
{
    const ties *t = n->of;
    for (int e = t->joins - 1; e >= 0; e--) {
        const tie *j = &t->join[e];
        lam[e] = rho[j->child] / n->child[e];
        if (j->parent < t->md->coordinates) rho[j->parent] -= n->parent[e] * lam[e];
    }
}
