/* print_equations.c - the equations of motion in the user's names, as text and as LaTeX.
 *
 *     d/dt [dL/dx'] = dL/dx + f + A^T lambda        x' = dH/dp(x),  p(x)' = -dH/dx + f + A^T lambda
 *
 * A system that is one program is printed coordinate by coordinate; of a larger one each kind of
 * term is printed once, with what it contributes. */
#include "model/naming.h"
#include "model/print.h"

typedef struct { /* how equations are written */
    const char *open, *close, *end_of_line;
    const char *rate_open, *rate_close; /* d/dt ( ... ) */
    const char *momentum_open, *momentum_close, *equals;
    bool        latex;
} writing;

static const writing plain = {"", "", "\n", "d/dt (", ")", "d/dt p(", ")", " = ", false};
static const writing latex = {"\\begin{align*}\n",
                              "\\end{align*}\n",
                              " \\\\\n",
                              "\\frac{d}{dt}\\left(",
                              "\\right)",
                              "\\dot{p}_{",
                              "}",
                              " &= ",
                              true};

typedef struct {
    const compiled *c;
    const writing  *as;
    graph           g;     /* sums that are only printed: variables as in the merged graph, */
    int             first; /* multiplier of row a is variable first + a                     */
    expr           *image;
    int            *memo;
    text           *out;
} page;

static void name_variable(void *self, int variable, text *out)
{
    const page *p = self;
    bool        lam = variable >= p->first;
    load v = lam ? (load){0, FROM_LAM, variable - p->first} : p->c->merged.variable.at[variable];
    if (p->as->latex) naming_feed_latex(p->c, v.from, v.index, out);
    else naming_feed(p->c, v.from, v.index, out);
}

static void print_expression(page *p, expr e)
{
    if (p->as->latex) expr_print_latex(&p->g, e, name_variable, p, p->out);
    else expr_print(&p->g, e, name_variable, p, p->out);
}

static void print_coordinate(page *p, int i)
{
    if (p->as->latex) naming_feed_latex(p->c, FROM_Q, i, p->out);
    else naming_feed(p->c, FROM_Q, i, p->out);
}

/* Entry `index` of a sink, as an expression of the page; 0 if nothing is added there. */
static expr entry(page *p, sink into, int index)
{
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
    return expr_import(&p->g, &g->g, g->root.at[low].root, p->image, p->memo);
}

/* (A^T lambda)_i */
static expr reaction(page *p, int i)
{
    const pattern *A = &p->c->sys.A;
    expr           sum = expr_const(&p->g, 0);
    for (int a = 0; a < A->rows; a++) {
        int k = pattern_find(A, a, i);
        if (k < 0) continue;
        expr lam = expr_var(&p->g, p->first + a);
        sum = expr_add(&p->g, sum, expr_mul(&p->g, entry(p, SINK_A, k), lam));
    }
    return sum;
}

static void print_coordinate_equations(page *p, int i)
{
    bool hamiltonian = p->c->md->hamiltonian && p->c->md->hamiltonian[i];
    expr right[3] = {entry(p, SINK_LQ, i), entry(p, SINK_F, i), reaction(p, i)};
    expr momentum = entry(p, SINK_LW, i);
    if (hamiltonian) { /* Lambda = -H */
        if (p->as->latex) naming_feed_latex(p->c, FROM_V, i, p->out);
        else naming_feed(p->c, FROM_V, i, p->out);
        text_add(p->out, p->as->equals);
        print_expression(p, expr_neg(&p->g, momentum));
        text_add(p->out, p->as->end_of_line);
        text_add(p->out, p->as->momentum_open);
        print_coordinate(p, i);
        text_add(p->out, p->as->momentum_close);
    } else if (expr_is_zero(&p->g, momentum)) {
        text_add(p->out, "0");
    } else {
        text_add(p->out, p->as->rate_open);
        print_expression(p, momentum);
        text_add(p->out, p->as->rate_close);
    }
    text_add(p->out, p->as->equals);
    print_expression(p, expr_sum(&p->g, right, 3));
    text_add(p->out, p->as->end_of_line);
}

