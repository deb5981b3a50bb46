/* open.c - unconnected ends of parts: a spring attached on one side only, a capacitor in no loop.
 * Such a part transmits what acts at one end to the other, or has only one end, and has no motion
 * of its own; an end that no relation and no other term reads then makes it idle, which is hardly
 * intended. */
#include "model/analyse/facts.h"

#include <math.h>

enum { COORDINATES_MOST = 2000 }; /* what is forgotten in larger ones shows in smaller ones */

typedef struct {
    const model *md;
    mem         *m;
    int         *home;                       /* the part of each coordinate             */
    bool        *met;                        /* per coordinate: something else reads it */
    bool        *lively, *reads_q, *reads_v; /* per part */
} survey;

/* Positions, velocities and momenta; parameters and time do not connect parts. */
static bool is_state(const slot *s)
{
    return s->kind == SLOT_Q || s->kind == SLOT_V || s->kind == SLOT_P;
}

/* Numbers in [0.5, 1.5) without a pattern, the same in every run. */
static double sample(int k, int try)
{
    const double x = 0.618033988749895 * (k + 1) + 0.414213562373095 * try;
    return 0.5 + (x - floor(x));
}

/* The roots of a term in a graph of their own, where they may be derived: that of the model stays
 * untouched. */
static expr *copied_roots(mem *m, const element *el, graph *g)
{
    expr *image = mem_array(m, el->slots + 1, expr), *root = mem_array(m, el->roots + 1, expr);
    int  *memo = mem_array(m, el->g.nodes.n + 1, int);
    graph_init(g, m);
    for (int k = 0; k < el->slots; k++) image[k] = expr_var(g, k);
    for (int k = 0; k < el->g.nodes.n; k++) memo[k] = EXPR_NONE;
    for (int k = 0; k < el->roots; k++) root[k] = expr_import(g, &el->g, el->root[k], image, memo);
    return root;
}

/* Do the forces of a term add up to 0, whatever its variables are? */
static bool passes_on(mem *m, const element *el)
{
    graph   g;
    expr   *root = copied_roots(m, el, &g), *forces = root;
    int    *vars = mem_array(m, el->slots + 1, int), n = 0;
    double *x = mem_array(m, el->slots + 1, double);
    int     count = el->roots;
    /* of an energy, the forces are its slopes in the positions */
    if (el->kind == EL_LAGRANGIAN) {
        for (int k = 0; k < el->slots; k++)
            if (el->slot[k].kind == SLOT_Q) vars[n++] = k;
        forces = mem_array(m, n + 1, expr), count = n;
        expr_gradient(&g, root[0], vars, n, forces);
    }
    double *scratch = mem_array(m, g.nodes.n + 1, double);
    for (int try = 0; try < 3; try++) {
        double sum = 0, size = 0;
        for (int k = 0; k < el->slots; k++) x[k] = sample(k, try);
        for (int k = 0; k < count; k++) {
            const double force = expr_eval(&g, forces[k], x, scratch);
            sum += force, size += fabs(force);
        }
        /* not 0, or not finite: the term does more than pass on */
        if (!(fabs(sum) <= 1e-9 * size)) return false;
    }
    return true;
}

/* Whatever a term reads beside another part is met there. */
static void note_instance(survey *s, const element *el, int k)
{
    const int owner = slot_index(&el->owner, k);
    bool      foreign = false;
    /* first: does the instance read or push another part? then all that it touches is met */
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < el->slots; j++) {
            if (!is_state(&el->slot[j])) continue;
            const int i = slot_index(&el->slot[j], k);
            if (pass) s->met[i] |= foreign;
            else foreign |= s->home[i] != owner;
        }
        for (int j = 0; j < el->roots && el->kind == EL_FORCE; j++) {
            const int i = slot_index(&el->target[j], k);
            if (pass) s->met[i] |= foreign;
            else foreign |= s->home[i] != owner;
        }
    }
}

static void note_element(survey *s, const element *el)
{
    bool q = false, v = false, p = false;
    if (el->kind >= EL_OUTPUT) return;
    for (int j = 0; j < el->slots; j++) {
        q |= el->slot[j].kind == SLOT_Q;
        v |= el->slot[j].kind == SLOT_V;
        p |= el->slot[j].kind == SLOT_P;
    }
    /* a term with inertia, or a relation, gives its part a motion of its own */
    const bool moves = el->kind == EL_RELATION || p || (el->kind == EL_LAGRANGIAN && v);
    const bool two_ends = q + v && (el->kind == EL_FORCE ? el->roots > 1 : true);
    const bool balanced = !moves && two_ends && passes_on(s->m, el);
    for (int k = 0; k < el->instances; k++) {
        const int   owner = slot_index(&el->owner, k);
        const part *of = &s->md->parts.at[owner];
        s->lively[owner] |= moves || (of->shape->count[MEMBER_COORDINATE] > 1 && !balanced);
        s->reads_q[owner] |= q, s->reads_v[owner] |= v;
        note_instance(s, el, k);
    }
}

/* The first end of a part that is open, or -1. */
static int open_end(const survey *s, int p)
{
    const part *of = &s->md->parts.at[p];
    const int   ends = of->shape->count[MEMBER_COORDINATE], first = of->base[MEMBER_COORDINATE];
    if (!p || ends < 1 || ends > 2 || of->shape->count[MEMBER_PART] || s->lively[p]) return -1;
    if (ends == 1 && s->reads_q[p] && s->reads_v[p]) return -1; /* it relaxes by itself */
    for (int i = first; i < first + ends; i++)
        if (!s->met[i]) return i;
    return -1;
}

/* Ends of small systems only; a reduced model has no ends left. */
int analyse_open(mem *m, const model *md, int **open)
{
    const int n = md->coordinates, parts = md->parts.n;
    int       found = 0;
    if (parts < 2 || n > COORDINATES_MOST || md->stands_for) return 0;
    survey s = {md,
                m,
                mem_array(m, n + 1, int),
                mem_array(m, n + 1, bool),
                mem_array(m, parts, bool),
                mem_array(m, parts, bool),
                mem_array(m, parts, bool)};
    for (int p = 0; p < parts; p++) {
        const part *of = &md->parts.at[p];
        for (int k = 0; k < of->shape->count[MEMBER_COORDINATE]; k++)
            s.home[of->base[MEMBER_COORDINATE] + k] = p;
    }
    for (int e = 0; e < md->elements.n; e++) note_element(&s, &md->elements.at[e]);
    *open = mem_array(m, parts, int);
    for (int p = 0; p < parts; p++) {
        const int i = open_end(&s, p);
        if (i >= 0) (*open)[found++] = i;
    }
    return found;
}
