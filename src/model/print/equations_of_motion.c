/* equations_of_motion.c - the equations of motion in the user's names, as text, LaTeX or MathML.
 *
 *     d/dt [dL/dx'] = dL/dx + f + A^T lambda        x' = dH/dp(x),  p(x)' = -dH/dx + f + A^T lambda
 *     d/dt [dL/dOmega] = dL/dR + f + A^T lambda + dL/dOmega x Omega, of a rotation in body axes
 *
 * A system that is one program is printed coordinate by coordinate; of a larger one each kind of
 * term is printed once, with what it contributes. */
#include "model/print/equation_lines.h"
#include "model/print/print.h"

typedef struct {
    page  page;
    expr *image; /* variables of the merged program, which the page has under the same numbers */
    int  *memo;
} sheet;

/* Entry `index` of a sink, as an expression of the page; 0 if nothing is added there. */
static expr entry(sheet *s, sink into, int index)
{
    page         *p = &s->page;
    const merged *g = &p->c->merged;
    int           low = 0, high = g->root.n;
    while (low < high) { /* roots are sorted by sink, then index */
        int                mid = (low + high) / 2;
        const merged_root *r = &g->root.at[mid];
        if (r->into < into || (r->into == into && r->index < index)) low = mid + 1;
        else high = mid;
    }
    bool found = low < g->root.n && g->root.at[low].into == into && g->root.at[low].index == index;
    if (!found) return expr_const(&p->g, 0);
    return expr_import(&p->g, &g->g, g->root.at[low].root, s->image, s->memo);
}

/* g of a state, whose row is f = g - z': what is left of f at z' = 0. */
static expr rate_of_state(sheet *s, int i)
{
    const merged *g = &s->page.c->merged;
    sheet         still = *s;
    still.image = mem_array(s->page.g.m, s->page.first + 1, expr);
    still.memo = mem_array(s->page.g.m, g->g.nodes.n + 1, int);
    for (int k = 0; k < g->g.nodes.n; k++) still.memo[k] = EXPR_NONE;
    for (int k = 0; k < s->page.first; k++) still.image[k] = s->image[k];
    for (int k = 0; k < g->variable.n; k++)
        if (g->variable.at[k].from == FROM_W && g->variable.at[k].index == i)
            still.image[k] = expr_const(&still.page.g, 0);
    const expr rate = entry(&still, SINK_F, i);
    s->page.g = still.page.g;
    return rate;
}

/* (A^T lambda)_i */
static expr reaction(sheet *s, int i)
{
    page          *p = &s->page;
    const pattern *A = &p->c->sys.A;
    expr           sum = expr_const(&p->g, 0);
    for (int a = 0; a < A->rows; a++) {
        int k = pattern_find(A, a, i);
        if (k < 0) continue;
        expr lam = expr_var(&p->g, p->first + a);
        sum = expr_add(&p->g, sum, expr_mul(&p->g, entry(s, SINK_A, k), lam));
    }
    return sum;
}

/* Of a rotation, in body axes:  d/dt pi = L_R + f + A^T lambda + pi x Omega */
static expr gyroscopic(sheet *s, int i)
{
    page          *p = &s->page;
    const turning *t = p->c->md->turns;
    const int      k = t ? t->of_row[i] : -1;
    expr           sum = expr_const(&p->g, 0);
    for (int side = 1; side < 3 && k >= 0; side++) {
        const int a = t->first[k] + (i - t->first[k] + side) % 3,
                  b = t->first[k] + (i - t->first[k] + 3 - side) % 3;
        const expr pi = entry(s, SINK_LW, a);
        if (expr_is_zero(&p->g, pi) || (t->direction[k] && b == t->first[k] + 2)) continue;
        const expr term = expr_mul(&p->g, pi, page_variable(p, (load){0, FROM_W, b}));
        sum = side == 1 ? expr_add(&p->g, sum, term) : expr_sub(&p->g, sum, term);
    }
    return sum;
}

