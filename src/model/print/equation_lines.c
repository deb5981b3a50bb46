/* equation_lines.c - names and lines of equations. A let is found wherever its value stands, and is
 * defined below the equations if it was. */
#include "model/print/equation_lines.h"

#include <string.h>

enum { OURS_MOST = 32 };

/* Names. --------------------------------------------------------------------------------------- */

/* What a variable of the program reads. */
static load feed_of(const page *p, int variable)
{
    if (!p->term) return p->c->merged.variable.at[variable];
    const feed *f = &p->term->feed.at[variable];
    return (load){0, f->from, slot_index(&f->at, 0)};
}

static void name_variable_as(const page *p, const writing *as, int variable, text *out)
{
    const int  row = variable - p->first, k = row - p->rows;
    const load v = row < 0 ? feed_of(p, variable) : (load){0, FROM_LAM, row};
    if (k >= 0) as->name(p->name[k].of->name, p->name[k].rate, out);
    else as->feed(p->c, v.from, v.index, out);
}

static void name_variable(void *self, int variable, text *out)
{
    const page *p = self;
    name_variable_as(p, p->as, variable, out);
}

static void name_variable_plain(void *self, int variable, text *out)
{
    name_variable_as(self, &writing_plain, variable, out);
}

static bool is_steady(void *self, int variable)
{
    const page     *p = self;
    const feed_kind from = variable < p->first ? feed_of(p, variable).from : FROM_LAM;
    return from == FROM_PARAMETER || from == FROM_DATA;
}

/* What a slot of a let reads, as a variable of the page; EXPR_NONE: the equations do not read it.
 */
static expr variable_of(page *p, const let_list *lets, const slot *s)
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
    };
    const model *md = p->c->md;
    for (int k = 0; k < p->first; k++) {
        const load     *v = &p->c->merged.variable.at[k];
        const bool      lagrangian = !md->hamiltonian || !md->hamiltonian[v->index];
        const feed_kind from = v->from == FROM_W ? lagrangian ? FROM_V : FROM_P : v->from;
        if (from != seen_as[s->kind]) continue;
        if (s->kind == SLOT_DATA ? md->data.at[v->index] == lets->data[s->base]
                                 : from == FROM_TIME || v->index == s->base)
            return expr_var(&p->g, k);
    }
    return EXPR_NONE;
}

/* The value and the rate of a let as nodes of the page. */
static void import_let(page *p, const let_list *lets, const named_let *of, page_name *two)
{
    expr *image = mem_array(p->g.m, of->slots + 1, expr);
    int  *memo = mem_array(p->g.m, of->g.nodes.n + 1, int);
    bool  all = true;
    two[0] = (page_name){of, false, false, EXPR_NONE},
    two[1] = (page_name){of, true, false, EXPR_NONE};
    for (int i = 0; i < of->slots; i++) image[i] = variable_of(p, lets, &of->slot[i]);
    for (int i = 0; i < of->g.nodes.n; i++) memo[i] = EXPR_NONE;
    for (int k = 0; k < 2; k++) {
        const expr e = k ? of->rate : of->value;
        uint8_t   *used = mem_array(p->g.m, of->slots + 1, uint8_t);
        if (e == EXPR_NONE) continue;
        expr_uses(&of->g, &e, 1, used, of->slots);
        for (int i = 0; i < of->slots; i++) all &= !used[i] || image[i] != EXPR_NONE;
        if (all) two[k].value = expr_import(&p->g, &of->g, e, image, memo);
    }
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
    uint8_t *seen = mem_array(g->m, e + 1, uint8_t);
    int      n = 0;
    seen[e] = 1;
    for (int k = e; k >= 0; k--) {
        n += seen[k];
        for (int i = 0; seen[k] && i < node_of(g, k)->n; i++) seen[args_of(g, k)[i]] = 1;
    }
    return n;
}

static bool is_known(const page *p, expr value)
{
    for (int i = 0; i < p->fold.n; i++)
        if (p->known[i].value == value) return true;
    return false;
}

