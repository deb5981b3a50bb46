/* junctions.c - finds the relations that can eliminate a coordinate. The decision depends on the
 * form of the model only. */
#include "model/ties/junctions.h"

#include "model/ties/ties.h"

typedef struct {
    mem     *m;
    ties    *t;
    uint8_t *may;   /* of each element: its relations are of this kind */
    int     *met;   /* of each z: how many of them hold it             */
    vec(junction) found;
} search;

/* The different z of a relation; -1: too many, or one is Hamiltonian. */
static int coordinates_of(const search *s, const element *el, int k, int z[JUNCTION_TERMS + 1])
{
    int count = 0;
    for (int j = 0; j < el->slots; j++) {
        if (el->slot[j].kind != SLOT_V) continue;
        int i = slot_index(&el->slot[j], k), at = s->t->z[i];
        if (s->t->md->hamiltonian && s->t->md->hamiltonian[i]) return -1;
        bool known = at < 0;
        for (int n = 0; n < count; n++) known |= z[n] == at;
        if (known) continue;
        if (count > JUNCTION_TERMS) return -1;
        z[count++] = at;
    }
    return count;
}

/* No tie already, and of more than one z, of which there are *count. */
static bool is_candidate(const search *s, const element *el, int k, int z[JUNCTION_TERMS + 1],
                         int *count)
{
    if (s->t->role[slot_index(el->target, k)] != TIE_NONE) return false;
    *count = coordinates_of(s, el, k, z);
    return *count > 1;
}

/* How many such relations hold each z: a pivot must be in no other. */
static void count_all(search *s)
{
    int z[JUNCTION_TERMS + 1], count;
    for (int e = 0; e < s->t->md->elements.n; e++) {
        const element *el = &s->t->md->elements.at[e];
        s->may[e] = el->kind == EL_RELATION && el->instances &&
                    ties_is_constant(s->m, s->t->md, el) &&
                    s->t->md->relation.at[slot_index(el->target, 0)].kind == REL_VELOCITY;
        for (int k = 0; s->may[e] && k < el->instances; k++)
            if (is_candidate(s, el, k, z, &count))
                for (int n = 0; n < count; n++) s->met[z[n]]++;
    }
}

/* A coordinate that no other such relation holds. */
static void take(search *s, int e, int k, const int *z, int count)
{
    junction b = {.relation = slot_index(s->t->md->elements.at[e].target, k),
                .element = e,
                .instance = k,
                .pivot = -1};
    for (int n = 0; n < count; n++)
        if (s->met[z[n]] == 1) b.pivot = z[n];
    if (b.pivot < 0) return;
    for (int n = 0; n < count; n++)
        if (z[n] != b.pivot) b.z[b.terms++] = z[n];
    vec_push(s->m, s->found, b);
}

/* In the order of the model, so that the same ones are chosen every time. */
static void take_all(search *s)
{
    int z[JUNCTION_TERMS + 1], count;
    for (int e = 0; e < s->t->md->elements.n; e++) {
        const element *el = &s->t->md->elements.at[e];
        for (int k = 0; s->may[e] && k < el->instances; k++)
            if (is_candidate(s, el, k, z, &count)) take(s, e, k, z, count);
    }
}

/* Which term of a junction a coordinate is; -1: the one that is taken out, -2: a fixed one. */
static int term_of(const ties *t, const junction *b, int i)
{
    int n = 0;
    if (t->z[i] < 0) return -2;
    if (t->z[i] == b->pivot) return -1;
    while (n < b->terms && b->z[n] != t->z[i]) n++;
    return n;
}

/* Have two instances of a relation the same coefficients, whatever the parameters are? */
static bool same_coefficients(const ties *t, const junction *a, const junction *b)
{
    const element *el = &t->md->elements.at[b->element];
    if (a->element != b->element || a->terms != b->terms) return false;
    for (int j = 0; j < el->slots; j++) {
        int x = slot_index(&el->slot[j], a->instance), y = slot_index(&el->slot[j], b->instance);
        if (el->slot[j].kind != SLOT_V) {
            if (x != y) return false;
        } else if (term_of(t, a, x) != term_of(t, b, y) || t->slope[x] != t->slope[y]) return false;
    }
    return true;
}

/* Those of a network are mostly the same all over: then they are numbers of the relation, not of
 * each instance. */
static void number_coefficients(ties *t, const junctions *b)
{
    for (int k = 0; k < b->count; k++) {
        junction *at = &b->at[k];
        bool    same = k && same_coefficients(t, at - 1, at);
        for (int n = 0; n < at->terms; n++) at->number[n] = same ? at[-1].number[n] : t->numbers++;
    }
    for (int k = 0; k < b->count; k++) b->at[k].offset = t->numbers++;
}

const junctions *junctions_find(mem *m, ties *t)
{
    search s = {.m = m, .t = t};
    s.may = mem_array(m, t->md->elements.n + 1, uint8_t);
    s.met = mem_array(m, t->coordinates + 1, int);
    count_all(&s);
    take_all(&s);
    if (s.found.n < JUNCTIONS_LEAST) return NULL;
    junctions *b = mem_array(m, 1, junctions);
    *b = (junctions){s.found.n, s.found.at, mem_array(m, t->coordinates + 1, int),
                    mem_array(m, t->coordinates + 1, int)};
    for (int z = 0; z < t->coordinates; z++) b->of[z] = -1;
    for (int k = 0; k < b->count; k++) {
        /* its relation eliminates the pivot, so it is no longer a row of the system */
        junction *at = &b->at[k];
        b->of[at->pivot] = k;
        t->role[at->relation] = TIE_JOINS;
    }
    number_coefficients(t, b);
    for (int z = 0, y = 0; z < t->coordinates; z++) b->y[z] = b->of[z] < 0 ? y++ : -1;
    return b;
}
