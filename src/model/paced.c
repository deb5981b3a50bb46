/* paced.c - every term of a model in tau: L and H as one term each, instances of others one by one.
 */
#include "model/paced.h"

#include <string.h>

/* A graph whose variables are slots, each reading one thing. */
typedef struct {
    graph g;
    vec(slot) slots;
    mem              *m;
    const model      *md;
    const paced_form *as;    /* NULL: t stays what it is            */
    expr              pace;  /* EXPR_NONE: velocities stay, too     */
    bool              rests; /* they are 0                          */
} sheet_of_terms;

static void sheet_begin(sheet_of_terms *x, mem *m, const model *md)
{
    *x = (sheet_of_terms){.m = m, .md = md, .pace = EXPR_NONE};
    graph_init(&x->g, m);
}

static int sheet_variable(sheet_of_terms *x, slot_kind kind, int index)
{
    for (int i = 0; i < x->slots.n; i++)
        if (x->slots.at[i].kind == kind && x->slots.at[i].base == index) return i;
    vec_push(x->m, x->slots, ((slot){.kind = kind, .base = index}));
    return x->slots.n - 1;
}

static expr sheet_reads(sheet_of_terms *x, slot_kind kind, int index)
{
    return expr_var(&x->g, sheet_variable(x, kind, index));
}

static int clock_of(const model *md)
{
    return md->coordinates - 1;
}

/* Numbers of an instance are constants; v = q'/g. */
static expr image_of(sheet_of_terms *x, const slot *s, int k)
{
    const int index = slot_index(s, k);
    if (s->kind == SLOT_DATA) return expr_const(&x->g, x->md->data.at[index]);
    if (s->kind == SLOT_TIME && x->as && x->as->clock)
        return sheet_reads(x, SLOT_Q, clock_of(x->md));
    if (s->kind == SLOT_V && x->rests) return expr_const(&x->g, 0);
    const expr at = sheet_reads(x, s->kind, index);
    return s->kind == SLOT_V && x->pace != EXPR_NONE ? expr_div(&x->g, at, x->pace) : at;
}

/* Root j of an element, instance k. */
static expr sheet_root(sheet_of_terms *x, const element *el, int j, int k)
{
    const int nodes = el->g.nodes.n;
    expr     *image = mem_array(x->m, el->slots + 1, expr);
    int      *memo = mem_array(x->m, nodes + 1, int);
    for (int i = 0; i < nodes; i++) memo[i] = EXPR_NONE;
    for (int i = 0; i < el->slots; i++) image[i] = image_of(x, &el->slot[i], k);
    return expr_import(&x->g, &el->g, el->root[j], image, memo);
}

/* The sum of all terms of a kind; 0: there are none. */
static expr sheet_sum(sheet_of_terms *x, element_kind kind)
{
    vec(expr) terms = {0};
    const model *md = x->md;
    for (int e = 0; e < md->elements.n; e++)
        for (int k = 0; md->elements.at[e].kind == kind && k < md->elements.at[e].instances; k++)
            vec_push(x->m, terms, sheet_root(x, &md->elements.at[e], 0, k));
    return expr_sum(&x->g, terms.at, terms.n);
}

/* A sheet with the pace in it, by which velocities are divided from now on. */
static void sheet_paced(sheet_of_terms *x, mem *m, const model *md, const paced_form *as)
{
    sheet_begin(x, m, md);
    x->as = as;
    x->pace = sheet_root(x, as->g, 0, 0);
}

/* The sheet as an element of one instance. */
static element as_element(sheet_of_terms *x, element_kind kind, int roots, span at)
{
    element el = {
        .kind = kind, .at = at, .instances = 1, .g = x->g, .slots = x->slots.n, .roots = roots};
    el.slot = x->slots.at;
    el.root = mem_array(x->m, roots + 1, expr), el.target = mem_array(x->m, roots + 1, slot);
    el.owner = (slot){.kind = SLOT_ENERGY};
    return el;
}

static element as_term(sheet_of_terms *x, element_kind kind, expr root, span at)
{
    element el = as_element(x, kind, 1, at);
    el.root[0] = root;
    return el;
}

static bool has_kind(const model *md, element_kind kind)
{
    for (int e = 0; e < md->elements.n; e++)
        if (md->elements.at[e].kind == kind) return true;
    return false;
}

