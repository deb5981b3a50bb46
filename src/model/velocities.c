/* velocities.c - the Legendre transformation of the terms of a Hamiltonian in which momenta stand
 * as squares with constant coefficients. */
#include "model/velocities.h"

typedef struct {
    mem           *m;
    const model   *md;
    unsigned char *turns; /* per coordinate: may its velocity take the place of its momentum? */
} work;

/* One term, its momenta as variables of its graph. */
typedef struct {
    graph          g; /* a copy of the term's, to take derivatives in */
    expr           value;
    int            momenta, *variable;
    expr          *inertia; /* of each of them: 1/H_pp */
    const uint8_t *rests;   /* per node: is it 0 where the momenta are? */
} term;

/* 1/e where e cannot be 0 whatever the parameters are; EXPR_NONE: it might. */
static expr inverse(graph *g, expr e)
{
    const expr_node n = g->nodes.at[e];
    const expr      a = n.n > 0 ? g->args.at[n.first] : EXPR_NONE;
    const expr      b = n.n > 1 ? g->args.at[n.first + 1] : EXPR_NONE;
    double          value;
    if (expr_is_const(g, e, &value)) return value != 0 ? expr_const(g, 1 / value) : EXPR_NONE;
    if (n.op != OP_NEG && n.op != OP_MUL && n.op != OP_DIV) return EXPR_NONE;
    const expr first = inverse(g, a);
    if (first == EXPR_NONE) return EXPR_NONE;
    if (n.op == OP_NEG) return expr_neg(g, first);
    const expr second = n.op == OP_DIV ? b : inverse(g, b);
    return second == EXPR_NONE ? EXPR_NONE : expr_mul(g, second, first);
}

/* Does it hold neither the state nor time? */
static bool is_constant(mem *m, const graph *g, expr e, const element *el)
{
    uint8_t *used = mem_array(m, el->slots + 1, uint8_t);
    bool     constant = true;
    expr_uses(g, &e, 1, used, el->slots);
    for (int k = 0; k < el->slots; k++)
        if (used[k] && el->slot[k].kind != SLOT_PARAMETER && el->slot[k].kind != SLOT_DATA)
            constant = false;
    return constant;
}

/* Which nodes are 0 where the momenta are? What divides them may have any value: where that is 0
 * the term had none before. */
static uint8_t *nodes_at_rest(mem *m, const graph *g, const element *el)
{
    uint8_t *rests = mem_array(m, g->nodes.n + 1, uint8_t);
    for (int k = 0; k < g->nodes.n; k++) {
        const expr_node *n = &g->nodes.at[k];
        const int       *arg = g->args.at + n->first;
        int              zeros = 0;
        for (int i = 0; i < n->n; i++) zeros += rests[arg[i]];
        switch (n->op) {
        case OP_CONST: rests[k] = n->value == 0; break;
        case OP_VAR: rests[k] = el->slot[n->variable].kind == SLOT_P; break;
        case OP_MUL: rests[k] = zeros > 0; break;
        case OP_DIV: rests[k] = rests[arg[0]]; break;
        case OP_ADD:
        case OP_NEG:
        case OP_POWI: rests[k] = zeros == n->n; break;
        default: break;
        }
    }
    return rests;
}

/* e of the term in g, with 0 in the place of the momenta. */
static expr at_rest(graph *g, const term *t, expr e)
{
    mem  *m = t->g.m;
    expr *image = mem_array(m, e + 1, expr);
    for (int k = 0; k <= e; k++) {
        const expr_node *n = &t->g.nodes.at[k];
        expr            *arg = mem_array(m, n->n + 1, expr);
        for (int i = 0; i < n->n; i++) arg[i] = image[t->g.args.at[n->first + i]];
        image[k] = t->rests[k]         ? expr_const(g, 0)
                   : n->op == OP_CONST ? expr_const(g, n->value)
                   : n->op == OP_VAR   ? expr_var(g, n->variable)
                                       : expr_apply(g, n->op, n->power, arg, n->n);
    }
    return image[e];
}

