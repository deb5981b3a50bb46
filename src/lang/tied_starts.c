/* tied_starts.c - starts across ties: of a connection sum a_i q_i = c, the one coordinate without a
 * start takes what is left. */
#include "lang/values.h"

#include <math.h>
#include <string.h>

typedef struct {
    int    first, n; /* its terms          */
    double c;        /* sum a_i q_i = c    */
    int    open;     /* terms without a start */
    span   at;
} tie;

typedef struct { /* starts of one statement that partners would have given */
    span at, by;
    int  first, count;
} tied_starts;

typedef struct {
    world  *w;
    values *out;
    vec(tie) ties;
    vec(tied_starts) tied;
    vec(int) coordinate; /* of the terms */
    vec(double) factor;
    int *of_first, *of; /* ties of a coordinate: of[of_first[i] .. of_first[i + 1]) */
    vec(int) queue;
    unsigned char  bit;     /* GIVEN_Q or GIVEN_V */
    double        *x;       /* q or v */
    unsigned char *known;   /* per coordinate: has a value by now; 2: the user's own */
    bool           follows; /* what is spread now comes from starts, and counts as one */
} knot;

/* Reading the ties off the model: a relation that is linear is its values at 0 and at the unit
 * vectors. ----- */

/*     sum_i a_i q_i = c:    c = -e(0),   a_i = e(unit vector i) - e(0) */
static void read_tie(knot *k, const element *el, int instance, double *vars, double *scratch)
{
    tie t = {.first = k->coordinate.n, .at = el->at};
    for (int i = 0; i < el->slots; i++) {
        int at = slot_index(&el->slot[i], instance);
        vars[i] = el->slot[i].kind == SLOT_PARAMETER ? k->out->parameter[at]
                  : el->slot[i].kind == SLOT_DATA    ? k->w->md->data.at[at]
                                                     : 0;
    }
    double at_zero = expr_eval(&el->g, el->root[0], vars, scratch);
    for (int i = 0; i < el->slots; i++) {
        if (el->slot[i].kind != SLOT_Q) continue;
        vars[i] = 1;
        vec_push(k->w->m, k->factor, expr_eval(&el->g, el->root[0], vars, scratch) - at_zero);
        vec_push(k->w->m, k->coordinate, slot_index(&el->slot[i], instance));
        vars[i] = 0;
    }
    t.c = -at_zero, t.n = k->coordinate.n - t.first;
    vec_push(k->w->m, k->ties, t);
}

static void read_ties(knot *k)
{
    const model *md = k->w->md;
    for (int i = 0; i < md->elements.n; i++) {
        const element *el = &md->elements.at[i];
        if (el->kind != EL_RELATION ||
            md->relation.at[slot_index(&el->target[0], 0)].kind != REL_TIE)
            continue;
        double *vars = mem_array(k->w->m, el->slots + el->g.nodes.n, double);
        for (int j = 0; j < el->instances; j++) read_tie(k, el, j, vars, vars + el->slots);
    }
}

static void *cleared(mem *m, size_t size)
{
    return memset(mem_resize(m, NULL, size), 0, size);
}

/* Ties of each coordinate: a counting sort. */
static void index_ties(knot *k)
{
    int n = k->w->md->coordinates;
    k->of_first = cleared(k->w->m, (size_t)(n + 2) * sizeof *k->of_first);
    k->of = cleared(k->w->m, (size_t)k->coordinate.n * sizeof *k->of);
    for (int i = 0; i < k->coordinate.n; i++) k->of_first[k->coordinate.at[i] + 2]++;
    for (int i = 0; i < n; i++) k->of_first[i + 2] += k->of_first[i + 1];
    for (int t = 0; t < k->ties.n; t++)
        for (int i = 0; i < k->ties.at[t].n; i++)
            k->of[k->of_first[k->coordinate.at[k->ties.at[t].first + i] + 1]++] = t;
}

/* Spreading. ----------------------------------------------------------------------------------- */

/* A start marked `free` gives way. */
static bool is_guess(const knot *k, int coordinate)
{
    return k->out->given[coordinate] & (k->bit == GIVEN_Q ? FREE_Q : FREE_V);
}

