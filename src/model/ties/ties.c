/* ties.c - finds the ties of a model and the forest that they form. The decision depends on the
 * form of the model only; a simulation evaluates the coefficients. */
#include "model/ties/ties.h"

/* Reading a relation. -------------------------------------------------------------------------- */

/* Ties bind positions, relations with primes velocities. */
static slot_kind bound_by(const model *md, const element *el)
{
    return md->relation.at[slot_index(el->target, 0)].kind == REL_TIE ? SLOT_Q : SLOT_V;
}

/* Nothing but coordinates (or velocities) and constants, and with primes no constant term. */
bool ties_is_constant(mem *m, const model *md, const element *el)
{
    if (el->kind != EL_RELATION || !el->instances) return false;
    if (md->relation.at[slot_index(el->target, 0)].kind == REL_HOLONOMIC) return false;
    slot_kind bound = bound_by(md, el);
    for (int k = 0; k < el->slots; k++) {
        slot_kind kind = el->slot[k].kind;
        if (kind != bound && kind != SLOT_PARAMETER && kind != SLOT_DATA) return false;
    }
    if (bound == SLOT_Q) return true;
    graph g;
    graph_init(&g, m);
    expr *image = mem_resize(m, NULL, (size_t)(el->slots + 1) * sizeof *image);
    int  *memo = mem_resize(m, NULL, (size_t)(el->g.nodes.n + 1) * sizeof *memo);
    /* velocities 0, constants as they are: what is left must vanish */
    for (int k = 0; k < el->slots; k++)
        image[k] = el->slot[k].kind == bound ? expr_const(&g, 0) : expr_var(&g, k);
    for (int k = 0; k < el->g.nodes.n; k++) memo[k] = EXPR_NONE;
    bool homogeneous = expr_is_zero(&g, expr_import(&g, &el->g, el->root[0], image, memo));
    mem_drop(m, memo);
    mem_drop(m, image);
    graph_drop(&g);
    return homogeneous;
}

/* The two coordinates that it joins, or one and the ground; false if there are more, or a
 * Hamiltonian one. */
static bool two_ends(const model *md, const element *el, int instance, int *i, int *j)
{
    int count = 0, end[2];
    for (int k = 0; k < el->slots; k++) {
        if (el->slot[k].kind != SLOT_Q && el->slot[k].kind != SLOT_V) continue;
        int at = slot_index(&el->slot[k], instance);
        if (md->hamiltonian && md->hamiltonian[at]) return false;
        if ((count > 0 && end[0] == at) || (count > 1 && end[1] == at)) continue;
        if (count == 2) return false;
        end[count++] = at;
    }
    if (!count) return false;
    *i = end[0], *j = count == 2 ? end[1] : md->coordinates;
    return true;
}

/* The forest. ---------------------------------------------------------------------------------- */

typedef struct {
    mem  *m;
    ties *t;
    bool  grounded; /* fixed coordinates are taken out too */
    int  *up;       /* union-find */
    vec(tie) edge;  /* between trees that were apart */
    vec(tie) repeat;
} forest;

/* Path halving. */
static int root_of(int *up, int i)
{
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
}

/* An edge between two trees joins them; within one tree it can only repeat or contradict. */
static void join(forest *f, tie t)
{
    int a = root_of(f->up, t.child), b = root_of(f->up, t.parent);
    f->t->role[t.relation] = a == b ? TIE_REPEATS : TIE_JOINS;
    if (a == b) vec_push(f->m, f->repeat, t);
    else vec_push(f->m, f->edge, t);
    bool over = a == f->t->md->coordinates || (b != f->t->md->coordinates && a < b);
    f->up[over ? b : a] =
        over ? a : b; /* a root is the ground, or the first coordinate of its tree */
}

/* Ties of positions come first: only they are repeated by others of their kind, offsets and all. */
static void collect(forest *f, bool position)
{
    const model *md = f->t->md;
    for (int e = 0; e < md->elements.n; e++) {
        const element *el = &md->elements.at[e];
        if (!ties_is_constant(f->m, md, el) || (bound_by(md, el) == SLOT_Q) != position) continue;
        for (int k = 0; k < el->instances; k++) {
            tie t = {.relation = slot_index(el->target, k),
                     .element = e,
                     .instance = k,
                     .position = position};
            if (!two_ends(md, el, k, &t.child, &t.parent)) continue;
            if (t.parent < md->coordinates || f->grounded) join(f, t);
        }
    }
}

/* First coordinates ascend, and so do z; -1 for the tree of the ground. */
static void number_trees(forest *f)
{
    ties *t = f->t;
    int   n = t->md->coordinates;
    t->z = mem_array(f->m, n, int);
    t->first = mem_array(f->m, n, int);
    for (int i = 0; i < n; i++) {
        int root = root_of(f->up, i);
        if (root == i) t->first[t->coordinates] = i, t->z[i] = t->coordinates++;
        else t->z[i] = root < n ? t->z[root] : -1;
    }
}

