/* shape.h - inside the compiler: what an element adds to which array, and the programs for it.
 *
 * derive.c turns an element into yields: expressions, each with the array ("sink") and the place in
 * it that it is added to. gather.c makes the patterns and turns places into numbers. merge.c joins
 * the elements that have few instances into one graph, with one program per request; the others
 * keep programs of their own (batch.c), which run in blocks of instances. */
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include "kernel/kernel.h"
#include "model/compile.h"

/* Where a variable gets its number from, in the order in which products are to be read. w is v or p
 * as the coordinate is Lagrangian or Hamiltonian. */
typedef enum {
    FROM_DATA, FROM_PARAMETER, FROM_LAM, FROM_INPUT, FROM_TIME, FROM_Q, FROM_W, FROM_V,
    FROM_P, FROM_ENERGY, /* outputs only */
    ALONG_TIME, ALONG_PARAMETER, ALONG_INPUT, ALONG_W, ALONG_V, /* changes: directional.h */
    RATE_OF_INPUT, /* how inputs change with time */
    FEEDS
} feed_kind;

typedef struct {
    feed_kind from;
    slot      at; /* which one, per instance */
} feed;

enum { WANTS = 1024, OBSERVED = 1024 }; /* WANTS: all combinations of the WANT_ bits */
enum { ALL_WANTED = WANTS - 1 - WANT_MOMENTA };

typedef enum {
#define SINK(name, want, unless, member, space) SINK_##name,
#include "model/sinks.def"
#undef SINK
    SINKS
} sink;

/* How long results are, in the order of the names: one number (in place, or behind a pointer),
 * n, entries of K, m + r, entries of A, r, columns, parts, numbers of the picture. */
typedef enum {
    ONE, SINGLE, COORDINATES, ENTRIES_K, ROWS, ENTRIES_A, HOLONOMIC, COLUMNS, PARTS, DRAWN,
    SPACES
} space;

typedef struct { /* where results go: the methods' arrays, and those of records */
    sys_values s;
    double    *column, *energy, *power, *drawn;
    sys_change along;
} results;

/* A row of sinks.def: which request computes it, how long it is, where its array stands. */
typedef struct {
    unsigned want, unless;
    space    over;
    size_t   offset; /* in results */
    bool     scalar; /* the number itself stands there, not a pointer */
} sink_row;
extern const sink_row sink_table[SINKS];

static inline bool sink_is_wanted(sink s, unsigned want)
{
    return sink_table[s].want & want && !(sink_table[s].unless & want);
}

/* The array of a sink; NULL: the caller does not want it. */
static inline double *sink_array(char *out, sink s)
{
    char *at = out + sink_table[s].offset;
    return sink_table[s].scalar ? (double *)(void *)at : *(double **)(void *)at;
}

typedef struct { /* `root` of each instance is added to entry `to` of the sink */
    sink        into;
    expr        root;
    const slot *row, *column; /* what the entry is: (row), (row, column), or neither       */
    slot        to;
} yield;

typedef struct {
    const element *of;
    int            instances;
    graph          g; /* variable k is feed.at[k] */
    vec(feed)      feed;
    uint16_t      *holds; /* per node: the sources it depends on, 1 << feed_kind each */
    vec(yield)     yield;
    bool merged; /* into a program with others */
} derived;

/* What does not change while a simulation runs. */
static inline bool yield_is_fixed(const derived *d, const yield *y)
{
    return !(d->holds[y->root] & ~(1u << FROM_DATA | 1u << FROM_PARAMETER));
}

/* Programs for many instances. --------------------------------------------------------------- */

enum { BUNDLES_MOST = 32 };

typedef struct { /* instances from `first` on, `end` excluded */
    int first, end;
} instance_range;

typedef struct { /* one program and what to do with its roots */
    unsigned      want;
    const kernel *k;
    int           yields;
    const yield **yield;
    int           still, loads; /* the first `still` variables are the same for all instances */
    int          *load;
    const int    *run_end;          /* runs of instances, see batch_runs.c; NULL: too short     */
    int           runs;
    uint8_t      *load_runs, *yield_runs; /* which of them go along runs                        */
} batch;

/* batch_runs.c */
void batch_find_runs(mem *m, const derived *d, batch *b);

typedef struct {
    const derived *d;
    int            batches;
    batch          batch[BUNDLES_MOST];
    uint32_t       plan[WANTS]; /* for each request, the bits of the batches that serve it */
    batch          fixed;       /* computed when parameters change; k is NULL if there is none */
} shape;

/* All rows in tiles that fit the cache: instances of every shape that add to rows of a tile run
 * before it is complete, and those that add to later ones only, later. */
typedef struct {
    int  count;
    int *end;      /* of each tile, its rows                                              */
    int *reach;    /* rows that were read or added to by then; those beyond were not      */
    int *least;    /* the lowest row that this tile or a later one reads or adds to       */
    int *instance; /* tile by tile, of each shape: those that have run by then            */
    bool local;    /* a tile is joined to its neighbours only                             */
    int  owns;     /* rows that merged programs read or add to, ascending                 */
    int *own;
} tiling;

/* The programs for all that has few instances. ----------------------------------------------- */

/* Variable `variable` of a program reads entry `index` of a source. */
typedef struct {
    int       variable;
    feed_kind from;
    int       index;
} load;