/* The right side of an equation, whose left side has about so many characters. */
static void print_right(page *p, expr e, int left)
{
    const int used = page_left(p, left);
    text_add(p->out, p->as->equals);
    page_print_sum(p, page_folded(p, e, used), used);
    text_add(p->out, p->as->end_of_line);
}

/* The characters of p(x). */
static int momentum_width(page *p, int i)
{
    text scratch = text_new(p->g.m);
    naming_feed(p->c, FROM_P, i, &scratch);
    const int n = (int)scratch.n;
    text_drop(&scratch);
    return n;
}

static void print_rate_of_momentum(page *p, int i)
{
    const turning *t = p->c->md->turns;
    if (t && t->of_row[i] >= 0) {
        text_add(p->out, p->as->rate_open);
        p->as->feed(p->c, FROM_P, i, p->out);
        text_add(p->out, p->as->rate_close);
        return;
    }
    text_add(p->out, p->as->momentum_open);
    p->as->feed(p->c, FROM_Q, i, p->out);
    text_add(p->out, p->as->momentum_close);
}

/* d/dt L_v, or 0; a long L_v is set apart, as the momentum p = L_v. */
static int print_left(page *p, int i, expr momentum)
{
    const int  wide_name = momentum_width(p, i);
    const expr folded = page_folded(p, momentum, page_left(p, wide_name));
    const int  wide = page_width(p, folded);
    if (expr_is_zero(&p->g, momentum)) {
        text_add(p->out, p->as->zero);
        return 1;
    }
    if (wide <= p->as->left) {
        text_add(p->out, p->as->rate_open);
        page_print(p, folded);
        text_add(p->out, p->as->rate_close);
        return wide + 7;
    }
    p->as->feed(p->c, FROM_P, i, p->out);
    print_right(p, momentum, wide_name);
    text_add(p->out, p->as->line);
    print_rate_of_momentum(p, i);
    return wide_name + 5;
}

/* Hamiltonian: x' = H_p and p' = -H_q + f + A^T lambda; otherwise d/dt L_v = L_q + f + A^T
 * lambda. */
static void print_coordinate_equations(sheet *s, int i)
{
    page *p = &s->page;
    bool  hamiltonian = p->c->md->hamiltonian && p->c->md->hamiltonian[i];
    expr  right[] = {entry(s, SINK_LQ, i), entry(s, SINK_F, i), reaction(s, i), gyroscopic(s, i)};
    expr  momentum = entry(s, SINK_LW, i);
    int   left = momentum_width(p, i) + 5;
    text_add(p->out, p->as->line);
    if (p->c->sys.state && p->c->sys.state[i]) {
        p->as->feed(p->c, FROM_V, i, p->out);
        print_right(p, rate_of_state(s, i), left - 7);
        return;
    }
    if (hamiltonian) { /* Lambda = -H */
        p->as->feed(p->c, FROM_V, i, p->out);
        p->fold.defining = true;
        print_right(p, expr_neg(&p->g, momentum), left - 7);
        p->fold.defining = false;
        text_add(p->out, p->as->line);
        print_rate_of_momentum(p, i);
    } else left = print_left(p, i, momentum);
    print_right(p, expr_sum(&p->g, right, 4), left);
}

static void print_words(const page *p, const char *words)
{
    text_add(p->out, p->as->text.open);
    text_add(p->out, words);
    text_add(p->out, p->as->text.close);
}

/* Of an event row: contacts and rows that hold one way are inequalities. */
static bool is_inequality(const compiled *c, int a)
{
    const int    row = c->md->relation.at[c->relation_of[a]].row - 1;
    const event *e = row < 0 ? NULL : event_of_row(c->md, row);
    return e && row == e->row && e->kind != EVENT_FRICTION;
}