/* Slots keep their numbers as variables, so that derivatives by momenta can name them. */
static term term_new(mem *m, const element *el)
{
    term  t = {.variable = mem_array(m, el->slots + 1, int)};
    expr *image = mem_array(m, el->slots + 1, expr);
    int  *memo = mem_array(m, el->g.nodes.n + 1, int);
    graph_init(&t.g, m);
    for (int k = 0; k < el->slots; k++) {
        image[k] = expr_var(&t.g, k);
        if (el->slot[k].kind == SLOT_P) t.variable[t.momenta++] = k;
    }
    for (int k = 0; k < el->g.nodes.n; k++) memo[k] = EXPR_NONE;
    t.value = expr_import(&t.g, &el->g, el->root[0], image, memo);
    t.inertia = mem_array(m, t.momenta + 1, expr);
    return t;
}

/* Is H_p 0 at rest, and H_pp diagonal, constant and never 0? */
static bool term_turns(mem *m, term *t, const element *el)
{
    /* slope = H_p, second = H_pp, both in the momenta of this term only */
    const int n = t->momenta;
    expr     *slope = mem_array(m, n, expr), *second = mem_array(m, n * n, expr);
    bool      turns = true;
    expr_gradient(&t->g, t->value, t->variable, n, slope);
    expr_hessian(&t->g, slope, n, t->variable, n, second);
    t->rests = nodes_at_rest(m, &t->g, el);
    for (int i = 0; i < n && turns; i++) {
        turns = t->rests[slope[i]];
        for (int j = 0; j < n; j++)
            if (i != j && !expr_is_zero(&t->g, second[i * n + j])) turns = false;
        if (turns) turns = is_constant(m, &t->g, second[i * n + i], el);
        if (turns) t->inertia[i] = inverse(&t->g, second[i * n + i]);
        turns = turns && t->inertia[i] != EXPR_NONE;
    }
    t->rests = nodes_at_rest(m, &t->g, el); /* those of the inertia, too */
    return turns;
}

/*     L = sum v_i^2/(2 H_pp) - H at rest */
static element turned(mem *m, const term *t, const element *el)
{
    element out = *el;
    out.kind = EL_LAGRANGIAN;
    graph_init(&out.g, m);
    out.root = mem_array(m, 1, expr), out.slot = mem_array(m, el->slots + 1, slot);
    for (int k = 0; k < el->slots; k++) {
        out.slot[k] = el->slot[k];
        if (el->slot[k].kind == SLOT_P) out.slot[k].kind = SLOT_V;
    }
    expr *terms = mem_array(m, t->momenta + 1, expr);
    for (int i = 0; i < t->momenta; i++) {
        expr v = expr_var(&out.g, t->variable[i]);
        expr inertia = at_rest(&out.g, t, t->inertia[i]);
        terms[i] = expr_mul(&out.g, expr_scale(&out.g, 0.5, inertia), expr_powi(&out.g, v, 2));
    }
    terms[t->momenta] = expr_neg(&out.g, at_rest(&out.g, t, t->value));
    out.root[0] = expr_sum(&out.g, terms, t->momenta + 1);
    return out;
}

/* Coordinates. --------------------------------------------------------------------------------- */

/* A term without instances need not be looked at. */
static bool holds_momenta(const element *el)
{
    bool holds = false;
    for (int k = 0; k < el->slots; k++) holds |= el->slot[k].kind == SLOT_P;
    return holds && el->instances;
}

/* May every momentum of every instance be replaced? */
static bool all_turn(const work *w, const element *el)
{
    for (int k = 0; k < el->slots; k++)
        for (int i = 0; i < el->instances && el->slot[k].kind == SLOT_P; i++)
            if (!w->turns[slot_index(&el->slot[k], i)]) return false;
    return true;
}