/* The coordinate has a value now; a tie with one open term left can be solved for it. */
static void note_known(knot *k, int coordinate)
{
    k->known[coordinate] |= 1;
    for (int i = k->of_first[coordinate]; i < k->of_first[coordinate + 1]; i++)
        if (--k->ties.at[k->of[i]].open == 1) vec_push(k->w->m, k->queue, k->of[i]);
}

/*     r = c - sum_i a_i x_i over what is known (c = 0 for velocities)
 * scale: the sizes of its terms; open: the last term without a value, -1: none. */
static double rest_of(const knot *k, const tie *t, double *scale, int *open)
{
    double r = k->bit == GIVEN_Q ? t->c : 0;
    *scale = fabs(r), *open = -1;
    for (int i = t->first; i < t->first + t->n; i++) {
        int c = k->coordinate.at[i];
        if (!k->known[c]) *open = i;
        double term = k->known[c] ? k->factor.at[i] * k->x[c] : 0;
        r -= term, *scale += fabs(term);
    }
    return r;
}

/* The one coordinate of a tie that has no value yet takes what is left. */
static void spread(knot *k)
{
    for (int i = 0; i < k->queue.n; i++) {
        const tie *t = &k->ties.at[k->queue.at[i]];
        double     scale;
        int        open;
        double     rest = rest_of(k, t, &scale, &open);
        if (open < 0 || k->factor.at[open] == 0) continue;
        int c = k->coordinate.at[open];
        if (k->bit == GIVEN_V && (k->out->given[c] & GIVEN_P)) continue; /* its momentum decides */
        k->x[c] = rest / k->factor.at[open];
        if (k->follows) k->out->given[c] |= k->bit;
        note_known(k, c);
    }
    k->queue.n = 0;
}

static const char *name_of(const knot *k, int coordinate)
{
    text word = text_new(k->w->m);
    model_name(k->w->md, MEMBER_COORDINATE, coordinate, &word);
    return text_str(&word);
}

/* One warning for all starts of a statement that partners would have given. */
static void warn_tied(knot *k)
{
    const char *prime = k->bit == GIVEN_V ? "'" : "";
    for (int i = 0; i < k->tied.n; i++) {
        const tied_starts *t = &k->tied.at[i];
        const char        *hint = mem_printf(k->w->m, "connected in line %d", span_line(t->by));
        if (t->count == 1)
            diag_warning(k->w->ds, t->at, hint,
                         "'%s%s' is tied, and would take this start from its partner anyway",
                         name_of(k, t->first), prime);
        else
            diag_warning(
                k->w->ds, t->at, hint,
                "'%s%s' and %d more are tied, and would take these starts anyway from their "
                "partners",
                name_of(k, t->first), prime, t->count - 1);
    }
    k->tied.n = 0;
}

/* Starts of one statement are counted under its place. */
static void add_tied(knot *k, span at, span by, int coordinate)
{
    for (int i = 0; i < k->tied.n; i++)
        if (k->tied.at[i].at.of == at.of && k->tied.at[i].at.start == at.start) {
            k->tied.at[i].count++;
            return;
        }
    vec_push(k->w->m, k->tied, (tied_starts){at, by, coordinate, 1});
}

/* All coordinates of the tie have values: they must agree, and one start would have done. */
static void check_tie(knot *k, const tie *t)
{
    double scale;
    int    open, own = 0, last = k->coordinate.at[t->first];
    double rest = rest_of(k, t, &scale, &open);
    if (open >= 0) return;
    for (int i = t->first; i < t->first + t->n; i++)
        if (k->known[k->coordinate.at[i]] & 2) own++, last = k->coordinate.at[i];
    /* the message is about the last coordinate of the tie that has a start of its own */
    const char *prime = k->bit == GIVEN_V ? "'" : "";
    const span *at_of = k->bit == GIVEN_V ? k->out->rate_at : k->out->start_at;
    span        at = own ? at_of[last] : t->at;
    if (fabs(rest) > 1e-12 * scale) {
        text by = text_new(k->w->m);
        text_number(&by, fabs(rest));
        if (!own)
            world_error(k->w, at, "remove one of them, or change a start that they pass on",
                        "this connection contradicts the others: they leave it off by %s",
                        text_str(&by));
        else
            world_error(k->w, at, mem_printf(k->w->m, "connected in line %d", span_line(t->at)),
                        "the start of '%s%s' violates a connection by %s", name_of(k, last), prime,
                        text_str(&by));
    } else if (own == t->n && own > 1) add_tied(k, at, t->at, last);
}

