/* sequence.c - numbers the coordinates of a long chain along it.
 *
 * A chain in the plane that is written with two arrays, x[N] and y[N], and a ring, whose last mass
 * is tied to its first, hold distant coordinates in one term. By the order of their neighbours
 * (linalg/cuthill_mckee.c) x[k] and y[k] lie side by side, and a ring is folded in two: narrow
 * bands, over which large systems are passed (mech/large). */
#include "base/vec.h"
#include "linalg/pattern.h"
#include "model/ties/ties.h"

enum {
    LEAST = 300, /* coordinates: smaller systems are not passed over          */
    SHORT = 8,   /* how far a term reaches in what is a chain already,        */
    NARROW = 5,  /* and in what becomes one                                   */
    MOST = 32    /* positions and velocities of a term; one of more belongs to no chain */
};

/* Coordinates that a term couples: dL/da depends on b, or the force on a does. */
typedef struct {
    const slot *a, *b;
} coupling;

typedef struct {
    vec(coupling) of;
    int  instances;
    bool many;
} couplings; /* of one element */

/* Relations couple nothing here: where some stay, there is no renumbering (has_relations). */
static bool acts(const element *el)
{
    return el->kind == EL_LAGRANGIAN || el->kind == EL_HAMILTONIAN || el->kind == EL_FORCE;
}

/* Only if the derivative is not identically 0. */
static void couple(mem *m, couplings *c, const slot *a, const slot *b, const graph *g, expr slope)
{
    if (!expr_is_zero(g, slope)) vec_push(m, c->of, (coupling){a, b});
}

/* roots[0 .. n), the derivatives of an energy or forces, act on `on`. */
static void couple_roots(mem *m, couplings *c, const element *el, graph *g, const expr *root, int n,
                         const slot *const *on, const int *variable, int variables)
{
    expr *slope = mem_array(m, (size_t)n * (size_t)variables, expr);
    expr_hessian(g, root, n, variable, variables, slope);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < variables; j++)
            couple(m, c, on[i], &el->slot[variable[j]], g, slope[i * variables + j]);
}

/* The gradient of an energy acts on its own coordinates, a force on its targets; what their
 * derivatives by positions and velocities hold, is coupled. many: too many of these to look at. */
static couplings couplings_of(mem *m, const element *el)
{
    couplings c = {.instances = el->instances};
    int       variable[MOST], n = 0;
    for (int k = 0; k < el->slots && !c.many; k++) {
        if (el->slot[k].kind < SLOT_Q || el->slot[k].kind > SLOT_P) continue;
        if (n == MOST) c.many = true;
        else variable[n++] = k;
    }
    if (c.many || !n) return c;
    const bool   forces = el->kind == EL_FORCE;
    const int    roots = forces ? el->roots : n;
    const slot **on = mem_array(m, roots, const slot *);
    expr        *root = mem_array(m, roots, expr), *image = mem_array(m, el->slots, expr);
    int         *memo = mem_array(m, el->g.nodes.n, int);
    graph        g;
    graph_init(&g, m);
    for (int k = 0; k < el->slots; k++) image[k] = expr_var(&g, k);
    for (int k = 0; k < el->g.nodes.n; k++) memo[k] = EXPR_NONE;
    for (int k = 0; k < roots && forces; k++) {
        root[k] = expr_import(&g, &el->g, el->root[k], image, memo);
        on[k] = &el->target[k];
    }
    if (!forces) {
        expr_gradient(&g, expr_import(&g, &el->g, el->root[0], image, memo), variable, n, root);
        for (int k = 0; k < n; k++) on[k] = &el->slot[variable[k]];
    }
    couple_roots(m, &c, el, &g, root, roots, on, variable, n);
    return c;
}

/* couplings of all elements, and how many entries they make */
typedef struct {
    const ties *t;
    couplings  *of; /* by element */
    long        pairs;
    bool        many;
} links;

