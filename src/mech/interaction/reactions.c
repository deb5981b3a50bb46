/* reactions.c - the equations of the reactions, as those of implicit forces, and their
 * exact derivatives.                                                     theory.md [INTERACTION]
 *
 *     c = d/dt L_w - L_q - f - A^T lam             for Lagrangian coordinates
 *         a - L_q - f - A^T lam,  v' + d/dt L_w    for Hamiltonian ones
 *         d/dt e                                   for relations
 *     c_q = d/dt L_wq - L_qq - f_q - lam dA,   c_w = d/dt L_ww - L_qw - f_w
 *     c_v = L_wq,  and c_w with it where w is v
 * with d/dt along t' = 1, q' = v, w' = a: that of a second derivative is all that is needed of
 * the third ones. */
#include "mech/interaction/inside.h"

#include <string.h>

static bool is_phase(const interaction *x, int i)
{
    return x->grid.phase_number[i] >= 0;
}

/* u begins with w' of all coordinates; v' is w' but for Hamiltonian ones, whose v' stands
 * behind. */
sys_motion joint_motion(interaction *x, const double *u)
{
    for (int i = 0; i < x->of->n; i++)
        x->speed[i] = is_phase(x, i) ? u[x->grid.V + x->grid.phase_number[i]] : u[i];
    return (sys_motion){u, x->speed};
}

/* Rows of c_q, c_v, c_w: those of K, again those of Hamiltonian coordinates, then those of A. */
static pattern state_pattern(const interaction *x, mem *m)
{
    const pattern *K = &x->of->K, *A = &x->of->A;
    int            count = pattern_count(K) + pattern_count(A), row = 0, next = 0;
    for (int i = 0; i < x->of->n; i++) count += is_phase(x, i) ? K->start[i + 1] - K->start[i] : 0;
    pattern p = {.rows = x->inner.size,
                 .columns = x->of->n,
                 .start = mem_array(m, x->inner.size + 2, int),
                 .column = mem_array(m, count + 1, int)};
    /* first a row of K for each coordinate, then once more for each Hamiltonian one */
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < x->of->n; i++) {
            if (again && !is_phase(x, i)) continue;
            for (int k = K->start[i]; k < K->start[i + 1]; k++) p.column[next++] = K->column[k];
            p.start[++row] = next;
        }
    for (int a = 0; a < A->rows; a++) {
        for (int k = A->start[a]; k < A->start[a + 1]; k++) p.column[next++] = A->column[k];
        p.start[++row] = next;
    }
    return p;
}

/* f_u: A_c^T, in the columns of the reactions. */
static pattern force_pattern(interaction *x, mem *m)
{
    const pattern *A = &x->of->A;
    const int      most = pattern_count(A) + 1;
    int           *row = mem_array(m, most, int), *column = mem_array(m, most, int), count = 0;
    int           *from = mem_array(m, most, int), *place = mem_array(m, most, int);
    for (int a = 0; a < A->rows; a++)
        for (int e = A->start[a]; e < A->start[a + 1] && x->as_force[a]; e++)
            row[count] = A->column[e], column[count] = x->grid.nu + a, from[count++] = e;
    pattern p = pattern_from_pairs(m, x->of->n, x->inner.size, row, column, count, place);
    x->f_u_of = mem_array(m, most, int);
    for (int k = 0; k < count; k++) x->f_u_of[place[k]] = from[k];
    return p;
}

/* The unknowns u are those of the end solve of the whole, and c_u is its matrix. */
void joint_shape(interaction *x, mem *m)
{
    const dal_system *of = x->of;
    bool              constant = of->constant_A && of->relations_free_of_q && !of->varies[F_CURV];
    for (int f = F_LQQ; f <= F_LWW; f++) constant &= of->varies[f] != FIELD_VARIES;
    for (int f = F_FQ; f <= F_FW; f++) constant &= !of->forced || of->varies[f] != FIELD_VARIES;
    x->inner.size = x->grid.size;
    x->inner.of_u = x->grid.J;
    x->inner.of_state = state_pattern(x, m);
    x->inner.force = force_pattern(x, m);
    x->inner.constant = constant;
    x->sys.inner = &x->inner;
}

static double on_K(const interaction *x, field f, int k)
{
    return x->of->varies[f] == FIELD_ZERO ? 0 : x->room.on_K[f][k];
}

/* An entry of c that is added to those of a row. */
typedef struct {
    double q, v, w;
} slopes;

