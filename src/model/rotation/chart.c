/* chart.c - the exponential map of rotations, its derivatives, and the state that it advances. */
#include "model/rotation/chart.h"

#include "step/words.h"

#include "step/sum.h"

#include "step/rotation.h"

/* Matrices. ------------------------------------------------------------------------------------ */

static void add_matrix(matrix *to, double c, const matrix *a)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) to->x[i][j] += c * a->x[i][j];
}

/* c [a], the matrix of a x */
static void add_cross(matrix *to, double c, vector a)
{
    for (int i = 0; i < 3; i++) {
        const int n = (i + 1) % 3, p = (i + 2) % 3;
        to->x[i][n] -= c * a.x[p], to->x[i][p] += c * a.x[n];
    }
}

/* The exponential map, by step/rotation.h. ------------------------------------------------------
 */

static vector3 taken(vector a)
{
    return (vector3){a.x[0], a.x[1], a.x[2]};
}

static matrix given_matrix(matrix3 m)
{
    return (matrix){{{m.x.x, m.x.y, m.x.z}, {m.y.x, m.y.y, m.y.z}, {m.z.x, m.z.y, m.z.z}}};
}

static circular circular_at(vector3 y)
{
    return circular_of(dot3(y, y));
}

void stumpff(double s, double c[STUMPFF])
{
    const circular f = circular_of(s);
    for (int k = 0; k < STUMPFF; k++) c[k] = f.c[k];
}

matrix chart_exp(vector y)
{
    return given_matrix(exp3(taken(y), circular_at(taken(y))));
}

matrix chart_rate(vector y)
{
    return given_matrix(rate3(taken(y), circular_at(taken(y))));
}

matrix chart_slope_slope(vector y, vector v, vector p)
{
    return given_matrix(slope_slope3(taken(y), circular_at(taken(y)), taken(v), taken(p)));
}

matrix chart_slope_rate(vector y, vector p)
{
    return given_matrix(transposed3(slope_rate3(taken(y), circular_at(taken(y)), taken(p))));
}

/* Points. -------------------------------------------------------------------------------------- */

chart_point chart_at(vector y, vector v)
{
    const circular f = circular_at(taken(y));
    const bool     moves = v.x[0] != 0 || v.x[1] != 0 || v.x[2] != 0; /* not at the nodes */
    chart_point    p = {.y = y,
                        .v = v,
                        .E = given_matrix(exp3(taken(y), f)),
                        .B = given_matrix(rate3(taken(y), f))};
    if (moves) p.C = given_matrix(rate_slope3(taken(y), f, taken(v)));
    p.Omega = matrix_on(&p.B, v), p.V = p.B;
    return p;
}

/* D_y^-T, whose rows are cross products of those of D_y; it is singular at a full turn, 2 pi. */
static matrix inverse_transposed(const matrix *D)
{
    matrix out;
    double det = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = D->x[(i + 1) % 3], *b = D->x[(i + 2) % 3];
        for (int j = 0; j < 3; j++) {
            const int n = (j + 1) % 3, p = (j + 2) % 3;
            out.x[i][j] = a[n] * b[p] - a[p] * b[n];
        }
    }
    for (int j = 0; j < 3; j++) det += D->x[0][j] * out.x[0][j];
    for (int i = 0; i < 9; i++) out.x[i / 3][i % 3] /= det;
    return out;
}

/*     P = D_y^-T p,   dP = D_y^-T (dp - Phi_vy(y; P) dy) */
chart_point chart_at_momentum(vector y, vector p)
{
    chart_point at = chart_at(y, p);
    at.phase = true, at.V = inverse_transposed(&at.B), at.Omega = matrix_on(&at.V, p);
    const matrix of_P = chart_slope_rate(y, at.Omega), v_y = matrix_transposed(&of_P);
    matrix       C = {{{0}}};
    at.C = matrix_product(&at.V, &v_y);
    add_matrix(&C, -1, &at.C), at.C = C;
    return at;
}

/*     L_v = V^T pi,   L_y = B^T tau + C^T pi,   L_eta = E tau */
chart_gradient chart_pull(const chart_point *p, vector pi, vector tau)
{
    return (chart_gradient){.v = matrix_under(&p->V, pi),
                            .y =
                                vector_sum(1, matrix_under(&p->B, tau), 1, matrix_under(&p->C, pi)),
                            .eta = matrix_on(&p->E, tau)};
}

typedef struct {
    matrix by_y, by_v, by_eta;
} body_change;

static body_change changed(const matrix *of_zeta, const matrix *of_Omega, const chart_point *by)
{
    const matrix Et = matrix_transposed(&by->E), through_C = matrix_product(of_Omega, &by->C);
    body_change  out = {matrix_product(of_zeta, &by->B), matrix_product(of_Omega, &by->V),
                        matrix_product(of_zeta, &Et)};
    add_matrix(&out.by_y, 1, &through_C);
    return out;
}

