/* corners.h - jumps and kinks in time that lower the order of a run. */
#ifndef RUN_CORNERS_H
#define RUN_CORNERS_H

#include "model/analyse/corners.h"
#include "run/simulation.h"

/* Those of the equations over the times of a plan; returns how many, in memory of m. */
int corners_of_run(mem *m, bound *b, const sys_point *at, const plan *p, const tracks *follow,
                   corner **list);

int           corner_order(const corner *c);           /* that it leaves */
const char   *corner_words(mem *m, const corner *c);   /* what it does, and when */
const corner *corner_worst(const corner *list, int n); /* NULL: there is none */

enum { CORNERS_LISTED = 12 };
/* A warning at its place: this of the scheme's order is left. */
void corner_warn(const corner *c, int order, const model *md, diags *ds);

/* The summary of a run says what is left of its order. */
void corners_note(dal_sim *s);

#endif
