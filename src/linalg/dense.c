/* dense.c - singular values by one-sided Jacobi rotations, and what follows from them: rank, null
 * space, least norm, condition. Slow next to bidiagonalisation, but short and more accurate. */
#include "linalg/dense.h"
#include "step/words.h"

#include <float.h>
#include <string.h>

#include "step/echelon.h"

enum { SWEEPS = 60 }; /* it takes about eight; the limit is for matrices with NaN */

/* A V = W with orthogonal columns; |w_j| = sigma_j. The columns of W and of V are rows here. */
typedef struct {
    int     rows, columns;
    double *w; /* columns x rows    */
    double *v; /* columns x columns */
} jacobi;

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* a, b = c a - s b, s a + c b */
static void rotate(double *restrict a, double *restrict b, int n, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

/* a = x.x, b = y.y, g = x.y in one go */
static void products(const double *x, const double *y, int n, double *a, double *b, double *g)
{
    double xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < n; i++) xx += x[i] * x[i], yy += y[i] * y[i], xy += x[i] * y[i];
    *a = xx, *b = yy, *g = xy;
}

/* Makes columns i and j of W orthogonal, the longer one first; false if they were so. A column that
 * is eps^2 of the largest entry is rounding left of rounding, and counts as orthogonal to all. */
static bool orthogonalise(jacobi *z, int i, int j)
{
    const double nothing = DBL_EPSILON * DBL_EPSILON * DBL_EPSILON * DBL_EPSILON;
    double      *wi = z->w + (size_t)i * (size_t)z->rows, *wj = z->w + (size_t)j * (size_t)z->rows;
    double *vi = z->v + (size_t)i * (size_t)z->columns, *vj = z->v + (size_t)j * (size_t)z->columns;
    double  a, b, g;
    products(wi, wj, z->rows, &a, &b, &g);
    const bool exchanged = a < b; /* then pairs that have been looked at are others now */
    if (exchanged) {              /* up to sign, by a quarter turn */
        rotate(wi, wj, z->rows, 0, -1);
        rotate(vi, vj, z->columns, 0, -1);
        double t = a;
        a = b, b = t, g = -g;
    }
    double roundoff = sqrt(z->rows) * DBL_EPSILON; /* of g, relative */
    if (b <= nothing || !(fabs(g) > roundoff * sqrt(a) * sqrt(b))) return exchanged;
    double zeta = (b - a) / (2 * g);
    double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
    double c = 1 / sqrt(1 + t * t);
    rotate(wi, wj, z->rows, c, c * t);
    rotate(vi, vj, z->columns, c, c * t);
    return true;
}

/* Scales by a power of two first, so that the largest entry is near 1; returns that power. */
static double load(jacobi *z, const double *a)
{
    double largest = 0;
    int    exponent = 0;
    for (int k = 0; k < z->rows * z->columns; k++)
        if (fabs(a[k]) > largest) largest = fabs(a[k]);
    frexp(largest, &exponent);
    for (int i = 0; i < z->rows; i++)
        for (int j = 0; j < z->columns; j++)
            z->w[j * z->rows + i] = ldexp(a[i * z->columns + j], -exponent);
    memset(z->v, 0, (size_t)z->columns * (size_t)z->columns * sizeof *z->v);
    for (int j = 0; j < z->columns; j++) z->v[j * z->columns + j] = 1;
    return ldexp(1, exponent);
}

/* The decomposition; sigma descends. Work space z->w, z->v is the caller's. */
static void decompose(jacobi *z, const double *a, double *sigma)
{
    double unit = load(z, a);
    bool   turned = true;
    for (int sweep = 0; turned && sweep < SWEEPS; sweep++) {
        turned = false;
        for (int i = 0; i < z->columns; i++)
            for (int j = i + 1; j < z->columns; j++)
                if (orthogonalise(z, i, j)) turned = true;
    }
    for (int j = 0; j < z->columns; j++) {
        double *w = z->w + (size_t)j * (size_t)z->rows;
        sigma[j] = sqrt(dot(w, w, z->rows)) * unit;
        for (int i = 0; i < z->rows; i++) w[i] *= unit;
    }
}

static jacobi jacobi_new(mem *m, int rows, int columns)
{
    size_t r = (size_t)rows, c = (size_t)columns;
    return (jacobi){rows, columns, mem_resize(m, NULL, (r * c + 1) * sizeof(double)),
                    mem_resize(m, NULL, (c * c + 1) * sizeof(double))};
}

static void jacobi_drop(mem *m, jacobi *z)
{
    mem_drop(m, z->v), mem_drop(m, z->w);
}

