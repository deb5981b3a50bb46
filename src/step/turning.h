/* turning.h - rotations and directions in a step: charts, rows, and what the middle of the step, on
 * which charts are centred, adds to the Jacobian.                              theory.md [ROTATION]
 *
 *     y(x) = Z(x) - a,   a = Z^d/2,   R(x) = R_m exp(y),   R_m = R_0 exp(a),   Omega = D_y y'
 *     R_nu = sum_i b_i [l'_nu L_y' + h (l_nu - delta_{nu 0}/2) L_y]^i  + delta_{nu 0} (D_Z mu_0 +
 * D_a M/2) L_y' = B^T pi,   L_y = B^T tau + C^T pi,   L_eta = E tau,   M = h sum_i b_i L_eta^i
 *
 * with E = exp(y), B = D_y, C = d(D_y y')/dy, pi = L_Omega and tau = L_R + f of the model; A^T lam
 * of relations at the nodes counts as a torque there. Behind the rows of q stand the matrices R_0,
 * then quaternions; mu_0 in the rows of p, and behind them the momenta in space axes, then what is
 * shown of these. */

enum { MATRICES = COORDINATES, QUATERNIONS = COORDINATES + 9 * ROTATIONS };
enum { IN_SPACE = COORDINATES, SHOWN = COORDINATES + 3 * ROTATIONS };

WITHIN vector3 vector_at(const real *x, const int apart)
{
    const vector3 out = {x[0], x[apart], x[2 * apart]};
    return out;
}

WITHIN void put_vector(vector3 a, real *x, const int apart)
{
    x[0] = a.x;
    x[apart] = a.y;
    x[2 * apart] = a.z;
}

WITHIN matrix3 matrix_at(const real *x)
{
    const matrix3 out = {vector_at(x, 1), vector_at(x + 3, 1), vector_at(x + 6, 1)};
    return out;
}

WITHIN void put_matrix(matrix3 m, real *x, const int apart)
{
    put_vector(m.x, x, apart);
    put_vector(m.y, x + 3 * apart, apart);
    put_vector(m.z, x + 6 * apart, apart);
}

WITHIN vector3 none3(void)
{
    const vector3 out = {REAL(0), REAL(0), REAL(0)};
    return out;
}

WITHIN matrix3 no_matrix3(void)
{
    const matrix3 out = {none3(), none3(), none3()};
    return out;
}

WITHIN matrix3 times3(real c, matrix3 m)
{
    const matrix3 out = {scaled3(c, m.x), scaled3(c, m.y), scaled3(c, m.z)};
    return out;
}

/* The middle. ---------------------------------------------------------------------------------- */

typedef struct {
    vector3  Z, a, mu0;
    circular at_Z, f;
    matrix3  D, R; /* D_a, R_m */
} middle3;

PIECE middle3 middle_of(const real *Z, const real *R0, const real *mu0)
{
    middle3 m;
    m.Z = vector_at(Z, 1);
    m.a = scaled3(REAL(HALF), m.Z);
    m.mu0 = vector_at(mu0, 1);
    m.at_Z = circular_of(dot3(m.Z, m.Z));
    m.f = circular_of(dot3(m.a, m.a));
    m.D = rate3(m.a, m.f);
    m.R = product3(matrix_at(R0), exp3(m.a, m.f));
    return m;
}

/*     (D_a^T + D_a) m_0/2 = D_Z mu_0,   D_a M/2,   and by Z^d */
WITHIN vector3 momentum_at_ends(const middle3 *m)
{
    return turned3(m->Z, -m->at_Z.c[2], m->at_Z.c[3], m->mu0);
}

WITHIN vector3 torque_at_ends(const middle3 *m, vector3 gain)
{
    return scaled3(REAL(HALF), on3(m->D, gain));
}

PIECE matrix3 momentum_at_ends_by(const middle3 *m)
{
    return rate_slope3(m->Z, m->at_Z, m->mu0);
}

PIECE matrix3 torque_at_ends_by(const middle3 *m, vector3 gain)
{
    return times3(REAL(QUARTER), rate_slope3(m->a, m->f, gain));
}

