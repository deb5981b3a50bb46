/* branches.c - every node of a term that switches is replaced by the smooth function of its branch:
 *
 *     abs(x) = s x,   sign(x) = s,   min(a,b) = a or b,   if(c,a,b) = a or b,   floor(x) = s */
#include "model/branches.h"

#include <math.h>

double switch_flag(const event *e, double phi)
{
    return e->counts ? floor(phi) : phi >= 0 ? 1 : -1;
}

typedef vec(element) elements_of;

typedef struct { /* of one element */
    mem           *m;
    model         *to;
    const element *el;
    unsigned char *moves; /* per node: it holds t, q, v, p or an entry of a rotation */
    graph          g;     /* the new term                                            */
    vec(slot) slots;
    expr *image;      /* per node                                                */
    vec(expr) margin; /* functions of the switches, in the new term: what they   */
    vec(int) flag;    /* hold is on its branch too; the variable of each         */
} freezing;

static bool slot_moves(slot_kind k)
{
    return k == SLOT_TIME || k == SLOT_Q || k == SLOT_V || k == SLOT_P || slot_is_axis(k);
}

static const int *args_of(const graph *g, const expr_node *x)
{
    return g->args.at + x->first;
}

/* Without a word to the graph, which others may read. */
static void note_moving(const element *el, unsigned char *moves)
{
    const graph *g = &el->g;
    for (int i = 0; i < g->nodes.n; i++) {
        const expr_node *x = &g->nodes.at[i];
        moves[i] = x->op == OP_VAR && slot_moves(el->slot[x->variable].kind);
        for (int k = 0; k < x->n; k++) moves[i] |= moves[args_of(g, x)[k]];
    }
}

/* Functions that tell the branch. -------------------------------------------------------------- */

/* >= 0 where a condition holds; EXPR_NONE: it is one of equality. */
static expr margin_of(freezing *f, expr condition)
{
    static const double SURELY = 1e300;
    const graph        *g = &f->el->g;
    const expr_node    *x = &g->nodes.at[condition];
    const int          *a = args_of(g, x);
    graph              *to = &f->g;
    if (!f->moves[condition])
        return expr_if(to, f->image[condition], expr_const(to, SURELY), expr_const(to, -SURELY));
    if (x->op == OP_LT || x->op == OP_LE) return expr_sub(to, f->image[a[1]], f->image[a[0]]);
    if (x->op == OP_NOT) {
        const expr of = margin_of(f, a[0]);
        return of == EXPR_NONE ? of : expr_neg(to, of);
    }
    if (x->op != OP_AND && x->op != OP_OR) return EXPR_NONE;
    const expr p = margin_of(f, a[0]), q = margin_of(f, a[1]);
    if (p == EXPR_NONE || q == EXPR_NONE) return EXPR_NONE;
    return expr_op2(to, x->op == OP_AND ? OP_MIN : OP_MAX, p, q);
}

/* Whose branch depends on the motion, and can be told by a function. */
static expr switch_margin(freezing *f, expr node)
{
    const graph     *g = &f->el->g;
    const expr_node *x = &g->nodes.at[node];
    const int       *a = args_of(g, x);
    switch (x->op) {
    case OP_ABS:
    case OP_SIGN:
    case OP_FLOOR: return f->moves[a[0]] ? f->image[a[0]] : EXPR_NONE;
    case OP_MIN:
    case OP_MAX:
        if (!f->moves[a[0]] && !f->moves[a[1]]) return EXPR_NONE;
        return x->op == OP_MIN ? expr_sub(&f->g, f->image[a[1]], f->image[a[0]])
                               : expr_sub(&f->g, f->image[a[0]], f->image[a[1]]);
    case OP_IF: return f->moves[a[0]] ? margin_of(f, a[0]) : EXPR_NONE;
    default: return EXPR_NONE;
    }
}

/* The new term. -------------------------------------------------------------------------------- */

/* What a flag is for: to choose, to count, or as a factor. */
typedef enum { CHOOSES, COUNTS, BLENDS, FLAG_USES } flag_use;

static flag_use use_of(expr_op op)
{
    return op == OP_FLOOR ? COUNTS : op == OP_ABS || op == OP_SIGN ? BLENDS : CHOOSES;
}

