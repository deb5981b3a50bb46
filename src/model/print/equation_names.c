/* equation_names.c - what stands in equations by the names that the user gave: variables, and lets
 * wherever their values stand. */
#include "model/print/equation_lines.h"

#include <stdlib.h>
#include <string.h>

static void name_variable_as(const page *p, const writing *as, int variable, text *out)
{
    const int  row = variable - p->first, k = row - p->rows;
    const load v = row < 0 ? p->variable.at[variable] : (load){0, FROM_LAM, row};
    if (k >= 0) as->name(p->name[k].of->name, p->name[k].rate, out);
    else as->feed(p->c, v.from, v.index, out);
}

void page_name_variable(void *self, int variable, text *out)
{
    const page *p = self;
    name_variable_as(p, p->as, variable, out);
}

void page_name_plain(void *self, int variable, text *out)
{
    name_variable_as(self, &writing_plain, variable, out);
}

static bool is_steady(void *self, int variable)
{
    const page     *p = self;
    const feed_kind from = variable < p->first ? p->variable.at[variable].from : FROM_LAM;
    return from == FROM_PARAMETER || from == FROM_DATA;
}

load load_of_slot(const compiled *c, const slot *s, int instance)
{
    static const feed_kind seen_as[] = {
        [SLOT_TIME] = FROM_TIME,
        [SLOT_DATA] = FROM_DATA,
        [SLOT_PARAMETER] = FROM_PARAMETER,
        [SLOT_INPUT] = FROM_INPUT,
        [SLOT_Q] = FROM_Q,
        [SLOT_V] = FROM_V,
        [SLOT_P] = FROM_P,
        [SLOT_MULTIPLIER] = FROM_LAM,
        [SLOT_ENERGY] = FROM_ENERGY,
        [SLOT_AXIS_1] = FROM_Q,
        [SLOT_AXIS_2] = FROM_Q,
        [SLOT_AXIS_3] = FROM_Q,
    };
    const int index = slot_index(s, instance);
    return (load){0, seen_as[s->kind],
                  s->kind == SLOT_MULTIPLIER ? c->row_of[index]
                  : slot_is_axis(s->kind)    ? c->md->coordinates + index
                                             : index};
}

/* w is v or p as the coordinate has it; numbers are the same if they are equal. */
static thing_read what_is_read(const compiled *c, const load *v, const double *data, int variable)
{
    const unsigned char *h = c->md->hamiltonian;
    const feed_kind      from = v->from != FROM_W ? v->from : h && h[v->index] ? FROM_P : FROM_V;
    return (thing_read){from, from == FROM_DATA ? data[v->index] : v->index, variable};
}

static int compare_reads(const void *a, const void *b)
{
    const thing_read *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->which > y->which) - (x->which < y->which);
}

static int compare_in_order(const void *a, const void *b)
{
    const thing_read *x = a, *y = b;
    const int         order = compare_reads(a, b);
    return order ? order : (x->variable > y->variable) - (x->variable < y->variable);
}

/* The variable that reads what v does; -1: there is none. */
static int find_variable(const page *p, const load *v, const double *data)
{
    const thing_read  key = what_is_read(p->c, v, data, -1);
    const thing_read *found =
        p->reads ? bsearch(&key, p->read, (size_t)p->reads, sizeof key, compare_reads) : NULL;
    return found ? found->variable : -1;
}

expr page_variable(page *p, load v)
{
    const int k = find_variable(p, &v, p->c->md->data.at);
    return k < 0 ? EXPR_NONE : expr_var(&p->g, k);
}

static int variable_of(const page *p, const let_list *lets, const slot *s)
{
    const load v = load_of_slot(p->c, s, 0);
    return find_variable(p, &v, lets->data);
}

/* In equations of motion, momenta stand for the velocities of Hamiltonian coordinates. */
static bool is_replaced(const page *p, const let_list *lets, const slot *s)
{
    const unsigned char *h = p->c->md->hamiltonian;
    if (s->kind != SLOT_V || !h || !h[s->base]) return false;
    const int k = variable_of(p, lets, s);
    return k < 0 || k >= p->given;
}