void dense_svd(mem *m, const double *a, int rows, int columns, double *sigma, double *vt)
{
    jacobi z = jacobi_new(m, rows, columns);
    decompose(&z, a, sigma);
    memcpy(vt, z.v, (size_t)columns * (size_t)columns * sizeof *vt);
    jacobi_drop(m, &z);
}

static int count_above(const double *sigma, int rows, int columns, double tol)
{
    int rank = 0;
    if (tol <= 0) tol = (rows > columns ? rows : columns) * DBL_EPSILON;
    while (rank < columns && sigma[rank] > tol * sigma[0]) rank++;
    return rank;
}

int dense_rank(mem *m, const double *a, int rows, int columns, double tol, double *null)
{
    jacobi  z = jacobi_new(m, rows, columns);
    double *sigma = mem_resize(m, NULL, ((size_t)columns + 1) * sizeof *sigma);
    decompose(&z, a, sigma);
    int rank = count_above(sigma, rows, columns, tol);
    if (null)
        memcpy(null, z.v + (size_t)rank * (size_t)columns,
               (size_t)(columns - rank) * (size_t)columns * sizeof *null);
    mem_drop(m, sigma);
    jacobi_drop(m, &z);
    return rank;
}

/* b = a with rows, then columns, divided by their largest entries; size[j] is the column's. */
static void balance(const double *a, int rows, int columns, double *b, double *size)
{
    for (int j = 0; j < columns; j++) size[j] = 0;
    for (int i = 0; i < rows; i++, a += columns) {
        double r = 0;
        for (int j = 0; j < columns; j++) r = fmax(r, fabs(a[j]));
        for (int j = 0; j < columns; j++) {
            b[i * columns + j] = r > 0 ? a[j] / r : 0;
            size[j] = fmax(size[j], fabs(b[i * columns + j]));
        }
    }
    for (int k = 0; k < rows * columns; k++)
        if (size[k % columns] > 0) b[k] /= size[k % columns];
}

/* The null space of A is C^-1 times that of A C^-1; a column of zeros has no size to divide by. */
static void balance_back(double *x, const double *size, int columns)
{
    double largest = 0, length = 0;
    for (int j = 0; j < columns; j++) {
        if (size[j] > 0) x[j] /= size[j];
        largest = fmax(largest, fabs(x[j]));
    }
    for (int j = 0; j < columns; j++) x[j] /= largest, length += x[j] * x[j];
    for (int j = 0; j < columns; j++) x[j] /= sqrt(length);
}

int dense_rank_scaled(mem *m, const double *a, int rows, int columns, double tol, double *null)
{
    double *b = mem_resize(m, NULL, ((size_t)rows + 1) * ((size_t)columns + 1) * sizeof *b);
    double *size = mem_resize(m, NULL, ((size_t)columns + 1) * sizeof *size);
    balance(a, rows, columns, b, size);
    int rank = dense_rank(m, b, rows, columns, tol, null);
    for (int k = 0; null && k < columns - rank; k++)
        balance_back(null + (size_t)k * (size_t)columns, size, columns);
    mem_drop(m, size), mem_drop(m, b);
    return rank;
}

/* x = sum over sigma_j > 0 of v_j (w_j . b) / sigma_j^2 */
void dense_least_norm(mem *m, const double *a, int rows, int columns, const double *b, double tol,
                      double *x)
{
    jacobi  z = jacobi_new(m, rows, columns);
    double *sigma = mem_resize(m, NULL, ((size_t)columns + 1) * sizeof *sigma);
    decompose(&z, a, sigma);
    int rank = count_above(sigma, rows, columns, tol);
    for (int i = 0; i < columns; i++) x[i] = 0;
    for (int j = 0; j < rank; j++) {
        double f = dot(z.w + (size_t)j * (size_t)rows, b, rows) / sigma[j] / sigma[j];
        for (int i = 0; i < columns; i++) x[i] += f * z.v[j * columns + i];
    }
    mem_drop(m, sigma);
    jacobi_drop(m, &z);
}

double dense_condition(mem *m, const double *a, int n)
{
    jacobi  z = jacobi_new(m, n, n);
    double *sigma = mem_resize(m, NULL, ((size_t)n + 1) * sizeof *sigma);
    decompose(&z, a, sigma);
    double condition = n ? sigma[0] / sigma[n - 1] : 1;
    mem_drop(m, sigma);
    jacobi_drop(m, &z);
    return condition;
}

int dense_echelon(double *a, int rows, int columns, const int *order, int count, double least,
                  double *product)
{
    double    of;
    const int rank = echelon(a, rows, columns, order, count, least, &of);
    if (product) *product = of;
    return rank;
}
