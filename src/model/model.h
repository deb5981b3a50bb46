/* model.h - the flattened system: elements and their instances, and the tree of parts that names
 * them.
 *
 * A term of the text (a lagrangian, a force, a relation, an output) that occurs many times, in a
 * `for`, a `sum` or the parts of an array, is one *element*: its expression is kept once, in
 * variables; each instance says which coordinate, parameter, ... every variable reads there. So
 * setup and code do not grow with the number of parts. A model is immutable once made; numbers that
 * may be set (parameters, starts) are data, computed by model_values. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "base/diag.h"
#include "base/names.h"
#include "expr/expr.h"
#include "model/turning.h"

/* Elements. ------------------------------------------------------------------------------------ */

typedef enum {
    SLOT_TIME,       /* t                                                     (index 0)          */
    SLOT_DATA,       /* a number of the instance: model.data[index], e.g. from a loop index      */
    SLOT_PARAMETER,  /* parameter                                                                */
    SLOT_INPUT,      /* input                                                                    */
    SLOT_Q,          /* coordinate                                                               */
    SLOT_V,          /* velocity of a coordinate                                                 */
    SLOT_P,          /* its momentum: of Hamiltonian coordinates anywhere, of others in outputs  */
    SLOT_MULTIPLIER, /* reaction of a relation (outputs)                                         */
    SLOT_ENERGY,     /* energy of a part and all below it (outputs); index is the part           */
    SLOT_AXIS_1,     /* entry of a rotation, in its first column: 9 of each, row by row          */
    SLOT_AXIS_2,     /* ... in its second                                                        */
    SLOT_AXIS_3,     /* ... in its third                                                         */
    SLOT_KINDS
} slot_kind;

static inline bool slot_is_axis(slot_kind k)
{
    return k >= SLOT_AXIS_1 && k <= SLOT_AXIS_3;
}

/* index of instance k: at ? at[k] : base + k*stride */
typedef struct {
    slot_kind  kind;
    int        base, stride;
    const int *at;
} slot;

static inline int slot_index(const slot *s, int k)
{
    return s->at ? s->at[k] : s->base + k * s->stride;
}

typedef enum {
    EL_LAGRANGIAN,  /* root[0] is added to L                                                     */
    EL_HAMILTONIAN, /* root[0] is added to H                                                     */
    EL_FORCE,       /* root[j] acts on coordinate target[j]                                      */
    EL_RELATION,    /* root[0] = 0 is row target[0]; linear in velocities, or holonomic, or a tie */
    EL_OUTPUT,      /* root[0] is added to column target[0]: outputs, momenta of symmetries      */
    EL_DRAW,        /* root[j] is number target[j] of the picture                                */
    EL_EVENT_ROW    /* root[0] is row target[0] of those that hold at times: model.event_row     */
} element_kind;

typedef struct {
    element_kind kind;
    bool         damping; /* EL_FORCE: it is tested with upwinded functions, theory.md [DAMPING] */
    span         at;        /* the statement it comes from                                       */
    int          instances;
    graph        g;
    int          slots;     /* variable k of g is slot[k]                                        */
    slot        *slot;
    int          roots;
    expr        *root;
    slot        *target;    /* roots of them; kind is of no meaning here                         */
    slot         owner;     /* the part in which the term was written                            */
} element;

typedef struct { /* a let of one part: what it is, and its rate along the motion */
    const char *name; /* "upper.x1" */
    graph       g;
    int         slots; /* variable k of g is slot[k] */
    slot       *slot;
    expr        value, rate; /* rate EXPR_NONE: it has accelerations, or nothing that moves */
} named_let;
typedef struct {
    int           n;
    const named_let  *at;
    const double *data; /* that their slots read */
} let_list;

/* Relations, one per row. ---------------------------------------------------------------------- */

