/* crossing.c - do relations pass a place where they depend on each other, a dead point?
 *
 * Row by row, let r be what is left of A_a beside the other rows. It vanishes there, and points the
 * other way afterwards, so that between two positions that lie on either side
 *
 *     det(A_1 A_0^T) < 0                                                     theory.md [RELIABLE]
 *
 * as long as no row itself turns far. */
#include "linalg/dense.h"
#include "mech/redundant/redundant.h"

#include <math.h>
#include <string.h>

/* Rows of a group over its columns, of length 1; false: one of them vanishes. */
static bool unit_rows(const redundancy *of, const relation_group *g, const double *A, double *to)
{
    const pattern *p = &of->sys->A;
    memset(to, 0, sizeof *to * (size_t)(g->rows * g->columns));
    for (int i = 0; i < g->rows; i++) {
        double size = 0;
        for (int k = p->start[g->row[i]]; k < p->start[g->row[i] + 1]; k++) size += A[k] * A[k];
        if (!(size > 0)) return false;
        for (int k = p->start[g->row[i]]; k < p->start[g->row[i] + 1]; k++)
            to[i * g->columns + of->local[p->column[k]]] = A[k] / sqrt(size);
    }
    return true;
}

/* The determinant of the product of the rows at both positions; a row that turns by more than 60
 * degrees says nothing about the rank: 1, unless it has turned over, having passed through 0. */
static double product(redundancy *of, const relation_group *g, const double *A0, const double *A1)
{
    const pattern *p = &of->sys->A;
    const int      n = g->columns;
    double        *after = of->left, *B = of->made;
    if (!unit_rows(of, g, A1, after)) return 1;
    for (int b = 0; b < g->rows; b++) {
        const int from = p->start[g->row[b]], to = p->start[g->row[b] + 1];
        double    size = 0;
        for (int k = from; k < to; k++) size += A0[k] * A0[k];
        for (int a = 0; a < g->rows; a++) {
            double sum = 0;
            for (int k = from; k < to; k++) sum += after[a * n + of->local[p->column[k]]] * A0[k];
            B[a * g->rows + b] = sum / sqrt(size);
        }
        if (!(B[b * g->rows + b] > 0.5) && !(B[b * g->rows + b] < -0.9)) return 1;
    }
    double    det;
    const int rank = dense_echelon(B, g->rows, g->rows, NULL, g->rows, 0, &det);
    return rank < g->rows ? 0 : det;
}

/* LITTLE: what is left of a row of length 1 near a dead point, the square of which bounds the
 * determinant. A step that changes it by half of it does not resolve the motion there. */
static bool crosses(redundancy *of, relation_group *g, const double *A0, const double *A1)
{
    static const double LITTLE = 0.1;
    const int           open = g->open;
    if (g->rows < 2 || open || g->columns > CROSSING_COLUMNS) return false;
    const double det = product(of, g, A0, A1);
    if (det < 0 || det > LITTLE * LITTLE) return det < 0;
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
