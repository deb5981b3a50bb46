/* positions.c - the positions that a recorded row tells, as the state has them. */
#include "mech/rotation/state.h"
#include "run/simulation.h"

/* A rotation was recorded as its quaternion; a direction is the third column of its matrix, and
 * nothing else of that is read. */
static void set_matrices(const turning *t, int n, double *q)
{
    double *axes = q + n;
    for (int k = 0; k < t->count; k++, axes += TURNING_MATRIX) {
        if (t->direction[k]) continue;
        const matrix R =
            rotation_matrix(q + n + TURNING_MATRIX * t->count + TURNING_QUATERNION * k);
        for (int e = 0; e < TURNING_MATRIX; e++) axes[e] = R.x[e / 3][e % 3];
    }
}

/* How many columns tell all positions: a rotation has four, a direction three. */
static int columns_needed(const turning *t, int n)
{
    for (int k = 0, rotations = t ? t->count : 0; k < rotations; k++) n += !t->direction[k];
    return n;
}

const double *positions_of_row(mem *m, const dal_sim *s, const double *row)
{
    const turning *t = s->sys->turns;
    const int      n = s->sys->n;
    double        *q = mem_array(m, turning_width(t, n), double);
    int            known = 0;
    for (int i = 0; i < s->columns; i++)
        if (s->column[i].kind == COL_Q) q[s->column[i].index] = row[i], known++;
    if (t) set_matrices(t, n, q);
    return known == columns_needed(t, n) ? q : NULL;
}
