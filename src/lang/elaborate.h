/* elaborate.h - inside the elaborator: from resolved systems to parts and elements. */
#ifndef LANG_ELABORATE_H
#define LANG_ELABORATE_H

#include "lang/emit.h"

/* Indices of a slot over the instances: an affine run as long as they are one. */
typedef struct {
    int  base, stride;
    int *at;
    int  room;
} run;

/* An element while its instances are collected, with the graph as it was first emitted. */
typedef struct {
    element        made;
    expr_node     *node;
    int           *arg;
    int            nodes, args;
    slot_kind     *kind;     /* of each variable of the sheet                      */
    int            variables;
    expr          *root;
    int           *variable; /* slot k of the element is this variable of the sheet */
    run           *index, *target, owner;
    relation_kind  relation;
} draft;

typedef struct { /* one instance, as it is handed over */
    element_kind kind;
    const stmt  *from;
    const void  *term;   /* which term of the statement: a key, to find shapes faster */
    const expr  *root;   /* in the sheet   */
    const int   *target; /* one per root   */
    int          roots;
    int          owner;
} instance;

typedef struct { /* where the momentum of a Hamiltonian coordinate occurs */
    int draft, instance, slot;
} occurrence;

typedef struct {
    world           w;
    model          *md;
    vec(extent)     sizes;  /* of the part that is being laid out */
    double          parts;  /* how many there will be, as far as is known, */
    double          planned[MEMBER_KINDS]; /* and how many members         */
    map             forms;
    vec(form *)     form;
    emitter         em;
    vec(draft)      drafts;
    map             shapes; /* (term, hash of the graph, collision) -> draft */
    sheet           clean;  /* where velocities of Hamiltonian coordinates have been replaced */
    sheet           own;    /* where one component of a vector stands by itself */
    vec(occurrence) momenta;
    int            *momenta_first; /* per coordinate; NULL until needed */
    vec(graph)      slope;         /* per draft: its derivatives by momenta */
    vec(expr *)     slopes;
    vec(int)        memo;
    vec(expr)       image;
    vec(expr)       roots;
    vec(int)        targets;
} elaborator;

/* tree.c */
bool tree_make(elaborator *e);

/* element.c: adds an instance to the element of its shape, which it returns; `fresh`: a new one. */
int  element_add(elaborator *e, sheet *s, const instance *it, bool *fresh);
void elements_finish(elaborator *e);
int  run_index(const run *r, int k);

/* hamiltonian_velocity.c: x' of a Hamiltonian coordinate is dH/dp(x) of the whole system. Copies the roots of
 * the emitted sheet to e->clean with such velocities replaced; returns the sheet to use. */
sheet *replace_velocities(elaborator *e, expr *root, int roots);

/* statements.c */
void statements_make(elaborator *e);

/* indices.c: of statements whose names are wrong. */
void indices_look_at(world *w);

/* elaborate.c: all of it; false: there were errors. What values.c needs stays in md->language. */
bool elaborate(lang *l, diags *ds, const overrides *over, model *md, mem *scratch);

#endif
