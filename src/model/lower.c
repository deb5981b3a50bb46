/* lower.c - forces as functions of (t, q, w): the velocity of a Hamiltonian coordinate becomes
 *
 *     x' = dH/dp(x),    summed over all terms of H that hold p(x).       theory.md [PHASE]
 *
 * Instances of a force whose velocities are made of the same terms stay instances of one shape. */
#include "model/shape.h"

typedef struct { /* one term of dH/dp: a yield (into Lw) of an instance of a Hamiltonian */
    int of, yield, instance;
} term;

typedef struct {
    int  *start; /* per coordinate: its terms are term[start[i] .. start[i+1]) */
    term *term;
} velocities;

/* Counting sort of all terms by coordinate. */
static velocities velocities_new(mem *m, int n, const derived *d, int count)
{
    velocities v = {mem_array(m, n + 2, int), NULL};
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < count; e++)
            for (int y = 0; y < d[e].yield.n; y++) {
                const yield *in = &d[e].yield.at[y];
                if (in->into != SINK_LW || d[e].of->kind != EL_HAMILTONIAN) continue;
                for (int k = 0; k < d[e].instances; k++) {
                    int i = slot_index(in->row, k);
                    if (!pass) v.start[i + 2]++;
                    else v.term[v.start[i + 1]++] = (term){e, y, k};
                }
            }
        if (pass) break;
        for (int i = 0; i < n; i++) v.start[i + 2] += v.start[i + 1];
        v.term = mem_array(m, v.start[n + 1] + 1, term);
    }
    return v;
}

/* a force, and the terms that stand for velocities in it */
typedef struct {
    const element    *el;
    const model      *md;
    const velocities *v;
} forms;

/* Is slot `slot_number` of instance k a velocity for which dH/dp is written? */
static bool replaced(const forms *f, int slot_number, int k)
{
    const slot *s = &f->el->slot[slot_number];
    return s->kind == SLOT_V && f->md->hamiltonian && f->md->hamiltonian[slot_index(s, k)];
}

/* Do the velocities of instances a and b consist of the same terms? Ordered, for sorting. */
static int compare_forms(const forms *f, int a, int b)
{
    for (int s = 0; s < f->el->slots; s++) {
        int ra = replaced(f, s, a), rb = replaced(f, s, b);
        if (ra != rb) return ra - rb;
        if (!ra) continue;
        int        i = slot_index(&f->el->slot[s], a), j = slot_index(&f->el->slot[s], b);
        const int *start = f->v->start;
        int        n = start[i + 1] - start[i];
        if (n != start[j + 1] - start[j]) return n - (start[j + 1] - start[j]);
        for (int k = 0; k < n; k++) {
            const term *x = &f->v->term[start[i] + k], *y = &f->v->term[start[j] + k];
            if (x->of != y->of) return x->of - y->of;
            if (x->yield != y->yield) return x->yield - y->yield;
        }
    }
    return 0;
}

/* The slot as the listed instances read it. */
static slot pick(mem *m, const slot *s, const int *instance, int n)
{
    int *list = mem_resize(m, NULL, (size_t)(n + 1) * sizeof *list);
    for (int k = 0; k < n; k++) list[k] = slot_index(s, instance[k]);
    slot out = slot_from_list(m, list, n);
    out.kind = s->kind;
    return out;
}

static int *fresh_memo(mem *m, const graph *g)
{
    int *memo = mem_resize(m, NULL, (size_t)(g->nodes.n + 1) * sizeof *memo);
    for (int k = 0; k < g->nodes.n; k++) memo[k] = EXPR_NONE;
    return memo;
}

