/* structure.c - induced and interaction structures, membership, and structures as linear
 * subspaces. */
#include "mech/dirac/structure.h"

#include <math.h>
#include <string.h>

structure *structure_new(mem *m, principle side, int n, int relations, int generators)
{
    structure *s = mem_array(m, 1, structure);
    s->side = side, s->n = n, s->relations = relations, s->generators = generators;
    s->relation = mem_array(m, relations, double);
    s->by_q0 = mem_array(m, relations * n, double);
    s->by_q1 = mem_array(m, relations * n, double);
    s->generator = mem_array(m, generators * 2 * n, double);
    s->c = mem_array(m, n, double);
    return s;
}

/* Omega_d of the structure's own side. */
static triple_map omega(const structure *s)
{
    return s->side == DIRAC_PLUS ? OMEGA_PLUS : OMEGA_MINUS;
}

/* Induced structures and interactions. --------------------------------------------------------- */

typedef struct {
    discrete_constraint *constraint;
    double              *rows;
} induced;

static void scale(double *a, int count, double c)
{
    for (int i = 0; i < count; i++) a[i] *= c;
}

/* (+): combinations (W(q0)^T mu, 0);  (-): (0, W(q1)^T mu)                     theory.md [DIRAC] */
static void annihilator_generators(structure *s, const double *z)
{
    const induced   *in = s->self;
    const int        n = s->n, plus = s->side == DIRAC_PLUS;
    const one_forms *W = &in->constraint->W;
    W->eval(W->self, plus ? z : z + 2 * n, in->rows, NULL);
    for (int a = 0; a < s->generators; a++)
        memcpy(s->generator + a * 2 * n + (plus ? 0 : n), in->rows + a * n, (size_t)n * sizeof *z);
}

/* Relations as displacements, h W_d, so that they have the unit of positions. */
static bool induced_eval(structure *s, const double *z, double h)
{
    const induced *in = s->self;
    const int      n = s->n;
    if (!discrete_constraint_eval(in->constraint, z, z + 2 * n, h, s->relation, s->by_q0, s->by_q1))
        return false;
    scale(s->relation, s->relations, h);
    scale(s->by_q0, s->relations * n, h);
    scale(s->by_q1, s->relations * n, h);
    annihilator_generators(s, z);
    return true;
}

/* One generator for each row of W; c is the multiplicity of Omega_d. */
static structure *induced_new(mem *m, principle side, const one_forms *W, const retraction_map *R,
                              retraction at, double c)
{
    structure *s = structure_new(m, side, W->n, W->m, W->m);
    induced   *in = mem_array(m, 1, induced);
    in->constraint = discrete_constraint_new(m, W, R, at);
    in->rows = mem_array(m, W->m * W->n, double);
    s->self = in, s->eval = induced_eval;
    for (int i = 0; i < s->n; i++) s->c[i] = c;
    return s;
}

structure *structure_induced(mem *m, principle side, const one_forms *W, const retraction_map *R,
                             retraction at)
{
    return induced_new(m, side, W, R, at, 1);
}

structure *structure_interaction(mem *m, principle side, const one_forms *W,
                                 const retraction_map *R, retraction at)
{
    return induced_new(m, side, W, R, at, 0);
}

/* Membership. ---------------------------------------------------------------------------------- */

/* What is no number counts as larger than any. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* The first two blocks of alpha are its base, which must be that of Omega_d(z); the last two its
 * fibre, which may differ from c Omega_d(z) by the generators. */
double structure_residual(mem *m, structure *s, const double *z, const double *alpha, double h)
{
    const int n = s->n;
    double    most = 0;
    if (!s->eval(s, z, h)) return (double)NAN;
    double *off = mem_resize(m, NULL, (size_t)(4 * n + 1) * sizeof *off);
    triple_apply(omega(s), n, z, off);
    for (int i = 0; i < 4 * n; i++) off[i] = alpha[i] - (i < 2 * n ? 1 : s->c[i % n]) * off[i];
    for (int i = 0; i < 2 * n; i++) most = larger(fabs(off[i]), most);
    for (int a = 0; a < s->relations; a++) most = larger(fabs(s->relation[a]), most);
    most = larger(annihilator_distance(m, s->generator, s->generators, 2 * n, off + 2 * n), most);
    mem_drop(m, off);
    return most;
}