/* The flag of a function: one for equal ones of the same use. */
static expr flag_of(freezing *f, expr margin, flag_use use)
{
    const expr key = FLAG_USES * margin + (int)use;
    for (int i = 0; i < f->margin.n; i++)
        if (f->margin.at[i] == key) return expr_var(&f->g, f->flag.at[i]);
    vec_push(f->m, f->margin, key);
    vec_push(f->m, f->flag, f->slots.n);
    vec_push(f->m, f->slots, ((slot){.kind = SLOT_PARAMETER}));
    return expr_var(&f->g, f->slots.n - 1);
}

static expr on_branch(freezing *f, const expr_node *x, const expr *args, expr s)
{
    graph *g = &f->g;
    switch (x->op) {
    case OP_ABS: return expr_mul(g, s, args[0]);
    case OP_SIGN:
    case OP_FLOOR: return s;
    default: {
        const int first = x->op == OP_IF;
        return expr_if(g, expr_op2(g, OP_LT, expr_const(g, 0), s), args[first], args[first + 1]);
    }
    }
}

static expr leaf(freezing *f, const expr_node *x)
{
    return x->op == OP_CONST ? expr_const(&f->g, x->value) : expr_var(&f->g, x->variable);
}

static void freeze_nodes(freezing *f)
{
    const graph *g = &f->el->g;
    vec(expr) args = {0};
    for (int i = 0; i < g->nodes.n; i++) {
        const expr_node *x = &g->nodes.at[i];
        if (x->op == OP_CONST || x->op == OP_VAR) {
            f->image[i] = leaf(f, x);
            continue;
        }
        args.n = 0;
        for (int k = 0; k < x->n; k++) vec_push(f->m, args, f->image[args_of(g, x)[k]]);
        const expr margin = switch_margin(f, i);
        f->image[i] = margin == EXPR_NONE
                          ? expr_apply(&f->g, x->op, x->op == OP_POWI ? x->power : 0, args.at, x->n)
                          : on_branch(f, x, args.at, flag_of(f, margin, use_of(x->op)));
    }
}

static bool may_switch(expr_op op)
{
    return op == OP_ABS || op == OP_SIGN || op == OP_FLOOR || op == OP_MIN || op == OP_MAX ||
           op == OP_IF;
}

/* Does it hold a switch at all? */
static bool switches(mem *m, const element *el)
{
    const graph *g = &el->g;
    bool         found = false, any = false;
    for (int i = 0; i < g->nodes.n; i++) any |= may_switch(g->nodes.at[i].op);
    if (!any) return false;
    mem           *room = mem_child(m);
    unsigned char *moves = mem_array(room, g->nodes.n + 1, unsigned char);
    note_moving(el, moves);
    for (int i = 0; i < g->nodes.n; i++) found |= may_switch(g->nodes.at[i].op) && moves[i];
    mem_free(room);
    return found;
}

/* One column and one event for each instance. */
static void add_switch(freezing *f, int i, element *tells)
{
    model         *to = f->to;
    const element *el = f->el;
    const int      before = to->outputs + to->symmetries;
    const flag_use use = (flag_use)(f->margin.at[i] % FLAG_USES);
    f->slots.at[f->flag.at[i]] =
        (slot){.kind = SLOT_PARAMETER, .base = to->parameters, .stride = 1};
    *tells = (element){.kind = EL_OUTPUT, .at = el->at, .instances = el->instances, .roots = 1};
    tells->g = f->g, tells->slots = f->slots.n, tells->slot = f->slots.at;
    tells->root = mem_array(f->m, 1, expr), tells->target = mem_array(f->m, 1, slot);
    tells->root[0] = f->margin.at[i] / FLAG_USES;
    tells->target[0] = (slot){.kind = SLOT_Q, .base = before + to->asked, .stride = 1};
    tells->owner = el->owner;
    for (int k = 0; k < el->instances; k++)
        vec_push(f->m, to->event,
                 ((event){.kind = EVENT_SWITCH,
                          .at = el->at,
                          .part = slot_index(&el->owner, k),
                          .member = -1,
                          .offset = k,
                          .row = -1,
                          .asked = to->asked + k,
                          .flag = to->parameters + k,
                          .counts = use == COUNTS,
                          .blends = use == BLENDS}));
    to->asked += el->instances, to->parameters += el->instances, to->of_events += el->instances;
}

