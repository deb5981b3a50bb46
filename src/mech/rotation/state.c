/* state.c - rotations in the state: quaternions, matrices, and momenta in space and body axes. */
#include "mech/rotation/state.h"

#include <math.h>
#include <string.h>

static double *quaternion(const turning *t, int n, double *q, int k)
{
    return q + n + TURNING_MATRIX * t->count + TURNING_QUATERNION * k;
}

static matrix matrix_in(int n, const double *q, int k)
{
    matrix R;
    memcpy(R.x, q + n + TURNING_MATRIX * k, sizeof R.x);
    return R;
}

static vector vector_at(const double *x)
{
    return (vector){{x[0], x[1], x[2]}};
}

/* With what the low part adds; its length is of no meaning. */
static void set_matrix(const turning *t, int n, double *q, const double *low, int k)
{
    double        whole[TURNING_QUATERNION];
    const double *high = quaternion(t, n, q, k);
    for (int i = 0; i < TURNING_QUATERNION; i++) whole[i] = high[i] + (low ? low[high - q + i] : 0);
    const matrix R = rotation_matrix(whole);
    memcpy(q + n + TURNING_MATRIX * k, R.x, sizeof R.x);
}

void turning_set_matrices(const turning *t, int n, double *q)
{
    for (int k = 0; k < t->count; k++) set_matrix(t, n, q, NULL, k);
}

/* Of a direction p, of which that is the moment:  j = n x p,  p = j x n. */
static void set_shown(const turning *t, int n, double *p, int k, const matrix *R, vector pi)
{
    const vector axis = {{R->x[0][2], R->x[1][2], R->x[2][2]}};
    const vector shown = t->direction[k] ? vector_cross(pi, axis) : pi;
    memcpy(p + turning_shown(t, n, k), shown.x, sizeof shown.x);
}

void turning_to_space(const turning *t, int n, const double *q, double *p)
{
    for (int k = 0; k < t->count; k++) {
        const matrix R = matrix_in(n, q, k);
        const vector pi = matrix_on(&R, vector_at(p + t->first[k]));
        memcpy(p + n + 3 * k, pi.x, sizeof pi.x);
        set_shown(t, n, p, k, &R, pi);
    }
}

/* By sine and cosine: a^T b of directions, and of Q = R^T S
 *
 *     2 cos = tr Q - 1,   2 sin = |(Q_32 - Q_23, Q_13 - Q_31, Q_21 - Q_12)| */
double turning_apart(const turning *t, int n, int k, const double *q, const double *other)
{
    const matrix R = matrix_in(n, q, k), S = matrix_in(n, other, k);
    const matrix Q = matrix_under_product(&R, &S);
    const vector a = {{R.x[0][2], R.x[1][2], R.x[2][2]}}, b = {{S.x[0][2], S.x[1][2], S.x[2][2]}};
    const vector across = vector_cross(a, b);
    const vector axis = {
        {Q.x[2][1] - Q.x[1][2], Q.x[0][2] - Q.x[2][0], Q.x[1][0] - Q.x[0][1]}};
    if (t->direction[k]) return atan2(sqrt(vector_dot(across, across)), vector_dot(a, b));
    return atan2(sqrt(vector_dot(axis, axis)), Q.x[0][0] + Q.x[1][1] + Q.x[2][2] - 1);
}

/*     y = 2 atan2(|u|, w) u/|u|,   (w, u) = conj(q) other, of the shorter way */
vector turning_between(const turning *t, int n, int k, const double *q, const double *other)
{
    const int     at = n + TURNING_MATRIX * t->count + TURNING_QUATERNION * k;
    const double *a = q + at, *b = other + at;
    const vector  u = vector_at(a + 1), v = vector_at(b + 1), across = vector_cross(u, v);
    const double  w = a[0] * b[0] + vector_dot(u, v), sign = w < 0 ? -1 : 1;
    vector        y = vector_sum(a[0] * sign, v, -b[0] * sign, u);
    y = vector_sum(1, y, -sign, across);
    const double size = sqrt(vector_dot(y, y));
    return vector_sum(size > 0 ? 2 * atan2(size, fabs(w)) / size : 2, y, 0, y);
}

void turning_state_begin(const turning_state *s)
{
    const size_t bytes = (size_t)turning_width(s->of, s->n) * sizeof *s->q_low;
    memset(s->q_low, 0, bytes), memset(s->p_low, 0, bytes);
    for (int k = 0; k < s->of->count; k++) memset(s->q + s->of->first[k], 0, sizeof(vector));
    turning_set_matrices(s->of, s->n, s->q);
    turning_to_space(s->of, s->n, s->q, s->p);
}

static rotation_state taken(const turning_state *s, int k)
{
    rotation_state r;
    const double  *q = quaternion(s->of, s->n, s->q, k), *pi = s->p + s->n + 3 * k;
    memcpy(r.q, q, sizeof r.q), memcpy(r.q_low, s->q_low + (q - s->q), sizeof r.q_low);
    memcpy(r.pi, pi, sizeof r.pi), memcpy(r.pi_low, s->p_low + (pi - s->p), sizeof r.pi_low);
    return r;
}

/* A direction has no momentum about itself: what roundoff leaves of it is taken off. */
static void take_off_axis(rotation_state *r, const matrix *R)
{
    double along = 0;
    for (int i = 0; i < 3; i++) along += (r->pi[i] + r->pi_low[i]) * R->x[i][2];
    for (int i = 0; i < 3; i++) r->pi_low[i] -= along * R->x[i][2];
}

void turning_state_advance(const turning_state *from, const turning_state *to, int k, vector a,
                           vector gain)
{
    const int      n = to->n, first = to->of->first[k];
    rotation_state r = taken(from, k);
    rotation_advance(&r, a, gain);
    double *q = quaternion(to->of, n, to->q, k), *pi = to->p + n + 3 * k;
    memcpy(q, r.q, sizeof r.q), memcpy(to->q_low + (q - to->q), r.q_low, sizeof r.q_low);
    set_matrix(to->of, n, to->q, to->q_low, k);
    const matrix R = matrix_in(n, to->q, k);
    if (to->of->direction[k]) take_off_axis(&r, &R);
    memcpy(pi, r.pi, sizeof r.pi), memcpy(to->p_low + (pi - to->p), r.pi_low, sizeof r.pi_low);
    const vector whole = vector_sum(1, vector_at(r.pi), 1, vector_at(r.pi_low));
    const vector mu = matrix_under(&R, whole);
    set_shown(to->of, n, to->p, k, &R, to->of->direction[k] ? whole : vector_at(r.pi));
    for (int i = 0; i < 3; i++) {
        to->q[first + i] = to->q_low[first + i] = to->p_low[first + i] = 0;
        to->p[first + i] = mu.x[i];
    }
}

/* Half of a rotation vector, twice. */
void turning_take_rows(const turning *t, int n, double *q)
{
    for (int k = 0; k < t->count; k++) {
        rotation_state r = {.q = {0}};
        const vector   y = vector_at(q + t->first[k]);
        memcpy(r.q, quaternion(t, n, q, k), sizeof r.q);
        rotation_advance(&r, vector_sum(0.5, y, 0, y), (vector){{0}});
        memcpy(quaternion(t, n, q, k), r.q, sizeof r.q);
        memset(q + t->first[k], 0, sizeof y);
    }
    turning_set_matrices(t, n, q);
}