/*     of d/dt L_w:   by q d/dt L_wq,   by v L_wq,   by w d/dt L_ww */
static slopes of_momentum_rate(const interaction *x, int k)
{
    const int t = x->of->transpose[k];
    return (slopes){x->moved.Lqw[t], on_K(x, F_LQW, t), x->moved.Lww[k]};
}

/*     of -L_q - f - A^T lam:   by q -L_qq - f_q - lam dA,   by w -L_qw - f_w */
static slopes of_forces(const interaction *x, int k)
{
    return (slopes){.q = -on_K(x, F_LQQ, k) - on_K(x, F_FQ, k) - on_K(x, F_CURV, k),
                    .w = -on_K(x, F_LQW, k) - on_K(x, F_FW, k)};
}

/* Of a Lagrangian coordinate w is v. */
static void put(const interaction *x, const inner_values *to, int at, int j, slopes a, slopes b)
{
    const double v = a.v + b.v, w = a.w + b.w;
    to->c_q[at] = a.q + b.q;
    to->c_v[at] = is_phase(x, j) ? v : v + w;
    if (to->c_w) to->c_w[at] = is_phase(x, j) ? w : 0;
}

/* The rows of state_pattern in its order: forces (with d/dt L_w for Lagrangian coordinates),
 * then v' + d/dt L_w of Hamiltonian ones, then d/dt e of relations, d/dt e_q by q and d/dt A +
 * e_q by v. */
static void fill_state(const interaction *x, const inner_values *to)
{
    const dal_system *of = x->of;
    const pattern    *K = &of->K;
    const slopes      none = {0};
    int               at = 0;
    for (int i = 0; i < of->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1]; k++)
            put(x, to, at++, K->column[k], of_forces(x, k),
                is_phase(x, i) ? none : of_momentum_rate(x, k));
    for (int i = 0; i < of->n; i++)
        for (int k = K->start[i]; k < K->start[i + 1] && is_phase(x, i); k++)
            put(x, to, at++, K->column[k], none, of_momentum_rate(x, k));
    for (int k = 0; k < pattern_count(&of->A); k++, at++) {
        to->c_q[at] = x->moved.eq[k], to->c_v[at] = x->moved.A[k] + x->grid.out.eq[k];
        if (to->c_w) to->c_w[at] = 0;
    }
}

/* Columns of reactions are in the units that the matrix is solved in. */
static void fill_forces(const interaction *x, double *f_u)
{
    const pattern *F = &x->inner.force;
    for (int k = 0; k < pattern_count(F); k++)
        f_u[k] = x->grid.out.A[x->f_u_of[k]] * x->grid.unit[F->column[k] - x->grid.nu];
}

/* f_q, with u held, is that of f and the curvature of the reactions that are forces. */
static bool force_slopes(interaction *x, const sys_point *at, sys_values *out)
{
    const size_t bytes = (size_t)pattern_count(&x->of->K) * sizeof(double);
    sys_point    here = *at;
    double      *fq = out->on_K[F_FQ], *fw = out->on_K[F_FW];
    here.lam = joint_forces(x, x->lam);
    if (x->of->forced && x->of->eval(x->of->self, WANT_FORCE_JACOBIAN, 1, &here, &x->room))
        return false;
    if (fw) memcpy(fw, x->room.on_K[F_FW], bytes);
    if (fq) memcpy(fq, x->room.on_K[F_FQ], bytes);
    if (!fq || !x->of->varies[F_CURV]) return true;
    if (x->of->eval(x->of->self, WANT_RELATIONS_JACOBIAN, 1, &here, &x->room)) return false;
    for (int k = 0; k < pattern_count(&x->of->K); k++) fq[k] += x->room.on_K[F_CURV][k];
    return true;
}

/* At the point where node_reactions has just been. */
bool joint_linearise(interaction *x, const sys_point *at, sys_values *out)
{
    sys_point here = *at;
    if (!force_slopes(x, at, out)) return false;
    if (!out->inner.c_u) return true;
    here.lam = x->lam;
    if (x->of->eval(x->of->self, WANT_HESSIAN | WANT_RELATIONS_JACOBIAN, 1, &here, &x->room))
        return false;
    sys_motion by = joint_motion(x, x->grid.r);
    /* d/dt of L_wq, L_ww, A and e_q along the motion */
    x->rates->eval(x->rates->self, at, &by, &x->moved);
    memcpy(out->inner.c_u, x->grid.values, (size_t)pattern_count(&x->grid.J) * sizeof(double));
    fill_state(x, &out->inner);
    fill_forces(x, out->inner.f_u);
    return true;
}
