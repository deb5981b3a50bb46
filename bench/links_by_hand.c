/* links_by_hand.c - the plane pendulum of n equal links in absolute angles, by the midpoint rule,
 * as one would write it: with the dense matrix, and in O(n).
 *
 *     L = sum_ij M_ij cos(th_i - th_j) w_i w_j / 2 + g sum_i G_i cos th_i,
 *         M_ij = n - max(i, j),   G_i = n - i
 *     R = p_0 + (h/2) L_q - L_w = 0 at th + z/2, w = z/h;   p_1 = L_w + (h/2) L_q
 *
 * Both solve by Newton's iteration with the exact Jacobian, predict by a cubic and add up with
 * compensation. */
#include "bench.h"
#include "links.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;

typedef struct {
    int    n;
    double th[LINKS], p[LINKS], cth[LINKS], cp[LINKS], last[4][LINKS];
    int    known;
} chain;

static void add(double *x, double *c, double dx)
{
    double y = dx + *c, s = *x + y;
    *c = y - (s - *x), *x = s;
}

static void predict(const chain *x, double *z)
{
    for (int i = 0; i < x->n; i++) {
        const double a = x->last[0][i], b = x->last[1][i], c = x->last[2][i], d = x->last[3][i];
        z[i] = x->known > 3   ? 4 * (a + c) - 6 * b - d
               : x->known > 2 ? 3 * (a - b) + c
               : x->known > 1 ? 2 * a - b
               : x->known     ? a
                              : 0;
    }
}

static void advance(chain *x, double h, const double *z, const double *Lq, const double *Lw)
{
    for (int i = 0; i < x->n; i++) {
        add(&x->p[i], &x->cp[i], Lw[i] + h / 2 * Lq[i] - x->p[i]), add(&x->th[i], &x->cth[i], z[i]);
        for (int k = 3; k > 0; k--) x->last[k][i] = x->last[k - 1][i];
        x->last[0][i] = z[i];
    }
    x->known++;
}

/* The dense matrix. ---------------------------------------------------------------------------- */

static double weight(int n, int i, int j)
{
    return n - (i > j ? i : j);
}

/* L_q, L_w and, if J is wanted, dR/dz = (h/4) L_qq + (L_qw - L_wq)/2 - L_ww/h at th, w. */
static void evaluate(int n, const double *th, const double *w, double h, double *Lq, double *Lw,
                     double *J)
{
    double c[LINKS], s[LINKS];
    for (int i = 0; i < n; i++)
        c[i] = cos(th[i]), s[i] = sin(th[i]), Lq[i] = -g * (n - i) * s[i], Lw[i] = 0;
    for (int i = 0; i < n && J; i++)
        for (int j = 0; j < n; j++) J[i * n + j] = 0;
    for (int i = 0; i < n; i++) {
        double turn = 0;
        for (int j = 0; j < n; j++) {
            const double M = weight(n, i, j), C = M * (c[i] * c[j] + s[i] * s[j]),
                         S = M * (s[i] * c[j] - c[i] * s[j]);
            Lq[i] -= S * w[i] * w[j], Lw[i] += C * w[j];
            turn += C * w[j];
            if (J && i != j)
                J[i * n + j] = h / 4 * C * w[i] * w[j] - 0.5 * S * (w[i] + w[j]) - C / h;
        }
        if (J) {
            const double own = weight(n, i, i);
            J[i * n + i] = h / 4 * (-g * (n - i) * c[i] - w[i] * (turn - own * w[i])) - own / h;
        }
    }
}

