/* rotation.h - the exponential map of rotations, its derivatives, and quaternions that it advances.
 *
 *     exp(-y) d exp(y) = D_y dy,     Phi = p . D_y v                      theory.md [ROTATION] */

typedef struct {
    real x, y, z;
} vector3;
typedef struct {
    vector3 x, y, z; /* rows */
} matrix3;

/* Vectors. ------------------------------------------------------------------------------------- */

WITHIN vector3 scaled3(real c, vector3 a)
{
    const vector3 out = {ROUNDED(c * a.x), ROUNDED(c * a.y), ROUNDED(c * a.z)};
    return out;
}

WITHIN vector3 sum3(vector3 a, vector3 b)
{
    const vector3 out = {a.x + b.x, a.y + b.y, a.z + b.z};
    return out;
}

/* a + c b */
WITHIN vector3 more3(vector3 a, real c, vector3 b)
{
    return sum3(a, scaled3(c, b));
}

WITHIN real dot3(vector3 a, vector3 b)
{
    return ROUNDED(a.x * b.x) + ROUNDED(a.y * b.y) + ROUNDED(a.z * b.z);
}

WITHIN vector3 cross3(vector3 a, vector3 b)
{
    const vector3 out = {ROUNDED(a.y * b.z) - ROUNDED(a.z * b.y),
                         ROUNDED(a.z * b.x) - ROUNDED(a.x * b.z),
                         ROUNDED(a.x * b.y) - ROUNDED(a.y * b.x)};
    return out;
}

/* M a, M^T a */
WITHIN vector3 on3(matrix3 m, vector3 a)
{
    const vector3 out = {dot3(m.x, a), dot3(m.y, a), dot3(m.z, a)};
    return out;
}

WITHIN vector3 under3(matrix3 m, vector3 a)
{
    return more3(more3(scaled3(a.x, m.x), a.y, m.y), a.z, m.z);
}