/* Velocity constraints as they are, holonomic ones as g = 0; long ones as 0 = g. */
static void print_relation(sheet *s, int a)
{
    page           *p = &s->page;
    const compiled *c = p->c;
    const bool      least = is_inequality(c, a),
               at_times = c->md->relation.at[c->relation_of[a]].row && !least;
    const expr e = a < c->sys.m ? entry(s, SINK_E, a) : entry(s, SINK_G, a - c->sys.m);
    const int  used = page_left(p, 1);
    const expr folded = page_folded(p, e, used);
    const bool long_one = page_width(p, folded) > (p->as->aligned ? p->as->left : p->as->most);
    text_add(p->out, p->as->line);
    if (long_one) text_add(p->out, p->as->zero);
    else page_print(p, folded);
    text_add(p->out, !least ? p->as->equals : long_one ? p->as->at_most : p->as->at_least);
    if (long_one) page_print_sum(p, folded, used);
    else text_add(p->out, p->as->zero);
    if (at_times) {
        text_add(p->out, p->as->multipliers ? "   " : p->as->space);
        print_words(p, "where it holds");
    }
    if (p->as->multipliers) {
        text_add(p->out, at_times ? ", with multiplier " : "   with multiplier ");
        naming_feed(c, FROM_LAM, a, p->out);
        text_add(p->out, least ? " >= 0, one of them 0" : "");
    }
    text_add(p->out, p->as->end_of_line);
}

/* L, or H where there is nothing else; of both kinds of parts together L - H. */
static void print_lagrangian(sheet *s)
{
    page        *p = &s->page;
    const model *md = p->c->md;
    bool         hamiltonian = false, lagrangian = false;
    for (int e = 0; e < p->c->elements; e++) {
        hamiltonian |= p->c->element[e].of && p->c->element[e].of->kind == EL_HAMILTONIAN;
        lagrangian |= p->c->element[e].of && p->c->element[e].of->kind == EL_LAGRANGIAN;
    }
    expr lambda = entry(s, SINK_L, 0);
    text_add(p->out, p->as->line);
    text_add(p->out, lagrangian ? p->as->lagrangian : "");
    text_add(p->out, lagrangian && hamiltonian ? p->as->minus : "");
    text_add(p->out, hamiltonian ? p->as->hamiltonian : "");
    print_right(p, lagrangian || !md->hamiltonian ? lambda : expr_neg(&p->g, lambda), 6);
}

/* Sums that the programs never form are built here. */
static void sheet_init(sheet *s, const compiled *c, const let_list *lets, const writing *as,
                       text *out)
{
    page_init(&s->page, c, c->merged.variable.at, c->merged.variable.n, c->sys.m + c->sys.r, lets,
              as, out);
    s->image = mem_array(out->m, s->page.first + 1, expr);
    s->memo = mem_array(out->m, c->merged.g.nodes.n + 1, int);
    for (int k = 0; k < c->merged.variable.n; k++)
        s->image[k] = page_variable(&s->page, c->merged.variable.at[k]);
    for (int k = 0; k < c->merged.g.nodes.n; k++) s->memo[k] = EXPR_NONE;
}

static void print_by_coordinate(const compiled *c, const let_list *lets, const writing *as,
                                text *out)
{
    sheet s;
    sheet_init(&s, c, lets, as, out);
    text_add(out, as->open);
    if (as->energy) print_lagrangian(&s);
    for (int i = 0; i < c->sys.n; i++) print_coordinate_equations(&s, i);
    for (int a = 0; a < c->sys.m + c->sys.r; a++) print_relation(&s, a);
    page_definitions(&s.page);
    text_add(out, as->close);
}

