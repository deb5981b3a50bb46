/* curve.c - the curve of a step and its end, corrected together: a move at the beginning changes
 * the curve, and with it what the end needs,
 *
 *     J dy + r + C d(xi, mu) = 0,      F de + s + s_q dq^- + s_p dp^- = 0,   (xi, mu) part of e
 *
 * so that dy = -J^-1 r - J^-1 C d(xi, mu) is put into the second. Each by itself can be nearly
 * singular where both together are not.                                        theory.md [BENT] */
#include "mech/bent/bent.h"

#include <string.h>

static int moves_of(const bent_moves *b)
{
    return b->kx + b->inner;
}

void bent_join(bent_moves *b, equations *eq, int substeps)
{
    mem      *m = b->own;
    const int n = b->n, moves = moves_of(b), extent = equations_extent(eq);
    row_changes_init(&b->row, m, eq);
    b->pass.first = mem_array(m, 2 * n * moves + 1, double);
    b->pass.response = mem_array(m, (moves + 1) * extent, double);
    b->pass.carried = mem_array(m, 3 * n, double);
    b->pass.low = mem_array(m, 2 * n, double);
    b->pass.before = histories_new(m, substeps, b->end.size);
}

/* What the end of the curve gains:  dq^- = dq_0 + dZ^d,   dp^-,   dv = (1/h) sum_nu l'_nu(1) dZ^nu
 */
static void carry(bent_moves *b, const part_direction *d)
{
    const equations *eq = b->row.eq;
    const int        n = b->n;
    const double    *dl = eq->control.at[0].dl + eq->d * (eq->d + 1);
    double          *dq = b->pass.carried, *dp = dq + n, *dv = dp + n;
    memcpy(dq, d->q, sizeof *dq * (size_t)n), memset(dv, 0, sizeof *dv * (size_t)n);
    add_times(dq, 1, d->dy + (eq->d - 1) * n, n);
    for (int nu = 1; nu <= eq->d; nu++) add_times(dv, dl[nu] / eq->h, d->dy + (nu - 1) * n, n);
    row_changes_momentum(&b->row, d, dp);
}

/* What that does to the equations of the end, those of (e) included, into `column`. */
static const double *felt_at_end(bent_moves *b, const part_direction *d)
{
    const int n = b->n, at_e = n + b->M + b->k + b->positions;
    carry(b, d);
    bent_change(b, b->pass.carried, b->pass.carried + n, b->end.column);
    for (int s = 0; s < b->stiff; s++)
        b->end.column[at_e + s] -= b->pass.carried[2 * n + bent_held(b, s)];
    return b->end.column;
}

/*     dy = -J^-1 r */
static void respond(const bent_moves *b, const solver *lu, double *dy)
{
    solver_solve(lu, dy);
    for (int k = 0; k < equations_extent(b->row.eq); k++) dy[k] = -dy[k];
}

bool bent_correct_both(bent_moves *b, const solver *lu, double *r, const bent_state *from, int sign,
                       bent_correction *made)
{
    const equations *eq = b->row.eq;
    const int        n = b->n, S = b->end.size, moves = moves_of(b), extent = equations_extent(eq);
    double          *dy = b->pass.response;
    if (!bent_look(b, from, sign)) return b->pass.failed = DAL_DIVERGED, false;
    memset(dy, 0, sizeof *dy * (size_t)extent);
    memcpy(dy, r, sizeof *dy * (size_t)eq->size);
    respond(b, lu, dy);
    add_times(b->end.r, 1,
              felt_at_end(b, &(part_direction){.q = eq->zero, .p = eq->zero, .dy = dy}), S);
    for (int u = 0; u < moves; u++) {
        const double  *of = b->pass.first + 2 * n * u;
        part_direction d = {.q = of, .p = of + n};
        double        *by = dy + (u + 1) * extent;
        row_changes_residual(&b->row, &d, by);
        respond(b, lu, by);
        d.dy = by;
        const double *column = felt_at_end(b, &d);
        for (int i = 0; i < S; i++) b->end.values[i * S + b->end.at_xi + u] += column[i];
    }
    if (!bent_correct(b, made)) return false;
    for (int k = 0; k < eq->size; k++) r[k] = -dy[k];
    for (int u = 0; u < moves; u++)
        add_times(r, b->end.step[b->end.at_xi + u], dy + (u + 1) * extent, eq->size);
    return true;
}
