/* verify.c - does what an iteration has found satisfy its equations, up to what roundoff and
 * conditioning explain? Where relations are about to lose rank, it need not.
 *                                                                             theory.md [RELIABLE]
 */
#include "mech/solve/newton.h"

#include <math.h>
#include <string.h>

static const double UNEXPLAINED = 1e-6; /* of what an equation adds up                       */
static const double ROUNDOFF = 1e-14;
static const double CONTRADICTS = 1e-9; /* the same, of a relation that follows from others  */

/* May the relation differ from those that it follows from by the error of the scheme? */
static bool is_of_velocities_alone(const equations *eq, const relation_group *g, const double *P)
{
    for (int b = 0; b < g->rows; b++)
        if (g->row[b] >= eq->m && P[b] != 0) return true;
    return false;
}

/* What a relation adds up: sum_j |A_aj| of the largest position over h, or of the largest
 * velocity. */
static double terms_of(const equations *eq, int a, int k, bool of_v)
{
    const pattern    *A = &eq->sys->A;
    const sys_values *out = a < eq->m ? &eq->gauss.out[k] : position_at(eq, a, k);
    const double     *x = of_v ? eq->gauss.v + k * eq->n : eq->control.q + (k + 1) * eq->n;
    double            sum = 0, most = 0;
    for (int j = 0; j < eq->n; j++) most = fmax(most, fabs(x[j]));
    for (int e = A->start[a]; e < A->start[a + 1]; e++) sum += fabs(out->A[e]);
    return sum * (of_v ? most : most / fabs(eq->h));
}

/* What a relation that follows from others has taken up, beside what it adds up; -1: none has too
 * much.                                                                    theory.md [REDUNDANT] */
static int contradicted(const newton *nw, const double *y, double *by)
{
    const equations  *eq = nw->eq;
    const redundancy *of = eq->redundant;
    for (int k = 0; of && k < of->groups * eq->d; k++) {
        const relation_group *g = &of->group[k / eq->d];
        const int             first = eq->lam + k % eq->d * eq->relations;
        for (int i = g->rows - g->open; i < g->rows; i++) {
            const int     a = g->order[i];
            const double *P = g->P + a * g->rows;
            double        taken = 0;
            if (g->row[a] < eq->m && is_of_velocities_alone(eq, g, P)) continue;
            for (int b = 0; b < g->rows; b++)
                taken += eq->impulse[k % eq->d] * P[b] * y[first + g->row[b]];
            /* of what rests, positions leave their roundoff over h */
            if (fabs(taken) <= ROUNDOFF * terms_of(eq, g->row[a], k % eq->d, false)) continue;
            *by = fabs(taken) / terms_of(eq, g->row[a], k % eq->d, g->row[a] < eq->m);
            if (*by > CONTRADICTS) return first + g->row[a];
        }
    }
    return -1;
}

/* The row whose residual is largest beside what it adds up. */
static int farthest(const newton *nw, double *by)
{
    static const double NOTHING = 1e-16; /* beside all others: of a row that has come to rest */
    int                 worst = -1;
    double              most = 0;
    *by = UNEXPLAINED;
    for (int k = 0; k < nw->eq->size; k++) most = fmax(most, nw->natural[k]);
    for (int k = 0; k < nw->eq->size; k++)
        if (!(fabs(nw->r[k]) <= *by * nw->natural[k] + NOTHING * most))
            *by = fabs(nw->r[k]) / nw->natural[k], worst = k;
    return worst;
}

/* A residual that would change y by its roundoff alone is explained, too. */
static bool is_explained(newton *nw, const double *y)
{
    memcpy(nw->delta, nw->r, (size_t)nw->eq->size * sizeof *nw->delta);
    nw->on.solve(nw->eq, nw->now->lu, nw->delta);
    return nw->on.is_noise(nw, y) || nw->on.measure(nw, nw->delta, y).overall <= UNEXPLAINED;
}

bool newton_verify(newton *nw, const double *y)
{
    equations_row_sizes(nw->eq, y, nw->natural);
    nw->unmet = farthest(nw, &nw->unmet_by);
    if (nw->unmet >= 0 && is_explained(nw, y)) nw->unmet = -1;
    if (nw->unmet < 0) nw->unmet = contradicted(nw, y, &nw->unmet_by);
    return nw->unmet < 0;
}
