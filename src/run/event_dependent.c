/* event_dependent.c - closed rows that follow from others, as the fourth blocked diode of a bridge
 * and the fourth corner of a box at rest do:
 *
 *     A_d = sum c_i A_i    over the model's own relations and closed rows i before d
 *
 * They are left out of the mode, and its reactions lam are shared with them: of all
 *
 *     lam_i - sum_d c_di s_d,   lam_d = s_d
 *
 * those of event rows of least norm,  (1 + C C^T) s = C lam.                 theory.md [EVENTS] */
#include "linalg/dense.h"
#include "run/events.h"
#include "run/simulation.h"

#include <math.h>

enum { LARGE = 300 }; /* relations of which none is looked for */

/* A^T of these rows of x->sys, each beside its largest entry. */
static double *columns_of(mem *m, const events *x, const int *row, int count, double *largest)
{
    const pattern *A = &x->sys->A;
    double        *a = mem_array(m, x->sys->n * count + 1, double);
    for (int k = 0; k < count; k++) {
        largest[k] = 0;
        for (int e = A->start[row[k]]; e < A->start[row[k] + 1]; e++)
            largest[k] = fmax(largest[k], fabs(x->room.A[e]));
        for (int e = A->start[row[k]]; e < A->start[row[k] + 1] && largest[k] > 0; e++)
            a[A->column[e] * count + k] += x->room.A[e] / largest[k];
    }
    return a;
}

/* What is read of the reduced columns: the pivots among them, and the others by those. */
static void read_dependent(mem *m, const events *x, const double *a, const int *of, int count,
                           const double *largest, event_mode *to)
{
    int *pivot = mem_array(m, count + 1, int), rank = 0;
    for (int k = 0; k < count; k++) {
        if (rank < x->sys->n && a[rank * count + k] == 1) {
            pivot[rank++] = k;
            continue;
        }
        if (of[k] < 0) continue; /* a relation of the model itself */
        double *c = mem_array(m, x->rows, double);
        for (int i = 0; i < rank; i++)
            if (of[pivot[i]] >= 0)
                c[of[pivot[i]]] = a[i * count + k] * largest[k] / largest[pivot[i]];
        to->kept[of[k]] = 0;
        vec_push(m, to->dependent, ((dependent_row){of[k], c}));
    }
}

void events_find_dependent(mem *m, dal_sim *s, event_mode *to)
{
    static const double NOTHING = 1e-9; /* of a row, beside others */
    events             *x = s->events;
    const int           own = s->md->relations;
    int *row = mem_array(m, own + x->rows + 1, int), *of = mem_array(m, own + x->rows + 1, int);
    int  count = 0;
    for (int a = 0; a < own; a++) row[count] = x->row_at[x->rows + a], of[count++] = -1;
    for (int r = 0; r < x->rows; r++) {
        to->kept[r] = to->closed[r];
        if (to->closed[r]) row[count] = x->row_at[r], of[count++] = r;
    }
    if (count > LARGE) return;
    double *largest = mem_array(m, count + 1, double), *a = columns_of(m, x, row, count, largest);
    dense_echelon(a, x->sys->n, count, NULL, count, NOTHING, NULL);
    read_dependent(m, x, a, of, count, largest, to);
}

void events_share(dal_sim *s, const event_mode *of, double *lam)
{
    const int n = of->dependent.n, rows = s->events->rows;
    if (!n) return;
    mem    *m = mem_child(&s->m);
    double *a = mem_array(m, n * (n + 1), double);
    for (int d = 0; d < n; d++) {
        const double *c = of->dependent.at[d].by;
        for (int r = 0; r < rows; r++) {
            for (int e = 0; e < n; e++) a[d * (n + 1) + e] += c[r] * of->dependent.at[e].by[r];
            a[d * (n + 1) + n] += c[r] * lam[r];
        }
        a[d * (n + 1) + d] += 1;
    }
    dense_echelon(a, n, n + 1, NULL, n, 0, NULL);
    for (int d = 0; d < n; d++) {
        const double share = a[d * (n + 1) + n];
        for (int r = 0; r < rows; r++) lam[r] -= of->dependent.at[d].by[r] * share;
        lam[of->dependent.at[d].row] += share;
    }
    mem_free(m);
}

bool events_part(const dal_sim *s, const event_values *at)
{
    const event_mode *now = s->events->now;
    for (int d = 0; now && d < now->dependent.n; d++) {
        const int row = now->dependent.at[d].row;
        if (fabs(at->rate[row]) > events_slow(s, row)) return true;
    }
    return false;
}
