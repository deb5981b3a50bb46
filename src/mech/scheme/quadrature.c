/* quadrature.c - Gauss, Lobatto and Radau rules on [0,1] for any number of points.
 *
 * Every root is found as its distance u from the nearer end of the interval, in long double: the
 * points that crowd near the ends keep all digits, and symmetric rules are so to the last bit. */
#include "mech/scheme/scheme.h"

#include <float.h>
#include <math.h>

/* Legendre polynomials at x = 1 - 2u, by the recurrence of D_k = P_k - P_{k-1},
 *     (k+1) D_{k+1} = k D_k - 2 (2k+1) u P_k,                            theory.md [QUADRATURE]
 * in which 1 - x never appears as a difference. */
typedef struct {
    long double p, d; /* P_n, D_n; P_{n-1} = p - d */
} legendre;

/* From P_0 = 1, D_0 = 0. */
static legendre legendre_at(int n, long double u)
{
    legendre f = {1, 0};
    for (int k = 0; k < n; k++) {
        f.d = (k * f.d - 2 * (2 * k + 1) * u * f.p) / (k + 1);
        f.p += f.d;
    }
    return f;
}

/* One family of roots: Newton's correction of u, and the weight at the root.
 * A prime below is d/dx, and d/du = -2 d/dx. */
typedef struct {
    long double (*correction)(int n, long double u);
    long double (*weight)(int n, long double u);
} family;

/* Gauss: P_n = 0, where 4u(1-u) P_n' = -n (D_n - 2u P_n); weight 4u(1-u) / (n P_{n-1})^2. */
static long double gauss_correction(int n, long double u)
{
    legendre f = legendre_at(n, u);
    return 2 * f.p * u * (1 - u) / (n * (f.d - 2 * u * f.p));
}

static long double gauss_weight(int n, long double u)
{
    legendre    f = legendre_at(n, u);
    long double e = n * (f.p - f.d);
    return 4 * u * (1 - u) / (e * e);
}

/* Lobatto: y = 4u(1-u) P_n' = 0 with n = s - 1, where 4u(1-u) P_n'' = 2x P_n' - n(n+1) P_n;
 * weight 1 / (n(n+1) P_n^2). */
static long double lobatto_correction(int n, long double u)
{
    legendre    f = legendre_at(n, u);
    long double y = -n * (f.d - 2 * u * f.p);
    return -2 * u * (1 - u) * y / (2 * (1 - 2 * u) * y - 4 * n * (n + 1) * u * (1 - u) * f.p);
}

static long double lobatto_weight(int n, long double u)
{
    legendre f = legendre_at(n, u);
    return 1 / (n * (n + 1) * f.p * f.p);
}

/* Radau, u counted from the end that is a point: D_n = 0, D_n' = n (P_n + P_{n-1}) / (2 (1-u)). */
static long double radau_near_correction(int n, long double u)
{
    legendre f = legendre_at(n, u);
    return -f.d * (1 - u) / (n * (2 * f.p - f.d));
}

static long double radau_near_weight(int n, long double u)
{
    legendre    f = legendre_at(n, u);
    long double e = n * (f.p - f.d);
    return (1 - u) / (e * e);
}

/* Radau, u counted from the other end: P_n + P_{n-1} = 0, whose derivative is -n D_n / (2u). */
static long double radau_far_correction(int n, long double u)
{
    legendre f = legendre_at(n, u);
    return (2 * f.p - f.d) * u / (n * f.d);
}

static long double radau_far_weight(int n, long double u)
{
    legendre    f = legendre_at(n, u);
    long double e = n * (f.p - f.d);
    return u / (e * e);
}

static const family GAUSS = {gauss_correction, gauss_weight};
static const family LOBATTO = {lobatto_correction, lobatto_weight};
static const family RADAU_NEAR = {radau_near_correction, radau_near_weight};
static const family RADAU_FAR = {radau_far_correction, radau_far_weight};

/* The root near u = sin^2(angle/2), the asymptotic place of a root of a Jacobi polynomial. */
static long double root(const family *f, int n, long double angle)
{
    enum { ITERATIONS_MOST = 20 };
    long double u = sinl(angle / 2) * sinl(angle / 2), last = 1;
    for (int k = 0; k < ITERATIONS_MOST; k++) {
        long double du = f->correction(n, u), size = fabsl(du);
        u -= du;
        /* the last digit, or corrections that only rounding makes */
        if (size <= LDBL_EPSILON * u || (k > 3 && size >= last)) break;
        last = size;
    }
    return u;
}

static const long double PI = 3.14159265358979323846264338327950288L;

/* Point i (from 0) counted from the left end, or from the right. */
static void place(quadrature *r, bool right, int i, long double u, long double b)
{
    int at = right ? r->s - 1 - i : i;
    r->c[at] = right ? 1 - (double)u : (double)u;
    r->b[at] = (double)b;
}

/* Point i and its mirror image; the middle point of an odd rule is its own. */
static void place_pair(quadrature *r, const family *f, int n, int i, long double angle)
{
    long double u = 2 * i + 1 == r->s ? 0.5L : root(f, n, angle);
    long double b = f->weight(n, u);
    place(r, false, i, u, b), place(r, true, i, u, b);
}

bool quadrature_gauss(quadrature *r, int s)
{
    if (s < 1 || s > STAGES_MOST) return false;
    *r = (quadrature){.s = s, .order = 2 * s, .symmetric = true};
    for (int i = 0; 2 * i < s; i++) place_pair(r, &GAUSS, s, i, PI * (i + 0.75L) / (s + 0.5L));
    return true;
}

/* End points have the weight 1/(n (n+1)), n = s - 1, since P_n = 1 there. */
bool quadrature_lobatto(quadrature *r, int s)
{
    if (s < 2 || s > STAGES_MOST) return false;
    *r = (quadrature){.s = s, .order = 2 * s - 2, .symmetric = true};
    int         n = s - 1;
    long double end = 1 / (long double)(n * s);
    place(r, false, 0, 0, end), place(r, true, 0, 0, end);
    for (int i = 1; 2 * i < s; i++) place_pair(r, &LOBATTO, n, i, PI * (i + 0.25L) / (n + 0.5L));
    return true;
}

/* The end at which a Radau rule has a point is the right one, or the left. */
static bool radau(quadrature *r, int s, bool right)
{
    if (s < 1 || s > STAGES_MOST) return false;
    *r = (quadrature){.s = s, .order = 2 * s - 1};
    /* the end point, then those nearer to it, then those nearer to the other end */
    place(r, right, 0, 0, 1 / (long double)(s * s));
    for (int i = 1; i <= (s - 1) / 2; i++) {
        long double u = root(&RADAU_NEAR, s, PI * (i + 0.25L) / s);
        place(r, right, i, u, radau_near_weight(s, u));
    }
    for (int i = 0; i < s / 2; i++) {
        long double u = root(&RADAU_FAR, s, PI * (i + 0.75L) / s);
        place(r, !right, i, u, radau_far_weight(s, u));
    }
    return true;
}

bool quadrature_radau(quadrature *r, int s)
{
    return radau(r, s, true);
}

bool quadrature_radau_left(quadrature *r, int s)
{
    return radau(r, s, false);
}

/* One point; in the middle it is Gauss' and has order 2. */
void quadrature_rectangle(quadrature *r, double alpha)
{
    bool middle = alpha == 0.5;
    *r = (quadrature){.s = 1, .order = middle ? 2 : 1, .c = {alpha}, .b = {1}, .symmetric = middle};
}