/* What a yield is called: "L", "adds to dL/dx", "force on x"; "-H", "adds to -dH/dx". */
static void print_yield_head(const page *p, const derived *d, const yield *y)
{
    const bool hamiltonian = d->of->kind == EL_HAMILTONIAN;
    const int  index = y->row ? slot_index(y->row, 0) : 0;
    text       row = text_new(p->out->m);
    switch (y->into) {
    case SINK_L: print_words(p, hamiltonian ? "-H" : "L"); break;
    case SINK_LQ:
    case SINK_LW:
        print_words(p, hamiltonian ? "adds to -dH/d" : "adds to dL/d");
        p->as->feed(p->c, y->into == SINK_LQ ? FROM_Q : FROM_W, index, p->out);
        break;
    case SINK_F:
        print_words(p, "force on"), text_add(p->out, p->as->space);
        p->as->feed(p->c, FROM_Q, index, p->out);
        break;
    case SINK_E:
        text_printf(&row, "row %d", index + 1);
        print_words(p, text_str(&row));
        break;
    case SINK_G:
        text_printf(&row, "holonomic row %d", p->c->sys.m + index + 1);
        print_words(p, text_str(&row));
        break;
    default: break;
    }
    text_add(p->out, p->as->head_end);
}

/* Second derivatives are for the programs; the equations are these. */
static bool is_printed(sink s)
{
    return s == SINK_L || s == SINK_LQ || s == SINK_LW || s == SINK_F || s == SINK_E || s == SINK_G;
}

/* "500 terms at chain.dal:7, the first:" */
static void print_element_head(const derived *d, const writing *as, text *out)
{
    text_add(out, as->words.open);
    text_printf(out, "%d %s", d->instances, d->instances == 1 ? "term" : "terms");
    as->place(d->of->at, out);
    text_add(out, d->instances == 1 ? "" : ", the first:");
    text_add(out, as->words.close);
}

/* Of many instances the first stands for all. */
static void print_element(const compiled *c, const derived *d, const let_list *lets,
                          const writing *as, text *out)
{
    page  p;
    load *variable = mem_array(out->m, d->feed.n, load);
    for (int k = 0; k < d->feed.n; k++)
        variable[k] = (load){k, d->feed.at[k].from, slot_index(&d->feed.at[k].at, 0)};
    page_init(&p, c, variable, d->feed.n, 0, lets, as, out);
    p.margin = "  ";
    expr *image = mem_array(out->m, p.first + 1, expr);
    int  *memo = mem_array(out->m, d->g.nodes.n + 1, int);
    for (int k = 0; k < d->feed.n; k++) image[k] = page_variable(&p, variable[k]);
    for (int k = 0; k < d->g.nodes.n; k++) memo[k] = EXPR_NONE;
    print_element_head(d, as, out);
    text_add(out, as->open);
    for (int y = 0; y < d->yield.n; y++) {
        const yield *in = &d->yield.at[y];
        if (!is_printed(in->into)) continue;
        text_add(out, p.margin), text_add(out, as->line);
        print_yield_head(&p, d, in);
        p.fold.defining = in->into == SINK_LW && d->of->kind == EL_HAMILTONIAN;
        page_print_sum(&p, page_folded(&p, expr_import(&p.g, &d->g, in->root, image, memo), 24),
                       24);
        text_add(out, as->end_of_line);
    }
    page_definitions(&p);
    text_add(out, as->close);
}

static void print_by_element(const compiled *c, const let_list *lets, const writing *as, text *out)
{
    for (int e = 0; e < c->elements; e++) print_element(c, &c->element[e], lets, as, out);
}

static void print_as(const compiled *c, const let_list *lets, const writing *as, text *out)
{
    if (c->shapes) print_by_element(c, lets, as, out);
    else print_by_coordinate(c, lets, as, out);
}

void print_equations(const compiled *c, const let_list *lets, text *out)
{
    print_as(c, lets, &writing_plain, out);
}

void print_equations_latex(const compiled *c, const let_list *lets, text *out)
{
    print_as(c, lets, &writing_latex, out);
}

void print_equations_mathml(const compiled *c, const let_list *lets, text *out)
{
    print_as(c, lets, &writing_mathml, out);
}
