/* leaps_inside.h - inside leaps*.c: a pass over rows, as text and by the machine, and what it reads and writes. */
#ifndef MECH_LEAPS_INSIDE_H
#define MECH_LEAPS_INSIDE_H

#include "mech/leaps.h"
#include "mech/stepper.h"
#include "model/row_machine.h"

enum { OF_FORCE = 1u << ROW_LQ };

typedef struct { /* the text declares the same */
    const row_reads *s;
    const double    *c;
    double          *q, *q_low, *p, *p_low;
    double          *kick; /* (h/2) F                      */
    const double    *over; /* 1/m                          */
    const double    *same; /* of each stretch and halo rows after it; NaN: not the same */
    double           h;
    int              n;
    double          *edge; /* halo rows at both ends of every part, as they will be: parts x 2 halo */
} leap;

/* Rows from .. to-1 are the part's; a .. b-1 of them are meant, and those before `done` have moved on already. The text
 * declares the same. */
typedef struct {
    int from, to, a, b, done;
} leap_range;

typedef void (*leap_function)(const leap *x, leap_range *r, int part);

struct leaps {
    const row_plan *plan;
    row_reads       reads;
    double          c[ROW_SOURCES];
    crew           *hands;
    leap            x;
    double         *over, *same;
    leap_function   forces, step; /* NULL: by the machine */
    row_machine   **machine;      /* of each part         */
    double        **room;         /* of each part: positions around a tile */
    bool            plain;
    double          known; /* the h for which kick is that of the present state; 0: none */
};

/* leaps_text.c: compiles it. */
bool leaps_compile(leaps *l, mem *m, text *why);

/* leaps_machine.c */
void leaps_make_machines(leaps *l, mem *m);
void machine_forces(const leaps *l, const leap_range *r, int part);
void machine_step(const leaps *l, leap_range *r, int part);

/*     z = h M^-1 (p_0 + k_0),   q_1 = q_0 + z,   p_1 = p_0 + (k_0 + k_1),   k = (h/2) F(q)           theory.md [DEL] */
double leaps_drift(const leaps *l, int i);
void   leaps_add(const leaps *l, double *x, double *low, double d); /* x += d, in two parts */

#endif