bool model_reads_time(const model *md)
{
    for (int e = 0; e < md->elements.n; e++) {
        const element *el = &md->elements.at[e];
        for (int i = 0; i < el->slots && el->kind < EL_OUTPUT; i++)
            if (el->slot[i].kind == SLOT_TIME) return true;
    }
    return false;
}

/* Energies. ------------------------------------------------------------------------------------ */

/*     g (L + E0), g (H - E0); where there are both, E0 is with L */
static element paced_energy(mem *m, const model *md, const paced_form *as, element_kind kind)
{
    const bool     lagrangian = kind == EL_LAGRANGIAN;
    sheet_of_terms x;
    sheet_paced(&x, m, md, as);
    expr sum = sheet_sum(&x, kind);
    if (!as->plain && !as->clock && (lagrangian || !has_kind(md, EL_LAGRANGIAN))) {
        const expr E0 = sheet_reads(&x, SLOT_PARAMETER, md->parameters - 1);
        sum = lagrangian ? expr_add(&x.g, sum, E0) : expr_sub(&x.g, sum, E0);
    }
    const expr root = expr_mul(&x.g, x.pace, sum);
    return as_term(&x, kind, root, as->g->at);
}

/*     g p(t) */
static element clock_energy(mem *m, const model *md, const paced_form *as)
{
    sheet_of_terms x;
    sheet_paced(&x, m, md, as);
    const expr root = expr_mul(&x.g, x.pace, sheet_reads(&x, SLOT_P, clock_of(md)));
    return as_term(&x, EL_HAMILTONIAN, root, as->g->at);
}

/*     t' - g = 0 */
static element clock_relation(mem *m, const model *md, const paced_form *as)
{
    sheet_of_terms x;
    sheet_paced(&x, m, md, as);
    const expr root = expr_sub(&x.g, sheet_reads(&x, SLOT_V, clock_of(md)), x.pace);
    element    el = as_term(&x, EL_RELATION, root, as->g->at);
    el.target[0] = (slot){.kind = SLOT_Q, .base = md->relations - 1};
    return el;
}

static expr slope_of(sheet_of_terms *x, expr e, int variable)
{
    expr out;
    expr_gradient(&x->g, e, &variable, 1, &out);
    return out;
}

/*     e = v.L_v - L + H,   v.L_v = sum q'_i d/dq'_i L(q, q'/g) */
static expr energy_of(sheet_of_terms *x)
{
    const expr L = sheet_sum(x, EL_LAGRANGIAN), H = sheet_sum(x, EL_HAMILTONIAN);
    vec(expr) terms = {0};
    for (int i = 0; i < x->slots.n; i++)
        if (x->slots.at[i].kind == SLOT_V)
            vec_push(x->m, terms, expr_mul(&x->g, expr_var(&x->g, i), slope_of(x, L, i)));
    vec_push(x->m, terms, expr_neg(&x->g, L));
    vec_push(x->m, terms, H);
    return expr_sum(&x->g, terms.at, terms.n);
}

/*     g_q e, on the coordinates that g reads */
static element paced_balance(mem *m, const model *md, const paced_form *as)
{
    sheet_of_terms x;
    sheet_paced(&x, m, md, as);
    const int  reads = x.slots.n;
    const expr e = energy_of(&x);
    expr      *root = mem_array(m, reads + 1, expr);
    int       *to = mem_array(m, reads + 1, int), n = 0;
    for (int i = 0; i < reads; i++) {
        const slot s = x.slots.at[i];
        if (s.kind != SLOT_Q || (as->clock && s.base == clock_of(md))) continue;
        root[n] = expr_mul(&x.g, slope_of(&x, x.pace, i), e), to[n++] = s.base;
    }
    element el = as_element(&x, EL_FORCE, n, as->g->at);
    for (int j = 0; j < n; j++)
        el.root[j] = root[j], el.target[j] = (slot){.kind = SLOT_Q, .base = to[j]};
    return el;
}

/* Others, instance by instance. ---------------------------------------------------------------- */

static bool is_of_velocity(const model *md, const element *el, int k)
{
    return md->relation.at[slot_index(&el->target[0], k)].kind == REL_VELOCITY;
}

