/* transfer.c - power that goes from where a term is written into the parts below, on whose
 * coordinates it acts. theory.md [POWER] Every transfer is added to the part of its coordinate
 * and taken from the part of its term; added up the tree, both meet where the term is written. */
#include "model/directional.h"

#include <string.h>

/* programs whose yields are powers, into parts and out of them */
struct transfers {
    bound               *b;
    directional_programs made;
    bool                 needs_rates;
};

typedef struct {
    mem           *m;
    const model   *md;
    const int     *part_of; /* of each coordinate */
    const element *el;
    derived       *d;
    transfers     *of;
} making;

/* The innermost part that declares each coordinate. */
static int *parts_of_coordinates(const model *md, mem *m)
{
    int *part_of = mem_array(m, md->coordinates + 1, int);
    for (int k = 0; k < md->parts.n; k++)
        for (int i = 0; i < md->parts.at[k].shape->count[MEMBER_COORDINATE]; i++)
            part_of[md->parts.at[k].base[MEMBER_COORDINATE] + i] = k;
    return part_of;
}

/* Does some instance act on a coordinate of another part than the one it is written in? */
static bool is_outside(const making *k, const slot *coordinate)
{
    for (int i = 0; i < k->el->instances; i++)
        if (k->part_of[slot_index(coordinate, i)] != slot_index(&k->el->owner, i)) return true;
    return false;
}

/* The same number is added to the part of the coordinate and taken from the part of the term. */
static void add_transfer(making *k, expr power, const slot *coordinate)
{
    const int n = k->el->instances;
    if (expr_is_zero(&k->d->g, power)) return;
    int *into = mem_resize(k->m, NULL, (size_t)(n + 1) * sizeof *into);
    for (int i = 0; i < n; i++) into[i] = k->part_of[slot_index(coordinate, i)];
    slot to = slot_from_list(k->m, into, n);
    vec_push(k->m, k->d->yield, (yield){SINK_POWER, power, NULL, NULL, to});
    vec_push(k->m, k->d->yield,
             (yield){SINK_POWER, expr_neg(&k->d->g, power), NULL, NULL, k->el->owner});
}

/* The variable of this coordinate that comes from there; a new one if there is none. */
static expr variable(making *k, feed_kind from, slot at)
{
    derived *d = k->d;
    for (int i = 0; i < d->feed.n; i++) {
        const slot *s = &d->feed.at[i].at;
        if (d->feed.at[i].from == from && s->at == at.at && s->base == at.base &&
            s->stride == at.stride)
            return expr_var(&d->g, i);
    }
    vec_push(k->m, d->feed, (feed){from, at});
    return expr_var(&d->g, d->feed.n - 1);
}

/* Rotations: of an entry R_ij of a matrix, entry R_i,j+by, or row `by` of its rotation. */
static bool is_entry(const making *k, const feed *f)
{
    return f->from == FROM_Q && slot_index(&f->at, 0) >= k->md->coordinates;
}

static slot slot_near(const making *k, const slot *entry, int by, bool row)
{
    const int n = k->md->coordinates, count = k->el->instances;
    int      *list = mem_resize(k->m, NULL, (size_t)(count + 1) * sizeof *list);
    for (int i = 0; i < count; i++) {
        const int e = slot_index(entry, i) - n, j = (e % 3 + by) % 3;
        list[i] = row ? k->md->turns->first[e / TURNING_MATRIX] + j : n + e - e % 3 + j;
    }
    return slot_from_list(k->m, list, count);
}

/* The coordinate, or one of the rotation, that a variable belongs to. */
static slot coordinate_of(const making *k, const feed *f)
{
    return is_entry(k, f) ? slot_near(k, &f->at, 0, true) : f->at;
}

/*     q' = v,   R' = R [Omega]:   R_ij' = R_i,j+1 Omega_j+2 - R_i,j+2 Omega_j+1 */
static expr velocity(making *k, const feed *f)
{
    graph *g = &k->d->g;
    if (!is_entry(k, f)) return variable(k, FROM_V, f->at);
    expr term[2];
    for (int i = 0; i < 2; i++)
        term[i] = expr_mul(g, variable(k, FROM_Q, slot_near(k, &f->at, 1 + i, false)),
                           variable(k, FROM_V, slot_near(k, &f->at, 2 - i, true)));
    return expr_sub(g, term[0], term[1]);
}

/* f_j v_j of forces on coordinates of other parts. */
static void transfer_force(making *k)
{
    expr *root = derive_open(k->m, k->md, k->el, k->d);
    for (int j = 0; j < k->el->roots; j++)
        if (is_outside(k, &k->el->target[j]))
            add_transfer(k, expr_mul(&k->d->g, root[j], variable(k, FROM_V, k->el->target[j])),
                         &k->el->target[j]);
}