/* Shorter ones first, so that longer ones are made of them. */
static void learn_names(page *p)
{
    const int before = p->first + p->rows;
    int      *size = mem_array(p->g.m, p->names + 1, int);
    for (int k = 0; k < p->names; k++)
        size[k] = p->name[k].value == EXPR_NONE ? 0 : size_of(&p->g, p->name[k].value);
    for (;;) {
        int next = -1;
        for (int k = 0; k < p->names; k++)
            if (size[k] && (next < 0 || size[k] < size[next])) next = k;
        if (next < 0) break;
        size[next] = 0;
        const expr value = expr_fold(&p->fold, p->name[next].value, false);
        p->name[next].value = value;
        if (!is_worth_a_name(&p->g, value) || is_known(p, value)) continue;
        p->known[p->fold.n++] = (expr_named){value, expr_var(&p->g, before + next)};
    }
}

/* s1, s2, ... unless the model has such names; NULL: it has all that we would take. */
static const char *free_prefix(page *p, const let_list *lets)
{
    static const char *const prefixes[] = {"s", "u", "z", "S", "U", "Z"};
    text                     taken = text_new(p->g.m);
    for (int k = 0; k < p->first; k++) text_add(&taken, " "), name_variable_plain(p, k, &taken);
    for (int k = 0; lets && k < lets->n; k++) text_printf(&taken, " %s", lets->at[k].name);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        bool free = true;
        for (int k = 1; k <= OURS_MOST && free; k++)
            free = !strstr(text_str(&taken), mem_printf(p->g.m, " %s%d", prefixes[i], k));
        if (free) return prefixes[i];
    }
    return NULL;
}

void page_init(page *p, const compiled *c, const let_list *lets, const writing *as, text *out)
{
    mem *m = out->m;
    *p = (page){.c = c, .as = as, .first = c->merged.variable.n, .out = out};
    p->rows = c->sys.m + c->sys.r, p->names = lets ? 2 * lets->n : 0;
    graph_init(&p->g, m);
    /* multipliers first, so that products read lambda*x */
    for (int a = 0; a < p->rows; a++) expr_var(&p->g, p->first + a);
    for (int k = 0; k < p->first; k++) expr_var(&p->g, k);
    p->lets = p->names, p->prefix = free_prefix(p, lets);
    p->name = mem_array(m, p->names + 2 * OURS_MOST, page_name);
    p->known = mem_array(m, p->names + 2 * OURS_MOST, expr_named);
    p->fold = (folding){&p->g, p->known, 0, is_steady, p, EXPR_NONE};
    for (int i = 0; lets && i < lets->n; i++) import_let(p, lets, &lets->at[i], p->name + 2 * i);
    learn_names(p);
}

void page_init_term(page *p, const compiled *c, const derived *term, const writing *as, text *out)
{
    *p = (page){.c = c, .term = term, .as = as, .first = term->feed.n, .out = out};
    graph_init(&p->g, out->m);
    p->name = mem_array(out->m, 2 * OURS_MOST, page_name);
    p->known = mem_array(out->m, 2 * OURS_MOST, expr_named);
    p->fold = (folding){&p->g, p->known, 0, is_steady, p, EXPR_NONE};
    p->prefix = free_prefix(p, NULL);
}

/* Lines. --------------------------------------------------------------------------------------- */

int page_width(page *p, expr e)
{
    text scratch = text_new(p->g.m);
    expr_print_fair(&p->g, e, name_variable_plain, p, &scratch);
    const int n = (int)scratch.n;
    text_drop(&scratch);
    return n;
}

/* The widest sum within e that fits a line; EXPR_NONE: there is none worth a name. */
static expr widest_sum(page *p, expr e)
{
    enum { WORTH = 12 };
    uint8_t *within = mem_array(p->g.m, e + 1, uint8_t);
    expr     best = EXPR_NONE;
    int      most = WORTH;
    within[e] = 1;
    for (int k = e; k >= 0; k--) {
        if (!within[k]) continue;
        for (int i = 0; i < node_of(&p->g, k)->n; i++) within[args_of(&p->g, k)[i]] = 1;
        if (k == e || expr_opcode(&p->g, k) != OP_ADD) continue;
        const int wide = page_width(p, k);
        if (wide > most && wide < p->as->most - 10) best = k, most = wide;
    }
    return best;
}

/* The first term that a line is too short for; EXPR_NONE: all fit. */
static expr too_wide(page *p, expr e, int used)
{
    const bool sum = expr_opcode(&p->g, e) == OP_ADD;
    const int  n = sum ? node_of(&p->g, e)->n : 1;
    for (int i = 0; i < n; i++) {
        const expr term = sum ? args_of(&p->g, e)[i] : e;
        if (page_width(p, term) + used > p->as->most) return term;
    }
    return EXPR_NONE;
}

