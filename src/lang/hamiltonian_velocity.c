/* hamiltonian_velocity.c - x' of a Hamiltonian coordinate is dH/dp(x), with H the sum of all Hamiltonians of
 * the model.
 *
 * Expressions are emitted with x' as a variable, so that d(D, x') means what it says; here it is
 * replaced. Each element of H is differentiated by its momenta once; what is wanted is imported for
 * the instances in which the momentum occurs. */
#include "lang/elaborate.h"

#include <string.h>

/* Only H has momenta that count: those of outputs do not make velocities. */
static bool is_momentum(const draft *d, int slot_number)
{
    return d->made.kind == EL_HAMILTONIAN && d->kind[d->variable[slot_number]] == SLOT_P;
}

/* Calls `each` for every place where a momentum occurs in H. */
static void visit_momenta(elaborator *e, void (*each)(elaborator *, int coordinate, occurrence))
{
    for (int i = 0; i < e->drafts.n; i++) {
        const draft *d = &e->drafts.at[i];
        for (int j = 0; j < d->made.slots; j++)
            for (int k = 0; is_momentum(d, j) && k < d->made.instances; k++)
                each(e, run_index(&d->index[j], k), (occurrence){i, k, j});
    }
}

static void count_one(elaborator *e, int coordinate, occurrence o)
{
    (void)o;
    e->momenta_first[coordinate + 1]++;
}

static void place_one(elaborator *e, int coordinate, occurrence o)
{
    e->momenta.at[e->momenta_first[coordinate]++] = o;
}

/* momenta[first[c] .. first[c+1]) are the places of p(c), in the order of the elements */
static void index_momenta(elaborator *e)
{
    int n = e->md->coordinates;
    e->momenta_first = mem_array(e->w.m, n + 2, int);
    visit_momenta(e, count_one);
    for (int i = 0; i < n; i++) e->momenta_first[i + 1] += e->momenta_first[i];
    vec_reserve(e->w.m, e->momenta, e->momenta_first[n]);
    e->momenta.n = e->momenta_first[n];
    visit_momenta(e, place_one); /* moves each first to the next one's */
    memmove(e->momenta_first + 1, e->momenta_first, (size_t)n * sizeof(int));
    e->momenta_first[0] = 0;
}

/* Makes dH/dp of one element, for all its momenta. */
static void differentiate(elaborator *e, int at)
{
    /* graphs of slopes are made when first needed, one for each draft up to this */
    for (int i = e->slope.n; i <= at; i++) {
        graph empty;
        graph_init(&empty, e->w.m);
        vec_push(e->w.m, e->slope, empty);
        vec_push(e->w.m, e->slopes, (expr *)NULL);
    }
    if (e->slopes.at[at]) return;
    const element *el = &e->drafts.at[at].made;
    graph         *g = &e->slope.at[at];
    int  *vars = mem_array(e->w.m, el->slots, int), *memo = mem_array(e->w.m, el->g.nodes.n, int);
    expr *image = mem_array(e->w.m, el->slots, expr);
    for (int i = 0; i < el->slots; i++) vars[i] = i, image[i] = expr_var(g, i);
    for (int i = 0; i < el->g.nodes.n; i++) memo[i] = EXPR_NONE;
    expr h = expr_import(g, &el->g, el->root[0], image, memo);
    e->slopes.at[at] = mem_array(e->w.m, el->slots, expr);
    expr_gradient(g, h, vars, el->slots, e->slopes.at[at]);
}

/* dH/dp(c) in the clean sheet */
static expr velocity_of(elaborator *e, int coordinate)
{
    int first = e->em.stack.n;
    for (int i = e->momenta_first[coordinate]; i < e->momenta_first[coordinate + 1]; i++) {
        occurrence o = e->momenta.at[i];
        differentiate(e, o.draft);
        const draft *d = &e->drafts.at[o.draft];
        const graph *g = &e->slope.at[o.draft];
        expr        *image =
            mem_resize(e->w.m, NULL, (size_t)(d->made.slots + g->nodes.n) * sizeof *image);
        int *memo = image + d->made.slots;
        for (int k = 0; k < d->made.slots; k++)
            image[k] =
                sheet_var(&e->clean, d->kind[d->variable[k]], run_index(&d->index[k], o.instance));
        for (int k = 0; k < g->nodes.n; k++) memo[k] = EXPR_NONE;
        emit_operand(&e->em,
                     expr_import(&e->clean.g, g, e->slopes.at[o.draft][o.slot], image, memo));
        mem_drop(e->w.m, image);
    }
    expr x = expr_sum(&e->clean.g, e->em.stack.at + first, e->em.stack.n - first);
    e->em.stack.n = first;
    return x;
}

/* Most expressions hold none, and stay as they are. */
static bool holds_hamiltonian_velocity(const elaborator *e)
{
    const sheet *s = &e->em.s;
    for (int i = 0; i < s->slots.n; i++)
        if (s->slots.at[i].kind == SLOT_V && e->md->hamiltonian[s->slots.at[i].index]) return true;
    return false;
}

/* root[] is rewritten in terms of the sheet that is returned. */
sheet *replace_velocities(elaborator *e, expr *root, int roots)
{
    sheet *s = &e->em.s;
    if (!holds_hamiltonian_velocity(e)) return s;
    if (!e->momenta_first) index_momenta(e);
    sheet_reset(&e->clean);
    e->image.n = e->memo.n = 0;
    for (int i = 0; i < s->slots.n; i++) {
        slot_ref v = s->slots.at[i];
        bool     replaced = v.kind == SLOT_V && e->md->hamiltonian[v.index];
        expr     x = replaced ? velocity_of(e, v.index) : sheet_var(&e->clean, v.kind, v.index);
        vec_push(e->w.m, e->image, x);
    }
    for (int i = 0; i < s->g.nodes.n; i++) vec_push(e->w.m, e->memo, EXPR_NONE);
    for (int i = 0; i < roots; i++)
        root[i] = expr_import(&e->clean.g, &s->g, root[i], e->image.at, e->memo.at);
    return &e->clean;
}