static void print_relation(page *p, int a)
{
    const compiled *c = p->c;
    print_expression(p, a < c->sys.m ? entry(p, SINK_E, a) : entry(p, SINK_G, a - c->sys.m));
    text_add(p->out, p->as->equals);
    text_add(p->out, "0");
    if (!p->as->latex) {
        text_add(p->out, "   with multiplier ");
        naming_feed(c, FROM_LAM, a, p->out);
    }
    text_add(p->out, p->as->end_of_line);
}

static page page_new(const compiled *c, const writing *as, text *out)
{
    mem *m = out->m;
    page p = {.c = c, .as = as, .first = c->merged.variable.n, .out = out};
    graph_init(&p.g, m);
    p.image = mem_array(m, p.first + 1, expr);
    p.memo = mem_array(m, c->merged.g.nodes.n + 1, int);
    /* multipliers first, so that products read lambda*x */
    for (int a = 0; a < c->sys.m + c->sys.r; a++) expr_var(&p.g, p.first + a);
    for (int k = 0; k < p.first; k++) p.image[k] = expr_var(&p.g, k);
    for (int k = 0; k < c->merged.g.nodes.n; k++) p.memo[k] = EXPR_NONE;
    return p;
}

static void print_by_coordinate(const compiled *c, const writing *as, text *out)
{
    page p = page_new(c, as, out);
    text_add(out, as->open);
    for (int i = 0; i < c->sys.n; i++) print_coordinate_equations(&p, i);
    for (int a = 0; a < c->sys.m + c->sys.r; a++) print_relation(&p, a);
    text_add(out, as->close);
}

/* What a yield is called: "L", "adds to dL/dx", "force on x"; "-H", "adds to -dH/dx". */
static void print_yield_head(const compiled *c, const derived *d, const yield *y, text *out)
{
    const char *lambda = d->of->kind == EL_HAMILTONIAN ? "-H" : "L";
    const char *slope = d->of->kind == EL_HAMILTONIAN ? "adds to -dH/d" : "adds to dL/d";
    int         index = y->row ? slot_index(y->row, 0) : 0;
    text_add(out, "  ");
    switch (y->into) {
    case SINK_L: text_add(out, lambda); break;
    case SINK_LQ:
    case SINK_LW:
        text_add(out, slope);
        naming_feed(c, y->into == SINK_LQ ? FROM_Q : FROM_W, index, out);
        break;
    case SINK_F:
        text_add(out, "force on ");
        naming_feed(c, FROM_Q, index, out);
        break;
    case SINK_E: text_printf(out, "row %d", index + 1); break;
    case SINK_G: text_printf(out, "holonomic row %d", c->sys.m + index + 1); break;
    default: break;
    }
    text_add(out, ": ");
}

static bool is_printed(sink s)
{
    return s == SINK_L || s == SINK_LQ || s == SINK_LW || s == SINK_F || s == SINK_E || s == SINK_G;
}

static void print_by_element(const compiled *c, const writing *as, text *out)
{
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        naming         self = {c, d, 0};
        graph          g = graph_seen_from(&d->g, out->m);
        if (as->latex) text_add(out, "% ");
        text_printf(out, "%d %s", d->instances, d->instances == 1 ? "term" : "terms");
        naming_place(d->of->at, out);
        text_add(out, d->instances == 1 ? "\n" : ", the first:\n");
        text_add(out, as->open);
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            if (!is_printed(in->into)) continue;
            text_add(out, as->latex ? "%" : "");
            print_yield_head(c, d, in, out);
            text_add(out, as->latex ? "\n  & " : "");
            if (as->latex) expr_print_latex(&g, in->root, naming_variable_latex, &self, out);
            else expr_print(&g, in->root, naming_variable, &self, out);
            text_add(out, as->end_of_line);
        }
        text_add(out, as->close);
    }
}

void print_equations(const compiled *c, text *out)
{
    if (c->shapes) print_by_element(c, &plain, out);
    else print_by_coordinate(c, &plain, out);
}

void print_equations_latex(const compiled *c, text *out)
{
    if (c->shapes) print_by_element(c, &latex, out);
    else print_by_coordinate(c, &latex, out);
}
