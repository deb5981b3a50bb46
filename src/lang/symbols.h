/* symbols.h - what the names of the files mean: systems, their symbols, and the values behind them.
 *
 * declare.c makes the symbols, resolve.c and rules.c tie every name of every expression to one,
 * once per declaration and not per instance; from then on nothing looks at names again. */
#ifndef LANG_SYMBOLS_H
#define LANG_SYMBOLS_H

#include "base/vec.h"
#include "expr/expr.h"
#include "lang/ast.h"
#include "lang/map.h"
#include "model/model.h"

/* What an expression holds. -------------------------------------------------------------------- */

typedef unsigned content;
enum {
    HAS_INDEX = 1,
    HAS_PARAMETER = 2,
    HAS_TIME = 4,
    HAS_INPUT = 8,
    HAS_Q = 16,          /* coordinates of Lagrangian systems               */
    HAS_QH = 32,         /* ... of Hamiltonian ones                         */
    HAS_V = 64,          /* velocities, in the same way                     */
    HAS_VH = 128,
    HAS_P = 256,         /* momenta                                         */
    HAS_PH = 512,
    HAS_RESULT = 1024,   /* energy(...), multipliers                        */
    HAS_FORMAL = 2048,   /* an argument of the function it stands in        */
    HAS_FORMAL_RATE = 4096,
    HAS_STATE = 8192,    /* states                                          */
    HAS_STATE_RATE = 16384,
    HAS_CONSTANTS = HAS_INDEX | HAS_PARAMETER,
    HAS_ANY_Q = HAS_Q | HAS_QH,
    HAS_ANY_V = HAS_V | HAS_VH,
    HAS_POSITIONS = HAS_CONSTANTS | HAS_TIME | HAS_ANY_Q /* what has a total time derivative */
};

/* Places where an expression may stand; places.c says what each allows. */
typedef enum {
    PLACE_STRUCTURAL,
    PLACE_PARAMETER,
    PLACE_START,
    PLACE_SETTING,
    PLACE_FILE_LET,
    PLACE_LAGRANGIAN,
    PLACE_HAMILTONIAN,
    PLACE_FORCE,
    PLACE_TARGET,
    PLACE_CONSTRAINT,
    PLACE_HOLONOMIC,
    PLACE_CONNECT,
    PLACE_TIE,
    PLACE_SYMMETRY,
    PLACE_PRIME,
    PLACE_LET,
    PLACE_OUTPUT,
    PLACE_POTENTIAL,
    PLACE_PACE,
    PLACE_DRAW,
    PLACE_STATE,
    PLACE_TERMINAL,
    PLACE_CONTACT,
    PLACE_FRICTION,
    PLACE_EVENT
} place;

typedef struct {
    const char *words;
    content     allows;
    const char *hint;
} place_row;
extern const place_row place_table[];

/* "a velocity" for the first bit of c. */
const char *content_word(content c);

/* Symbols. ------------------------------------------------------------------------------------- */

typedef enum {
    SYM_PARAMETER,
    SYM_COORDINATE,
    SYM_INPUT,
    SYM_LET,
    SYM_OUTPUT,
    SYM_PART,
    SYM_RELATION,
    SYM_EVENT,
    SYM_SYMMETRY,
    SYM_FUNCTION,
    SYM_INDEX,
    SYM_FORMAL,
    SYM_TIME,
    SYM_PI
} symbol_kind;
extern const char *const symbol_word[];   /* "parameter"   */
extern const char *const symbol_phrase[]; /* "a parameter" */

typedef struct symbol symbol;
typedef struct sys    sys;
typedef struct unit   unit;

/* An expression that others use by name: of a parameter, a let, an output, a part's argument. */
typedef struct {
    ast    *value;  /* NULL: an input without one                             */
    symbol *scope;  /* whose indices or formal arguments the value sees       */
    name    word;   /* what it is called, for cycles                          */
    place   at;
    content holds;
    int     levels; /* of nested expressions below it                         */
    bool    wrong;  /* there were errors in it                                */
    enum { UNSEEN, ACTIVE, SEEN } state;
    bool    sums;   /* it is a sum(...) or adds some: it splits into terms    */
} definition;

struct symbol {
    symbol_kind  kind;
    name         word;
    span         at;
    sys         *home;    /* NULL: it is no name of a system                          */
    unit        *in;
    const stmt  *of;      /* where it is declared; NULL for indices, formal arguments */
    int          number;  /* among those of its home; of an index: place in the frame */
    int          dims;    /* those of its values among them, the last: 1 of vectors   */
    ast_shape    shape;   /* of a value, where it may be another one than a number:
                             lets, outputs, relations, arguments of functions         */
    int          member;  /* of the layouts of its home; -1: none                     */
    definition   def;
    bool         used, structural;
    sys         *type;    /* SYM_PART; NULL if there is no such system                */
    definition **bound;   /* SYM_PART: by number of the type's symbol; NULL: not      */
    symbol     **formal;  /* SYM_FUNCTION                                             */
    symbol      *variant; /* SYM_FUNCTION: itself, for arguments of other shapes      */
};