typedef enum {
    REL_VELOCITY,  /* A(t,q) v + b(t,q) = 0: constraint, connect with primes                     */
    REL_HOLONOMIC, /* g(t,q) = 0                                                                 */
    REL_TIE        /* sum a_i q_i = c with constants: connect without primes; kept as holonomic
                      unless eliminated                                                          */
} relation_kind;

typedef struct {
    relation_kind kind;
    bool          connection; /* written with connect: booked as a connection in the ledger      */
    span          at;
    int           part;       /* in which it was written                                         */
    int           member;     /* of that part's layout, if it has a name; else -1                */
    int           offset;     /* within the member, or the count within the statement            */
    int           row;        /* of events, and one more, which holds at times; 0: it always does */
} relation;

/* Events: what changes a motion at one instant. ------------------------------------------------ */

typedef enum {
    EVENT_CONTACT,   /* g(t,q) >= 0: a holonomic row that holds at times                          */
    EVENT_ONE_SIDED, /* A v + b >= 0: a row of velocities that holds at times                    */
    EVENT_FRICTION,  /* A v + b = 0 holds while its reaction stays within a limit                 */
    EVENT_WHEN,      /* resets, when a condition becomes true                                     */
    EVENT_STOP,      /* the run ends when it does                                                 */
    EVENT_SWITCH /* a branch of an expression is left: branches.h                               */
} event_kind;

typedef enum { RESET_Q, RESET_V, RESET_P, RESET_PARAMETER } reset_kind;

typedef struct { /* what it becomes is a number that events ask for */
    reset_kind kind;
    int        index;
    int        asked;
    span       at;
} event_reset;

/* Numbers that events ask for, `asked` the first of them: of a contact restitution and coefficient
 * of friction, of friction F_s and F_k, of a condition a function that is >= 0 where it is true,
 * and whether it is; of a switch a function whose sign, or integer part, says on which branch it
 * is. */
typedef struct {
    event_kind kind;
    span       at;
    int        part, member, offset; /* as of a relation */
    int        row;                  /* -1: none         */
    int        asked;
    int        rubs;          /* a contact with friction: along so many rows after its own */
    int        reset, resets; /* the first in model.reset, and how many                 */
    int        flag;          /* of a switch: its parameter; else -1                    */
    bool       counts;        /* of a switch: the flag is an integer, not a sign        */
    bool       blends;        /* ... or a factor, that may lie between both signs       */
} event;

/* The tree of parts, by which indices get their names. ----------------------------------------- */

typedef enum {
    MEMBER_PARAMETER,
    MEMBER_COORDINATE,
    MEMBER_INPUT,
    MEMBER_OUTPUT,
    MEMBER_SYMMETRY,
    MEMBER_RELATION,
    MEMBER_EVENT,
    MEMBER_PART,
    MEMBER_KINDS
} member_kind;

typedef struct { /* low..high of one dimension */
    int low, high;
    int periodic; /* 1: behind high comes low again */
} extent;

typedef struct {
    member_kind kind;
    name        word;
    const char *label;   /* unit or label, or NULL */
    span        at;
    int         dims;
    extent     *extent;
    int         offset;  /* of its first element among the part's elements of its kind */
    int         count;
    bool        discrete; /* of parameters: events change it */
} member;

typedef struct { /* what all instances of a system with the same sizes share */
    name    system;
    span    at;
    int     members;
    member *member;
    int     count[MEMBER_KINDS];
} layout;

typedef struct {
    const layout *shape;
    int           parent;             /* -1 for the whole                                       */
    int           member, offset;     /* which member of the parent's layout, which element      */
    int           base[MEMBER_KINDS]; /* first global index of its own elements of each kind;
                                         MEMBER_PART: into model.child                           */
    int           energy_first;       /* parts below it are this one up to energy_last - 1       */
    int           energy_last;
} part;

/* What a run needs to know beyond the physics: the simulate block, evaluated. ------------------ */

typedef struct {
    bool        given; /* in the simulate block or as an override */
    span        at;
    double      number;
    const char *words; /* scheme, force, ... as canonical text: "polynomial(2) with lobatto(3)" */
} setting;