static bool is_slot_readable(const page *p, const let_list *lets, const slot *s)
{
    const slot momentum = {.kind = SLOT_P, .base = s->base};
    return s->kind == SLOT_DATA ||
           variable_of(p, lets, is_replaced(p, lets, s) ? &momentum : s) >= 0;
}

/* Can e, the value or the rate of a let, be made of the variables of the page? */
static bool is_readable(const page *p, const let_list *lets, const named_let *of, expr e)
{
    uint8_t *used = mem_array(p->g.m, of->slots + 1, uint8_t);
    if (e == EXPR_NONE) return false;
    expr_uses(&of->g, &e, 1, used, of->slots);
    for (int i = 0; i < of->slots; i++)
        if (used[i] && !is_slot_readable(p, lets, &of->slot[i])) return false;
    return true;
}

/* Where d' stands and d does not, the definition of d reads what the equations do not. */
static void read_more(page *p, const let_list *lets, const named_let *of)
{
    if (!is_readable(p, lets, of, of->rate) && !is_readable(p, lets, of, of->value)) return;
    for (int i = 0; i < of->slots; i++)
        if (of->slot[i].kind != SLOT_DATA && variable_of(p, lets, &of->slot[i]) < 0)
            vec_push(p->g.m, p->variable, load_of_slot(p->c, &of->slot[i], 0));
}

/* What a slot of a let is in equations (`seen`), or in its definition. */
static expr image_of(page *p, const let_list *lets, const slot *s, bool seen)
{
    const int k = variable_of(p, lets, s);
    if (seen && is_replaced(p, lets, s)) return page_velocity(p, s->base);
    if (k >= 0) return expr_var(&p->g, k);
    return s->kind == SLOT_DATA ? expr_const(&p->g, lets->data[s->base]) : EXPR_NONE;
}

/* e, of a let, as a node of the page; EXPR_NONE: there is no such thing. */
static expr import_value(page *p, const let_list *lets, const named_let *of, expr e, bool seen)
{
    mem     *m = p->g.m;
    expr    *image = mem_array(m, of->slots + 1, expr);
    int     *memo = mem_array(m, of->g.nodes.n + 1, int);
    uint8_t *used = mem_array(m, of->slots + 1, uint8_t);
    if (!is_readable(p, lets, of, e)) return EXPR_NONE;
    expr_uses(&of->g, &e, 1, used, of->slots);
    for (int i = 0; i < of->slots; i++) {
        image[i] = used[i] ? image_of(p, lets, &of->slot[i], seen) : EXPR_NONE;
        if (used[i] && image[i] == EXPR_NONE) return EXPR_NONE;
    }
    for (int i = 0; i < of->g.nodes.n; i++) memo[i] = EXPR_NONE;
    return expr_import(&p->g, &of->g, e, image, memo);
}

/* A let, and its rate. */
static void import_let(page *p, const let_list *lets, const named_let *of)
{
    page_name *two = p->name + p->names;
    for (int k = 0; k < 2; k++) {
        const expr e = k ? of->rate : of->value;
        two[k] = (page_name){of, k, false, import_value(p, lets, of, e, true),
                             import_value(p, lets, of, e, false)};
    }
    if (two[0].defined != EXPR_NONE) p->names += 2;
}

/* Is the name shorter? Not of a number, of another name, or of either with a factor. */
static bool is_worth_a_name(const graph *g, expr e)
{
    expr_op op = expr_opcode(g, e);
    if (op == OP_NEG) return is_worth_a_name(g, args_of(g, e)[0]);
    if (op == OP_MUL || op == OP_DIV) {
        const expr a = args_of(g, e)[0], b = args_of(g, e)[1];
        if (expr_is_const(g, a, NULL)) return is_worth_a_name(g, b);
        return !expr_is_const(g, b, NULL) || is_worth_a_name(g, a);
    }
    return op != OP_CONST && op != OP_VAR;
}

/* Nodes below e, which a let within another has fewer of. */
static int size_of(const graph *g, expr e)
{
    uint8_t *seen = mem_resize(g->m, NULL, (size_t)e + 1);
    int      n = 0;
    memset(seen, 0, (size_t)e), seen[e] = 1;
    for (int k = e; k >= 0; k--) {
        n += seen[k];
        for (int i = 0; seen[k] && i < node_of(g, k)->n; i++) seen[args_of(g, k)[i]] = 1;
    }
    mem_drop(g->m, seen);
    return n;
}