/* Points. -------------------------------------------------------------------------------------- */

typedef struct {
    vector3  y, v;
    circular f;
    matrix3  E, B;
} point3;

/* q has Z(x); R there. At nodes no velocity is asked for. */
PIECE point3 node_of(const middle3 *m, const real *q, real *R, const int apart)
{
    point3 p;
    p.y = more3(vector_at(q, apart), REAL(-1), m->a);
    p.v = none3();
    p.f = circular_of(dot3(p.y, p.y));
    p.E = exp3(p.y, p.f);
    p.B = rate3(p.y, p.f);
    put_matrix(product3(m->R, p.E), R, apart);
    return p;
}

/* v has y', and Omega afterwards. */
PIECE point3 point_of(const middle3 *m, const real *q, real *v, real *R, const int apart)
{
    point3 p = node_of(m, q, R, apart);
    p.v = vector_at(v, apart);
    put_vector(on3(p.B, p.v), v, apart);
    return p;
}

/* Rows. ---------------------------------------------------------------------------------------- */

/*     l_nu - delta_{nu 0}/2,   of l_nu b given */
WITHIN number row_weight(const number *l, number b, const int nu)
{
    return nu ? l[nu] : l[0] - HALF * b;
}

/* dl: b l'_nu,  l: h b l_nu,  b: h b of a point */
PIECE void add_momentum(const point3 *p, vector3 pi, const number *dl, const number *l, number b,
                        vector3 *row)
{
    const vector3 by_v = under3(p->B, pi), by_y = slope3(p->y, p->f, p->v, pi);
    for (int nu = 0; nu < DEGREE; nu++)
        row[nu] = more3(more3(row[nu], REAL(dl[nu]), by_v), REAL(row_weight(l, b, nu)), by_y);
}

PIECE void add_torque(const point3 *p, vector3 tau, const number *l, number b, vector3 *row,
                      vector3 *gain)
{
    const vector3 by_y = under3(p->B, tau);
    for (int nu = 0; nu < DEGREE; nu++) row[nu] = more3(row[nu], REAL(row_weight(l, b, nu)), by_y);
    *gain = more3(*gain, REAL(b), on3(p->E, tau));
}

/* Jacobian. ------------------------------------------------------------------------------------ */

/* What Z^mu does to the body at a point, and what pi and tau there do to R_nu:
 *     zeta = P dZ,   dOmega = Q dZ,   dR = V^T dpi + U^T dtau */
typedef struct {
    matrix3 P[DEGREE], Q[DEGREE], U[DEGREE], V[DEGREE];
} moves3;

/*     l_mu - delta_{mu d}/2 */
WITHIN number column_weight(number l, const int mu)
{
    return mu == DEGREE - 1 ? l - HALF : l;
}

/* P and Q of l_mu and l'_mu/h, `apart` from each other; U and V of dl, rl, b as above */
PIECE void find_places(const middle3 *m, const point3 *p, const number *l, const int apart,
                       moves3 *to)
{
    for (int mu = 0; mu < DEGREE; mu++)
        to->P[mu] = times3(REAL(column_weight(l[mu * apart], mu)), p->B);
    to->P[DEGREE - 1] = added3(to->P[DEGREE - 1], REAL(HALF), under_product3(p->E, m->D));
}

PIECE void find_spins(const point3 *p, const number *l, const number *v, const int apart,
                      moves3 *to)
{
    const matrix3 C = rate_slope3(p->y, p->f, p->v);
    for (int mu = 0; mu < DEGREE; mu++)
        to->Q[mu] =
            added3(times3(REAL(column_weight(l[mu * apart], mu)), C), REAL(v[mu * apart]), p->B);
}

PIECE void find_torques(const middle3 *m, const point3 *p, const number *rl, number b, moves3 *to)
{
    for (int nu = 0; nu < DEGREE; nu++) to->U[nu] = times3(REAL(row_weight(rl, b, nu)), p->B);
    to->U[0] = added3(to->U[0], REAL(HALF * b), transposed3(product3(m->D, p->E)));
}

