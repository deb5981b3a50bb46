/* chart.c - the exponential map of rotations, its derivatives, and the state that it advances. */
#include "model/rotation/chart.h"

#include "step/words.h"

#include "step/sum.h"

#include <math.h>

/* Vectors. ------------------------------------------------------------------------------------- */

vector vector_cross(vector a, vector b)
{
    return (vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                     a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

double vector_dot(vector a, vector b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

vector vector_sum(double p, vector a, double q, vector b)
{
    vector out;
    for (int i = 0; i < 3; i++) out.x[i] = p * a.x[i] + q * b.x[i];
    return out;
}

vector matrix_on(const matrix *m, vector a)
{
    vector out;
    for (int i = 0; i < 3; i++)
        out.x[i] = m->x[i][0] * a.x[0] + m->x[i][1] * a.x[1] + m->x[i][2] * a.x[2];
    return out;
}

vector matrix_under(const matrix *m, vector a)
{
    vector out;
    for (int i = 0; i < 3; i++)
        out.x[i] = m->x[0][i] * a.x[0] + m->x[1][i] * a.x[1] + m->x[2][i] * a.x[2];
    return out;
}

matrix matrix_product(const matrix *a, const matrix *b)
{
    matrix out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.x[i][j] =
                a->x[i][0] * b->x[0][j] + a->x[i][1] * b->x[1][j] + a->x[i][2] * b->x[2][j];
    return out;
}

static matrix transposed(const matrix *a)
{
    matrix out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out.x[i][j] = a->x[j][i];
    return out;
}

matrix matrix_under_product(const matrix *a, const matrix *b)
{
    const matrix t = transposed(a);
    return matrix_product(&t, b);
}

static void add_matrix(matrix *to, double c, const matrix *a)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to->x[i][j] += c * a->x[i][j];
}

/* c a b^T */
static void add_outer(matrix *to, double c, vector a, vector b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to->x[i][j] += c * a.x[i] * b.x[j];
}

static void add_identity(matrix *to, double c)
{
    for (int i = 0; i < 3; i++) to->x[i][i] += c;
}

/* c [a], the matrix of a x */
static void add_cross(matrix *to, double c, vector a)
{
    for (int i = 0; i < 3; i++) {
        const int n = (i + 1) % 3, p = (i + 2) % 3;
        to->x[i][n] -= c * a.x[p], to->x[i][p] += c * a.x[n];
    }
}

/* The exponential map. ------------------------------------------------------------------------- */

static const double factorial[STUMPFF] = {1, 1, 2, 6, 24, 120, 720, 5040};

/*     c_k = 1/k! - s c_{k+2}:  downward from two series where s is small, else upward from cos, sin
 */
void stumpff(double s, double c[STUMPFF])
{
    if (s >= 1) {
        const double y = sqrt(s);
        c[0] = cos(y), c[1] = sin(y) / y;
        for (int k = 2; k < STUMPFF; k++) c[k] = (1 / factorial[k - 2] - c[k - 2]) / s;
        return;
    }
    for (int k = STUMPFF - 2; k < STUMPFF; k++) {
        double term = 1 / factorial[k];
        c[k] = 0;
        for (int j = 0; j < 9; j++) c[k] += term, term *= -s / ((2 * j + k + 1) * (2 * j + k + 2));
    }
    for (int k = STUMPFF - 3; k >= 0; k--) c[k] = 1 / factorial[k] - s * c[k + 2];
}

/*     1 + p [y] + q [y]^2,   [y]^2 = y y^T - s */
static matrix of_axis(vector y, double s, double p, double q)
{
    matrix out = {{{0}}};
    add_identity(&out, 1 - q * s);
    add_cross(&out, p, y);
    add_outer(&out, q, y, y);
    return out;
}

matrix chart_exp(vector y)
{
    const double s = vector_dot(y, y);
    double       c[STUMPFF];
    stumpff(s, c);
    return of_axis(y, s, c[1], c[2]);
}

matrix chart_rate(vector y)
{
    const double s = vector_dot(y, y);
    double       c[STUMPFF];
    stumpff(s, c);
    return of_axis(y, s, -c[2], c[3]);
}

/* Of Phi = p . D_y v = p.v - c_2 alpha + c_3 beta: */
typedef struct {
    double s, c[STUMPFF], e1, e2;
    double alpha, beta, k1, k2; /* alpha = p.(y x v),  beta = (p.y)(y.v) - s p.v        */
    vector alpha_y, beta_y;     /* v x p,  p (y.v) + v (y.p) - 2 y (p.v)                */
} phi;

static phi phi_at(vector y, vector v, vector p)
{
    phi f = {.s = vector_dot(y, y)};
    stumpff(f.s, f.c);
    const double *c = f.c, yv = vector_dot(y, v), yp = vector_dot(y, p), pv = vector_dot(p, v);
    f.e1 = 2 * c[4] - c[3], f.e2 = 3 * c[5] - c[4];
    f.alpha = vector_dot(p, vector_cross(y, v)), f.beta = yp * yv - f.s * pv;
    f.k1 = -f.e1 * f.alpha + f.e2 * f.beta;
    f.k2 = -(8 * c[6] - 5 * c[5] + c[4]) * f.alpha + (15 * c[7] - 7 * c[6] + c[5]) * f.beta;
    f.alpha_y = vector_cross(v, p);
    f.beta_y = vector_sum(1, vector_sum(yv, p, yp, v), -2 * pv, y);
    return f;
}

/*     Phi_y = -c_2 alpha_y + c_3 beta_y + k_1 y */
vector chart_slope(vector y, vector v, vector p)
{
    const phi f = phi_at(y, v, p);
    return vector_sum(1, vector_sum(-f.c[2], f.alpha_y, f.c[3], f.beta_y), f.k1, y);
}

/*     Phi_yy = c_3 (p v^T + v p^T - 2 p.v) + k_1 + y g^T + g y^T + k_2 y y^T,
 *     g = -e_1 alpha_y + e_2 beta_y */
matrix chart_slope_slope(vector y, vector v, vector p)
{
    const phi    f = phi_at(y, v, p);
    const vector g = vector_sum(-f.e1, f.alpha_y, f.e2, f.beta_y);
    matrix       out = {{{0}}};
    add_outer(&out, f.c[3], p, v), add_outer(&out, f.c[3], v, p);
    add_identity(&out, f.k1 - 2 * f.c[3] * vector_dot(p, v));
    add_outer(&out, 1, y, g), add_outer(&out, 1, g, y);
    add_outer(&out, f.k2, y, y);
    return out;
}

/*     Phi_yv = c_2 [p] + c_3 (p y^T + y.p - 2 y p^T) + y (-e_1 p x y + e_2 ((p.y) y - s p))^T */
matrix chart_slope_rate(vector y, vector p)
{
    const double s = vector_dot(y, y), yp = vector_dot(y, p);
    double       c[STUMPFF];
    matrix       out = {{{0}}};
    stumpff(s, c);
    const double e1 = 2 * c[4] - c[3], e2 = 3 * c[5] - c[4];
    const vector last = vector_sum(-e1, vector_cross(p, y), e2, vector_sum(yp, y, -s, p));
    add_cross(&out, c[2], p);
    add_outer(&out, c[3], p, y), add_identity(&out, c[3] * yp), add_outer(&out, -2 * c[3], y, p);
    add_outer(&out, 1, y, last);
    return out;
}

/* Points. -------------------------------------------------------------------------------------- */

chart_point chart_at(vector y, vector v)
{
    chart_point p = {.y = y, .v = v, .E = chart_exp(y), .B = chart_rate(y)};
    p.Omega = matrix_on(&p.B, v);
    for (int j = 0; j < 3; j++) {
        vector unit = {{0}};
        unit.x[j] = 1;
        const vector row = chart_slope(y, v, unit);
        for (int k = 0; k < 3; k++) p.C.x[j][k] = row.x[k];
    }
    return p;
}

/*     L_v = B^T pi,   L_y = B^T tau + Phi_y(y, v; pi),   L_eta = E tau */
chart_gradient chart_pull(const chart_point *p, vector pi, vector tau)
{
    return (chart_gradient){
        .v = matrix_under(&p->B, pi),
        .y = vector_sum(1, matrix_under(&p->B, tau), 1, chart_slope(p->y, p->v, pi)),
        .eta = matrix_on(&p->E, tau)};
}

/*     zeta = B dy + E^T deta,   dOmega = C dy + B dv */
typedef struct {
    matrix by_y, by_v, by_eta;
} body_change;

static body_change changed(const matrix *of_zeta, const matrix *of_Omega, const chart_point *by)
{
    const matrix Et = transposed(&by->E), through_C = matrix_product(of_Omega, &by->C);
    body_change  out = {matrix_product(of_zeta, &by->B), matrix_product(of_Omega, &by->B),
                        matrix_product(of_zeta, &Et)};
    add_matrix(&out.by_y, 1, &through_C);
    return out;
}

/*     dL_v = B^T dpi,   dL_y = B^T dtau + C^T dpi,   dL_eta = E dtau */
chart_hessian chart_between(const chart_point *from, const body_hessian *h, const chart_point *by)
{
    const body_change pi = changed(&h->pi_zeta, &h->pi_Omega, by),
                      tau = changed(&h->tau_zeta, &h->tau_Omega, by);
    const matrix *dpi[] = {&pi.by_y, &pi.by_v, &pi.by_eta},
                 *dtau[] = {&tau.by_y, &tau.by_v, &tau.by_eta};
    chart_hessian out;
    matrix *of_v[] = {&out.v_y, &out.v_v, &out.v_eta}, *of_y[] = {&out.y_y, &out.y_v, &out.y_eta},
           *of_eta[] = {&out.eta_y, &out.eta_v, &out.eta_eta};
    for (int k = 0; k < 3; k++) {
        const matrix through_C = matrix_under_product(&from->C, dpi[k]);
        *of_v[k] = matrix_under_product(&from->B, dpi[k]);
        *of_y[k] = matrix_under_product(&from->B, dtau[k]);
        add_matrix(of_y[k], 1, &through_C);
        *of_eta[k] = matrix_product(&from->E, dtau[k]);
    }
    return out;
}

/* and   dL_v += Phi_vy(y; pi) dy,   dL_y += Phi_vy(y; tau) dy + Phi_yy dy + Phi_yv dv,
 *       dL_eta += E ((B dy) x tau) */
chart_hessian chart_itself(const chart_point *p, vector pi, vector tau, const body_hessian *h)
{
    chart_hessian out = chart_between(p, h, p);
    const matrix  of_pi = chart_slope_rate(p->y, pi), of_tau = chart_slope_rate(p->y, tau);
    const matrix  v_y = transposed(&of_pi), tau_y = transposed(&of_tau);
    const matrix  y_y = chart_slope_slope(p->y, p->v, pi);
    matrix        turning = {{{0}}};
    add_matrix(&out.v_y, 1, &v_y);
    add_matrix(&out.y_y, 1, &tau_y), add_matrix(&out.y_y, 1, &y_y);
    add_matrix(&out.y_v, 1, &of_pi);
    add_cross(&turning, -1, tau); /* z x tau = -[tau] z */
    const matrix E_turning = matrix_product(&p->E, &turning);
    const matrix eta_y = matrix_product(&E_turning, &p->B);
    add_matrix(&out.eta_y, 1, &eta_y);
    return out;
}

/* The state. ----------------------------------------------------------------------------------- */

matrix rotation_matrix(const double q[4])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3], n = w * w + x * x + y * y + z * z;
    matrix       m = {{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
                       {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
                       {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m.x[i][j] /= n;
    return m;
}

/*     exp(a) - 1 = (-s c_2(s), c_1(s) a/2),   s = |a|^2/4 */
static void turn_less_one(vector a, double e[4])
{
    const double s = vector_dot(a, a) / 4;
    double       c[STUMPFF];
    stumpff(s, c);
    e[0] = -s * c[2];
    for (int i = 0; i < 3; i++) e[i + 1] = 0.5 * c[1] * a.x[i];
}

static void add_product(double to[4], const double p[4], const double q[4])
{
    to[0] += p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    for (int i = 0; i < 3; i++) {
        const int n = (i + 1) % 3 + 1, o = (i + 2) % 3 + 1;
        to[i + 1] += p[0] * q[i + 1] + q[0] * p[i + 1] + p[n] * q[o] - p[o] * q[n];
    }
}

/* x^2 - (rounded x^2), exactly (Dekker) */
static double square_error(double x, double square)
{
    const double c = 134217729.0 * x, high = c - (c - x), low = x - high;
    return ((high * high - square) + 2 * high * low) + low * low;
}

/* Along q, which turns nothing: (q, q_low) has length 1 to roundoff of the low part. */
static void keep_length(rotation_state *s)
{
    double rest = 1, low = 0;
    for (int i = 0; i < 4; i++) {
        const double square = s->q[i] * s->q[i];
        add(&rest, &low, -square);
        low -= square_error(s->q[i], square) + 2 * s->q[i] * s->q_low[i];
    }
    for (int i = 0; i < 4; i++) s->q_low[i] += 0.5 * (rest + low) * s->q[i];
}

/*     r - 1 = 2 e + e e,   q += q (r - 1) */
void rotation_advance(rotation_state *s, vector a, vector dpi)
{
    double e[4], r[4], dq[4] = {0};
    turn_less_one(a, e);
    for (int i = 0; i < 4; i++) r[i] = 2 * e[i];
    add_product(r, e, e);
    add_product(dq, s->q, r), add_product(dq, s->q_low, r);
    for (int i = 0; i < 4; i++) add(&s->q[i], &s->q_low[i], dq[i]);
    keep_length(s);
    for (int i = 0; i < 3; i++) add(&s->pi[i], &s->pi_low[i], dpi.x[i]);
}
