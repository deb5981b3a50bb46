/* manifold_run.h - how far a run is from an independent one of rotations and directions. */
#ifndef TESTS_MANIFOLD_RUN_H
#define TESTS_MANIFOLD_RUN_H

#include "api_run.h"
#include "reference_manifold.h"

#include <stdbool.h>
#include <string.h>

/* q and -q are one rotation. */
static inline double manifold_off(const run *r, const manifold_run *of)
{
    double most = 0, sign = 1;
    for (const reference_value *v = of->end; v->column; v++) {
        const double x = measure(r, v->column);
        const size_t n = strlen(v->column);
        if (n > 2 && !strcmp(v->column + n - 2, ".w"))
            for (int k = 1; k < 4 && (sign = x * v->value < 0 ? -1 : 1, fabs(x) < 1e-3); k++)
                sign = measure(r, v[k].column) * v[k].value < 0 ? -1 : 1;
        const bool part = n > 2 && v->column[n - 2] == '.';
        most = fmax(most, fabs((part ? sign : 1) * x - v->value));
    }
    return most;
}

#endif