/* d/dt e, along t' = 1, q' = v, v' = the rate, and inputs as they follow t */
static expr rate_of(making *k, expr e, int variables)
{
    graph *g = &k->d->g;
    int   *vars = mem_array(k->m, variables + 1, int), n = 0;
    expr  *along = mem_array(k->m, variables + 1, expr);
    for (int i = 0; i < variables; i++) {
        const feed f = k->d->feed.at[i];
        if (f.from == FROM_TIME) along[n] = expr_const(g, 1);
        else if (f.from == FROM_Q) along[n] = velocity(k, &f);
        else if (f.from == FROM_V) along[n] = variable(k, ALONG_V, f.at);
        else if (f.from == FROM_INPUT) along[n] = variable(k, RATE_OF_INPUT, f.at);
        else continue;
        vars[n++] = i;
    }
    return expr_along(g, e, vars, along, n);
}

/* What changes E through one variable of it: -dE/dt of a Hamiltonian; of a Lagrangian, force
 * times velocity. */
static void transfer_through(making *k, expr root, int i, int variables)
{
    graph     *g = &k->d->g;
    const feed f = k->d->feed.at[i];
    const bool of_H = k->el->kind == EL_HAMILTONIAN, rate = f.from != FROM_Q;
    expr       slope;
    if (f.from != FROM_Q && f.from != (of_H ? FROM_P : FROM_V)) return;
    const slot coordinate = coordinate_of(k, &f);
    if (!is_outside(k, &coordinate)) return;
    expr_gradient(g, root, &i, 1, &slope);
    if (of_H) slope = expr_neg(g, slope);
    else if (rate) slope = expr_neg(g, rate_of(k, slope, variables));
    if (expr_is_zero(g, slope)) return;
    if (rate) k->of->needs_rates = true;
    const expr by = of_H && rate ? variable(k, ALONG_W, f.at) : velocity(k, &f);
    add_transfer(k, expr_mul(g, slope, by), &coordinate);
}

/* Through each variable of the term by itself, as each may belong to another part. */
static void transfer_energy(making *k)
{
    expr      root = *derive_open(k->m, k->md, k->el, k->d);
    const int variables = k->d->feed.n;
    for (int i = 0; i < variables; i++) transfer_through(k, root, i, variables);
}

/*     dE/dt = -L_t, or H_t */
static void drive_energy(making *k)
{
    graph    *g = &k->d->g;
    expr      root = *derive_open(k->m, k->md, k->el, k->d), slope;
    const int variables = k->d->feed.n;
    for (int i = 0; i < variables; i++) {
        const feed f = k->d->feed.at[i];
        if (f.from != FROM_TIME && f.from != FROM_INPUT) continue;
        expr_gradient(g, root, &i, 1, &slope);
        if (f.from == FROM_INPUT) slope = expr_mul(g, slope, variable(k, RATE_OF_INPUT, f.at));
        if (k->el->kind == EL_LAGRANGIAN) slope = expr_neg(g, slope);
        if (expr_is_zero(g, slope)) continue;
        vec_push(k->m, k->d->yield, (yield){SINK_POWER, slope, NULL, NULL, k->el->owner});
    }
}

/* Everything counts as changing with time, so that programs are run at every evaluation. */
static void note_sources(mem *m, derived *d)
{
    d->holds = mem_array(m, d->g.nodes.n, uint16_t);
    for (int k = 0; k < d->g.nodes.n; k++) d->holds[k] = 1u << FROM_TIME;
}

transfers *bound_transfers(bound *b, mem *m, transfer_kind of)
{
    const model *md = b->c->md;
    transfers   *x = mem_array(m, 1, transfers);
    derived     *all = mem_array(m, md->elements.n + 1, derived);
    making       k = {.m = m, .md = md, .part_of = parts_of_coordinates(md, m), .of = x};
    int          count = 0;
    x->b = b;
    for (int e = 0; e < md->elements.n; e++) {
        k.el = &md->elements.at[e], k.d = &all[count];
        const bool of_L = k.el->kind == EL_LAGRANGIAN || k.el->kind == EL_HAMILTONIAN;
        if (element_is_of_state(b->c->md, k.el)) continue;
        if (!k.el->instances || (of == TRANSFERS_OF_FORCES ? k.el->kind != EL_FORCE : !of_L))
            continue;
        if (of == TRANSFERS_OF_TIME) drive_energy(&k);
        else if (of_L) transfer_energy(&k);
        else transfer_force(&k);
        if (k.d->yield.n) note_sources(m, k.d), count++;
    }
    if (!count) return NULL;
    x->made = directional_compile(m, all, count);
    return x;
}

bool transfers_need_rates(const transfers *x)
{
    return x->needs_rates;
}

/* Own transfers of each part, then added up the tree: parts come after those that hold them. */
void transfers_eval(transfers *x, double t, const double *q, const double *v, const double *p,
                    const double *rate, double *out)
{
    const model *md = x->b->c->md;
    sources      from = bound_sources_of_state(x->b, &t, q, v, p, NULL);
    results      into = {.power = out};
    from.of[ALONG_V] = from.of[ALONG_W] = rate;
    from.of[RATE_OF_INPUT] = bound_slope(x->b, t);
    memset(out, 0, (size_t)md->parts.n * sizeof *out);
    directional_run_into(&x->made, &from, &into);
    for (int k = md->parts.n - 1; k > 0; k--) out[md->parts.at[k].parent] += out[k];
}