static void check_ties(knot *k)
{
    for (int i = 0; i < k->ties.n && !world_is_full(k->w); i++) check_tie(k, &k->ties.at[i]);
    warn_tied(k);
}

/* Starts that are not free count first, and go as far as ties carry them. */
static void begin_with_given(knot *k)
{
    int n = k->w->md->coordinates;
    memset(k->known, 0, (size_t)n);
    for (int t = 0; t < k->ties.n; t++) {
        k->ties.at[t].open = k->ties.at[t].n;
        if (k->ties.at[t].n == 1) vec_push(k->w->m, k->queue, t); /* it is said where it is */
    }
    for (int i = 0; i < n; i++)
        if ((k->out->given[i] & k->bit) && !is_guess(k, i)) {
            note_known(k, i);
            k->known[i] |= 2;
        }
    k->follows = true;
    spread(k);
}

/* Without a value yet, and free to move. */
static bool is_loose(const knot *k, int coordinate)
{
    const unsigned bits = k->bit == GIVEN_Q ? FREE_Q | TIED_Q : FREE_V | TIED_V;
    return !k->known[coordinate] && k->out->given[coordinate] & bits;
}

/* Who has no start of its own, and is tied to what is free, may have to move with it. */
static void spread_freedom(knot *k)
{
    const unsigned char tied = k->bit == GIVEN_Q ? TIED_Q : TIED_V;
    for (int i = 0; i < k->w->md->coordinates; i++)
        for (int t = k->of_first[i]; t < k->of_first[i + 1] && is_loose(k, i); t++)
            vec_push(k->w->m, k->queue, k->of[t]);
    for (int at = 0; at < k->queue.n; at++) { /* one of each of these ties is loose */
        const tie *t = &k->ties.at[k->queue.at[at]];
        for (int i = t->first; i < t->first + t->n; i++) {
            int c = k->coordinate.at[i];
            if (k->known[c] || is_loose(k, c)) continue;
            k->out->given[c] |= tied;
            for (int x = k->of_first[c]; x < k->of_first[c + 1]; x++)
                vec_push(k->w->m, k->queue, k->of[x]);
        }
    }
    k->queue.n = 0;
}

/* What is left open begins at 0, but for the first coordinate of each tie, which follows. */
static void open_at_zero(knot *k)
{
    k->follows = false;
    for (int t = 0; t < k->ties.n; t++) {
        const tie *y = &k->ties.at[t];
        for (int i = y->first + y->n - 1; i > y->first && y->open > 1; i--)
            if (!k->known[k->coordinate.at[i]]) note_known(k, k->coordinate.at[i]);
        spread(k);
    }
}

/* Positions first, then velocities, whose ties are the same with c = 0. */
void evaluate_ties(world *w, values *out)
{
    knot k = {.w = w, .out = out};
    read_ties(&k);
    if (!k.ties.n) return;
    index_ties(&k);
    k.known = cleared(w->m, (size_t)w->md->coordinates);
    k.bit = GIVEN_Q, k.x = out->q;
    begin_with_given(&k);
    spread_freedom(&k);
    open_at_zero(&k);
    check_ties(&k);
    k.bit = GIVEN_V, k.x = out->v;
    begin_with_given(&k);
    spread_freedom(&k);
    check_ties(&k);
    vec_drop(w->m, k.ties), vec_drop(w->m, k.coordinate), vec_drop(w->m, k.factor);
    vec_drop(w->m, k.queue), vec_drop(w->m, k.tied);
    mem_drop(w->m, k.of_first), mem_drop(w->m, k.of), mem_drop(w->m, k.known);
}