PIECE void find_momenta(const point3 *p, const number *dl, const number *rl, number b, moves3 *to)
{
    const matrix3 C = rate_slope3(p->y, p->f, p->v);
    for (int nu = 0; nu < DEGREE; nu++)
        to->V[nu] = added3(times3(REAL(row_weight(rl, b, nu)), C), REAL(dl[nu]), p->B);
}

PIECE void find_moves(const middle3 *m, const point3 *p, const number *l, const number *v,
                      const int apart, const number *dl, const number *rl, number b, moves3 *to)
{
    find_places(m, p, l, apart, to);
    find_spins(p, l, v, apart, to);
    find_torques(m, p, rl, b, to);
    find_momenta(p, dl, rl, b, to);
}

/* In the middle:  zeta = D_a dZ/2,   Omega = Z/h */
WITHIN void centred_moves(const middle3 *m, number b, moves3 *to)
{
    to->P[0] = times3(REAL(HALF), m->D);
    to->U[0] = times3(REAL(HALF * b), transposed3(m->D));
}

/* J begins at the first row and column of a block. */
WITHIN void add_row3(vector3 a, real *J)
{
    J[0] += a.x, J[1] += a.y, J[2] += a.z;
}

WITHIN void add_column3(vector3 a, real *J)
{
    J[0] += a.x, J[N] += a.y, J[2 * N] += a.z;
}

WITHIN void add_block3(matrix3 m, real *J)
{
    add_row3(m.x, J);
    add_row3(m.y, J + N);
    add_row3(m.z, J + 2 * N);
}

/* What changes of pi or tau do:  U^T T */
PIECE void add_product3(const matrix3 *U, const matrix3 *T, real *J)
{
    add_block3(under_product3(*U, *T), J);
}

/* R_nu by Z^mu, pi held. */
PIECE void add_own_momentum(const point3 *p, vector3 pi, const number *l, const number *v,
                            const int apart, const number *dl, const number *rl, number b, real *J)
{
    const matrix3 v_y = slope_rate3(p->y, p->f, pi), y_v = transposed3(v_y);
    const matrix3 y_y = slope_slope3(p->y, p->f, p->v, pi);
    for (int nu = 0; nu < DEGREE; nu++)
        for (int mu = 0; mu < DEGREE; mu++) {
            const real    of_y = REAL(column_weight(l[mu * apart], mu));
            const matrix3 by = added3(times3(of_y, y_y), REAL(v[mu * apart]), y_v);
            add_block3(added3(times3(REAL(row_weight(rl, b, nu)), by), dl[nu] * of_y, v_y),
                       J + (nu * N + mu) * COORDINATES);
        }
}

/* and tau:  d(E tau) = E (B dy x tau) */
PIECE void add_own_torque(const middle3 *m, const point3 *p, vector3 tau, const number *l,
                          const int apart, const number *rl, number b, real *J)
{
    const matrix3 y_y = slope_rate3(p->y, p->f, tau);
    const matrix3 turned = number_and_cross3(REAL(0), REAL(-HALF * b), tau);
    const matrix3 M_y = product3(product3(m->D, p->E), product3(turned, p->B));
    for (int nu = 0; nu < DEGREE; nu++)
        for (int mu = 0; mu < DEGREE; mu++) {
            const matrix3 by = times3(REAL(row_weight(rl, b, nu)), y_y);
            add_block3(
                times3(REAL(column_weight(l[mu * apart], mu)), nu ? by : added3(by, REAL(1), M_y)),
                J + (nu * N + mu) * COORDINATES);
        }
}

/* Directions: Z_3 = 0 in their third rows. */
WITHIN void strike_rows(const real *y, real *r)
{
    for (int k = 0; k < ROTATIONS; k++)
        for (int nu = 0; nu < DEGREE && TURN_DIRECTION[k]; nu++)
            r[nu * COORDINATES + TURN_FIRST[k] + 2] = y[nu * COORDINATES + TURN_FIRST[k] + 2];
}

WITHIN void strike_entries(real *J)
{
    for (int k = 0; k < ROTATIONS; k++)
        for (int nu = 0; nu < DEGREE && TURN_DIRECTION[k]; nu++) {
            const int row = nu * COORDINATES + TURN_FIRST[k] + 2;
            for (int j = 0; j < N; j++) J[row * N + j] = REAL(j == row);
        }
}

