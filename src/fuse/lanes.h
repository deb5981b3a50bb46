/* lanes.h - inside the steps of many members: lanes.c assembles them from Newton's iteration
 * (lanes_newton.c) and its linear systems (lanes_solve.c). */
#ifndef FUSE_LANES_H
#define FUSE_LANES_H

#include "fuse/inside.h"

/* count statements, with k in each */
const char *lanes_each(fusing *f, int count, const char *body);

/* The state and the numbers of member l, as the functions of one member want them. */
const char *lanes_member(fusing *f);

void        lanes_solve_write(fusing *f);
bool        lanes_divide(const fusing *f); /* without exchanges of rows, where that does */
void        lanes_newton_write(fusing *f);
const char *lanes_newton_call(fusing *f, const char *t, const char *ring, const char *head);

#endif
