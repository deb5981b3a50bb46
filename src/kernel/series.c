/* series.c - functions of power series, by the recurrences that their differential equations give.
 *
 *     u = exp a:    u' = u a'             k u_k = sum_{j=1..k} j a_j u_{k-j}
 *     u = log a:    a u' = a'             k u_k = (k a_k - sum_{j=1..k-1} j u_j a_{k-j}) / a_0
 *
 * and so on for all others: either u' = w a' or w u' = a', with a w that is known up to tau^(k-1).
 * Choices follow the value at tau = 0.                                    theory.md [SHOOTING] */
#include "kernel/jet.h"

#include <math.h>

typedef struct { /* what one function is computed with */
    jet_interpreter *jm;
    jet_kind     kind;
    int          degree;
    double      *u;
    const double *a, *b;
} call;

/* Coefficient k of a series. */
static double *at(const call *f, double *x, int k)
{
    return x + (size_t)k * f->jm->size;
}

static const double *of(const call *f, const double *x, int k)
{
    return x + (size_t)k * f->jm->size;
}

/* A series of one coefficient without derivatives. */
static void constant(const call *f, double *u, double value)
{
    for (int k = 0; k <= f->degree; k++) jet_clear(f->kind, at(f, u, k));
    u[0] = value;
}

/*     u = c a */
static void multiple(const call *f, double *u, double c, const double *a)
{
    for (int k = 0; k <= f->degree; k++) {
        jet_clear(f->kind, at(f, u, k));
        jet_add(f->kind, at(f, u, k), c, of(f, a, k));
    }
}

static void copy(const call *f, double *u, const double *a)
{
    for (int k = 0; k <= f->degree; k++) jet_copy(f->kind, at(f, u, k), of(f, a, k));
}

/*     u = a + c b */
static void add(const call *f, double c)
{
    copy(f, f->u, f->a);
    for (int k = 0; k <= f->degree; k++) jet_add(f->kind, at(f, f->u, k), c, of(f, f->b, k));
}

/*     x += c sum_{j=first..last} a_j b_{k-j} */
static void convolve(const call *f, double *x, double c, const double *a, const double *b, int k,
                     int first, int last)
{
    for (int j = first; j <= last; j++)
        jet_multiply_add(f->kind, x, c, of(f, a, j), of(f, b, k - j));
}

/*     x += (c/k) sum_{j=1..last} j a_j b_{k-j} */
static void convolve_slope(const call *f, double *x, double c, const double *a, const double *b,
                           int k, int last)
{
    for (int j = 1; j <= last; j++)
        jet_multiply_add(f->kind, x, c * j / k, of(f, a, j), of(f, b, k - j));
}

/*     u_k = sum_{j=0..k} a_j b_{k-j} */
static void multiply(const call *f, double *u, const double *a, const double *b)
{
    for (int k = 0; k <= f->degree; k++) {
        jet_clear(f->kind, at(f, u, k));
        convolve(f, at(f, u, k), 1, a, b, k, 0, k);
    }
}

/*     1/(c a) of jets, into the first spare one */
static const double *reciprocal(const call *f, double c, const double *a)
{
    double r = 1 / (c * a[0]), s = c * r;
    jet_apply(f->kind, f->jm->jet[0], a, r, -r * s, 2 * r * s * s);
    return f->jm->jet[0];
}

/* Finishes a coefficient whose numerator is in the second spare jet: u_k = it * r. */
static void finish(const call *f, double *u, int k, const double *r)
{
    jet_clear(f->kind, at(f, u, k));
    jet_multiply_add(f->kind, at(f, u, k), 1, f->jm->jet[1], r);
}

/*     b u = a */
static void divide(const call *f)
{
    const double *r = reciprocal(f, 1, f->b);
    double       *rest = f->jm->jet[1];
    for (int k = 0; k <= f->degree; k++) {
        jet_copy(f->kind, rest, of(f, f->a, k));
        convolve(f, rest, -1, f->b, f->u, k, 1, k);
        finish(f, f->u, k, r);
    }
}

/*     u u = a */
static void square_root(const call *f, double *u, const double *a)
{
    double s = sqrt(a[0]), *rest = f->jm->jet[1];
    jet_apply(f->kind, u, a, s, 0.5 / s, -0.25 / (s * a[0]));
    const double *r = reciprocal(f, 2, u);
    for (int k = 1; k <= f->degree; k++) {
        jet_copy(f->kind, rest, of(f, a, k));
        convolve(f, rest, -1, u, u, k, 1, k - 1);
        finish(f, u, k, r);
    }
}

/*     u' = w a': the coefficient of tau^k */
static void integrate(const call *f, double *u, double c, const double *a, const double *w, int k)
{
    jet_clear(f->kind, at(f, u, k));
    convolve_slope(f, at(f, u, k), c, a, w, k, k);
}

