/* lu_diagonal.c - a diagonal matrix: one division per unknown, which is exact to half an ulp where
 * a stored reciprocal would not be. */
#include "linalg/kinds.h"

#include <float.h>
#include <math.h>

typedef struct {
    int     n;
    double *pivot;
} diagonal;

static bool fits(mem *m, const pattern *p)
{
    (void)m;
    return pattern_is_diagonal(p);
}

static void *analyse(mem *m, const pattern *p)
{
    if (!pattern_is_diagonal(p)) return NULL;
    diagonal *d = mem_take(m, sizeof *d);
    d->n = p->rows;
    d->pivot = mem_array(m, p->rows, double);
    return d;
}

static bool factor(void *self, const double *values)
{
    diagonal *d = self;
    for (int i = 0; i < d->n; i++) {
        double size = fabs(values[i]);
        if (!(size >= DBL_MIN && size <= DBL_MAX)) return false;
        d->pivot[i] = values[i];
    }
    return true;
}

static void solve(const void *self, double *x)
{
    const diagonal *d = self;
    for (int i = 0; i < d->n; i++) x[i] /= d->pivot[i];
}

const solver_kind lu_diagonal = {
    .name = "diagonal",
    .title = "one division per unknown",
    .fits = fits,
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
};