/* No momentum of this term may be replaced any more. */
static void none_turns(work *w, const element *el)
{
    for (int k = 0; k < el->slots; k++)
        for (int i = 0; i < el->instances && el->slot[k].kind == SLOT_P; i++)
            w->turns[slot_index(&el->slot[k], i)] = 0;
}

/* A momentum that stands in one place of one term turns; it does not where a force or a relation
 * holds it. */
static void count_places(work *w)
{
    const int n = w->md->coordinates;
    int      *places = mem_array(w->m, n + 1, int);
    for (int e = 0; e < w->md->elements.n; e++) {
        const element *el = &w->md->elements.at[e];
        if (el->kind == EL_FORCE || el->kind == EL_RELATION) none_turns(w, el);
        for (int k = 0; k < el->slots && el->kind == EL_HAMILTONIAN; k++)
            for (int i = 0; i < el->instances && el->slot[k].kind == SLOT_P; i++)
                places[slot_index(&el->slot[k], i)]++;
    }
    for (int i = 0; i < n; i++)
        if (places[i] != 1) w->turns[i] = 0;
}

/* The three momenta of a rotation turn together. */
static void join_rotations(work *w)
{
    const turning *t = w->md->turns;
    for (int k = 0; t && k < t->count; k++) {
        unsigned char *of = w->turns + t->first[k];
        if (!(of[0] && of[1] && of[2])) of[0] = of[1] = of[2] = 0;
    }
}

/* Terms turn with all of their instances or with none, so one that does not may keep others from
 * it. */
static bool choose(work *w, term *of)
{
    const model *md = w->md;
    bool         again = true, any = false;
    for (int e = 0; e < md->elements.n; e++) {
        const element *el = &md->elements.at[e];
        if (el->kind != EL_HAMILTONIAN || !holds_momenta(el)) continue;
        of[e] = term_new(w->m, el);
        if (!term_turns(w->m, &of[e], el)) none_turns(w, el);
    }
    /* until no term loses its choice because a momentum of it also stands in another one */
    while (again) {
        again = any = false;
        join_rotations(w);
        for (int e = 0; e < md->elements.n; e++) {
            if (!of[e].momenta) continue;
            if (all_turn(w, &md->elements.at[e])) any = true;
            else none_turns(w, &md->elements.at[e]), of[e].momenta = 0, again = true;
        }
    }
    return any;
}

/* Hamiltonian coordinates that remain so. */
static unsigned char *flags_left(mem *m, const work *w)
{
    const int      n = w->md->coordinates;
    unsigned char *flags = mem_array(m, n + 1, unsigned char);
    for (int i = 0; i < n; i++) flags[i] = w->md->hamiltonian[i] && !w->turns[i];
    return flags;
}

/* Shares all but the terms and the flags with the model as written. */
static const model *turned_model(mem *m, const work *w, const term *of)
{
    model *out = mem_array(m, 1, model);
    *out = *w->md;
    out->written = w->md, out->hamiltonian = flags_left(m, w);
    out->elements.at = NULL, out->elements.n = out->elements.room = 0;
    for (int e = 0; e < w->md->elements.n; e++) {
        const element *el = &w->md->elements.at[e];
        vec_push(m, out->elements, of[e].momenta ? turned(m, &of[e], el) : *el);
    }
    return out;
}

const model *model_in_velocities(mem *m, const model *md)
{
    if (!md->hamiltonian) return md;
    mem  *scratch = mem_child(m);
    work  w = {scratch, md, mem_array(scratch, md->coordinates + 1, unsigned char)};
    term *of = mem_array(scratch, md->elements.n + 1, term);
    for (int i = 0; i < md->coordinates; i++) w.turns[i] = md->hamiltonian[i];
    count_places(&w);
    const model *out = choose(&w, of) ? turned_model(m, &w, of) : md;
    mem_free(scratch);
    return out;
}