/* The element on its branches; what tells them is pushed to `columns`. */
static element freeze(mem *m, model *to, const element *el, elements_of *columns)
{
    const int nodes = el->g.nodes.n;
    freezing  f = {.m = m, .to = to, .el = el};
    graph_init(&f.g, m);
    f.moves = mem_array(m, nodes + 1, unsigned char);
    f.image = mem_array(m, nodes + 1, expr);
    for (int i = 0; i < el->slots; i++) vec_push(m, f.slots, el->slot[i]);
    note_moving(el, f.moves);
    freeze_nodes(&f);
    for (int i = 0; i < f.margin.n; i++) {
        element tells;
        add_switch(&f, i, &tells);
        vec_push(m, *columns, tells);
    }
    element out = *el;
    out.g = f.g, out.slots = f.slots.n, out.slot = f.slots.at;
    out.root = mem_array(m, el->roots + 1, expr);
    for (int j = 0; j < el->roots; j++) out.root[j] = f.image[el->root[j]];
    return out;
}

long model_switches(mem *m, const model *of)
{
    long count = 0;
    for (int e = 0; e < of->elements.n; e++)
        if (of->elements.at[e].kind < EL_OUTPUT && switches(m, &of->elements.at[e]))
            count += of->elements.at[e].instances;
    return count;
}

const model *model_frozen(mem *m, const model *of)
{
    elements_of terms = {0}, columns = {0};
    if (!model_switches(m, of)) return of;
    model *to = mem_array(m, 1, model);
    *to = *of;
    to->event.at = NULL, to->event.n = to->event.room = 0;
    for (int k = 0; k < of->event.n; k++) vec_push(m, to->event, of->event.at[k]);
    for (int e = 0; e < of->elements.n; e++) {
        const element *el = &of->elements.at[e];
        vec_push(m, terms,
                 el->kind < EL_OUTPUT && switches(m, el) ? freeze(m, to, el, &columns) : *el);
    }
    for (int e = 0; e < columns.n; e++) vec_push(m, terms, columns.at[e]);
    to->elements.at = terms.at, to->elements.n = terms.n, to->elements.room = terms.room;
    if (of->structural) {
        to->structural = mem_array(m, to->parameters + 1, unsigned char);
        for (int i = 0; i < of->parameters; i++) to->structural[i] = of->structural[i];
    }
    return to->event.n > of->event.n ? to : of;
}

/* The switch that asks for a number; NULL: it is another event's. Those of switches come last. */
static const event *event_asking(const model *md, int asked)
{
    for (int low = 0, high = md->event.n - 1; low <= high;) {
        const int    mid = (low + high) / 2;
        const event *e = &md->event.at[mid];
        if (e->kind != EVENT_SWITCH || e->asked < asked) low = mid + 1;
        else if (e->asked == asked) return e;
        else high = mid - 1;
    }
    return NULL;
}

/* What a slot reads at a start; matrices of rotations stand behind the coordinates. */
static double slot_value(const model *md, const slot *x, int k, const values *at, double t)
{
    const int i = slot_index(x, k);
    switch (x->kind) {
    case SLOT_TIME: return t;
    case SLOT_DATA: return md->data.at[i];
    case SLOT_PARAMETER: return at->parameter[i];
    case SLOT_INPUT: return at->input[i];
    case SLOT_Q: return at->q[i];
    case SLOT_V: return at->v[i];
    case SLOT_P: return at->p[i];
    default: return slot_is_axis(x->kind) ? at->q[md->coordinates + i] : 0;
    }
}

void model_begin_branches(mem *m, const model *md, double t, values *at)
{
    const int before = md->outputs + md->symmetries;
    for (int e = 0; e < md->elements.n; e++) {
        const element *el = &md->elements.at[e];
        if (el->kind != EL_OUTPUT) continue;
        mem    *room = mem_child(m);
        double *value = mem_array(room, el->slots + el->g.nodes.n + 2, double);
        for (int k = 0; k < el->instances; k++) {
            const event *of = event_asking(md, slot_index(&el->target[0], k) - before);
            if (!of) break;
            for (int i = 0; i < el->slots; i++) value[i] = slot_value(md, &el->slot[i], k, at, t);
            const double phi = expr_eval(&el->g, el->root[0], value, value + el->slots);
            at->parameter[of->flag] = switch_flag(of, phi);
        }
        mem_free(room);
    }
}