/* dH/dp of the velocity slot s, as an expression of out: each term brings its variables along. */
static expr velocity(mem *m, const forms *f, const derived *all, int s, const int *instance,
                     derived *out)
{
    int         n = out->instances, *which = mem_array(m, n, int);
    const slot *v = &f->el->slot[s];
    const int  *start = f->v->start;
    int         first = slot_index(v, instance[0]), terms = start[first + 1] - start[first];
    expr       *sum = mem_array(m, terms + 1, expr);
    /* dH/dp = sum_j -d Lambda_j/dp, one term of H after the other */
    for (int j = 0; j < terms; j++) {
        const term    *t = &f->v->term[start[first] + j];
        const derived *d = &all[t->of];
        for (int k = 0; k < n; k++)
            which[k] = f->v->term[start[slot_index(v, instance[k])] + j].instance;
        expr *image = mem_array(m, d->feed.n + 1, expr);
        for (int k = 0; k < d->feed.n; k++) {
            image[k] = expr_var(&out->g, out->feed.n);
            feed own = {d->feed.at[k].from, pick(m, &d->feed.at[k].at, which, n)};
            vec_push(m, out->feed, own);
        }
        int *memo = fresh_memo(m, &d->g);
        expr lw = expr_import(&out->g, &d->g, d->yield.at[t->yield].root, image, memo);
        sum[j] = expr_neg(&out->g, lw);
        mem_drop(m, memo);
    }
    return expr_sum(&out->g, sum, terms);
}

/* One shape of the force: the instances listed, which are alike. */
static void lower_group(mem *m, const forms *f, const int *instance, int n, derived_list *all)
{
    const element *el = f->el;
    derived        out = {.of = el, .instances = n}, whole;
    expr          *root = derive_open_force(m, f->md, el, &whole);
    expr          *image = mem_array(m, el->slots + 1, expr);
    slot          *target = mem_array(m, el->roots, slot);
    graph_init(&out.g, m);
    for (int s = 0; s < el->slots; s++) {
        if (replaced(f, s, instance[0])) continue;
        image[s] = expr_var(&out.g, out.feed.n);
        vec_push(m, out.feed,
                 (feed){whole.feed.at[s].from, pick(m, &whole.feed.at[s].at, instance, n)});
    }
    for (int s = 0; s < el->slots; s++)
        if (replaced(f, s, instance[0])) image[s] = velocity(m, f, all->at, s, instance, &out);
    int *memo = fresh_memo(m, &whole.g);
    for (int j = 0; j < el->roots; j++) {
        root[j] = expr_import(&out.g, &whole.g, root[j], image, memo);
        target[j] = pick(m, &el->target[j], instance, n);
    }
    mem_drop(m, memo);
    graph_drop(&whole.g);
    derive_force(m, f->md, &out, root, target, el->roots);
    vec_push(m, *all, out);
}

/* Stable merge sort of instance numbers by form; equal ones keep their order. */
static void sort_instances(const forms *f, int *a, int *spare, int n)
{
    if (n < 2) return;
    int half = n / 2;
    sort_instances(f, a, spare, half);
    sort_instances(f, a + half, spare, n - half);
    for (int i = 0, j = half, k = 0; k < n; k++)
        spare[k] = j == n || (i < half && compare_forms(f, a[i], a[j]) <= 0) ? a[i++] : a[j++];
    for (int k = 0; k < n; k++) a[k] = spare[k];
}

/* Instances of the same form are neighbours after sorting; each group becomes one element. */
static void lower(mem *m, const forms *f, derived_list *all)
{
    int  n = f->el->instances;
    int *order = mem_array(m, n, int), *spare = mem_array(m, n, int);
    for (int k = 0; k < n; k++) order[k] = k;
    sort_instances(f, order, spare, n);
    for (int k = 0, end; k < n; k = end) {
        for (end = k + 1; end < n && !compare_forms(f, order[k], order[end]);) end++;
        lower_group(m, f, order + k, end - k, all);
    }
}

/* Does any instance hold the velocity of a Hamiltonian coordinate? */
static bool needs_lowering(const forms *f)
{
    for (int s = 0; s < f->el->slots; s++)
        for (int k = 0; k < f->el->instances; k++)
            if (replaced(f, s, k)) return true;
    return false;
}

/* `all` grows while it is read: only the first `hamiltonians` elements are terms of energy. */
void lower_forces(mem *m, const model *md, derived_list *all)
{
    int        hamiltonians = all->n;
    velocities v = {NULL, NULL};
    for (int e = 0; e < md->elements.n; e++) {
        const element *el = &md->elements.at[e];
        if (el->kind != EL_FORCE) continue;
        forms f = {el, md, &v};
        if (needs_lowering(&f)) {
            if (!v.start) v = velocities_new(m, md->coordinates, all->at, hamiltonians);
            lower(m, &f, all);
            continue;
        }
        derived d;
        expr   *root = derive_open_force(m, md, el, &d);
        derive_force(m, md, &d, root, el->target, el->roots);
        vec_push(m, *all, d);
    }
}
