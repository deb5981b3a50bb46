/* crossing.c - do relations pass a place where they depend on each other, a dead point?
 *
 * Row by row, let r be what is left of A_a beside the other rows. It vanishes there, and points the
 * other way afterwards, so that between two positions that lie on either side
 *
 *     det(A_1 A_0^T) < 0                                                     theory.md [RELIABLE]
 *
 * as long as no row itself turns far. */
#include "mech/redundant/redundant.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The sum over columns of row a at one position times that at the other, which stands by columns in
 * `row`. */
static double times(const redundancy *of, int a, const double *A, const double *row)
{
    const pattern *p = &of->sys->A;
    double         sum = 0;
    for (int k = p->start[a]; k < p->start[a + 1]; k++) sum += A[k] * row[of->local[p->column[k]]];
    return sum;
}

_Static_assert(CROSSING_COLUMNS <= 64, "a bit for each column");

static uint64_t columns_of(const redundancy *of, int a)
{
    const pattern *p = &of->sys->A;
    uint64_t       bits = 0;
    for (int k = p->start[a]; k < p->start[a + 1]; k++)
        bits |= (uint64_t)1 << of->local[p->column[k]];
    return bits;
}

static double length(const pattern *p, int a, const double *A)
{
    double sum = 0;
    for (int k = p->start[a]; k < p->start[a + 1]; k++) sum += A[k] * A[k];
    return sqrt(sum);
}

/* B = A_1 A_0^T, of rows of length 1. False: a row vanishes, or turns by more than 60 degrees,
 * which says nothing about the rank, unless it has turned over, having passed through 0. */
static bool multiply(const redundancy *of, const relation_group *g, const double *A0,
                     const double *A1, double *B)
{
    const pattern *p = &of->sys->A;
    const int      n = g->rows;
    double         row[CROSSING_COLUMNS];
    uint64_t       in[GROUP_MOST]; /* the columns of each row, a bit each */
    for (int a = 0; a < n; a++) in[a] = columns_of(of, g->row[a]);
    for (int b = 0; b < n; b++) {
        const int    at = g->row[b];
        const double size = length(p, at, A0);
        memset(row, 0, sizeof row);
        for (int k = p->start[at]; k < p->start[at + 1]; k++)
            row[of->local[p->column[k]]] = A0[k] / size;
        for (int a = 0; a < n; a++)
            B[a * n + b] = in[a] & in[b] ? times(of, g->row[a], A1, row) : 0;
    }
    for (int a = 0; a < n; a++) {
        const double by = 1 / length(p, g->row[a], A1), own = B[a * n + a] * by;
        if (!(own > 0.5) && !(own < -0.9)) return false;
        for (int b = 0; b < n; b++) B[a * n + b] *= by;
    }
    return true;
}

/* The determinant of B by elimination in order, and the least pivot: what is left of a row beside
 * those before it, at one position times at the other. Most entries are 0. */
static double determinant(double *B, int n, double *least)
{
    double det = 1;
    *least = HUGE_VAL;
    for (int k = 0; k < n; k++) {
        const double pivot = B[k * n + k];
        *least = fmin(*least, fabs(pivot)), det *= pivot;
        if (pivot == 0) return 0;
        for (int i = k + 1; i < n; i++) {
            if (B[i * n + k] == 0) continue;
            const double l = B[i * n + k] / pivot;
            for (int j = k + 1; j < n; j++) B[i * n + j] -= l * B[k * n + j];
        }
    }
    return det;
}

/* LITTLE: what is left of a row of length 1 near a dead point, the square of which bounds the
 * determinant. A step that changes it by half of it does not resolve the motion there. */
static bool crosses(redundancy *of, relation_group *g, const double *A0, const double *A1)
{
    static const double LITTLE = 0.1;
    const int           open = g->open;
    double              least;
    if (g->rows < 2 || open || g->columns > CROSSING_COLUMNS) return false;
    if (!multiply(of, g, A0, A1, of->made)) return false;
    const double det = determinant(of->made, g->rows, &least);
    if (det < 0 || det > LITTLE * LITTLE || least > LITTLE) return det < 0;
    const double before = redundancy_least(of, g, A0), after = redundancy_least(of, g, A1);
    g->open = open;
    return fmin(before, after) < LITTLE && fabs(after - before) > 0.5 * fmin(before, after);
}

const relation_group *redundancy_crosses(redundancy *of, const double *A0, const double *A1)
{
    for (int k = 0; k < of->groups; k++)
        if (crosses(of, &of->group[k], A0, A1)) return &of->group[k];
    return NULL;
}
