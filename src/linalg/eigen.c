/* eigen.c - the roots of the characteristic polynomial, all at once (Aberth), and the eigenvectors
 * as what the factors of the others leave of a vector (Sylvester). */
#include "linalg/eigen.h"

#include <float.h>
#include <math.h>

/* The largest |a_ij|, n x n. */
static long double size_of(const long double *a, int n)
{
    long double most = 0;
    for (int k = 0; k < n * n; k++) most = fmaxl(most, fabsl(a[k]));
    return most;
}

/*     det(x - a) = x^n + c_{n-1} x^{n-1} + .. + c_0,
 *     B_n = 1,  c_k = -tr(a B_{k+1})/(n - k),  B_k = a B_{k+1} + c_k        (Faddeev, Leverrier) */
static void characteristic(const long double *a, int n, long double *c)
{
    long double B[EIGEN_MOST * EIGEN_MOST] = {0}, aB[EIGEN_MOST * EIGEN_MOST];
    for (int i = 0; i < n; i++) B[i * n + i] = 1;
    for (int k = n - 1; k >= 0; k--) {
        c[k] = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                long double sum = 0;
                for (int l = 0; l < n; l++) sum += a[i * n + l] * B[l * n + j];
                aB[i * n + j] = sum;
            }
        for (int i = 0; i < n; i++) c[k] -= aB[i * n + i] / (n - k);
        for (int i = 0; i < n * n; i++) B[i] = aB[i] + (i % (n + 1) ? 0 : c[k]);
    }
}

/* p(x)/p'(x) of the polynomial with these coefficients. */
static complex_number newton_step(const long double *c, int n, complex_number x)
{
    complex_number p = 1, slope = 0;
    for (int k = n - 1; k >= 0; k--) slope = slope * x + p, p = p * x + c[k];
    return p == 0 ? 0 : p / slope;
}

/*     x_k -= N/(1 - N sum_{j != k} 1/(x_k - x_j)),   N = p/p' at x_k */
static void find_roots(const long double *c, int n, complex_number *x)
{
    enum { ROUNDS = 200 };
    for (int k = 0; k < n; k++) x[k] = cexpl(2.0L * I * (k + 0.3L) / n * 3.0L);
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < n; k++) {
            const complex_number N = newton_step(c, n, x[k]);
            complex_number       others = 0;
            for (int j = 0; j < n; j++)
                if (j != k && x[j] != x[k]) others += 1 / (x[k] - x[j]);
            x[k] -= N / (1 - N * others);
        }
}

/* Of conjugate roots the second becomes exactly that of the first; others become real. */
static bool pair_roots(complex_number *x, int n)
{
    static const long double real = 1e-9L; /* an imaginary part that is none */
    for (int k = 0; k < n; k++) {
        if (fabsl(cimagl(x[k])) <= real * cabsl(x[k])) {
            x[k] = creall(x[k]);
            continue;
        }
        int twin = -1;
        for (int j = k + 1; j < n; j++)
            if (twin < 0 || cabsl(x[j] - conjl(x[k])) < cabsl(x[twin] - conjl(x[k]))) twin = j;
        if (twin < 0 || cabsl(x[twin] - conjl(x[k])) > real * cabsl(x[k])) return false;
        if (cimagl(x[k]) < 0) x[k] = conjl(x[k]);
        x[twin] = x[k + 1], x[k + 1] = conjl(x[k]);
        k++;
    }
    return true;
}

/* v <- (a - x) v, or with the transpose, over its largest entry. */
static bool apply_factor(const long double *a, bool across, int n, complex_number x,
                         complex_number *v)
{
    complex_number w[EIGEN_MOST];
    long double    most = 0;
    for (int i = 0; i < n; i++) {
        w[i] = -x * v[i];
        for (int j = 0; j < n; j++) w[i] += a[across ? j * n + i : i * n + j] * v[j];
        most = fmaxl(most, cabsl(w[i]));
    }
    for (int i = 0; i < n; i++) v[i] = w[i] / most;
    return most > 0;
}

/*     v = prod_{j != k} (a - x_j) s,   u = s prod_{j != k} (a - x_j)
 * with any s: what is left of it lies along v_k and u_k (Sylvester). */
static bool find_vectors(const long double *a, int n, const complex_number *x, int k,
                         complex_number *v, complex_number *u)
{
    complex_number product = 0;
    bool           good = true;
    for (int i = 0; i < n; i++) v[i] = u[i] = 1 + 0.1L * i;
    for (int j = 0; j < n; j++)
        good = good && (j == k ||
                        (apply_factor(a, false, n, x[j], v) && apply_factor(a, true, n, x[j], u)));
    for (int i = 0; i < n; i++) product += u[i] * v[i];
    for (int i = 0; i < n; i++) u[i] /= product;
    return good;
}

/* Is `left` the inverse of `right`? The largest of |left| times that of |right| is what the basis
 * loses. */
static bool are_dual(const complex_number *right, const complex_number *left, int n)
{
    static const long double most = 1e6L, half = 1e-8L; /* of the digits */
    long double              of_right = 0, of_left = 0, off = 0;
    for (int k = 0; k < n * n; k++) {
        complex_number sum = k % (n + 1) ? 0 : -1;
        for (int j = 0; j < n; j++) sum += left[k / n * n + j] * right[j * n + k % n];
        of_right = fmaxl(of_right, cabsl(right[k])), of_left = fmaxl(of_left, cabsl(left[k]));
        off = fmaxl(off, cabsl(sum));
    }
    return of_right * of_left <= most && off <= half;
}

bool eigen_find(const long double *a, int n, complex_number *value, complex_number *right,
                complex_number *left)
{
    if (n > EIGEN_MOST) return false;
    long double       c[EIGEN_MOST], scaled[EIGEN_MOST * EIGEN_MOST] = {0};
    complex_number    v[EIGEN_MOST], u[EIGEN_MOST];
    const long double size = size_of(a, n);
    if (!(size > 0)) return false;
    for (int k = 0; k < n * n; k++) scaled[k] = a[k] / size;
    characteristic(scaled, n, c);
    find_roots(c, n, value);
    bool good = pair_roots(value, n);
    for (int k = 0; k < n && good; k++) {
        /* the second of a pair is the conjugate in every bit */
        const bool second = cimagl(value[k]) < 0;
        good = second || find_vectors(scaled, n, value, k, v, u);
        for (int i = 0; i < n; i++) {
            right[i * n + k] = second ? conjl(right[i * n + k - 1]) : v[i];
            left[k * n + i] = second ? conjl(left[(k - 1) * n + i]) : u[i];
        }
    }
    for (int k = 0; k < n; k++) value[k] *= size;
    return good && are_dual(right, left, n);
}