static bool is_canonical_in_time(const paced_form *as)
{
    return as->clock && !as->plain;
}

/* A v + b with v = 0. */
static expr row_at_rest(sheet_of_terms *x, const element *el, int k)
{
    x->rests = true;
    const expr b = sheet_root(x, el, 0, k);
    x->rests = false;
    return b;
}

/*     A q' + g b,   of A v + b = (A q' + g b)/g;   canonical A q' + b t' */
static expr paced_row(sheet_of_terms *x, const element *el, int k, bool of_velocity)
{
    const expr row = sheet_root(x, el, 0, k);
    if (!of_velocity) return row;
    const expr paced = expr_mul(&x->g, x->pace, row);
    if (!is_canonical_in_time(x->as)) return paced;
    const expr ahead = expr_sub(&x->g, sheet_reads(x, SLOT_V, clock_of(x->md)), x->pace);
    return expr_add(&x->g, paced, expr_mul(&x->g, row_at_rest(x, el, k), ahead));
}

/*     -f.q', on t */
static expr force_on_time(sheet_of_terms *x, const element *el, int k)
{
    vec(expr) terms = {0};
    for (int j = 0; j < el->roots; j++) {
        const expr rate = sheet_reads(x, SLOT_V, slot_index(&el->target[j], k));
        vec_push(x->m, terms, expr_mul(&x->g, rate, sheet_root(x, el, j, k)));
    }
    return expr_neg(&x->g, expr_sum(&x->g, terms.at, terms.n));
}

static element paced_instance(mem *m, const model *md, const paced_form *as, const element *el,
                              int k)
{
    sheet_of_terms x;
    sheet_paced(&x, m, md, as);
    const bool on_time = el->kind == EL_FORCE && is_canonical_in_time(as);
    const int  last = el->roots;
    expr      *root = mem_array(m, el->roots + 1, expr);
    for (int j = 0; j < el->roots; j++)
        root[j] = el->kind == EL_RELATION ? paced_row(&x, el, k, is_of_velocity(md, el, k))
                                          : expr_mul(&x.g, x.pace, sheet_root(&x, el, j, k));
    if (on_time) root[last] = force_on_time(&x, el, k);
    element out = as_element(&x, el->kind, el->roots + on_time, el->at);
    out.damping = el->damping;
    out.owner = (slot){.kind = el->owner.kind, .base = slot_index(&el->owner, k)};
    for (int j = 0; j < el->roots; j++) {
        out.root[j] = root[j];
        out.target[j] = (slot){.kind = el->target[j].kind, .base = slot_index(&el->target[j], k)};
    }
    if (on_time) {
        out.root[last] = root[last];
        out.target[last] = (slot){.kind = SLOT_Q, .base = clock_of(md)};
    }
    return out;
}

/* The whole. ----------------------------------------------------------------------------------- */

static unsigned char *one_more(mem *m, const unsigned char *flag, int n, bool last)
{
    unsigned char *out = mem_array(m, n + 1, unsigned char);
    for (int i = 0; i < n && flag; i++) out[i] = flag[i];
    out[n] = last;
    return out;
}

/* t becomes a coordinate, with a momentum or with an equation of its own. */
static void add_clock(mem *m, model *md, const paced_form *as)
{
    const int n = md->coordinates++;
    if (md->hamiltonian || !as->plain)
        md->hamiltonian = one_more(m, md->hamiltonian, n, !as->plain);
    if (md->state) md->state = one_more(m, md->state, n, false);
    if (!as->plain) return;
    vec(relation) rows = {0};
    for (int a = 0; a < md->relation.n; a++) vec_push(m, rows, md->relation.at[a]);
    vec_push(m, rows, ((relation){.kind = REL_VELOCITY, .at = as->g->at, .member = -1}));
    md->relation.at = rows.at, md->relation.n = rows.n, md->relation.room = rows.room;
    md->relations++;
}