typedef enum {
    SET_PRINCIPLE,
    SET_SCHEME,
    SET_FORCE,
    SET_RETRACTION,
    SET_MOMENTUM,
    SET_SUMMATION,
    SET_POWER,
    SET_PACING,
    SET_SWITCHES,
    SET_PACE,
    SET_STEP,
    SET_UNTIL,
    SET_STEPS,
    SET_FROM,
    SET_RECORD,
    SET_H_MIN,
    SET_H_MAX,
    SETTINGS
} setting_key;
extern const char *const setting_name[SETTINGS];

/* Columns that were asked for, in order. */
typedef enum {
    COL_TIME,
    COL_Q,
    COL_P,
    COL_OUTPUT,
    COL_ENERGY,
    COL_SYMMETRY,
    COL_MULTIPLIER,
    COL_H,
    COL_DISCRETE_ENERGY,
    COL_INPUT
} column_kind;
typedef struct {
    column_kind kind;
    int         index;
} column;

/* Numbers of a run. ---------------------------------------------------------------------------- */

enum { GIVEN_Q = 1, GIVEN_V = 2, GIVEN_P = 4, FREE_Q = 8, FREE_V = 16, FREE_P = 32 };
enum { TIED_Q = 64, TIED_V = 128 }; /* without a start, and tied to what is free */

typedef struct {
    double        *parameter; /* all parameters                                     */
    double        *input;     /* inputs' default values                             */
    double        *q, *v, *p; /* starts; 0 where none is given                      */
    unsigned char *given;     /* per coordinate, of the bits above                  */
    span          *start_at;  /* per coordinate: where its start was written, and   */
    span          *rate_at;   /* that of its rate; NULL once the starts are known   */
    setting        set[SETTINGS];
    span           simulate;  /* the block, or where there is none the system that runs */
    bool           columns_given;
    int            columns;
    column        *column;
} values;

typedef struct { /* still text: "NAME=VALUE" of sources "--set" and "--start", "0.01" of "--step" */
    const source *setting[SETTINGS]; /* NULL where nothing was said */
    const source *set;
    int           sets;
    const source *start;
    int           starts;
    const source *columns; /* NULL if none */
} overrides;

/* Overrides of which some are numbers that change from one evaluation to the next, but whose names
 * are read once. */
typedef struct {
    const overrides *over; /* the others                                            */
    int              count;
    const source    *name;   /* "k", "first.x'"                                       */
    const bool      *start;  /* per name: of a coordinate; else a parameter, an input */
    const double    *number; /* this time                                             */
    mem             *m;      /* where what was read is kept,                          */
    void            *read;   /* NULL: nothing yet                                     */
} varying;

/* The model. ----------------------------------------------------------------------------------- */

typedef struct model model;
/* What only the language that a model was written in can do. */
typedef struct {
    /* computes values from the text and the overrides */
    dal_status (*evaluate)(const model *md, const overrides *over, diags *ds, mem *m, values *out);

    /* the same, but for columns, which are those of before: again and again, with other numbers */
    dal_status (*vary)(const model *md, varying *of, diags *ds, mem *m, values *out);

    /* a further expression, of t, parameters and coordinates, in the system that runs: the only
     * root of an element without a target, of kind EL_OUTPUT, in m. Its data go to `into`, a copy
     * of md that may be written to */
    dal_status (*express)(const model *md, const overrides *over, const source *words, diags *ds,
                          model *into, mem *m, element *out);

    /* the lets of its parts, in m; those that cannot be made are left out. NULL: it has none */
    void (*lets)(const model *md, const overrides *over, mem *m, let_list *out);
} model_functions;

