/* turning_vector.c - how a vector of the null space of rows of [L_vv; A] changes with them. */
#include "mech/tangent/turning_vector.h"

#include <string.h>

static void clear(double *x, int n)
{
    memset(x, 0, sizeof *x * (size_t)n);
}

pattern turning_full_matrix(mem *m, int size)
{
    pattern p = {size, size, mem_array(m, size + 1, int), mem_array(m, size * size + 1, int)};
    for (int e = 0; e < size * size; e++) p.column[e] = e % size;
    for (int i = 0; i <= size; i++) p.start[i] = i * size;
    return p;
}

void turning_vector_room(turning_vector *x, mem *m, const bent_moves *b, int rank)
{
    const int n = b->n;
    x->x = mem_array(m, n, double), x->rank = rank;
    solver_free(x->lu);
    x->lu = NULL;
    if (!rank) return;
    x->Lx = mem_array(m, pattern_count(&b->sys->K), double);
    x->Ax = mem_array(m, pattern_count(&b->sys->A) + 1, double);
    x->written_Lx = mem_array(m, n, double), x->written_Ax = mem_array(m, b->M + 1, double);
    x->pivots = turning_full_matrix(m, rank), x->values = mem_array(m, rank * rank, double);
    x->turned = mem_array(m, rank, double);
    x->lu = solver_new(m, &x->pivots, NULL);
}

/* d(L_vv x)/dq, d(A x)/dq, and the pivots. */
bool turning_vector_find(bent_moves *b, turning_vector *x, const sys_point *where)
{
    const int     r = x->rank;
    const double *at_velocity[] = {x->x, b->still};
    if (!r) return true;
    if (!bent_find_bases(b)) return false;
    for (int i = 0; i < r; i++)
        for (int j = 0; j < r; j++)
            x->values[i * r + j] = b->along.stack[x->by->row[i] * b->n + x->by->column[j]];
    if (b->turns) bent_turn_inertia(b, where, x->x, x->Lx);
    clear(x->Ax, pattern_count(&b->sys->A));
    for (int k = 0; k < 2 && b->M; k++) {
        sys_point at = *where;
        at.v = at_velocity[k];
        if (!bent_evaluate(b, WANT_RELATIONS_JACOBIAN, &at)) return false;
        add_times(x->Ax, k ? -1 : 1, b->out.eq, pattern_count(&b->sys->A));
    }
    return solver_factor(x->lu, x->values);
}

/* [L_vv x], [A x]: what d/dt L_v and relations gain if velocities move by x. */
void turning_vector_written(row_changes *row, const bent_moves *b, turning_vector *x,
                            const sys_point *where, const part_direction *d)
{
    const double    *at_velocity[] = {x->x, b->still};
    const sys_change moved = {.Lw = b->turned[0].Lw};
    sys_direction    along = d->written;
    along.t = d->t;
    if (!x->rank) return;
    clear(x->written_Lx, b->n), clear(x->written_Ax, b->M);
    for (int k = 0; k < 2 && d->moves; k++) {
        sys_point at = *where;
        at.v = at_velocity[k];
        row_changes_written(row, &at, 0, d);
        add_times(x->written_Ax, k ? -1 : 1, row->written.e, b->M);
        if (!b->turns) continue;
        b->rates->vary(b->rates->self, where, &(sys_motion){at_velocity[k], b->still}, &along,
                       &moved);
        add_times(x->written_Lx, k ? -1 : 1, moved.Lw, b->n);
    }
}

/*     (dS x + [S x]) of row i of S */
static double turned_row(const bent_moves *b, const turning_vector *x, int i, const double *dq)
{
    const int      a = bent_relation_of(b, i);
    const pattern *by = a < 0 ? &b->sys->K : &b->sys->A;
    const double  *entry = a < 0 ? x->Lx : x->Ax;
    const int      row = a < 0 ? i : a;
    double         sum = a < 0 ? x->written_Lx[i] : x->written_Ax[a];
    if (!b->turns && (a < 0 || !b->inside[a]))
        return 0; /* inertia, and what is tied to it, stays */
    if (a < 0 && (bent_is_phase(b->sys, i) || bent_is_state(b->sys, i))) return 0;
    for (int e = by->start[row]; e < by->start[row + 1]; e++) sum += entry[e] * dq[by->column[e]];
    return sum;
}

/*     to += dx */
void turning_vector_add(const bent_moves *b, turning_vector *x, const double *dq, double *to)
{
    if (!x->rank) return;
    for (int i = 0; i < x->rank; i++) x->turned[i] = -turned_row(b, x, x->by->row[i], dq);
    solver_solve(x->lu, x->turned);
    for (int i = 0; i < x->rank; i++) to[x->by->column[i]] += x->turned[i];
}
