/* ast.h - the syntax tree, as the grammar of docs/language.md has it. It lives in the mem of its
 * file.
 *
 * Sums, products, `and` and `or` hold all their operands, so that the depth of a tree is the depth
 * of its brackets, which the parser limits; long sums need no deep recursion. */
#ifndef LANG_AST_H
#define LANG_AST_H

#include "base/diag.h"
#include "base/names.h"

typedef enum {
    AST_NUMBER,  /* number                                                             */
    AST_PATH,    /* steps: a, a[i], a.b[i].c                                           */
    AST_PRIME,   /* arg[0]' : a path or a bracketed expression                         */
    AST_CALL,    /* word(arg...): also if, d, p, energy                                */
    AST_SUM,     /* sum(indices: arg[0])                                               */
    AST_ADD,     /* arg[0] +- arg[1] ...; flag[k] set where arg[k] is subtracted       */
    AST_MUL,     /* arg[0] *\/ arg[1] ...; flag[k] set where arg[k] divides            */
    AST_NEG,     /* -arg[0]  (unary plus leaves no node)                               */
    AST_POW,     /* arg[0] ^ arg[1]                                                    */
    AST_COMPARE, /* arg[0] op arg[1]                                                   */
    AST_AND,     /* arg[0] and arg[1] and ...                                          */
    AST_OR,      /* arg[0] or arg[1] or ...                                            */
    AST_NOT,     /* not arg[0]                                                         */
    AST_LIST,    /* [arg, ...]                                                         */
    AST_COMPONENT /* arg[0][arg[1]]: of a bracketed expression or a call                */
} ast_kind;

/* What an expression is; unknown: of a function's argument, or after an error. */
typedef enum { SHAPE_NUMBER, SHAPE_VECTOR, SHAPE_MATRIX, SHAPE_UNKNOWN } ast_shape;
enum { MOST_COMPONENTS = 9 };

/* What a coordinate is; the last two have three rows, as a dimension of their own. */
typedef enum { KIND_NUMBER, KIND_ROTATION, KIND_DIRECTION } coordinate_kind;

typedef enum { CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_EQ, CMP_NE } ast_compare;

typedef struct ast ast;

typedef struct { /* one name of a path, with its indices */
    name  word;
    span  at;
    ast **index;
    int   n;
} ast_step;

typedef struct { /* k in low..high */
    name word;
    span at;
    ast *low, *high;
} ast_index;

struct ast {
    ast_kind       kind;
    span           at;     /* the whole expression                                     */
    span           op_at;  /* its operator, function name or prime                     */
    double         number; /* AST_NUMBER                                               */
    name           word;   /* AST_CALL: the function                                   */
    ast_compare    compare;
    ast          **arg;
    unsigned char *flag;   /* AST_ADD, AST_MUL                                         */
    int            n;      /* number of arg                                            */
    ast_step      *step;   /* AST_PATH                                                 */
    int            steps;
    ast_index     *index;  /* AST_SUM                                                  */
    int            indices;
    const void    *ref;    /* what resolve.c found a path or a call to mean            */
    ast_shape      shape;  /* ... and what it is                                       */
};

typedef struct { /* [N] is k in 1..N without a name: word NULL, low NULL, high = N */
    ast_index range;
    bool      periodic; /* behind the last comes the first again */
} ast_extent;

typedef struct { /* NAME { "[" extent "]" } [ STRING ] */
    name        word;
    span        at;
    ast_extent *extent;
    int         extents;
    const char *label; /* NULL if none */
} ast_slot;

typedef enum {
    STMT_PARAMETER,   /* slot = value                                 */
    STMT_COORDINATE,  /* slot                                         */
    STMT_STATE,       /* slot' = value                                */
    STMT_INPUT,       /* slot [= value]                               */
    STMT_LET,         /* slot = value, or slot(argument...) = value   */
    STMT_OUTPUT,      /* slot = value                                 */
    STMT_PART,        /* slot : system(argument...)                   */
    STMT_TERMINAL,    /* slot : system                                */
    STMT_LAGRANGIAN,  /* value                                        */
    STMT_HAMILTONIAN, /* value                                        */
    STMT_FORCE,       /* target : value                               */
    STMT_DAMPING,     /* target : value                               */
    STMT_CONSTRAINT,  /* [slot :] value = right                       */
    STMT_HOLONOMIC,   /* [slot :] value = right                       */
    STMT_CONNECT,     /* [slot :] value = right                       */
    STMT_SYMMETRY,    /* slot.word : move... [ up to value ]          */
    STMT_START,       /* begin                                        */
    STMT_DRAW,        /* figure(place...)                             */
    STMT_DISCRETE,    /* slot = value                                 */
    STMT_CONTACT,     /* [slot :] value >= right, number, place...    */
    STMT_FRICTION,    /* [slot :] value = right limit number          */
    STMT_WHEN,        /* [slot :] value { move... }                   */
    STMT_STOP,        /* value                                        */
    STMT_FOR          /* indices, body                                */
} stmt_kind;