/*     dL_v = V^T dpi,   dL_y = B^T dtau + C^T dpi,   dL_eta = E dtau */
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
        *of_v[k] = matrix_under_product(&from->V, dpi[k]);
        *of_y[k] = matrix_under_product(&from->B, dtau[k]);
        add_matrix(of_y[k], 1, &through_C);
        *of_eta[k] = matrix_product(&from->E, dtau[k]);
    }
    return out;
}

/*     dL_y += Phi_vy(y; tau) dy,   dL_eta += E ((B dy) x tau) */
static void add_torque(const chart_point *p, vector tau, matrix *y_y, matrix *eta_y)
{
    const matrix of_tau = chart_slope_rate(p->y, tau), tau_y = matrix_transposed(&of_tau);
    matrix       turning = {{{0}}};
    add_cross(&turning, -1, tau); /* z x tau = -[tau] z */
    const matrix E_turning = matrix_product(&p->E, &turning);
    const matrix by_y = matrix_product(&E_turning, &p->B);
    add_matrix(y_y, 1, &tau_y), add_matrix(eta_y, 1, &by_y);
}

/* How pi.Omega(y, v) bends, pi held: by y twice, and by v and y. */
typedef struct {
    matrix y_y, v_y;
} bend;

/*     Phi_yy,   Phi_vy(y; pi),   Phi = pi.D_y v */
static bend bend_of_spin(const chart_point *p, vector pi)
{
    const matrix y_v = chart_slope_rate(p->y, pi);
    return (bend){chart_slope_slope(p->y, p->v, pi), matrix_transposed(&y_v)};
}

/* Of pi.P = p.u with u = D_y^-1 pi, C_u = d(D_y u)/dy:
 *     -Phi_yy(y, u; P) + X + X^T,  X = Phi_yv(y; P) D_y^-1 C_u,   and -D_y^-1 C_u */
static bend bend_of_momentum(const chart_point *p, vector pi)
{
    const vector u = matrix_under(&p->V, pi);
    const matrix y_v = chart_slope_rate(p->y, p->Omega), y_y = chart_slope_slope(p->y, u, p->Omega),
                 C = chart_at(p->y, u).C, u_y = matrix_under_product(&p->V, &C),
                 X = matrix_product(&y_v, &u_y), Xt = matrix_transposed(&X);
    bend out = {{{{0}}}, {{{0}}}};
    add_matrix(&out.y_y, -1, &y_y), add_matrix(&out.y_y, 1, &X), add_matrix(&out.y_y, 1, &Xt);
    add_matrix(&out.v_y, -1, &u_y);
    return out;
}

/* and that, with   dL_y += Phi_vy(y; tau) dy,   dL_eta += E ((B dy) x tau) */
chart_hessian chart_itself(const chart_point *p, vector pi, vector tau, const body_hessian *h)
{
    chart_hessian out = chart_between(p, h, p);
    const bend    of_pi = p->phase ? bend_of_momentum(p, pi) : bend_of_spin(p, pi);
    const matrix  y_v = matrix_transposed(&of_pi.v_y);
    add_torque(p, tau, &out.y_y, &out.eta_y);
    add_matrix(&out.v_y, 1, &of_pi.v_y), add_matrix(&out.y_v, 1, &y_v);
    add_matrix(&out.y_y, 1, &of_pi.y_y);
    return out;
}

/*     dL_y = B^T T zeta,   dL_eta = E T zeta,   zeta = B dy + E^T deta */
chart_curvature chart_torque_between(const chart_point *from, const matrix *T,
                                     const chart_point *by)
{
    static const chart_curvature none;
    if (!T) return none;
    const matrix Et = matrix_transposed(&by->E), by_y = matrix_product(T, &by->B),
                 by_eta = matrix_product(T, &Et);
    return (chart_curvature){.y_y = matrix_under_product(&from->B, &by_y),
                             .y_eta = matrix_under_product(&from->B, &by_eta),
                             .eta_y = matrix_product(&from->E, &by_y),
                             .eta_eta = matrix_product(&from->E, &by_eta)};
}

/* and what it has as it is */
chart_curvature chart_torque_itself(const chart_point *p, vector tau, const matrix *T)
{
    chart_curvature out = chart_torque_between(p, T, p);
    add_torque(p, tau, &out.y_y, &out.eta_y);
    return out;
}

/* The state. ----------------------------------------------------------------------------------- */

matrix rotation_matrix(const double q[4])
{
    return given_matrix(matrix_of(q));
}

void rotation_advance(rotation_state *s, vector a, vector dpi)
{
    turn_twice(taken(a), s->q, s->q_low);
    for (int i = 0; i < 3; i++) add(&s->pi[i], &s->pi_low[i], dpi.x[i]);
}
