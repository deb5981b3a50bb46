/* equations_of_motion.c - the equations of motion in the user's names, as text, LaTeX or MathML.
 *
 *     d/dt [dL/dx'] = dL/dx + f + A^T lambda        x' = dH/dp(x),  p(x)' = -dH/dx + f + A^T lambda
 *
 * A system that is one program is printed coordinate by coordinate; of a larger one each kind of
 * term is printed once, with what it contributes. */
#include "model/naming.h"
#include "model/print/print.h"

typedef struct { /* how equations are written */
    const char *open, *close, *line, *end_of_line;
    const char *rate_open, *rate_close; /* d/dt ( ... ) */
    const char *momentum_open, *momentum_close, *equals, *zero;
    const char *words_open, *words_close; /* around what is said between equations   */
    const char *head_open, *head_close;   /* around what a term of an equation is called */
    void (*print)(const graph *g, expr e, expr_namer namer, void *self, text *out);
    void (*feed)(const compiled *c, feed_kind from, int index, text *out);
    expr_namer variable; /* of an element */
    bool       multipliers, lagrangian; /* named behind relations; printed before the equations */
} writing;

static const writing plain = {
    .open = "",
    .close = "",
    .line = "",
    .end_of_line = "\n",
    .rate_open = "d/dt (",
    .rate_close = ")",
    .momentum_open = "d/dt p(",
    .momentum_close = ")",
    .equals = " = ",
    .zero = "0",
    .words_open = "",
    .words_close = "\n",
    .head_open = "",
    .head_close = "",
    .print = expr_print_fair,
    .feed = naming_feed,
    .variable = naming_variable,
    .multipliers = true,
};
static const writing latex = {
    .open = "\\begin{align*}\n",
    .close = "\\end{align*}\n",
    .line = "",
    .end_of_line = " \\\\\n",
    .rate_open = "\\frac{d}{dt}\\left(",
    .rate_close = "\\right)",
    .momentum_open = "\\dot{p}_{",
    .momentum_close = "}",
    .equals = " &= ",
    .zero = "0",
    .words_open = "% ",
    .words_close = "\n",
    .head_open = "%",
    .head_close = "\n  & ",
    .print = expr_print_latex,
    .feed = naming_feed_latex,
    .variable = naming_variable_latex,
};
static const writing mathml = {
    .open = "<table class=\"equations\" role=\"presentation\">\n",
    .close = "</table>\n",
    .line = "<tr><td><math displaystyle=\"true\"><mrow>",
    .end_of_line = "</mrow></math></td></tr>\n",
    .rate_open = "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac><mrow><mo>(</mo>",
    .rate_close = "<mo>)</mo></mrow>",
    .momentum_open = "<msub><mover><mi>p</mi><mo>˙</mo></mover>",
    .momentum_close = "</msub>",
    .equals = "</mrow></math></td><td><math displaystyle=\"true\"><mrow><mo>=</mo>",
    .zero = "<mn>0</mn>",
    .words_open = "<p>",
    .words_close = "</p>\n",
    .head_open = "<mtext>",
    .head_close = "</mtext></mrow></math></td><td><math displaystyle=\"true\"><mrow>",
    .print = expr_print_mathml,
    .feed = naming_feed_mathml,
    .variable = naming_variable_mathml,
    .lagrangian = true,
};

typedef struct {
    const compiled *c;
    const writing  *as;
    graph           g;     /* sums that are only printed: variables as in the merged graph, */
    int             first; /* multiplier of row a is variable first + a                     */
    expr           *image;
    int            *memo;
    text           *out;
} page;

/* Variables behind those of the merged graph are multipliers. */
static void name_variable(void *self, int variable, text *out)
{
    const page *p = self;
    bool        lam = variable >= p->first;
    load v = lam ? (load){0, FROM_LAM, variable - p->first} : p->c->merged.variable.at[variable];
    p->as->feed(p->c, v.from, v.index, out);
}