/* Gauss elimination with pivots on the diagonal: the matrix is close to -M/h. */
static void solve_dense(int n, double *J, double *r)
{
    for (int k = 0; k < n; k++) {
        const double inverse = 1 / J[k * n + k];
        for (int i = k + 1; i < n; i++) {
            const double f = J[i * n + k] * inverse;
            for (int j = k + 1; j < n; j++) J[i * n + j] -= f * J[k * n + j];
            r[i] -= f * r[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) r[k] -= J[k * n + j] * r[j];
        r[k] /= J[k * n + k];
    }
}

static void step_dense(chain *x, double h)
{
    static double J[LINKS * LINKS];
    const int     n = x->n;
    double        z[LINKS], th[LINKS], w[LINKS], Lq[LINKS], Lw[LINKS], r[LINKS];
    predict(x, z);
    for (int iteration = 0; iteration < 20; iteration++) {
        double size = 0;
        for (int i = 0; i < n; i++) th[i] = x->th[i] + z[i] / 2, w[i] = z[i] / h;
        evaluate(n, th, w, h, Lq, Lw, J);
        for (int i = 0; i < n; i++) r[i] = x->p[i] + h / 2 * Lq[i] - Lw[i];
        solve_dense(n, J, r);
        for (int i = 0; i < n; i++) z[i] -= r[i], size = fmax(size, fabs(r[i]));
        if (size < 1e-9) break;
    }
    for (int i = 0; i < n; i++) th[i] = x->th[i] + z[i] / 2, w[i] = z[i] / h;
    evaluate(n, th, w, h, Lq, Lw, NULL);
    advance(x, h, z, Lq, Lw);
}

/* O(n). ---------------------------------------------------------------------------------------- */

/* Velocities of the bodies are sums from the top, what pulls at a link is a sum from the end. */

typedef struct {
    double c[LINKS], s[LINKS], w[LINKS]; /* cos, sin and rate of each link                       */
    double Sx[LINKS], Sy[LINKS];         /* sum over the bodies below a link of their velocities */
} motion;

static void move(int n, const double *th, const double *z, double h, motion *m)
{
    double x = 0, y = 0;
    for (int i = 0; i < n; i++)
        m->c[i] = cos(th[i] + z[i] / 2), m->s[i] = sin(th[i] + z[i] / 2), m->w[i] = z[i] / h;
    for (int i = 0; i < n; i++) {
        x += m->c[i] * m->w[i], y += m->s[i] * m->w[i];
        m->Sx[i] = x, m->Sy[i] = y;
    }
    for (int i = n - 2; i >= 0; i--) m->Sx[i] += m->Sx[i + 1], m->Sy[i] += m->Sy[i + 1];
}

/* Newton's correction by elimination from the end of the chain. With V the change of a body's
 * velocity, S that of the sum over the bodies below:
 *     V_i = V_{i-1} + E_i dz_i,   S_i = S_{i+1} + V_i = A_i V_{i-1} + b_i,
 *     F_i.S_i - D_i dz_i = R_i */
static double correct(const chain *x, const motion *m, double h, double *z)
{
    const int n = x->n;
    double    k[LINKS], kx[LINKS], ky[LINKS], axx = 0, axy = 0, ayx = 0, ayy = 0, bx = 0, by = 0,
                                           vx = 0, vy = 0, size = 0;
    for (int i = n - 1; i >= 0; i--) {
        const double c = m->c[i], s = m->s[i], w = m->w[i], G = g * (n - i);
        const double Lw = c * m->Sx[i] + s * m->Sy[i], T = c * m->Sy[i] - s * m->Sx[i];
        const double R = x->p[i] + h / 2 * (w * T - G * s) - Lw;
        const double Ex = c / h - s * w / 2, Ey = s / h + c * w / 2, Fx = c + h / 2 * w * s,
                     Fy = s - h / 2 * w * c;
        const double D = -h / 4 * (w * Lw + G * c), gxx = 1 + axx, gyy = 1 + ayy;
        const double ex = gxx * Ex + axy * Ey, ey = ayx * Ex + gyy * Ey, fx = Fx * gxx + Fy * ayx,
                     fy = Fx * axy + Fy * gyy;
        const double by_pivot = 1 / (Fx * ex + Fy * ey - D);
        k[i] = (R - Fx * bx - Fy * by) * by_pivot, kx[i] = fx * by_pivot, ky[i] = fy * by_pivot;
        axx = gxx - ex * kx[i], axy -= ex * ky[i], ayx -= ey * kx[i], ayy = gyy - ey * ky[i];
        bx += ex * k[i], by += ey * k[i];
    }
    for (int i = 0; i < n; i++) {
        const double dz = k[i] - kx[i] * vx - ky[i] * vy;
        vx += (m->c[i] / h - m->s[i] * m->w[i] / 2) * dz,
            vy += (m->s[i] / h + m->c[i] * m->w[i] / 2) * dz;
        z[i] += dz, size = fabs(dz) > size ? fabs(dz) : size;
    }
    return size;
}

static void step_linear(chain *x, double h)
{
    const int n = x->n;
    double    z[LINKS], Lq[LINKS], Lw[LINKS];
    motion    m;
    predict(x, z);
    for (int iteration = 0; iteration < 20; iteration++) {
        move(n, x->th, z, h, &m);
        if (correct(x, &m, h, z) < 1e-9) break;
    }
    move(n, x->th, z, h, &m);
    for (int i = 0; i < n; i++) {
        Lw[i] = m.c[i] * m.Sx[i] + m.s[i] * m.Sy[i];
        Lq[i] = m.w[i] * (m.c[i] * m.Sy[i] - m.s[i] * m.Sx[i]) - g * (n - i) * m.s[i];
    }
    advance(x, h, z, Lq, Lw);
}

double links_by_hand(int n, links_way way, double h, long steps, double *th)
{
    chain x = {.n = n};
    for (int i = 0; i < n; i++) x.th[i] = 0.5;
    double begin = seconds();
    for (long k = 0; k < steps; k++) way == LINKS_DENSE ? step_dense(&x, h) : step_linear(&x, h);
    double spent = seconds() - begin;
    memcpy(th, x.th, (size_t)n * sizeof *th);
    return spent;
}