void model_pace(mem *m, model *md, const paced_form *as)
{
    static const element_kind energies[] = {EL_LAGRANGIAN, EL_HAMILTONIAN};
    vec(element) terms = {0};
    if (as->clock) add_clock(m, md, as);
    for (int k = 0; k < 2; k++)
        if (has_kind(md, energies[k])) vec_push(m, terms, paced_energy(m, md, as, energies[k]));
    if (as->plain) vec_push(m, terms, paced_balance(m, md, as));
    if (as->clock)
        vec_push(m, terms, as->plain ? clock_relation(m, md, as) : clock_energy(m, md, as));
    for (int e = 0; e < md->elements.n; e++) {
        const element *el = &md->elements.at[e];
        for (int k = 0; k < el->instances && (el->kind == EL_RELATION || el->kind == EL_FORCE); k++)
            vec_push(m, terms, paced_instance(m, md, as, el, k));
    }
    md->elements.at = terms.at, md->elements.n = terms.n, md->elements.room = terms.room;
    md->outputs = md->symmetries = md->asked = md->drawn = 0, md->drawing.n = 0;
}

/* The model's own pace. ------------------------------------------------------------------------ */

/* e of `from` with all velocities 0. */
static expr at_rest(sheet_of_terms *x, const sheet_of_terms *from, expr e)
{
    const int nodes = from->g.nodes.n, n = from->slots.n;
    expr     *image = mem_array(x->m, n + 1, expr);
    int      *memo = mem_array(x->m, nodes + 1, int);
    for (int i = 0; i < nodes; i++) memo[i] = EXPR_NONE;
    for (int i = 0; i < n; i++) {
        const slot s = from->slots.at[i];
        image[i] = s.kind == SLOT_V ? expr_const(&x->g, 0)
                                    : expr_var(&x->g, sheet_variable(x, s.kind, s.base));
    }
    return expr_import(&x->g, &from->g, e, image, memo);
}

/* M_i = L_{v_i v_i} at rest; EXPR_NONE: no inertia. */
static expr inertia(sheet_of_terms *x, sheet_of_terms *moving, expr L, int coordinate)
{
    const int  v = sheet_variable(moving, SLOT_V, coordinate);
    const expr M = at_rest(x, moving, slope_of(moving, slope_of(moving, L, v), v));
    return expr_is_zero(&x->g, M) ? EXPR_NONE : M;
}

/*     sum_i M_i v_i^2 */
static expr speed_squared(sheet_of_terms *x, const expr *M, int n)
{
    vec(expr) terms = {0};
    for (int i = 0; i < n; i++) {
        if (M[i] == EXPR_NONE) continue;
        const expr v = expr_var(&x->g, sheet_variable(x, SLOT_V, i));
        vec_push(x->m, terms, expr_mul(&x->g, M[i], expr_powi(&x->g, v, 2)));
    }
    return expr_sum(&x->g, terms.at, terms.n);
}

/*     sum_ij V_ij^2/(M_i M_j) */
static expr stiffness_squared(sheet_of_terms *x, expr V, const expr *M, int n)
{
    vec(expr) terms = {0};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n && M[i] != EXPR_NONE; j++) {
            if (M[j] == EXPR_NONE) continue;
            const expr first = slope_of(x, V, sheet_variable(x, SLOT_Q, i)),
                       second = slope_of(x, first, sheet_variable(x, SLOT_Q, j)),
                       beside = expr_mul(&x->g, M[i], M[j]);
            vec_push(x->m, terms, expr_div(&x->g, expr_powi(&x->g, second, 2), beside));
        }
    return expr_sum(&x->g, terms.at, terms.n);
}

bool model_own_pace(mem *m, const model *md, double w0, bool by_speed, element *out)
{
    sheet_of_terms moving, x;
    const int      n = md->coordinates;
    expr          *M = mem_array(m, n + 1, expr);
    bool           moves = false;
    sheet_begin(&moving, m, md), sheet_begin(&x, m, md);
    const expr L = sheet_sum(&moving, EL_LAGRANGIAN);
    for (int i = 0; i < n; i++) M[i] = inertia(&x, &moving, L, i), moves |= M[i] != EXPR_NONE;
    if (!moves) return false;
    const expr least = expr_const(&x.g, by_speed ? 1 : w0 * w0 * w0 * w0),
               size = by_speed ? speed_squared(&x, M, n)
                               : stiffness_squared(&x, at_rest(&x, &moving, L), M, n),
               power = expr_const(&x.g, by_speed ? -0.5 : -0.25);
    *out = as_term(&x, EL_OUTPUT, expr_pow(&x.g, expr_add(&x.g, least, size), power), span_none());
    return true;
}