/* Edges in the order of a walk from the ground and from the first coordinate of every tree. */
static void order_edges(forest *f)
{
    ties *t = f->t;
    int   n = t->md->coordinates + 1, edges = f->edge.n;
    int  *start = mem_resize(f->m, NULL, (size_t)(n + 2) * sizeof *start);
    int  *of = mem_resize(f->m, NULL, (size_t)(2 * edges + 1) * sizeof *of);
    int  *queue = mem_resize(f->m, NULL, (size_t)(edges + 1) * sizeof *queue);
    for (int i = 0; i < n + 2; i++) start[i] = 0;
    for (int e = 0; e < edges; e++)
        start[f->edge.at[e].child + 2]++, start[f->edge.at[e].parent + 2]++;
    for (int i = 0; i < n; i++) start[i + 2] += start[i + 1];
    for (int e = 0; e < edges; e++)
        of[start[f->edge.at[e].child + 1]++] = e, of[start[f->edge.at[e].parent + 1]++] = e;
    t->join = mem_array(f->m, edges + 1, tie);
    /* tree -1 is that of the ground; an edge is turned so that its child is farther from the
     * root */
    for (int tree = -1; tree < t->coordinates; tree++) {
        int ends = 0;
        queue[ends++] = tree < 0 ? n - 1 : t->first[tree];
        for (int next = 0; next < ends; next++)
            for (int k = start[queue[next]]; k < start[queue[next] + 1]; k++) {
                tie *e = &f->edge.at[of[k]];
                if (e->relation < 0) continue; /* walked already */
                if (e->child == queue[next]) e->child = e->parent, e->parent = queue[next];
                queue[ends++] = e->child;
                t->join[t->joins++] = *e;
                e->relation = -1;
            }
    }
    mem_drop(f->m, queue);
    mem_drop(f->m, of);
    mem_drop(f->m, start);
}

/* Parameters may be set later, so that such coefficients are numbers of each simulation. */
static bool has_parameters(const element *el)
{
    for (int k = 0; k < el->slots; k++)
        if (el->slot[k].kind == SLOT_PARAMETER) return true;
    return false;
}

/* Which numbers there are: a slope that is surely 1 and an offset that is surely 0 need none. */
static void number_numbers(mem *m, ties *t)
{
    int    n = t->md->coordinates;
    tie_reader r = tie_reader_new(m, t->md, NULL);
    t->slope = mem_array(m, n + 1, int);
    t->offset = mem_array(m, n + 1, int);
    t->numbers = NUMBERS_KNOWN;
    for (int i = 0; i <= n; i++) t->slope[i] = NUMBER_ONE, t->offset[i] = NUMBER_ZERO;
    t->slope[n] = NUMBER_ZERO;
    for (int e = 0; e < t->joins; e++) {
        const tie *j = &t->join[e];
        double     a = 0, b = 0, c = 0;
        bool       open = has_parameters(&t->md->elements.at[j->element]);
        if (!open) tie_read(&r, j, &a, &b, &c);
        /* slope and offset are copied from the parent where a = -b and c = 0 */
        bool unit = !open && a == -b, exact = j->position && !open && c == 0;
        bool still = t->slope[j->parent] == NUMBER_ZERO;
        t->slope[j->child] = unit || still ? t->slope[j->parent] : t->numbers++;
        if (exact && unit) t->offset[j->child] = t->offset[j->parent];
        else if (!exact || t->offset[j->parent] != NUMBER_ZERO) t->offset[j->child] = t->numbers++;
    }
}

/* Ties of positions before those of velocities, then junctions in the z that they leave. */
static ties *find(mem *m, const model *md, bool grounded)
{
    ties  *t = mem_array(m, 1, ties);
    forest f = {.m = m, .t = t, .grounded = grounded};
    t->md = md;
    t->role = mem_array(m, md->relation.n + 1, uint8_t);
    f.up = mem_resize(m, NULL, (size_t)(md->coordinates + 1) * sizeof *f.up);
    for (int i = 0; i <= md->coordinates; i++) f.up[i] = i;
    collect(&f, true);
    collect(&f, false);
    number_trees(&f);
    order_edges(&f);
    number_numbers(m, t);
    t->repeats = f.repeat.n, t->repeat = f.repeat.at;
    t->cut = junctions_find(m, t);
    t->sequenced = ties_sequence(m, t);
    vec_drop(m, f.edge);
    mem_drop(m, f.up);
    return t;
}

/* A system that cannot move at all is left as it is. */
const ties *ties_find(mem *m, const model *md)
{
    const ties *t = find(m, md, true);
    return t->coordinates ? t : find(m, md, false);
}

int ties_left(const ties *t)
{
    return t->coordinates - (t->cut ? t->cut->count : 0);
}

/* For each z that is left, the coordinate of the model that it is. */
int *ties_first(mem *m, const ties *t)
{
    int *first = mem_array(m, t->coordinates + 1, int), n = 0;
    for (int z = 0; z < t->coordinates; z++)
        if (!t->cut || t->cut->y[z] >= 0) first[n++] = t->first[z];
    return first;
}