/* Linear subspaces. ---------------------------------------------------------------------------- */

/* The equations of D, linearised at z over a fixed base, in the columns (q0,p0,q1,p1, fibre):
 *     by_q0 dq0 + by_q1 dq1 = 0,     u.(dalpha - c Omega_d(dz)) = 0 for all u orthogonal to the
 *                                    generators */
static double *equations_at(mem *m, structure *s, int *count)
{
    const int n = s->n, width = 6 * n;
    subspace  free = subspace_kernel(m, s->generator, s->generators, 2 * n);
    double   *rows = mem_array(m, (s->relations + free.dim + 2 * n) * width, double), *row = rows;
    double   *dual = mem_array(m, 4 * n, double);
    for (int a = 0; a < s->relations; a++, row += width) {
        memcpy(row, s->by_q0 + a * n, (size_t)n * sizeof *row);
        memcpy(row + 2 * n, s->by_q1 + a * n, (size_t)n * sizeof *row);
    }
    for (int k = 0; k < free.dim; k++, row += width) {
        const double *u = free.basis + k * 2 * n;
        for (int i = 0; i < 2 * n; i++) dual[2 * n + i] = -s->c[i % n] * u[i];
        triple_invert(omega(s), n, dual, row); /* transposed: Omega_d is orthogonal */
        memcpy(row + 4 * n, u, (size_t)(2 * n) * sizeof *row);
    }
    *count = s->relations + free.dim;
    return rows;
}

/* Frobenius norm of the pairing on an orthonormal basis, which does not depend on that basis. */
double pairing_defect(const subspace *D)
{
    const int k = D->size / 2;
    double    square = 0;
    for (int b = 0; b < D->dim; b++)
        for (int c = 0; c < D->dim; c++) {
            const double *x = D->basis + b * D->size, *y = D->basis + c * D->size;
            double        sum = 0;
            for (int i = 0; i < k; i++) sum += x[k + i] * y[i] + y[k + i] * x[i];
            square += sum * sum;
        }
    return sqrt(square);
}

/* Linear, so z = 0 is as good as any. */
subspace structure_space(mem *m, structure *s, double h)
{
    int     count;
    double *zero = mem_array(m, 4 * s->n, double);
    s->eval(s, zero, h);
    double *rows = equations_at(m, s, &count);
    return subspace_kernel(m, rows, count, 6 * s->n);
}

/* Blocks (v_q, v_p, a_q, a_p) among (q0,p0,q1,p1, fibre), and the blocks of z that the base
 * fixes. */
static const struct {
    int from[4], sign[4], fixed[2];
} view[] = {
    [DIRAC_PLUS] = {{2, 1, 4, 5}, {1, -1, 1, 1}, {0, 3}},
    [DIRAC_MINUS] = {{0, 3, 5, 4}, {-1, 1, 1, 1}, {1, 2}},
};

/* The kernel of the equations with the base held, seen as (v_q, v_p, a_q, a_p). */
subspace structure_fibre_tangent(mem *m, structure *s, const double *z, double h)
{
    const int n = s->n, width = 6 * n;
    int       count;
    if (!s->eval(s, z, h)) return (subspace){.size = 4 * n};
    double *rows = equations_at(m, s, &count);
    for (int k = 0; k < 2 * n; k++) /* room for these was made */
        rows[count++ * width + view[s->side].fixed[k / n] * n + k % n] = 1;
    subspace all = subspace_kernel(m, rows, count, width);
    double  *seen = mem_array(m, all.dim * 4 * n, double);
    for (int b = 0; b < all.dim; b++)
        for (int k = 0; k < 4 * n; k++) {
            const int block = k / n, from = view[s->side].from[block] * n + k % n;
            seen[b * 4 * n + k] = view[s->side].sign[block] * all.basis[b * width + from];
        }
    return subspace_span(m, seen, all.dim, 4 * n);
}
