/* nonfinite_source.c - a value was not finite: finds the user's expression, its place, and the
 * numbers at which it failed.
 *
 * Slow on purpose: evaluations do not check for such values; only when the methods have met one
 * does this pass go through all instances, first what the user wrote, then its derivatives. */
#include "model/bound.h"
#include "model/naming.h"

/* "sqrt(x) is not finite (x = -1) at wave.dal:7" */
static void describe(const bound *b, naming *at, expr e, bool derivative, text *out)
{
    const derived *d = at->d;
    const char    *before = " (";
    graph          g = graph_seen_from(&d->g, out->m);
    for (int k = 0; k < d->feed.n; k++) b->used[k] = 0;
    derived_reads(out->m, &g, &e, 1, b->used);
    if (derivative) text_add(out, "in a derivative, ");
    expr_print(&g, e, naming_variable, at, out);
    text_add(out, " is not finite");
    for (int k = 0; k < d->feed.n; k++) {
        if (!b->used[k] || d->feed.at[k].from == FROM_DATA) continue;
        text_add(out, before);
        naming_variable(at, k, out);
        text_add(out, " = ");
        text_number(out, b->values[k]);
        before = ", ";
    }
    if (before[0] == ',') text_add(out, ")");
    naming_place(d->of->at, out);
}

/* Sinks whose roots are expressions of the text; all others are derivatives of them. */
static bool written_by_user(sink s)
{
    return s == SINK_COLUMN || s == SINK_L || s == SINK_F || s == SINK_E || s == SINK_G;
}

/* The first yield of the instance that is not finite, of those written or of derivatives. */
static bool look_at(const bound *b, naming *at, bool derivatives, text *out)
{
    const derived *d = at->d;
    graph          g = graph_seen_from(&d->g, out->m);
    for (int y = 0; y < d->yield.n; y++) {
        const yield *in = &d->yield.at[y];
        if (written_by_user(in->into) == derivatives) continue;
        expr e = expr_nonfinite_source(&g, in->root, b->values, b->scratch);
        if (e == EXPR_NONE) continue;
        describe(b, at, e, derivatives, out);
        return true;
    }
    return false;
}

/* The numbers that the variables of one instance have, into b->values. */
static void take_values(const bound *b, const sources *from, const naming *at)
{
    for (int v = 0; v < at->d->feed.n; v++) {
        const feed *f = &at->d->feed.at[v];
        b->values[v] = from->of[f->from][slot_index(&f->at, at->instance)];
    }
}

bool bound_nonfinite_source(void *self, const sys_point *at, text *out)
{
    bound          *b = self;
    const compiled *c = b->c;
    sources         from = bound_sources(b, at);
    /* what the user wrote first: a derivative is named only if every value itself is finite */
    for (int derivatives = 0; derivatives < 2; derivatives++)
        for (int e = 0; e < c->elements; e++) {
            const derived *d = &c->element[e];
            for (int k = 0; k < d->instances; k++) {
                naming here = {c, d, k};
                take_values(b, &from, &here);
                if (look_at(b, &here, derivatives, out)) return true;
            }
        }
    return false;
}

bool bound_outputs_nonfinite_source(bound *b, double t, const double *q, const double *v,
                                    const double *p, const double *lam, text *out)
{
    const compiled *c = b->c;
    sources         from = bound_sources_of_state(b, &t, q, v, p, lam);
    for (int s = 0; s < c->outputs; s++) {
        const derived *d = c->output[s].d;
        for (int k = 0; k < d->instances; k++) {
            naming here = {c, d, k};
            take_values(b, &from, &here);
            if (look_at(b, &here, false, out)) return true;
        }
    }
    return false;
}

/* Room for the largest element: nodes for an evaluation, feeds for values. */
static void widen(const derived *d, int *nodes, int *feeds)
{
    if (d->g.nodes.n > *nodes) *nodes = d->g.nodes.n;
    if (d->feed.n > *feeds) *feeds = d->feed.n;
}

void bound_nonfinite_prepare(mem *m, bound *b)
{
    int nodes = 0, feeds = 0;
    for (int e = 0; e < b->c->elements; e++) widen(&b->c->element[e], &nodes, &feeds);
    for (int s = 0; s < b->c->outputs; s++) widen(b->c->output[s].d, &nodes, &feeds);
    b->scratch = mem_array(m, nodes + 1, double);
    b->values = mem_array(m, feeds + 1, double);
    b->used = mem_array(m, feeds + 1, uint8_t);
}