/* The state. ----------------------------------------------------------------------------------- */

/* The largest |Z^d|^2; beyond five radians a step has no solution, or a wrong one. */
#define FARTHEST ((number)25)

WITHIN real largest_turn(real most, const real *Z)
{
    for (int k = 0; k < ROTATIONS; k++) {
        const vector3 z = vector_at(Z + TURN_FIRST[k], 1);
        most = LARGER(most, dot3(z, z));
    }
    return most;
}

/* Of slopes at the end of a curve:  Omega = D_a y'(1) */
WITHIN void spins_at_end(const real *Z, real *v)
{
    for (int k = 0; k < ROTATIONS; k++) {
        const vector3 a = scaled3(REAL(HALF), vector_at(Z + TURN_FIRST[k], 1));
        const matrix3 D = rate3(a, circular_of(dot3(a, a)));
        put_vector(on3(D, vector_at(v + TURN_FIRST[k], 1)), v + TURN_FIRST[k], 1);
    }
}

WITHIN vector3 whole_at(const real *x, const real *low)
{
    return sum3(vector_at(x, 1), vector_at(low, 1));
}

/* A direction has no momentum about itself: what roundoff leaves of it is taken off. */
WITHIN void take_off_axis(matrix3 R, const real *pi, real *low)
{
    const vector3 axis = {R.x.z, R.y.z, R.z.z};
    const real    along = dot3(whole_at(pi, low), axis);
    put_vector(more3(vector_at(low, 1), -along, axis), low, 1);
}

/*     q_1 = q_0 e e,   pi_1 = pi_0 + gain,   mu_1 = R_1^T pi_1 */
PIECE void turn(const real *Z, const real *gain, real *q, real *q_low, real *p, real *p_low)
{
    for (int k = 0; k < ROTATIONS; k++) {
        const int j = TURN_FIRST[k], at = QUATERNIONS + 4 * k, pi = IN_SPACE + 3 * k;
        real      whole[4];
        turn_twice(scaled3(REAL(HALF), vector_at(Z + j, 1)), q + at, q_low + at);
        for (int i = 0; i < 3; i++) add(&p[pi + i], &p_low[pi + i], gain[3 * k + i]);
        for (int i = 0; i < 4; i++) whole[i] = q[at + i] + q_low[at + i];
        const matrix3 R = matrix_of(whole);
        put_matrix(R, q + MATRICES + 9 * k, 1);
        if (TURN_DIRECTION[k]) take_off_axis(R, p + pi, p_low + pi);
        put_vector(none3(), q + j, 1);
        put_vector(none3(), q_low + j, 1);
        put_vector(under3(R, whole_at(p + pi, p_low + pi)), p + j, 1);
        put_vector(none3(), p_low + j, 1);
    }
}

/* What is shown of momenta in space: of a direction p, of which that is the moment. */
WITHIN void show_momenta(const real *q, const real *p_low, real *p)
{
    for (int k = 0; k < ROTATIONS; k++) {
        const matrix3 R = matrix_at(q + MATRICES + 9 * k);
        const vector3 axis = {R.x.z, R.y.z, R.z.z}, pi = vector_at(p + IN_SPACE + 3 * k, 1);
        const vector3 whole = whole_at(p + IN_SPACE + 3 * k, p_low + IN_SPACE + 3 * k);
        put_vector(TURN_DIRECTION[k] ? cross3(whole, axis) : pi, p + SHOWN + 3 * k, 1);
    }
}

#if EXPORTED
/* Matrices of quaternions, and momenta in space axes of those in body axes. */
WITHIN void follow_quaternions(real *q, real *p)
{
    for (int k = 0; k < ROTATIONS; k++) {
        const matrix3 R = matrix_of(q + QUATERNIONS + 4 * k);
        put_matrix(R, q + MATRICES + 9 * k, 1);
        put_vector(none3(), q + TURN_FIRST[k], 1);
        put_vector(on3(R, vector_at(p + TURN_FIRST[k], 1)), p + IN_SPACE + 3 * k, 1);
    }
}
#endif