struct model {
    mem            m;
    names          ns;
    const char    *file;     /* as shown to the user */
    const char    *text;     /* what was read of it  */
    vec(const source *) source; /* texts it was made of, its own first; messages own them */
    name           system;   /* the one that runs    */
    int            coordinates, parameters, inputs, outputs, symmetries, relations;
    vec(dal_drawing) drawing; /* figures, and */
    int            drawn;     /* how many numbers they have */
    bool           space;     /* they are in space, not in a plane */
    const int     *stands_for;  /* reduced (reduce.h): the one of the whole that each is; or NULL */
    int            numbers;     /* and how many of the last parameters are numbers of ties        */
    unsigned char *hamiltonian; /* per coordinate: its momentum, not velocity, is the variable    */
    unsigned char *state;       /* per coordinate: z' = g is its equation; NULL: of none          */
    unsigned char *finite;      /* per symmetry: a map q -> q + xi, no generator; NULL: of none   */
    const turning *turns;       /* those that are no numbers; NULL: none                          */
    const model   *written;     /* in velocities (velocities.h): what it was; or NULL             */
    vec(double)    data;
    vec(element)   elements;
    vec(relation)  relation;
    vec(relation) event_row; /* those that hold at times                                       */
    vec(event) event;
    vec(event_reset) reset;
    int asked;               /* numbers that events ask for: columns behind the symmetries     */
    int of_events;           /* the last parameters: of each event row its reaction, and the
                                sign of slip along it                                          */
    vec(part)      parts;    /* 0 is the whole; in order of every kind's bases */
    vec(int)       child;    /* of part p: child.at[p.base[MEMBER_PART] + offset] */
    unsigned char *structural; /* per parameter: sizes depend on it */
    unsigned char *bound;      /* per input: an outer system gives it its value */

    void                  *language; /* the part of the elaborator that outlives it */
    const model_functions *by;
};

/* Is it the equation of a state? That is no force: it has neither power nor momentum. */
static inline bool element_is_of_state(const model *md, const element *el)
{
    return el->kind == EL_FORCE && md->state && md->state[slot_index(&el->target[0], 0)];
}

static inline bool symmetry_is_finite(const model *md, int s)
{
    return md->finite && md->finite[s];
}

/* EL_OUTPUT columns: 0 .. outputs-1 are outputs, outputs .. outputs+symmetries-1 momenta of
 * symmetries, the others what events ask for. */
static inline int model_columns(const model *md)
{
    return md->outputs + md->symmetries + md->asked;
}

/* Parameters that were written; then come the reaction of each event row and its sign of slip. */
static inline int model_written(const model *md)
{
    return md->parameters - md->numbers - md->of_events;
}

static inline int reaction_parameter(const model *md, int row)
{
    return model_written(md) + 2 * row;
}

/* The event that an event row belongs to; NULL: there is none. */
const event *event_of_row(const model *md, int row);
/* What an event row holds with: "reaction(floor)", of what a contact rubs along "stick(floor)". */
void model_reaction_name(const model *md, int row, text *out);

static inline int slip_parameter(const model *md, int row)
{
    return model_written(md) + 2 * row + 1;
}

/* Names on demand: "first.x2", "cell[3].i", "u[2][3]". A relation without a name: "constraint
 * (chain.dal:17)". */
void model_name(const model *md, member_kind kind, int index, text *out);
void model_turning_name(const model *md, int rotation, text *out);
void          model_body_momentum_name(const model *md, int row, text *out); /* (inv(R)*p(R))[1] */
void model_part_name(const model *md, int part, text *out);      /* "" for the whole         */
const member *model_member(const model *md, member_kind kind, int index); /* NULL: has no name */
const char *model_label(const model *md, member_kind kind, int index); /* or NULL             */
void model_free(model *md);

/* A copy to which elements and data may be added, freed with m; all else stays that of the first. */
void model_copy(mem *m, const model *of, model *to);

/* "it has u, w", of the first `count` of a kind; NULL: there are none. For hints. */
const char *model_list(mem *m, const model *md, member_kind kind, int count);

/* The index of one element by its name, "last.k2"; false if there is no such thing of this kind. */
bool model_find(const model *md, const char *path, member_kind kind, int *index);

#endif
