/* solve.c - the linear systems of Newton's iteration, with their size written in.
 *
 * One and two unknowns are divided out, more of them factored, up to sixteen by factor.c. Pivots are
 * the largest relative to their rows, and none that vanishes beside its column is taken. */
#include "fuse/inside.h"

static const char one[] =
    "PIECE int factor(factored *f)\n{\n"
    "return fabs(f->a[0]) >= LEAST && fabs(f->a[0]) <= MOST;\n}\n\n"
    "static inline void solve(const factored *f, const real *r, real *delta)\n{\n"
    "delta[0] = -r[0] / f->a[0];\n}\n\n";

static const char two[] =
    "PIECE int factor(factored *f)\n{\n"
    "const real x = f->a[0] * f->a[3], y = f->a[1] * f->a[2], det = x - y;\n"
    "f->inverse[0] = 1 / det;\n"
    "return fabs(det) > 4 * EPSILON * (fabs(x) + fabs(y)) && fabs(det) <= MOST && fabs(det) >= "
    "LEAST;\n}\n\n"
    "static inline void solve(const factored *f, const real *r, real *delta)\n{\n"
    "delta[0] = (f->a[1] * r[1] - f->a[3] * r[0]) * f->inverse[0];\n"
    "delta[1] = (f->a[2] * r[0] - f->a[0] * r[1]) * f->inverse[0];\n}\n\n";

/* Rows by their largest entry, columns by their largest entry in rows so weighted; then the choice.
 */
static const char weigh[] =
    "PIECE int weigh(const real *a, real *weight, real *scale)\n{\n"
    "for (int j = 0; j < N; j++) scale[j] = 0;\n"
    "for (int i = 0; i < N; i++) {\n"
    "real most = 0;\n"
    "for (int j = 0; j < N; j++) { const real x = fabs(a[i * N + j]); most = x > most ? x : most; "
    "}\n"
    "if (!(most >= LEAST && most <= MOST)) return 0;\n"
    "weight[i] = 1 / most;\n"
    "for (int j = 0; j < N; j++) {\n"
    "const real x = fabs(a[i * N + j]) * weight[i];\n"
    "scale[j] = x > scale[j] ? x : scale[j];\n}\n}\n"
    "return 1;\n}\n\n"
    "static int pivot(const real *a, const real *weight, real scale, int k)\n{\n"
    "int best = k;\n"
    "real size = fabs(a[k * N + k]) * weight[k];\n"
    "for (int i = k + 1; i < N; i++) {\n"
    "const real x = fabs(a[i * N + k]) * weight[i];\n"
    "if (x > size) { size = x; best = i; }\n}\n"
    "return size > NEGLIGIBLE * scale && size <= MOST ? best : -1;\n}\n\n"
    "static inline void exchange(real *x, real *y)\n{\n"
    "for (int j = 0; j < N; j++) { const real z = x[j]; x[j] = y[j]; y[j] = z; }\n}\n\n";

static const char factorised[] =
    "PIECE int factor(factored *f)\n{\n"
    "real *a = f->a, weight[N], scale[N];\n"
    "if (!weigh(a, weight, scale)) return 0;\n"
    "for (int k = 0; k < N; k++) {\n"
    "const int best = pivot(a, weight, scale[k], k);\n"
    "if (best < 0) return 0;\n"
    "f->swap[k] = best;\n"
    "if (best != k) {\n"
    "exchange(a + k * N, a + best * N);\n"
    "weight[best] = weight[k];\n}\n"
    "const real by = f->inverse[k] = 1 / a[k * N + k];\n"
    "for (int i = k + 1; i < N; i++) {\n"
    "const real x = a[i * N + k] * by;\n"
    "a[i * N + k] = x;\n"
    "for (int j = k + 1; j < N; j++) a[i * N + j] -= x * a[k * N + j];\n}\n}\n"
    "for (int i = 1; i < N; i++)\n"
    "for (int j = 0; j < i; j++) {\n"
    "const real x = a[i * N + j];\n"
    "a[i * N + j] = a[j * N + i];\n"
    "a[j * N + i] = x;\n}\n"
    "return 1;\n}\n\n"
    "static inline void solve(const factored *f, const real *r, real *RESTRICT x)\n{\n"
    "for (int k = 0; k < N; k++) x[k] = -r[k];\n"
    "for (int k = 0; k < N; k++) {\n"
    "const real z = x[f->swap[k]];\n"
    "x[f->swap[k]] = x[k];\n"
    "x[k] = z;\n}\n"
    "for (int j = 0; j < N; j++)\n"
    "for (int i = j + 1; i < N; i++) x[i] -= f->a[j * N + i] * x[j];\n"
    "for (int j = N - 1; j >= 0; j--) {\n"
    "x[j] *= f->inverse[j];\n"
    "for (int i = 0; i < j; i++) x[i] -= f->a[j * N + i] * x[j];\n}\n}\n\n";

void solve_write(fusing *f)
{
    const char *way = f->N == 1 ? one : f->N == 2 ? two : factorised;
    if (f->N > 2 && f->blocked) {
        factor_write(f);
        return;
    }
    text_printf(&f->w.out,
                "typedef struct {\nreal a[%d]; /* the Jacobian, then what is made of it */\n",
                f->N * f->N);
    if (f->N == 2) text_add(&f->w.out, "real inverse[1];\n");
    if (f->N > 2)
        text_printf(&f->w.out, "real inverse[%d];\nint swap[%d];\n", f->N, f->N);
    text_add(&f->w.out, "} factored;\n\n");
    if (f->N > 2) text_add(&f->w.out, weigh);
    text_add(&f->w.out, way);
}