/*     u' = u a' */
static void exponential(const call *f, double *u, const double *a)
{
    double e = exp(a[0]);
    jet_apply(f->kind, u, a, e, e, e);
    for (int k = 1; k <= f->degree; k++) integrate(f, u, 1, a, u, k);
}

/*     s' = c a',  c' = -+ s a' */
static void circular(const call *f, double *s, double *c)
{
    const double x = f->a[0], s0 = sin(x), c0 = cos(x);
    jet_apply(f->kind, s, f->a, s0, c0, -s0), jet_apply(f->kind, c, f->a, c0, -s0, -c0);
    for (int k = 1; k <= f->degree; k++)
        integrate(f, s, 1, f->a, c, k), integrate(f, c, -1, f->a, s, k);
}

/*     s' = c a',   c' = s a' */
static void hyperbolic(const call *f, double *s, double *c)
{
    const double x = f->a[0], s0 = sinh(x), c0 = cosh(x);
    jet_apply(f->kind, s, f->a, s0, c0, s0), jet_apply(f->kind, c, f->a, c0, s0, c0);
    for (int k = 1; k <= f->degree; k++)
        integrate(f, s, 1, f->a, c, k), integrate(f, c, 1, f->a, s, k);
}

/*     u' = w a',  w = 1 + sign u^2 */
static void tangent(const call *f, double value, double sign)
{
    double *u = f->u, *w = f->jm->series[0], w0 = 1 + sign * value * value;
    jet_apply(f->kind, u, f->a, value, w0, 2 * sign * value * w0);
    jet_apply(f->kind, w, u, w0, 2 * sign * value, 2 * sign);
    for (int k = 1; k <= f->degree; k++) {
        integrate(f, u, 1, f->a, w, k);
        jet_clear(f->kind, at(f, w, k));
        convolve(f, at(f, w, k), sign, u, u, k, 0, k);
    }
}

/*     w u' = a', where u_0 is there already */
static void integrate_quotient(const call *f, const double *a, const double *w)
{
    const double *r = reciprocal(f, 1, w);
    double       *rest = f->jm->jet[1];
    for (int k = 1; k <= f->degree; k++) {
        jet_copy(f->kind, rest, of(f, a, k));
        convolve_slope(f, rest, -1, f->u, w, k, k - 1);
        finish(f, f->u, k, r);
    }
}

/*     a u' = a' */
static void logarithm(const call *f, double *u, const double *a)
{
    call g = *f;
    g.u = u;
    jet_apply(f->kind, u, a, log(a[0]), 1 / a[0], -1 / (a[0] * a[0]));
    integrate_quotient(&g, a, a);
}

/*     w = 1 + sign a^2 */
static const double *one_plus_square(const call *f, double sign, double *w)
{
    multiply(f, w, f->a, f->a);
    multiple(f, f->jm->series[1], sign, w);
    copy(f, w, f->jm->series[1]);
    w[0] += 1;
    return w;
}

/*     (1 + a^2) u' = a' */
static void arc_tangent(const call *f)
{
    const double x = f->a[0], *w = one_plus_square(f, 1, f->jm->series[0]), d = 1 / w[0];
    jet_apply(f->kind, f->u, f->a, atan(x), d, -2 * x * d * d);
    integrate_quotient(f, f->a, w);
}

/*     asin (sign 1), acos (sign -1): sign sqrt(1 - a^2) u' = a' */
static void arc_sine(const call *f, double value, double sign)
{
    double *w = f->jm->series[2], *square = f->jm->series[0], x = f->a[0];
    one_plus_square(f, -1, square);
    square_root(f, f->jm->series[1], square);
    multiple(f, w, sign, f->jm->series[1]);
    jet_apply(f->kind, f->u, f->a, value, 1 / w[0], x / (w[0] * square[0]));
    integrate_quotient(f, f->a, w);
}

/* The jet of atan2 at tau = 0: its derivatives are those of atan(y/x), or of atan(-x/y). */
static void arc_tangent2_begin(const call *f)
{
    const bool    steep = fabs(f->a[0]) > fabs(f->b[0]);
    const double *over = steep ? f->a : f->b, *under = steep ? f->b : f->a;
    double       *ratio = f->jm->jet[1];
    jet_clear(f->kind, ratio);
    jet_multiply_add(f->kind, ratio, steep ? -1 : 1, under, reciprocal(f, 1, over));
    const double d = 1 / (1 + ratio[0] * ratio[0]);
    jet_apply(f->kind, f->u, ratio, atan2(f->a[0], f->b[0]), d, -2 * ratio[0] * d * d);
}