static links find_links(mem *m, const ties *t)
{
    links l = {.t = t, .of = mem_array(m, t->md->elements.n, couplings)};
    for (int e = 0; e < t->md->elements.n; e++) {
        if (!acts(&t->md->elements.at[e])) continue;
        l.of[e] = couplings_of(m, &t->md->elements.at[e]);
        l.pairs += (long)l.of[e].of.n * l.of[e].instances;
        l.many |= l.of[e].many;
    }
    return l;
}

/* How far apart coupled coordinates are, numbered as they are or by `position`; more than
 * `enough`: that far. */
static int reach_of(const links *l, const int *position, int enough)
{
    int reach = 0;
    for (int e = 0; e < l->t->md->elements.n; e++)
        for (int j = 0; j < l->of[e].of.n; j++)
            for (int k = 0; k < l->of[e].instances && reach <= enough; k++) {
                int a = l->t->z[slot_index(l->of[e].of.at[j].a, k)];
                int b = l->t->z[slot_index(l->of[e].of.at[j].b, k)];
                if (a < 0 || b < 0) continue;
                if (position) a = position[a], b = position[b];
                reach = a - b > reach ? a - b : b - a > reach ? b - a : reach;
            }
    return reach;
}

/* The graph of couplings of z, diagonal included; fixed coordinates have no part in it. */
static pattern neighbours(mem *m, const links *l)
{
    const int size = l->t->coordinates;
    int *from = mem_array(m, l->pairs + size, int), *to = mem_array(m, l->pairs + size, int), n = 0;
    for (int z = 0; z < size; z++) from[n] = z, to[n++] = z;
    for (int e = 0; e < l->t->md->elements.n; e++)
        for (int j = 0; j < l->of[e].of.n; j++)
            for (int k = 0; k < l->of[e].instances; k++) {
                from[n] = l->t->z[slot_index(l->of[e].of.at[j].a, k)];
                to[n] = l->t->z[slot_index(l->of[e].of.at[j].b, k)];
                if (from[n] >= 0 && to[n] >= 0) n++;
            }
    return pattern_from_pairs(m, size, size, from, to, n, NULL);
}

/* The same order from its other end, if that is nearer to the order of the model. */
static void face_forward(int *position, int n)
{
    if (position[0] <= position[n - 1]) return;
    for (int z = 0; z < n; z++) position[z] = n - 1 - position[z];
}

/* position[z] is the new number of z. */
static void take_order(ties *t, mem *m, const int *position)
{
    int *first = mem_array(m, t->coordinates, int);
    for (int z = 0; z < t->coordinates; z++) first[z] = t->first[z];
    for (int z = 0; z < t->coordinates; z++) t->first[position[z]] = first[z];
    for (int i = 0; i < t->md->coordinates; i++)
        if (t->z[i] >= 0) t->z[i] = position[t->z[i]];
}

/* Relations that stay are solved for with the rest, which is then passed over by nobody. */
static bool has_relations(const ties *t)
{
    for (int a = 0; a < t->md->relation.n; a++)
        if (t->role[a] == TIE_NONE) return true;
    return false;
}

/* True: z were renumbered. Not done for what is a chain already, or becomes no narrow band. */
bool ties_sequence(mem *m, ties *t)
{
    if (t->coordinates < LEAST || t->cut || has_relations(t)) return false;
    mem        *scratch = mem_child(m);
    const links l = find_links(scratch, t);
    bool        narrow = false;
    if (!l.many && l.pairs <= (long)t->coordinates * MOST * MOST &&
        reach_of(&l, NULL, SHORT) > SHORT) {
        pattern of = neighbours(scratch, &l);
        int    *position = mem_array(scratch, t->coordinates, int);
        pattern_order(scratch, &of, position);
        face_forward(position, t->coordinates);
        narrow = reach_of(&l, position, NARROW) <= NARROW;
        if (narrow) take_order(t, scratch, position);
    }
    mem_free(scratch);
    return narrow;
}