/* A coordinate whose equation is of first order. */
static inline bool symbol_is_state(const symbol *s)
{
    return s->kind == SYM_COORDINATE && s->of && s->of->kind == STMT_STATE;
}

/* A number that events change. */
static inline bool symbol_is_discrete(const symbol *s)
{
    return s->kind == SYM_PARAMETER && s->of && s->of->kind == STMT_DISCRETE;
}

static inline coordinate_kind symbol_turns(const symbol *s)
{
    return s->kind == SYM_COORDINATE && s->of ? s->of->turns : KIND_NUMBER;
}

/* A part of another system, which an argument names. */
static inline bool symbol_is_terminal(const symbol *s)
{
    return s->kind == SYM_PART && s->of->kind == STMT_TERMINAL;
}

enum { SPACE_VALUES, SPACE_FUNCTIONS }; /* functions are another namespace */

struct sys {
    name              word;
    span              at;
    const ast_system *of;
    unit             *in;
    map               table;     /* (name, namespace) -> number in symbol */
    vec(symbol *)     symbol;
    vec(symbol *)     member;    /* those that stand in layouts, in order */
    bool              hamiltonian;
    bool              both;      /* a Lagrangian too, which is refused     */
    bool              scalar;    /* no array: all instances have one layout */
    unsigned          has;       /* 1 << stmt_kind of its statements, also inside `for` */
    int               depth;     /* of parts below it */
    double            least;     /* number of parts, itself among them: at least so many */
    enum { DEPTH_NEW, DEPTH_ACTIVE, DEPTH_KNOWN } depth_state;
};

struct unit { /* a file */
    const char   *path;
    const source *text;
    ast_file     *tree;
    vec(unit *)   import;
    map           table; /* of its own lets */
    vec(symbol *) symbol;
};

typedef struct {
    mem                *m;
    names              *ns;
    vec(unit *)         units;    /* 0 is the file that runs */
    vec(sys *)          systems;
    map                 by_name;  /* systems */
    sys                *root;
    const ast_simulate *simulate; /* NULL if there is none */
    symbol              time, pi;
    int                 errors;   /* that had been reported before */
    double              values;   /* that sums and loops may run through */
    int                 local;    /* errors since then, each of a statement marked as failed */
} lang;

static inline bool has_errors(const lang *l, const diags *ds) { return ds->errors > l->errors; }

/* What resolve.c leaves at the nodes. ---------------------------------------------------------- */

typedef enum {
    FN_OP, FN_MANY, FN_IF, FN_MOD, FN_D, FN_P, FN_ENERGY,
    FN_SPIN, FN_BODYSPIN, FN_ROTATION, FN_QUATERNION,
    FN_DOT, FN_CROSS, FN_NORM, FN_DIAG, FN_INV /* of vectors and matrices */
} builtin_kind;

typedef struct {
    const char  *word;
    builtin_kind kind;
    expr_op      op;
    int          least, most; /* number of arguments; most < 0: any */
    bool         yields;      /* to a function of the model that has its name */
} builtin;
extern const builtin builtin_table[];
const builtin       *builtin_find(const char *word); /* NULL: none */

typedef struct { /* ref of AST_CALL */
    const builtin *b;    /* or */
    const symbol  *f;
    bool           fold; /* it holds numbers and indices only. Of an `if`: its condition holds
                            constants, and may choose while the model is made */
} callee;

typedef struct { /* ref of AST_SUM */
    int  frame; /* place of its first index */
    bool fold;
} sum_note;

typedef struct { /* note of a statement */
    int      frame;  /* how many indices are visible around it */
    unsigned kinds;  /* STMT_FOR: 1 << kind of what it holds   */
    bool     failed; /* elaboration: one message is enough     */
    int      counted_in, count; /* rows without a name, in the part that is being made */
} stmt_note;

/* ref of any other operator that holds numbers and indices only: it is a number of the instance.
 * Otherwise the ref of AST_MUL is the one factor that is a sum, if all others are constants. */
extern const char ref_fold;

enum {
    FRAME = 24,     /* indices visible at one place             */
    LOCALS = 48,    /* ... and arguments of functions           */
    DIMENSIONS = 8, /* of an array                              */
    LEVELS = 6000,  /* of nested expressions, also through lets */
    NESTING = 500   /* parts in parts                           */
};

static inline symbol *const *path_symbols(const ast *path) { return path->ref; }
static inline bool path_has_indices(const ast *path) { return path->step[path->steps - 1].n > 0; }
/* What a path leads to: NULL, where it was not resolved; once all of them are, its symbol. */
static inline symbol *path_last(const ast *path)
{
    return path->ref ? path_symbols(path)[path->steps - 1] : NULL;
}
static inline symbol *path_symbol(const ast *path)
{
    return path_symbols(path)[path->steps - 1];
}