/* One more name, of ours. */
static void name_sum(page *p, expr value)
{
    named_let *of = mem_array(p->g.m, 1, named_let);
    const int  k = p->names, before = p->first + p->rows;
    of->name = mem_printf(p->g.m, "%s%d", p->prefix, (k - p->lets) / 2 + 1);
    p->name[k] = (page_name){of, false, false, value};
    p->name[k + 1] = (page_name){of, true, false, EXPR_NONE};
    p->names += 2;
    p->known[p->fold.n++] = (expr_named){value, expr_var(&p->g, before + k)};
}

/* A sum that is too long for a line keeps common factors in its terms, so that it can be broken. */
static expr folded_to_fit(page *p, expr e, int used)
{
    p->fold.spread = EXPR_NONE;
    const expr folded = expr_fold(&p->fold, e, true);
    if (page_width(p, folded) + used <= p->as->most) return folded;
    p->fold.spread = e;
    return expr_fold(&p->fold, e, true);
}

expr page_folded(page *p, expr e, int used)
{
    expr folded = folded_to_fit(p, e, used);
    while (p->prefix && p->names < p->lets + 2 * OURS_MOST) {
        const expr term = too_wide(p, folded, used);
        const expr sum = term == EXPR_NONE ? EXPR_NONE : widest_sum(p, term);
        if (sum == EXPR_NONE) break;
        name_sum(p, sum);
        folded = folded_to_fit(p, e, used);
    }
    return folded;
}

/* Names in e will be defined. */
static void use_names(page *p, expr e)
{
    const int before = p->first + p->rows, all = before + p->names;
    uint8_t  *used = mem_array(p->g.m, all + 1, uint8_t);
    expr_uses(&p->g, &e, 1, used, all);
    for (int k = 0; k < p->names; k++) p->name[k].used |= used[before + k] != 0;
}

void page_print(page *p, expr e)
{
    use_names(p, e);
    p->as->print(&p->g, e, name_variable, p, p->out);
}

static void print_term(page *p, expr term)
{
    const expr_op op = expr_opcode(&p->g, term);
    const bool    bracket = op == OP_ADD || op == OP_IF;
    text_add(p->out, bracket ? p->as->bracket_open : "");
    page_print(p, term);
    text_add(p->out, bracket ? p->as->bracket_close : "");
}

int page_left(const page *p, int width)
{
    return p->as->aligned ? p->as->indent : width + 3;
}

/* A positive term leads, so that b - a is not printed as -a + b. */
void page_print_sum(page *p, expr e, int used)
{
    const int n = node_of(&p->g, e)->n;
    int       lead = 0, at = used;
    if (expr_opcode(&p->g, e) != OP_ADD || used + page_width(p, e) <= p->as->most) {
        page_print(p, e);
        return;
    }
    while (lead < n && is_negative(&p->g, args_of(&p->g, e)[lead])) lead++;
    if (lead == n) lead = 0;
    for (int i = -1; i < n; i++) {
        if (i == lead) continue;
        const expr term = args_of(&p->g, e)[i < 0 ? lead : i];
        const int  wide = page_width(p, term) + 3;
        const bool minus = i >= 0 && is_negative(&p->g, term);
        if (i >= 0 && at + wide > p->as->most)
            text_add(p->out, p->as->next_line), at = p->as->indent;
        if (i >= 0) text_add(p->out, minus ? p->as->minus : p->as->plus);
        if (i >= 0) print_term(p, minus ? expr_neg(&p->g, term) : term);
        else page_print(p, term);
        at += wide;
    }
}

/* Of names that were used, and of those that these are made of, in the order of the model. */
void page_definitions(page *p)
{
    int found = 0, before;
    do {
        before = found, found = 0;
        for (int k = 0; k < p->names; k += 2) {
            p->name[k].used |= p->name[k + 1].used;
            if (p->name[k].used) found++, use_names(p, p->name[k].value);
        }
    } while (found > before);
    if (found) text_add(p->out, p->as->where);
    for (int k = 0; k < p->names; k += 2) {
        if (!p->name[k].used) continue;
        text_add(p->out, p->as->line);
        p->as->name(p->name[k].of->name, false, p->out);
        text_add(p->out, p->as->equals);
        page_print_sum(p, p->name[k].value, page_left(p, (int)strlen(p->name[k].of->name)));
        text_add(p->out, p->as->end_of_line);
    }
}