/* Register `reg` is stored in entry `index` of the sink. */
typedef struct {
    int index, reg;
} store;

typedef struct { /* stores first .. first + count - 1 go to one sink */
    sink   into;
    size_t offset; /* of its row in sink_table, copied */
    bool   scalar;
    bool   add;    /* others add to it too: it is filled beforehand    */
    bool   placed; /* its entries, zeros included, are among the places */
    int    clear;  /* else: entries to be zeroed first                 */
    int    first, count;
} segment;

typedef struct { /* a register that is stored as it is: no other program has a share in the entry */
    size_t offset; /* of its sink */
    int    index, reg;
} entry_place;

typedef struct {
    unsigned      want;
    const kernel *k;     /* NULL: all its values are zero                     */
    int           still; /* the first loads are parameters, read by a refresh */
    int           loads, segments, places;
    bool          apart; /* some segment is not placed */
    load         *load;
    segment      *segment;
    store        *store;
    entry_place  *place;
} bundle;

/* A yield of one instance; after add_up, the sum of all that meet in its entry. */
typedef struct {
    sink into;
    int  index, order; /* order: in which it was met */
    expr root;
} merged_root;

typedef struct {
    graph            g;
    vec(load)        variable; /* of the graph: variable k is variable.at[k] */
    vec(merged_root) root;     /* by sink, then index: those of sink s are   */
    int              first[SINKS + 1]; /* first[s] .. first[s + 1] - 1       */
    int              bundles;
    bundle           bundle[BUNDLES_MOST];
    uint32_t         plan[WANTS];
} merged;

struct compiled {
    mem          *m;
    const model  *md;
    dal_system    sys;         /* what does not depend on a bound                         */
    int          *row_of;      /* of a relation of the model: its row                     */
    int          *relation_of; /* and back                                                */
    int           size[SPACES];
    int           elements;
    derived      *element;
    merged        merged;
    int           shapes;
    shape        *shape;
    tiling        tile;
    uint8_t       shared[SINKS]; /* some shape adds to it: filled before the programs run */
    uint8_t       based[SINKS];  /* with what does not change, else with zeros            */
    int           outputs, energies, powers; /* what is only recorded     */
    shape        *output, *energy, *power;
    bundle        columns;          /* outputs with few instances, */
    bool          outputs_in_lanes; /* and there are others         */
    bool          needs_energies;
};

/* derive.c: the element in a graph of its own, with all that it yields. */
void  derive_lambda(mem *m, const model *md, const element *el, derived *out);
expr *derive_open_force(mem *m, const model *md, const element *el,
                        derived *out); /* its roots; then derive_force */
void  derive_force(mem *m, const model *md, derived *d, const expr *root, const slot *target,
                   int roots);
void  derive_relation(mem *m, const compiled *c, const element *el, derived *out);
void  derive_output(mem *m, const compiled *c, const element *el, derived *out);
void  derive_draw(mem *m, const model *md, const element *el, derived *out);

/* The programs of the picture, which a simulation has once it draws. */
shape *compile_drawings(mem *m, const compiled *c, int *count);
void  derive_energy(mem *m, const model *md, const element *el, derived *out);
void  derive_power(mem *m, const model *md, const element *el, derived *out);
expr *derive_open(mem *m, const model *md, const element *el, derived *out); /* its roots, in q, v and p */
bool  relation_has_offset(mem *m, const derived *d, expr e); /* beta or g_t not identically 0 */

/* The variables that any of the roots holds, in one pass: used[v] is set for them. */
void derived_reads(mem *m, const graph *g, const expr *root, int n, uint8_t *used);

/* The same graph; what is taken for a while comes from m. So a compiled model stays untouched, and
 * simulations on several threads may look at it. */
static inline graph graph_seen_from(const graph *g, mem *m)
{
    graph view = *g;
    view.m = m;
    return view;
}

/* join.c: the element that takes the place of those from `first` on, and of how many. */
int join_terms(mem *m, const model *md, int first, const element **out);

/* lower.c: forces, in which velocities of Hamiltonian coordinates become dH/dp. `all` holds the
 * derived Hamiltonians, and gets the forces. */
typedef vec(derived) derived_list;
void lower_forces(mem *m, const model *md, derived_list *all);

/* gather.c */
slot slot_from_list(mem *m, int *list, int n); /* affine if it can be; takes the list */
void gather_layout(compiled *c);
void note_jumps(compiled *c); /* jumps.c */

/* bundle.c, merge.c, batch.c */
int  bundle_choose(unsigned relevant, unsigned wants[BUNDLES_MOST]);
void bundle_plan(const unsigned *wants, int n, uint32_t plan[WANTS]);
void merge_choose(compiled *c, merging how); /* sets derived.merged     */
void merge(compiled *c);                     /* after shared[] is known */
void merge_observed(compiled *c, merged *g);
void merge_outputs(compiled *c, derived *const *output, int n);
/* tiles.c: may an element of few instances run with the tiles of their rows? After merge. */
bool tiles_hold(const compiled *c, const derived *d);
void tiles_find(compiled *c);
void shape_init(mem *m, shape *s, const derived *d);
void shape_init_observer(mem *m, shape *s, const derived *d);

#endif
