/* shifted.h - a model whose L has alpha W more, and whose forces take that back:
 *
 *     L + alpha W,   f - alpha (W_q - d/dt W_v),   W = V(t,q) + a(t,q).v
 *
 * The motion is the same for every alpha; momenta are p + alpha a.            theory.md [FORCE] */
#ifndef RUN_SHIFTED_H
#define RUN_SHIFTED_H

#include "run/describe.h"

typedef struct {
    model        md; /* with one parameter more, alpha, the last one */
    const model *of;
    double       alpha;
    element      W; /* what is shifted; its roots beside it: a = W_v, of these coordinates */
    int          moving, *coordinate;
    expr        *a;
    double      *values, *scratch;
} shifted;

/* Fails where W cannot be read, holds no coordinate, or is not linear in velocities. */
dal_status shifted_new(const description *d, const source *words, shifted **out);

/*     p += c a(t,q),   with the parameters of a simulation */
void shifted_momenta(const shifted *sh, double c, const double *parameter, double t,
                     const double *q, double *p);

#endif
