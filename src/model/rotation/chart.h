/* chart.h - a rotation within a step: the exponential chart, centred between both ends.
 *
 *     R(x) = R_m exp(y(x)),   y(x) = Z(x) - a,   a = Z^d/2,   R_m = R_0 exp(a)
 *     Omega = D_y y',         exp(-y) d exp(y) = D_y dy
 *
 * The base R_m moves with both ends, so its variation eta belongs to the equations. What a model
 * says of a rotation is in body axes: L_Omega and L_R, with dR = R [zeta]; its derivatives along
 * zeta do not commute. Here these become derivatives in y, y' and eta. */
#ifndef MODEL_ROTATION_CHART_H
#define MODEL_ROTATION_CHART_H

#include <stdbool.h>

typedef struct {
    double x[3];
} vector;
typedef struct {
    double x[3][3];
} matrix;

static inline vector vector_cross(vector a, vector b)
{
    return (vector){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                     a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static inline double vector_dot(vector a, vector b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

/* p a + q b */
static inline vector vector_sum(double p, vector a, double q, vector b)
{
    vector out;
    for (int i = 0; i < 3; i++) out.x[i] = p * a.x[i] + q * b.x[i];
    return out;
}

/* M a, M^T a */
static inline vector matrix_on(const matrix *m, vector a)
{
    vector out;
    for (int i = 0; i < 3; i++)
        out.x[i] = m->x[i][0] * a.x[0] + m->x[i][1] * a.x[1] + m->x[i][2] * a.x[2];
    return out;
}

static inline vector matrix_under(const matrix *m, vector a)
{
    vector out;
    for (int i = 0; i < 3; i++)
        out.x[i] = m->x[0][i] * a.x[0] + m->x[1][i] * a.x[1] + m->x[2][i] * a.x[2];
    return out;
}

static inline matrix matrix_product(const matrix *a, const matrix *b)
{
    matrix out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.x[i][j] =
                a->x[i][0] * b->x[0][j] + a->x[i][1] * b->x[1][j] + a->x[i][2] * b->x[2][j];
    return out;
}

static inline matrix matrix_transposed(const matrix *a)
{
    matrix out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out.x[i][j] = a->x[j][i];
    return out;
}

/* A^T B */
static inline matrix matrix_under_product(const matrix *a, const matrix *b)
{
    const matrix t = matrix_transposed(a);
    return matrix_product(&t, b);
}

/* c_k(s) = sum_j (-s)^j/(2j + k)!, k = 0 .. 7: cos, sin(y)/y, (1 - cos y)/y^2 ... of s = |y|^2 */
enum { STUMPFF = 8 };
void stumpff(double s, double c[STUMPFF]);

matrix chart_exp(vector y);
matrix chart_rate(vector y);              /* D_y                                     */
matrix chart_slope_rate(vector y, vector p);            /* d (p . D_y v)/dy dv       */
matrix chart_slope_slope(vector y, vector v, vector p); /* d (p . D_y v)/dy dy       */

/* A point of the curve: where it is, and how its changes are those of the body,
 *     zeta = B dy + E^T deta,   dOmega = C dy + V dv
 * Of a Hamiltonian rotation v is the momentum p in the chart, and Omega the one in body axes, P:
 *     p = D_y^T P,   so that  p.y' = P.Omega */
typedef struct {
    vector y, v, Omega;
    matrix E, B, C, V; /* exp(y), D_y; d Omega/dy and dv: d(D_y v)/dy, D_y, or of P */
    bool   phase;      /* it is Hamiltonian                                         */
} chart_point;

chart_point chart_at(vector y, vector v);
chart_point chart_at_momentum(vector y, vector p);

/* What the action and forces depend on, in the chart: L_v, L_y + f and L_eta + f. */
typedef struct {
    vector v, y, eta;
} chart_gradient;

/* pi = L_Omega, or -H_P; tau = L_R + f_R */
chart_gradient chart_pull(const chart_point *p, vector pi, vector tau);

/* Their derivatives by y, v and eta. */
typedef struct {
    matrix v_y, v_v, v_eta, y_y, y_v, y_eta, eta_y, eta_v, eta_eta;
} chart_hessian;

typedef struct { /* of pi and tau of one rotation by zeta and Omega of another, or of itself */
    matrix pi_zeta, pi_Omega, tau_zeta, tau_Omega;
} body_hessian;

/* from: the rotation whose row it is; by: the one it is derived by. */
chart_hessian chart_between(const chart_point *from, const body_hessian *h, const chart_point *by);
/* ... by itself: what pi and tau have as they are is added. */
chart_hessian chart_itself(const chart_point *p, vector pi, vector tau, const body_hessian *h);

/* Of a torque alone, which the derivatives T are those of; T NULL: it does not change. */
typedef struct {
    matrix y_y, y_eta, eta_y, eta_eta;
} chart_curvature;

chart_curvature chart_torque_between(const chart_point *from, const matrix *T,
                                     const chart_point *by);
chart_curvature chart_torque_itself(const chart_point *p, vector tau, const matrix *T);

/* The state: a unit quaternion and the momentum in space axes, both in two parts. */
typedef struct {
    double q[4], q_low[4];
    double pi[3], pi_low[3];
} rotation_state;

matrix rotation_matrix(const double q[4]); /* divided by |q|^2, so that its length is of no meaning */

/* From q_0 to q_0 exp(a) exp(a), by the quaternion of exp(a) that the equations have used twice, and
 * pi + dpi. */
void rotation_advance(rotation_state *s, vector a, vector dpi);

#endif