static void print_expression(page *p, expr e)
{
    p->as->print(&p->g, e, name_variable, p, p->out);
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

/* Hamiltonian: x' = H_p and p' = -H_q + f + A^T lambda; otherwise d/dt L_v = L_q + f + A^T
 * lambda. */
static void print_coordinate_equations(page *p, int i)
{
    bool hamiltonian = p->c->md->hamiltonian && p->c->md->hamiltonian[i];
    expr right[3] = {entry(p, SINK_LQ, i), entry(p, SINK_F, i), reaction(p, i)};
    expr momentum = entry(p, SINK_LW, i);
    text_add(p->out, p->as->line);
    if (hamiltonian) { /* Lambda = -H */
        p->as->feed(p->c, FROM_V, i, p->out);
        text_add(p->out, p->as->equals);
        print_expression(p, expr_neg(&p->g, momentum));
        text_add(p->out, p->as->end_of_line);
        text_add(p->out, p->as->line);
        text_add(p->out, p->as->momentum_open);
        p->as->feed(p->c, FROM_Q, i, p->out);
        text_add(p->out, p->as->momentum_close);
    } else if (expr_is_zero(&p->g, momentum)) {
        text_add(p->out, p->as->zero);
    } else {
        text_add(p->out, p->as->rate_open);
        print_expression(p, momentum);
        text_add(p->out, p->as->rate_close);
    }
    text_add(p->out, p->as->equals);
    print_expression(p, expr_sum(&p->g, right, 3));
    text_add(p->out, p->as->end_of_line);
}

/* Velocity constraints as they are, holonomic ones as g = 0. */
static void print_relation(page *p, int a)
{
    const compiled *c = p->c;
    text_add(p->out, p->as->line);
    print_expression(p, a < c->sys.m ? entry(p, SINK_E, a) : entry(p, SINK_G, a - c->sys.m));
    text_add(p->out, p->as->equals);
    text_add(p->out, p->as->zero);
    if (p->as->multipliers) {
        text_add(p->out, "   with multiplier ");
        naming_feed(c, FROM_LAM, a, p->out);
    }
    text_add(p->out, p->as->end_of_line);
}

/* L, or H where there is nothing else; of both kinds of parts together L - H. */
static void print_lagrangian(page *p)
{
    const model *md = p->c->md;
    bool         hamiltonian = false, lagrangian = false;
    for (int e = 0; e < p->c->elements; e++) {
        hamiltonian |= p->c->element[e].of && p->c->element[e].of->kind == EL_HAMILTONIAN;
        lagrangian |= p->c->element[e].of && p->c->element[e].of->kind == EL_LAGRANGIAN;
    }
    expr lambda = entry(p, SINK_L, 0);
    text_add(p->out, p->as->line);
    text_add(p->out, lagrangian ? "<mi>L</mi>" : "");
    text_add(p->out, lagrangian && hamiltonian ? "<mo>−</mo>" : "");
    text_add(p->out, hamiltonian ? "<mi>H</mi>" : "");
    text_add(p->out, p->as->equals);
    print_expression(p, lagrangian || !md->hamiltonian ? lambda : expr_neg(&p->g, lambda));
    text_add(p->out, p->as->end_of_line);
}

/* A graph for printing: sums that the programs never form are built here. */
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
    if (as->lagrangian) print_lagrangian(&p);
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

/* Second derivatives are for the programs; the equations are these. */
static bool is_printed(sink s)
{
    return s == SINK_L || s == SINK_LQ || s == SINK_LW || s == SINK_F || s == SINK_E || s == SINK_G;
}

/* Of many instances the first stands for all. */
static void print_by_element(const compiled *c, const writing *as, text *out)
{
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        naming         self = {c, d, 0};
        graph          g = graph_seen_from(&d->g, out->m);
        text_add(out, as->words_open);
        text_printf(out, "%d %s", d->instances, d->instances == 1 ? "term" : "terms");
        naming_place(d->of->at, out);
        text_add(out, d->instances == 1 ? "" : ", the first:");
        text_add(out, as->words_close);
        text_add(out, as->open);
        for (int y = 0; y < d->yield.n; y++) {
            const yield *in = &d->yield.at[y];
            if (!is_printed(in->into)) continue;
            text_add(out, as->line);
            text_add(out, as->head_open);
            print_yield_head(c, d, in, out);
            text_add(out, as->head_close);
            as->print(&g, in->root, as->variable, &self, out);
            text_add(out, as->end_of_line);
        }
        text_add(out, as->close);
    }
}

static void print_as(const compiled *c, const writing *as, text *out)
{
    if (c->shapes) print_by_element(c, as, out);
    else print_by_coordinate(c, as, out);
}

void print_equations(const compiled *c, text *out)
{
    print_as(c, &plain, out);
}

void print_equations_latex(const compiled *c, text *out)
{
    print_as(c, &latex, out);
}

void print_equations_mathml(const compiled *c, text *out)
{
    print_as(c, &mathml, out);
}