/* declare.c: the symbols of all units. */
void    declare_all(lang *l, diags *ds);
symbol *declare_local(lang *l, symbol_kind kind, name word, span at, int number);
symbol *find_in_system(const sys *s, name word, int space);
symbol *find_in_unit(const unit *u, name word, int space); /* its lets, and those of its imports */
const char *symbol_where(mem *m, const symbol *s, span from); /* "parameter, line 2" */

/* rules.c: every name of every statement gets its meaning; what may not stand there is reported. */
void resolve_all(lang *l, diags *ds);

/* Resolving. ----------------------------------------------------------------------------------- */

typedef struct {
    lang             *l;
    diags            *ds;
    vec(definition *) active;  /* being resolved, outermost first                    */
    vec(symbol *)     variants; /* of functions, made while late                     */
    int               level;
    int               lost;    /* paths through parts of unknown systems             */
    int               elsewhere; /* errors in definitions, which others may use      */
    bool              late;    /* the symbols may be shared by now: no marks on them */
} resolver;

typedef struct { /* where an expression stands */
    unit   *in;
    sys    *home;           /* NULL: at the level of the file */
    place   at;
    symbol *local[LOCALS];  /* indices and formal arguments now visible */
    int     locals;
    int     frame;          /* indices among them */
    bool    whole;          /* the name of an array may stand for all its elements */
} scope;

/* resolve.c */
scope   scope_of(unit *in, sys *home, place at);
void    scope_slot(resolver *r, scope *sc, const ast_slot *declared); /* its indices, if named */
void    scope_indices(resolver *r, scope *sc, const ast_index *index, int n);
content resolve_quantity(resolver *r, scope *sc, ast *a); /* of any shape, which it sets */
content resolve_number(resolver *r, scope *sc, ast *a);
content resolve_value(resolver *r, scope *sc, ast *a); /* a number, a list or an array */

/* figures.c: are its places those of a figure, in a plane or in space? */
bool figure_in_space(const stmt *st);
void check_figure(resolver *r, const stmt *st);
bool    names_array(const ast *a); /* does a path, resolved, lead to all of a parameter's array? */
void    not_a_number(resolver *r, const symbol *s, span at);
content resolve_structural(resolver *r, const scope *sc, ast *a);
content resolve_definition(resolver *r, definition *d, span user);
content resolve_condition(resolver *r, scope *sc, ast *a);
content resolve_call(resolver *r, scope *sc, ast *a); /* resolve_call.c */
content content_rate(content c);                      /* of the time derivative */
void    place_check(resolver *r, const scope *sc, span at, const char *word,
                    content holds); /* says so if what stands here may not */

/* shapes.c: what operators and functions make of vectors; SHAPE_UNKNOWN after an error. */
static inline int rank_of(ast_shape s) { return s == SHAPE_UNKNOWN ? 0 : (int)s; }
static inline int components_of(ast_shape s) { return s == SHAPE_VECTOR ? 3 : s == SHAPE_MATRIX ? 9 : 1; }
const char *shape_phrase(ast_shape s); /* "a vector" */
void        symbol_takes(symbol *s, ast_shape shape); /* its value is one, and adds dimensions */
ast_shape   shape_of_operator(resolver *r, const ast *a);
ast_shape   shape_of_call(resolver *r, const ast *a, const builtin *b);
bool        check_shape(resolver *r, const ast *a, ast_shape wanted, const char *who);
bool        counts_three(const symbol *s, int dimension); /* known before sizes are */
bool        same_shapes(ast_shape a, ast_shape b);        /* as far as they are known */

/* functions.c: the function as it is called here, by the shapes of the arguments. */
symbol *function_variant(resolver *r, symbol *f, const ast *call);

/* Is a, as a term, to be split into the terms of a sum? */
bool splits(const ast *a, bool through_lets);

/* terminals.c: what is given to the terminals of a part, which must be parts that have what the
 * terminals' systems have. */
void resolve_terminals(resolver *r, const symbol *holder);
void refuse_open_terminals(resolver *r, const sys *root);

/* lookup.c */
const char *list_members(mem *m, const sys *s, symbol_kind kind); /* "Mass has coordinate x" */
symbol *find_value(const resolver *r, const scope *sc, name word);
symbol *find_function(const scope *sc, name word);
void    unknown_function(resolver *r, const scope *sc, const ast *call);

/* The last symbol of a path, NULL after an error. `whole`: an array may stand without indices. */
symbol *resolve_path(resolver *r, scope *sc, ast *path, bool whole);

/* Components of a rotation or direction, written as indices, become operators; false: none are. */
bool path_takes_components(resolver *r, const scope *sc, ast *a);
bool path_takes_quaternion(resolver *r, const scope *sc, ast *a);

/* resolve_call.c: R' is no velocity. */
void refuse_rate_of_rotation(resolver *r, const symbol *s, span at);

void resolve_column(resolver *r, ast *a); /* no ref: t, energy, discrete_energy or h */

/* x, x' or p(x): the coordinate; NULL after an error. `what` says who asks, for the message. */
symbol *resolve_state(resolver *r, scope *sc, ast *a, bool whole, const char *what);

#endif