static bool is_known(const page *p, expr value)
{
    for (int i = 0; i < p->fold.n; i++)
        if (p->known[i].value == value) return true;
    return false;
}

/* A name that is shorter than what it stands for. */
static void learn_name(page *p, int k)
{
    page_name *of = &p->name[k];
    const bool rate = of->defined != of->value;
    const expr value = expr_fold(&p->fold, of->value, false);
    of->defined = rate ? expr_fold(&p->fold, of->defined, false) : value;
    of->value = value;
    if (is_worth_a_name(&p->g, value) && !is_known(p, value))
        p->known[p->fold.n++] = (expr_named){value, expr_var(&p->g, p->first + p->rows + k), rate};
}

/* Shorter ones first, so that longer ones are made of them. */
static void learn_names(page *p)
{
    int *size = mem_array(p->g.m, p->names + 1, int);
    for (int k = 0; k < p->names; k++)
        size[k] = p->name[k].value == EXPR_NONE ? 0 : size_of(&p->g, p->name[k].value);
    for (;;) {
        int next = -1;
        for (int k = 0; k < p->names; k++)
            if (size[k] && (next < 0 || size[k] < size[next])) next = k;
        if (next < 0) break;
        size[next] = 0;
        learn_name(p, next);
    }
}

/* s1, s2, ... unless the model has such names; NULL: it has all that we would take. */
static const char *free_prefix(page *p, const let_list *lets)
{
    static const char *const prefixes[] = {"s", "u", "z", "S", "U", "Z"};
    text                     taken = text_new(p->g.m);
    for (int k = 0; k < p->first; k++) text_add(&taken, " "), page_name_plain(p, k, &taken);
    for (int k = 0; lets && k < lets->n; k++) text_printf(&taken, " %s", lets->at[k].name);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        bool free = true;
        for (int k = 1; k <= OURS_MOST && free; k++)
            free = !strstr(text_str(&taken), mem_printf(p->g.m, " %s%d", prefixes[i], k));
        if (free) return prefixes[i];
    }
    return NULL;
}

/* What its variables read, each thing once. */
static void index_variables(page *p)
{
    p->first = p->variable.n, p->reads = 0;
    p->read = mem_array(p->g.m, p->first + 1, thing_read);
    for (int k = 0; k < p->first; k++)
        p->read[k] = what_is_read(p->c, &p->variable.at[k], p->c->md->data.at, k);
    if (p->first) qsort(p->read, (size_t)p->first, sizeof *p->read, compare_in_order);
    for (int k = 0; k < p->first; k++)
        if (!p->reads || compare_reads(&p->read[p->reads - 1], &p->read[k]))
            p->read[p->reads++] = p->read[k];
}

/* Nodes in the order in which products are to be read: lambda*x, m*x'. */
static void name_variables(page *p)
{
    for (int a = 0; a < p->rows; a++) expr_var(&p->g, p->first + a);
    for (feed_kind from = FROM_DATA; from < FEEDS; from++)
        for (int k = 0; k < p->first; k++)
            if (p->variable.at[k].from == from) expr_var(&p->g, k);
}

void page_init(page *p, const compiled *c, const load *variable, int n, int rows,
               const let_list *lets, const writing *as, text *out)
{
    mem      *m = out->m;
    const int known = lets ? lets->n : 0, most = 2 * known + 2 * OURS_MOST;
    *p = (page){.c = c, .as = as, .rows = rows, .out = out, .margin = ""};
    graph_init(&p->g, m);
    for (int k = 0; k < n; k++) vec_push(m, p->variable, variable[k]);
    p->given = n;
    index_variables(p);
    for (int i = 0; i < known; i++) read_more(p, lets, &lets->at[i]);
    index_variables(p);
    name_variables(p);
    p->prefix = free_prefix(p, lets);
    p->name = mem_array(m, most, page_name), p->known = mem_array(m, most, expr_named);
    p->fold = (folding){&p->g, p->known, 0, is_steady, p, EXPR_NONE, false, false};
    for (int i = 0; i < known; i++) import_let(p, lets, &lets->at[i]);
    p->lets = p->names;
    learn_names(p);
}