WITHIN matrix3 transposed3(matrix3 m)
{
    const matrix3 out = {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
    return out;
}

/* A B, A^T B */
WITHIN matrix3 product3(matrix3 a, matrix3 b)
{
    const matrix3 out = {under3(b, a.x), under3(b, a.y), under3(b, a.z)};
    return out;
}

WITHIN matrix3 under_product3(matrix3 a, matrix3 b)
{
    return product3(transposed3(a), b);
}

/* A + c B */
WITHIN matrix3 added3(matrix3 a, real c, matrix3 b)
{
    const matrix3 out = {more3(a.x, c, b.x), more3(a.y, c, b.y), more3(a.z, c, b.z)};
    return out;
}

/* c + p [a]:  the matrix of a number and of a x */
WITHIN matrix3 number_and_cross3(real c, real p, vector3 a)
{
    const matrix3 out = {{c, -p * a.z, p * a.y}, {p * a.z, c, -p * a.x}, {-p * a.y, p * a.x, c}};
    return out;
}

/* A + a b^T */
WITHIN matrix3 outer3(matrix3 m, vector3 a, vector3 b)
{
    const matrix3 out = {more3(m.x, a.x, b), more3(m.y, a.y, b), more3(m.z, a.z, b)};
    return out;
}

/* The exponential map. ------------------------------------------------------------------------- */

/* c_k(s) = sum_j (-s)^j/(2j + k)! = 1/k! - s c_{k+2}: cos, sin(y)/y, (1 - cos y)/y^2 ... of s =
 * |y|^2 */
typedef struct {
    real c[8];
} circular;

WITHIN real seven_terms(real s, const number *a)
{
    const real t = s * s;
    return (a[0] + a[1] * s) + t * ((a[2] + a[3] * s) + t * ((a[4] + a[5] * s) + t * a[6]));
}

/* Where s is small, downward from two series; */
WITHIN circular circular_near(real s)
{
    static const number six[] = {(number)(1 / 720.0),
                                 (number)(-1 / 40320.0),
                                 (number)(1 / 3628800.0),
                                 (number)(-1 / 479001600.0),
                                 (number)(1 / 87178291200.0),
                                 (number)(-1 / 20922789888000.0),
                                 (number)(1 / 6402373705728000.0)};
    static const number seven[] = {(number)(1 / 5040.0),
                                   (number)(-1 / 362880.0),
                                   (number)(1 / 39916800.0),
                                   (number)(-1 / 6227020800.0),
                                   (number)(1 / 1307674368000.0),
                                   (number)(-1 / 355687428096000.0),
                                   (number)(1 / 121645100408832000.0)};
    circular            f;
    f.c[7] = seven_terms(s, seven);
    f.c[6] = seven_terms(s, six);
    f.c[5] = (number)(1 / 120.0) - s * f.c[7];
    f.c[4] = (number)(1 / 24.0) - s * f.c[6];
    f.c[3] = (number)(1 / 6.0) - s * f.c[5];
    f.c[2] = HALF - s * f.c[4];
    f.c[1] = 1 - s * f.c[3];
    f.c[0] = 1 - s * f.c[2];
    return f;
}

/* else upward from cos and sin. */
RARE circular circular_far(real s)
{
    const real y = sqrt(s);
    circular   f;
    f.c[0] = cos(y);
    f.c[1] = sin(y) / y;
    f.c[2] = (1 - f.c[0]) / s;
    f.c[3] = (1 - f.c[1]) / s;
    f.c[4] = (HALF - f.c[2]) / s;
    f.c[5] = ((number)(1 / 6.0) - f.c[3]) / s;
    f.c[6] = ((number)(1 / 24.0) - f.c[4]) / s;
    f.c[7] = ((number)(1 / 120.0) - f.c[5]) / s;
    return f;
}

WITHIN circular circular_of(real s)
{
    return s < 1 ? circular_near(s) : circular_far(s);
}

/*     1 + p [y] + q [y]^2,   [y]^2 = y y^T - s */
WITHIN matrix3 about3(vector3 y, real s, real p, real q)
{
    return outer3(number_and_cross3(1 - q * s, p, y), scaled3(q, y), y);
}

/* the same of a vector */
WITHIN vector3 turned3(vector3 y, real p, real q, vector3 a)
{
    const vector3 across = cross3(y, a);
    return more3(more3(a, p, across), q, cross3(y, across));
}

WITHIN matrix3 exp3(vector3 y, circular f)
{
    return about3(y, dot3(y, y), f.c[1], f.c[2]);
}

WITHIN matrix3 rate3(vector3 y, circular f) /* D_y */
{
    return about3(y, dot3(y, y), -f.c[2], f.c[3]);
}

/*     C = d(D_y v)/dy = c_2 [v] + c_3 (y.v + y v^T - 2 v y^T) + (e_2 y x (y x v) - e_1 y x v) y^T,
 *     e_1 = 2 c_4 - c_3,   e_2 = 3 c_5 - c_4 */
WITHIN matrix3 rate_slope3(vector3 y, circular f, vector3 v)
{
    const real    e1 = 2 * f.c[4] - f.c[3], e2 = 3 * f.c[5] - f.c[4];
    const vector3 across = cross3(y, v), cy = scaled3(f.c[3], y);
    const vector3 last = more3(scaled3(-e1, across), e2, cross3(y, across));
    const matrix3 own = number_and_cross3(dot3(cy, v), f.c[2], v);
    return outer3(outer3(own, cy, v), more3(last, -2 * f.c[3], v), y);
}

/*     Phi_vy = d(D_y^T p)/dy,   D_y^T = D_{-y} */
WITHIN matrix3 slope_rate3(vector3 y, circular f, vector3 p)
{
    return rate_slope3(scaled3(REAL(-1), y), f, scaled3(REAL(-1), p));
}

/* Of Phi = p.v - c_2 alpha + c_3 beta,  alpha = p.(y x v),  beta = (p.y)(y.v) - s p.v: */
typedef struct {
    real    e1, e2, k1, k2;
    vector3 alpha_y, beta_y; /* v x p,  p (y.v) + v (y.p) - 2 y (p.v) */
} slopes3;

WITHIN slopes3 slopes_at(vector3 y, circular f, vector3 v, vector3 p)
{
    const real yv = dot3(y, v), yp = dot3(y, p), pv = dot3(p, v), *c = f.c;
    const real alpha = dot3(p, cross3(y, v)), beta = yp * yv - dot3(y, y) * pv;
    slopes3    d;
    d.e1 = 2 * c[4] - c[3];
    d.e2 = 3 * c[5] - c[4];
    d.k1 = d.e2 * beta - d.e1 * alpha;
    d.k2 = (15 * c[7] - 7 * c[6] + c[5]) * beta - (8 * c[6] - 5 * c[5] + c[4]) * alpha;
    d.alpha_y = cross3(v, p);
    d.beta_y = more3(more3(scaled3(yv, p), yp, v), -2 * pv, y);
    return d;
}

/*     Phi_y = -c_2 alpha_y + c_3 beta_y + k_1 y */
WITHIN vector3 slope3(vector3 y, circular f, vector3 v, vector3 p)
{
    const slopes3 d = slopes_at(y, f, v, p);
    return more3(more3(scaled3(-f.c[2], d.alpha_y), f.c[3], d.beta_y), d.k1, y);
}

/*     Phi_yy = c_3 (p v^T + v p^T - 2 p.v) + k_1 + y g^T + g y^T + k_2 y y^T,
 *     g = -e_1 alpha_y + e_2 beta_y */
WITHIN matrix3 slope_slope3(vector3 y, circular f, vector3 v, vector3 p)
{
    const slopes3 d = slopes_at(y, f, v, p);
    const vector3 g = more3(scaled3(-d.e1, d.alpha_y), d.e2, d.beta_y), cv = scaled3(f.c[3], v);
    const real    own = d.k1 - 2 * dot3(p, cv);
    const matrix3 of_v = outer3(outer3(number_and_cross3(own, REAL(0), y), p, cv), cv, p);
    return outer3(outer3(of_v, y, g), more3(g, d.k2, y), y);
}

/* Quaternions. --------------------------------------------------------------------------------- */

/* Divided by |q|^2, so that its length is of no meaning. */
WITHIN matrix3 matrix_of(const real *q)
{
    const real ww = ROUNDED(q[0] * q[0]), wx = ROUNDED(q[0] * q[1]), wy = ROUNDED(q[0] * q[2]),
               wz = ROUNDED(q[0] * q[3]), xx = ROUNDED(q[1] * q[1]), xy = ROUNDED(q[1] * q[2]),
               xz = ROUNDED(q[1] * q[3]), yy = ROUNDED(q[2] * q[2]), yz = ROUNDED(q[2] * q[3]),
               zz = ROUNDED(q[3] * q[3]), n = 1 / (ww + xx + yy + zz), m = 2 * n;
    const matrix3 R = {{(ww + xx - yy - zz) * n, (xy - wz) * m, (xz + wy) * m},
                       {(xy + wz) * m, (ww - xx + yy - zz) * n, (yz - wx) * m},
                       {(xz - wy) * m, (yz + wx) * m, (ww - xx - yy + zz) * n}};
    return R;
}

/* (p_0 q_0 - p.q,  p_0 q + q_0 p + p x q) */
WITHIN void add_product(real *to, const real *p, const real *q)
{
    const vector3 a = {p[1], p[2], p[3]}, b = {q[1], q[2], q[3]};
    const vector3 v = sum3(more3(scaled3(p[0], b), q[0], a), cross3(a, b));
    to[0] += ROUNDED(p[0] * q[0]) - dot3(a, b);
    to[1] += v.x;
    to[2] += v.y;
    to[3] += v.z;
}

/* x^2 - (rounded x^2), exactly (Dekker) */
WITHIN real square_error(real x, real square)
{
    const real c = PRECISE(134217729, 4097) * x, high = c - (c - x), low = x - high;
    return ((high * high - square) + 2 * high * low) + low * low;
}

/* Along q, which turns nothing: (q, low) has length 1 to roundoff of the low part. */
WITHIN void keep_length(const real *q, real *low)
{
    real rest = REAL(1), lost = REAL(0);
    for (int i = 0; i < 4; i++) {
        const real square = q[i] * q[i];
        add(&rest, &lost, -square);
        lost -= square_error(q[i], square) + 2 * q[i] * low[i];
    }
    for (int i = 0; i < 4; i++) low[i] += HALF * (rest + lost) * q[i];
}

/* q <- q e e,  e of exp(a):
 *     e - 1 = (-s c_2(s), c_1(s) a/2),  s = |a|^2/4,   r - 1 = 2 (e - 1) + (e - 1)^2,   q += q (r -
 * 1) */
WITHIN void turn_twice(vector3 a, real *q, real *low)
{
    const real     s = QUARTER * dot3(a, a);
    const circular f = circular_of(s);
    const vector3  sine = scaled3(HALF * f.c[1], a);
    const real     e[4] = {-s * f.c[2], sine.x, sine.y, sine.z};
    real           r[4] = {2 * e[0], 2 * e[1], 2 * e[2], 2 * e[3]};
    real           dq[4] = {REAL(0), REAL(0), REAL(0), REAL(0)};
    add_product(r, e, e);
    add_product(dq, q, r);
    add_product(dq, low, r);
    for (int i = 0; i < 4; i++) add(&q[i], &low[i], dq[i]);
    keep_length(q, low);
}
