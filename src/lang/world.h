/* world.h - the tree of parts as the language sees it, and the numbers in it.
 *
 * The same walk serves twice: while the model is made, for sizes, ranges and indices; and
 * afterwards, in values.c, for everything that is a number before a run begins. */
#ifndef LANG_WORLD_H
#define LANG_WORLD_H

#include "lang/symbols.h"

/* The layout of all parts of a system that have the same sizes. */
typedef struct {
    layout      pub; /* first, so that a part's shape is a form */
    const sys  *of;
    extent     *sizes;  /* of all arrays, one after the other                      */
    extent    **extent; /* by number of the symbol, also of lets; NULL: no array */
} form;

/* "NAME=VALUE" of --set and --start. */
typedef struct {
    ast *target; /* a path, or a state */
    ast *value;
} override;

typedef struct { /* an argument of a function, component by component */
    expr   value[MOST_COMPONENTS];  /* in an emitted expression */
    double number[MOST_COMPONENTS]; /* where numbers are needed */
} actual;

/* Where an expression is evaluated: in which part, at which indices, with which arguments. */
typedef struct {
    int           part; /* -1: in none, at the level of a file */
    const actual *actual;
    int           index[FRAME];
} env;

typedef struct { /* a let, or one element of an array of them */
    const symbol *s;
    int           part, offset;
} let_place;

typedef struct { /* what a path leads to */
    const symbol *s;
    int           part;
    int           offset;       /* in its array */
    int           index[FRAME]; /* s->dims of them */
} spot;

typedef struct {
    const lang   *l;
    const model  *md;
    diags        *ds;
    mem          *m;
    vec(double)        parameter; /* known ones, by index */
    vec(unsigned char) state;     /* of each: UNSEEN, ACTIVE, SEEN */
    vec(override)      set, begin; /* of the command line: parameters, starts */
    map                lets;      /* (symbol, part, offset) -> number in let_value */
    vec(double)        let_value;
    vec(spot)          early;     /* parameters that were needed before their part had a layout */
    vec(int)           active;    /* parameters that are being computed, outermost first */
    double             visited;   /* values that ranges ran through so far */
    int                nested;    /* loops that are being run through, within each other */
    int                level;     /* vectors that are being computed, within each other */
    bool               failed;    /* since it was last cleared */
} world;

void world_init(world *w, const lang *l, const model *md, diags *ds, mem *m);

/* NULL: its sizes are not known yet. */
static inline const form *form_of(const world *w, int of)
{
    return (const form *)w->md->parts.at[of].shape;
}

static inline const member *member_of(const world *w, int of, const symbol *s)
{
    return &w->md->parts.at[of].shape->member[s->member];
}

/* index in the model of element `offset` of a parameter, coordinate, input, output ... */
static inline int index_of(const world *w, member_kind kind, const spot *at)
{
    int first = member_of(w, at->part, at->s)->offset;
    return w->md->parts.at[at->part].base[kind] + first + at->offset;
}

/* The row of an event, or -1: those of a part stand together. */
static inline int event_row_of(const world *w, const spot *at)
{
    const model *md = w->md;
    for (int k = md->parts.at[at->part].base[MEMBER_EVENT]; k < md->event.n; k++) {
        const event *e = &md->event.at[k];
        if (e->part != at->part) break;
        if (e->member == at->s->member && e->offset == at->offset) return e->row;
    }
    return -1;
}

/* locate.c: from a path to one element, or to a whole array of `count`. */
bool locate(world *w, const env *v, const ast *path, spot *out);
bool locate_whole(world *w, const env *v, const ast *path, spot *out, int *count);
/* Which component of its argument the indices of a formal argument's path take: the first of them. */
int  argument_component(world *w, const env *v, const ast *path);
spot spot_component(const spot *first, ast_shape shape, int k);
extern const extent vector_extent; /* 1..3 */

env env_of_part(int of);
env env_of_spot(const spot *at);              /* for the value of what stands there */
env env_of_binding(const world *w, int of);   /* for the arguments of a part        */

const definition *binding_of(const world *w, int of, const symbol *s); /* NULL: not bound */
void indices_of_offset(const extent *x, int dims, int offset, int *index);
void add_loop_values(text *out, const env *v, const ast *a); /* "k = 5, j = 2" of indices in a */

/* number.c. `whole` and `range` are false if there is no such number, and have said so. */
double number(world *w, const env *v, const ast *a);
bool   condition(world *w, const env *v, const ast *a);
bool   is_known(world *w, const env *v, const ast *a); /* without asking for a new parameter */
bool   whole(world *w, const env *v, const ast *a, int *out);
enum { RANGE_LONGEST = 1 << 28 };
bool   range(world *w, const env *v, const ast_index *x, int *low, int *high);
void   refuse_values(world *w, span at); /* sums and loops run through too many */
double parameter_at(world *w, const spot *at, span user);
double given_value(world *w, const spot *at); /* the same, not kept; also of an input */
double value_of_element(world *w, const env *v, const ast *value, const extent *x, const spot *at,
                        int open);

/* nests.c: may a sum, or a loop over the statements of some kinds, run through its values?
 * Otherwise it was said. */
bool sum_fits(world *w, const env *v, const ast *a);
bool loop_fits(world *w, const env *v, const stmt *st, unsigned kinds);

/* The element [index] of the list that is given for a whole array, or the vector of which it is a
 * component; NULL if the shapes differ. */
const ast *element_of(world *w, const ast *value, const extent *x, int dims, const int *index,
                      name word, int *component);

/* The same for an array that is given by the name of another: where its element is. */
bool same_place(world *w, const env *v, const ast *path, const extent *x, const spot *at,
                spot *out);

/* More messages help nobody. */
static inline bool world_is_full(const world *w) { return w->ds->errors >= DIAG_MOST; }

#define world_error(w, at, hint, ...)                                                           \
    ((w)->failed = true, diag_error((w)->ds, DAL_INVALID, (at), (hint), __VA_ARGS__))

#endif
