/* emit.h - one instance of a term becomes a small graph whose variables are slots, numbered as
 * they first occur. */
#ifndef LANG_EMIT_H
#define LANG_EMIT_H

#include "lang/vectors.h"

/* What a variable of the sheet reads. */
typedef struct {
    slot_kind kind;
    int       index;
} slot_ref;

/* A graph and what its variables read; emptied for every instance. */
typedef struct {
    mem          *m;
    graph         g;
    vec(slot_ref) slots;
    map           by_slot; /* (NULL, kind, index) -> variable */
} sheet;

typedef struct { /* a definition that is being emitted, for the message about cycles */
    const void *key;
    int         part, offset;
    name        word;
} opened;

enum { NAMED_MOST = 256 }; /* lets of an instance that are kept for its print */

typedef struct {
    world        *w;
    sheet         s;
    map           memo;    /* (definition, part, offset) -> expression, of a vector its number in
                              kept; EXPR_NONE: not yet */
    map           tuples;  /* arguments of functions -> a number of their own */
    vec(opened)   open;
    vec(let_place) lets;   /* that the instance is made of, outer ones first */
    vec(quantity) kept;    /* vectors that the memo tells of */
    vec(expr)     stack;   /* operands of unfinished sums */
    vec(uint8_t)  used;
    vec(int)      vars;
    vec(expr)     directions;
    place         at;      /* what kind of statement is emitted */
    int           bound;   /* arguments of parts that are being followed */
    int           level;
    model        *md;      /* takes the data of the instances */
    map           by_data; /* (NULL, bits) -> index in md->data */
} emitter;

void sheet_init(sheet *s, mem *m);
void sheet_reset(sheet *s);
expr sheet_var(sheet *s, slot_kind kind, int index);

void emitter_init(emitter *em, world *w, model *md);
void emitter_reset(emitter *em, place at);

expr emit(emitter *em, const env *v, const ast *a); /* of a number */
expr emit_spot(emitter *em, const spot *at, span where); /* a name that was followed to one element */

/* emit_vectors.c: of any shape, and what it is computed by. */
quantity   emit_quantity(emitter *em, const env *v, const ast *a);
arithmetic emitter_arithmetic(emitter *em);

/* graphs.c, for emit_vectors.c. */
void     emit_check_bound(emitter *em, content holds, span at);
expr     emit_failed(emitter *em);
expr     emit_data(emitter *em, double x);
expr     emit_coordinate(emitter *em, const spot *at, slot_kind kind, span where);
quantity emit_definition(emitter *em, const spot *at, span user); /* all of its value */
quantity emit_function(emitter *em, const env *v, const ast *a, const symbol *f);
quantity emit_turning(emitter *em, const spot *at, span where); /* emit_turning.c: R, or n */
quantity emit_matrix(emitter *em, int rotation);
quantity emit_spin(emitter *em, const spot *at, slot_kind kind, bool in_space, span where);
quantity emit_momentum_of_direction(emitter *em, const spot *at, span where);
/* d(e, R) or d(e, n). */
quantity emit_gradient_of_turning(emitter *em, const spot *at, expr e, span where);
expr     emit_rate_once(emitter *em, expr e);
bool     emit_variable(emitter *em, const env *v, const ast *a, int component, int *variable);
bool     is_folded(const ast *a);

/* A sum is built from operands on a stack: those from `first` on, which are taken off. */
void emit_operand(emitter *em, expr x);
expr emit_operands(emitter *em, int first);

/* emit_rate.c: the variables of the given kind that e[0 .. count) hold, in em->vars. */
int variables_of(emitter *em, const expr *e, int count, slot_kind kind);

/* Does one of e[0 .. count) hold a variable of a kind in the set (1 << kind)? */
bool hold_kinds(emitter *em, const expr *e, int count, unsigned kinds);

/* Entries of rotations, as a set of 1 << kind. */
enum { AXES = 1 << SLOT_AXIS_1 | 1 << SLOT_AXIS_2 | 1 << SLOT_AXIS_3 };

/* d e / d t along the motion: t -> 1, q -> v. */
expr emit_rate(emitter *em, expr e);

#endif