/*     (x^2 + y^2) u' = x y' - y x' */
static void arc_tangent2(const call *f)
{
    double *w = f->jm->series[0], *n = f->jm->series[1];
    arc_tangent2_begin(f);
    for (int k = 0; k <= f->degree; k++) {
        jet_clear(f->kind, at(f, w, k)), jet_clear(f->kind, at(f, n, k));
        convolve(f, at(f, w, k), 1, f->a, f->a, k, 0, k);
        convolve(f, at(f, w, k), 1, f->b, f->b, k, 0, k);
        if (!k) continue;
        convolve_slope(f, at(f, n, k), 1, f->a, f->b, k, k);
        convolve_slope(f, at(f, n, k), -1, f->b, f->a, k, k);
    }
    integrate_quotient(f, n, w);
}

/* Powers. -------------------------------------------------------------------------------------- */

/* A number that changes neither with tau nor in any direction. */
static bool is_constant(const call *f, const double *b)
{
    for (int k = 0; k <= f->degree; k++)
        for (int i = k ? 0 : 1; i < (f->kind.second ? (int)f->jm->size : 1 + f->kind.n); i++)
            if (of(f, b, k)[i] != 0) return false;
    return true;
}

/* By products, which are defined at a = 0 too, where a logarithm is not. */
static void repeated_product(const call *f, int power)
{
    constant(f, f->u, 1);
    for (int i = 0; i < power; i++) {
        multiply(f, f->jm->series[0], f->u, f->a);
        copy(f, f->u, f->jm->series[0]);
    }
}

/*     a u' = b a' u:   k a_0 u_k = sum_{j=1..k} (j b - (k-j)) a_j u_{k-j} */
static void constant_power(const call *f, double b)
{
    const double x = f->a[0];
    double      *rest = f->jm->jet[1];
    jet_apply(f->kind, f->u, f->a, pow(x, b), b * pow(x, b - 1), b * (b - 1) * pow(x, b - 2));
    const double *r = reciprocal(f, 1, f->a);
    for (int k = 1; k <= f->degree; k++) {
        jet_clear(f->kind, rest);
        for (int j = 1; j <= k; j++)
            jet_multiply_add(f->kind, rest, (j * b - (k - j)) / k, of(f, f->a, j),
                             of(f, f->u, k - j));
        finish(f, f->u, k, r);
    }
}

enum { PRODUCTS_MOST = 64 };

/*     a^b by products, by the recurrence of constant powers, or as exp(b log a) */
static void power(const call *f)
{
    const double b = f->b[0];
    double      *x = f->jm->series[0], *y = f->jm->series[1];
    if (is_constant(f, f->b) && b == floor(b) && b >= 0 && b <= PRODUCTS_MOST) {
        repeated_product(f, (int)b);
    } else if (is_constant(f, f->b)) {
        constant_power(f, b);
    } else {
        logarithm(f, x, f->a);
        multiply(f, y, x, f->b);
        exponential(f, f->u, y);
    }
}

void series_apply(jet_interpreter *jm, int degree, expr_op op, double *u, const double *a,
                  const double *b, const double *c)
{
    const call f = {jm, jm->kind, degree, u, a, b};
    switch (op) {
    case OP_ADD: add(&f, 1); break;
    case OP_SUB: add(&f, -1); break;
    case OP_MUL: multiply(&f, u, a, b); break;
    case OP_DIV: divide(&f); break;
    case OP_NEG: multiple(&f, u, -1, a); break;
    case OP_POW: power(&f); break;
    case OP_SQRT: square_root(&f, u, a); break;
    case OP_EXP: exponential(&f, u, a); break;
    case OP_LOG: logarithm(&f, u, a); break;
    case OP_SIN: circular(&f, u, jm->series[0]); break;
    case OP_COS: circular(&f, jm->series[0], u); break;
    case OP_TAN: tangent(&f, tan(*a), 1); break;
    case OP_ASIN: arc_sine(&f, asin(*a), 1); break;
    case OP_ACOS: arc_sine(&f, acos(*a), -1); break;
    case OP_ATAN: arc_tangent(&f); break;
    case OP_ATAN2: arc_tangent2(&f); break;
    case OP_SINH: hyperbolic(&f, u, jm->series[0]); break;
    case OP_COSH: hyperbolic(&f, jm->series[0], u); break;
    case OP_TANH: tangent(&f, tanh(*a), -1); break;
    case OP_ABS: multiple(&f, u, (*a > 0) - (*a < 0), a); break;
    case OP_MIN: copy(&f, u, *a <= *b ? a : b); break;
    case OP_MAX: copy(&f, u, *a >= *b ? a : b); break;
    case OP_IF: copy(&f, u, *a != 0 ? b : c); break;
    default: constant(&f, u, op_value(op, *a, *b, *c)); break; /* steps and comparisons */
    }
}