typedef struct { /* name = value, in the brackets of a part */
    name word;
    span at;
    ast *value;
} ast_argument;

typedef struct { /* path -> expr */
    ast *target, *value;
} ast_move;

typedef struct stmt stmt;

/* A statement. `parameter a = 1, b = 2` becomes two of them, so each declares at most one name. */
struct stmt {
    stmt_kind     kind;
    span          at;      /* the whole statement                                      */
    span          word_at; /* its keyword                                              */
    ast_slot      slot;    /* the declared name; slot.word NULL where there is none    */
    ast          *value;   /* right-hand side, energy, left side of a relation; or NULL */
    ast          *right;   /* right side of a relation                                 */
    ast            *target;  /* FORCE: path. START: path, PRIME of a path, or CALL p(path) */
    coordinate_kind turns; /* COORDINATE                                               */
    bool          free;    /* START ... free                                           */
    bool          finite;  /* SYMMETRY ... finite                                      */
    bool            one_sided; /* CONSTRAINT: value >= right                             */
    ast            *number[2]; /* CONTACT: restitution, friction; FRICTION: limits       */
    bool          function; /* LET with arguments                                      */
    name         *formal;  /* LET: argument names of a function                        */
    span         *formal_at;
    int           formals;
    name          system;  /* PART, TERMINAL: the system's name                        */
    span          system_at;
    ast_argument *argument; /* PART                                                    */
    int           arguments;
    ast_move       *move; /* SYMMETRY; WHEN: resets, x, x', p(x) or a name = value    */
    int           moves;
    dal_figure    figure;  /* DRAW                                                     */
    ast           **place;   /* DRAW: numbers, vectors and rotations; CONTACT: what it rubs along */
    int           places;
    span          places_at;
    const char   *words;   /* DRAW: colour or text; NULL if none                       */
    span          words_at;
    ast_index    *index;   /* FOR                                                      */
    int           indices;
    stmt        **body;    /* FOR                                                      */
    int           count;
    void         *note;    /* resolve.c: what it found out about the statement         */
};

typedef struct {
    name   word;
    span   at, word_at;
    stmt **statement;
    int    count;
    void  *note; /* resolve.c: its symbol table */
} ast_system;

/* `name` or `name(option, ...)`, `a with b`: the right side of scheme = and force =. */
typedef struct ast_rule ast_rule;
struct ast_rule {
    name       word; /* NULL: a number, in `value`                                     */
    span       at;
    ast       *value; /* as the expression it was read as: `rectangle(a)` may mean a number a */
    ast_rule **option;
    int        options;
    ast_rule  *with; /* NULL if none                                                   */
};

typedef struct {
    name      key;
    span      at, key_at;
    bool      beside;     /* it stands on the line of another, and that was told        */
    ast      *value;      /* any KEY = expr; record = every expr, record = times expr   */
    bool      times;      /* record = times: an interval, or a list                     */
    ast_rule *rule;       /* scheme, force                                              */
    name      principle;  /* "dirac+", "dirac-", "energy"                               */
    ast     **column;     /* columns: paths and p(path) calls                           */
    int       columns;
} ast_setting;

typedef struct {
    span         at;
    ast_setting *setting;
    int          count;
} ast_simulate;

typedef struct {
    const char *path; /* as written in the import */
    span        at;
} ast_import;

typedef struct {
    const source  *text;
    ast_import    *import;
    int            imports;
    stmt         **let; /* STMT_LET of the file itself */
    int            lets;
    ast_system   **system;
    int            systems;
    ast_simulate  *simulate; /* NULL if none */
    bool           whole;    /* no mistake took anything from it */
} ast_file;

/* parse.c. Reads a whole text and reports all its errors to ds. Returns the tree, also when there
 * were errors (then incomplete); never NULL. */
ast_file *parse_file(mem *m, names *ns, diags *ds, const source *text);

/* parse_option.c. The same grammar for the texts of options: `--start "p(x)"`, `--set "a.k"`,
 * `--columns`. An expression may be a list. NULL on error. */
ast *parse_state_text(mem *m, names *ns, diags *ds, const source *text);
ast *parse_expr_text(mem *m, names *ns, diags *ds, const source *text);
/* `10`, or `times 0.1`, as of --record; NULL on error. */
ast *parse_record_text(mem *m, names *ns, diags *ds, const source *text, bool *times);
bool parse_columns_text(mem *m, names *ns, diags *ds, const source *text, ast ***column,
                        int *columns);

#endif
