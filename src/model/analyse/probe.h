/* probe.h - points around the start at which symmetries are tested with numbers. */
#ifndef MODEL_ANALYSE_PROBE_H
#define MODEL_ANALYSE_PROBE_H

#include "model/analyse/facts.h"
#include "model/bound.h"
#include "model/generator.h"

enum { PROBES = 3 };

typedef struct {
    dal_system *sys;
    int         n;
    double     *q, *w, *v, *p; /* a point: both velocities and momenta of all coordinates     */
    generator_values J;        /* of a symmetry there                                         */
    sys_values       o;
    sys_point        at;
    const double    *matrices; /* of rotations, where the rows in q are 0 */
} probe;

probe probe_new(mem *m, bound *b, const sys_point *start);

/* At a point near the start where the gradient is finite; false: none was found. */
bool probe_place(probe *x, const sys_point *start, uint64_t *seed);

#endif
