/* constants.c - a plan that treats some numbers as constants: the coefficients of ties are mostly 1
 * z
 * + 0 or -1 z + 0, the same for all instances of a term. Products and sums with them then vanish,
 * and outputs that are each other's negative are recognised. The numbers may change between two
 * runs; whoever uses such a plan checks that it still holds. */
#include "model/rows/row_terms.h"

/* NULL: it may change within a run, so it is never taken for a constant. */
static const double *array_of(const row_reads *s, feed_kind from)
{
    return from == FROM_DATA ? s->data : from == FROM_PARAMETER ? s->parameter : NULL;
}

/* Has input j this value in all instances? */
static bool is_everywhere(const row_term *t, int j, const double *array, double value)
{
    const run_table *R = &t->table;
    for (int r = 0; r < R->runs; r++) {
        const double *at = array + R->base[(ptrdiff_t)r * R->width + j];
        const int     count = t->input[j].stride ? R->count[r] : 1;
        for (int k = 0; k < count; k++)
            if (at[(ptrdiff_t)k * t->input[j].stride] != value) return false;
    }
    return true;
}

/* Whether input j is 0, 1 or -1 in all instances, and which of them. */
static bool is_simple(const row_term *t, int j, const row_reads *s, double *value)
{
    const double *array = array_of(s, t->input[j].from);
    if (!array) return false;
    *value = array[t->table.base[j]];
    return (*value == 0 || *value == 1 || *value == -1) && is_everywhere(t, j, array, *value);
}

/* The outputs of a term once more, with constants for some of its variables. */
static void write_anew(mem *m, row_term *t, const double *value, const bool *known)
{
    const derived *of = t->d;
    derived       *d = mem_array(m, 1, derived);
    yield         *out = mem_array(m, t->outputs, yield);
    row_output    *to = mem_array(m, t->outputs, row_output);
    expr          *image = mem_array(m, of->feed.n + 1, expr);
    int           *memo = mem_array(m, of->g.nodes.n + 1, int);
    *d = *of;
    graph_init(&d->g, m);
    for (int k = 0; k < of->feed.n; k++)
        image[k] = known[k] ? expr_const(&d->g, value[k]) : expr_var(&d->g, k);
    for (int k = 0; k < of->g.nodes.n; k++) memo[k] = EXPR_NONE;
    for (int y = 0; y < t->outputs; y++) {
        to[y] = t->output[y], out[y] = *to[y].of, to[y].of = &out[y];
        out[y].root = expr_import(&d->g, &of->g, out[y].root, image, memo);
    }
    t->d = d, t->output = to;
}

/* Inputs of one term that are 0, 1 or -1 throughout become constants and are noted, to be
 * checked. */
static void settle(mem *m, row_plan *p, int number, const row_reads *s)
{
    row_term *t = &p->term[number];
    double   *value = mem_array(m, t->d->feed.n + 1, double);
    bool     *known = mem_array(m, t->d->feed.n + 1, bool), any = false;
    for (int j = 0; j < t->inputs; j++) {
        const int k = t->input[j].feed;
        if (!is_simple(t, j, s, &value[k])) continue;
        vec_push(m, p->number, (row_number){number, j, value[k]});
        known[k] = any = true;
    }
    if (any) write_anew(m, t, value, known);
}

/* NULL: there are none, and the plan is as good as before. */
const row_plan *row_plan_settled(mem *m, const row_plan *of, const row_reads *s)
{
    row_plan *p = mem_array(m, 1, row_plan);
    *p = *of;
    p->term = mem_array(m, of->terms, row_term);
    for (int t = 0; t < of->terms; t++) {
        p->term[t] = of->term[t];
        if (!p->term[t].rare) settle(m, p, t, s);
    }
    return p->number.n ? p : NULL;
}

/* Outputs that are nothing are outputs of no source. */
static void leave_out_zeros(row_term *t)
{
    for (int y = 0; y < t->outputs; y++)
        if (expr_is_zero(&t->d->g, t->output[y].of->root)) t->output[y].source = ROW_SOURCES;
}

/* The plan with v = 0 in every term. */
const row_plan *row_plan_at_rest(mem *m, const row_plan *of)
{
    row_plan *p = mem_array(m, 1, row_plan);
    *p = *of;
    p->term = mem_array(m, of->terms, row_term);
    for (int t = 0; t < of->terms; t++) {
        row_term     *at = &p->term[t];
        const derived *d = of->term[t].d;
        double       *value = mem_array(m, d->feed.n + 1, double);
        bool         *known = mem_array(m, d->feed.n + 1, bool);
        for (int k = 0; k < d->feed.n; k++)
            known[k] = d->feed.at[k].from == FROM_W || d->feed.at[k].from == FROM_V;
        *at = of->term[t];
        write_anew(m, at, value, known), leave_out_zeros(at);
    }
    return p;
}

/* Are the numbers that were taken for constants still the same? */
bool row_plan_holds(const row_plan *p, const row_reads *s)
{
    for (int k = 0; k < p->number.n; k++) {
        const row_number *x = &p->number.at[k];
        const row_term   *t = &p->term[x->term];
        if (!is_everywhere(t, x->input, array_of(s, t->input[x->input].from), x->value))
            return false;
    }
    return true;
}
