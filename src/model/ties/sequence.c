/* sequence.c - numbers the coordinates of a long chain along it.
 *
 * A chain in the plane that is written with two arrays, x[N] and y[N], and a ring, whose last mass
 * is tied to its first, hold distant coordinates in one term. By the order of their neighbours
 * (linalg/order.c) x[k] and y[k] lie side by side, and a ring is folded in two: narrow bands, over
 * which large systems are passed (mech/large). */
#include "linalg/pattern.h"
#include "model/ties/ties.h"

enum {
    LEAST = 300, /* coordinates: smaller systems are not passed over          */
    SHORT = 8,   /* how far a term reaches in what is a chain already,        */
    NARROW = 5,  /* and in what becomes one                                   */
    MOST = 16    /* coordinates of a term; one of more belongs to no chain    */
};

typedef struct {
    int  n, z[MOST];
    bool many;
} company; /* what an instance of a term holds */

static void meet(company *c, const ties *t, const slot *s, int k)
{
    const int z = t->z[slot_index(s, k)];
    bool      known = z < 0;
    for (int i = 0; i < c->n; i++) known |= c->z[i] == z;
    if (known) return;
    if (c->n == MOST) c->many = true;
    else c->z[c->n++] = z;
}

static company company_of(const ties *t, const element *el, int k)
{
    company c = {0};
    for (int j = 0; j < el->slots; j++)
        if (el->slot[j].kind >= SLOT_Q && el->slot[j].kind <= SLOT_P) meet(&c, t, &el->slot[j], k);
    for (int j = 0; j < el->roots && el->kind == EL_FORCE; j++) meet(&c, t, &el->target[j], k);
    return c;
}

static bool acts(const element *el)
{
    return el->kind == EL_LAGRANGIAN || el->kind == EL_HAMILTONIAN || el->kind == EL_FORCE;
}

/* How far apart the coordinates of a term are, numbered as they are or by `position`; more than
 * `enough`: that far. pairs: if not NULL, how many there are. */
static int reach_of(const ties *t, const int *position, int enough, long *pairs)
{
    int reach = 0;
    for (int e = 0; e < t->md->elements.n && reach <= enough; e++) {
        const element *el = &t->md->elements.at[e];
        for (int k = 0; k < el->instances && acts(el) && reach <= enough; k++) {
            const company c = company_of(t, el, k);
            if (c.many) return t->coordinates;
            for (int i = 0; i < c.n; i++)
                for (int j = 0; j < i; j++) {
                    const int a = position ? position[c.z[i]] : c.z[i],
                              b = position ? position[c.z[j]] : c.z[j];
                    reach = a - b > reach ? a - b : b - a > reach ? b - a : reach;
                }
            if (pairs) *pairs += (long)c.n * c.n;
        }
    }
    return reach;
}

static pattern neighbours(mem *m, const ties *t, int pairs)
{
    int *from = mem_array(m, pairs + 1, int), *to = mem_array(m, pairs + 1, int), n = 0;
    for (int e = 0; e < t->md->elements.n; e++) {
        const element *el = &t->md->elements.at[e];
        for (int k = 0; k < el->instances && acts(el); k++) {
            const company c = company_of(t, el, k);
            for (int i = 0; i < c.n; i++)
                for (int j = 0; j < c.n; j++) from[n] = c.z[i], to[n++] = c.z[j];
        }
    }
    return pattern_from_pairs(m, t->coordinates, t->coordinates, from, to, n, NULL);
}

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

bool ties_sequence(mem *m, ties *t)
{
    long pairs = 0;
    if (t->coordinates < LEAST || t->cut || has_relations(t) ||
        reach_of(t, NULL, SHORT, NULL) <= SHORT)
        return false;
    if (reach_of(t, NULL, t->coordinates - 1, &pairs) >= t->coordinates ||
        pairs > (long)t->coordinates * MOST * MOST)
        return false;
    mem    *scratch = mem_child(m);
    pattern of = neighbours(scratch, t, (int)pairs);
    int    *position = mem_array(scratch, t->coordinates, int);
    pattern_order(scratch, &of, position);
    const bool narrow = reach_of(t, position, NARROW, NULL) <= NARROW;
    if (narrow) take_order(t, scratch, position);
    mem_free(scratch);
    return narrow;
}
