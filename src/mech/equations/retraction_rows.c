/* retraction_rows.c - the point at which constraints are taken, and their derivative in the
 * unknowns. */
#include "mech/equations/retraction_rows.h"

#include <string.h>

/* What is the left end of a chord is the right one of its reverse. */
static retraction seen_backward(retraction at)
{
    return at == RETRACTION_LEFT ? RETRACTION_RIGHT : at == RETRACTION_RIGHT ? RETRACTION_LEFT : at;
}

/* q1 has room for q_0 behind it. */
retraction_rows *retraction_rows_new(mem *m, const equations *eq, const retraction_map *R,
                                     retraction at)
{
    retraction_rows *c = mem_array(m, 1, retraction_rows);
    c->of[0] = chord_new(m, R, at), c->of[1] = chord_new(m, R, seen_backward(at));
    c->q1 = mem_array(m, 2 * eq->n, double);
    c->by_q1 = mem_array(m, eq->m * eq->n, double);
    return c;
}

/* c->q1 has q_1, and q_0 behind it. */
bool retraction_rows_place(retraction_rows *c, equations *eq, const double *Z)
{
    const int     n = eq->n;
    chord        *l = c->of[eq->mirrored];
    const double *x = eq->gauss.x[eq->mirrored];
    double       *q0 = c->q1 + n;
    for (int j = 0; j < n; j++) {
        q0[j] = eq->q[j] + eq->q_low[j];
        c->q1[j] = eq->q[j] + (eq->q_low[j] + Z[j]);
    }
    if (!chord_between(l, q0, c->q1, eq->h)) return false;
    eq->gauss.point[0].t = eq->t + x[0] * eq->h;
    memcpy(eq->gauss.q, l->base, (size_t)n * sizeof *Z);
    memcpy(eq->gauss.v, l->v, (size_t)n * sizeof *Z);
    return true;
}

/*     dq = db/dq_0 dq_0 + db/dq_1 (dq_0 + dZ),   dv likewise, less v dh/h */
void retraction_rows_move(const retraction_rows *c, const equations *eq, const double *dq0,
                          const double *dZ, double dh, double *dq, double *dv)
{
    const int    n = eq->n;
    const chord *l = c->of[eq->mirrored];
    for (int i = 0; i < n; i++) {
        dq[i] = 0, dv[i] = -l->v[i] * dh / eq->h;
        for (int j = 0; j < n; j++) {
            const double dq1 = dq0[j] + (dZ ? dZ[j] : 0);
            dq[i] += l->base_q0[i * n + j] * dq0[j] + l->base_q1[i * n + j] * dq1;
            dv[i] += l->v_q0[i * n + j] * dq0[j] + l->v_q1[i * n + j] * dq1;
        }
    }
}

/*     dC/dq_1 = W dv/dq_1 + e_q db/dq_1,   e_q = dW.v + beta_q */
void retraction_rows_slope(retraction_rows *c, const equations *eq)
{
    const int         n = eq->n;
    const chord      *l = c->of[eq->mirrored];
    const sys_values *at = &eq->gauss.out[0];
    const pattern    *A = &eq->sys->A;
    memset(c->by_q1, 0, (size_t)(eq->m * n) * sizeof *c->by_q1);
    for (int a = 0; a < eq->m; a++)
        for (int k = A->start[a]; k < A->start[a + 1]; k++) {
            const int i = A->column[k];
            for (int j = 0; j < n; j++)
                c->by_q1[a * n + j] +=
                    at->A[k] * l->v_q1[i * n + j] + at->eq[k] * l->base_q1[i * n + j];
        }
}
