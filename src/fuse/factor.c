/* factor.c - linear systems of three to sixteen unknowns, factored in blocks of columns: within a
 * block the rows keep their length, which suits vector units. */
#include "fuse/inside.h"

enum { BLOCK = 4 };

/* Scales rows by their largest entry, then columns by their largest scaled entry; four at a time,
 * for vector units. */
static const char weigh[] =
    "PIECE int weigh(const real *a, real *weight, real *scale)\n{\n"
    "for (int j = 0; j < N; j++) scale[j] = 0;\n"
    "for (int i = 0; i < N; i++) {\n"
    "real m[4] = {0};\n"
    "for (int j = 0; j + 3 < N; j += 4)\n"
    "for (int l = 0; l < 4; l++) {\n"
    "const real x = fabs(a[i * N + j + l]);\n"
    "m[l] = x > m[l] ? x : m[l];\n}\n"
    "for (int j = N / 4 * 4; j < N; j++) {\n"
    "const real x = fabs(a[i * N + j]);\n"
    "m[0] = x > m[0] ? x : m[0];\n}\n"
    "const real one = m[0] > m[1] ? m[0] : m[1], two = m[2] > m[3] ? m[2] : m[3];\n"
    "const real most = one > two ? one : two;\n"
    "if (!(most >= LEAST && most <= MOST)) return 0;\n"
    "weight[i] = 1 / most;\n"
    "for (int j = 0; j < N; j++) {\n"
    "const real x = fabs(a[i * N + j]) * weight[i];\n"
    "scale[j] = x > scale[j] ? x : scale[j];\n}\n}\n"
    "return 1;\n}\n\n";

/* Column k: finds the pivot that is largest relative to its row and eliminates it from the rows
 * below. Rows are updated from the constant column `from` on, so that their length is known; what
 * stands before k there is not read again. The factors are kept by columns, padded with zeros. */
static const char clear_column[] =
    "static inline int clear_column(factored *f, real *weight, const real *scale, const int k,\n"
    "    const int from)\n{\n"
    "real *const a = f->a, *const low = f->lower + k * N;\n"
    "int best = k;\n"
    "real size = 0;\n"
    "for (int i = k; i < N; i++) {\n"
    "const real x = fabs(a[i * N + k]) * weight[i];\n"
    "if (x > size) { size = x; best = i; }\n}\n"
    "if (!(size > NEGLIGIBLE * scale[k] && size <= MOST)) return 0;\n"
    "f->swap[k] = best;\n"
    "if (best != k) {\n"
    "for (int j = from; j < N; j++) {\n"
    "const real z = a[k * N + j];\n"
    "a[k * N + j] = a[best * N + j];\n"
    "a[best * N + j] = z;\n}\n"
    "for (int j = 0; j < k; j++) {\n"
    "const real z = f->lower[j * N + k];\n"
    "f->lower[j * N + k] = f->lower[j * N + best];\n"
    "f->lower[j * N + best] = z;\n}\n"
    "weight[best] = weight[k];\n}\n"
    "const real by = f->inverse[k] = 1 / a[k * N + k];\n"
    "for (int i = 0; i <= k; i++) low[i] = 0;\n"
    "for (int i = k + 1; i < N; i++) {\n"
    "const real x = low[i] = a[i * N + k] * by;\n"
    "for (int j = from; j < N; j++) a[i * N + j] -= x * a[k * N + j];\n}\n"
    "for (int i = 0; i < k; i++) f->upper[k * N + i] = a[i * N + k];\n"
    "for (int i = k; i < N; i++) f->upper[k * N + i] = 0;\n"
    "return 1;\n}\n\n";

static const char substitute[] =
    "static inline void solve(const factored *f, const real *r, real *RESTRICT x)\n{\n"
    "for (int k = 0; k < N; k++) x[k] = -r[k];\n"
    "for (int k = 0; k < N; k++) {\n"
    "const real z = x[f->swap[k]];\n"
    "x[f->swap[k]] = x[k];\n"
    "x[k] = z;\n}\n"
    "for (int j = 0; j < N; j++) {\n"
    "const real z = x[j];\n"
    "for (int i = 0; i < N; i++) x[i] -= f->lower[j * N + i] * z;\n}\n"
    "for (int j = N - 1; j >= 0; j--) {\n"
    "const real z = x[j] *= f->inverse[j];\n"
    "for (int i = 0; i < N; i++) x[i] -= f->upper[j * N + i] * z;\n}\n}\n\n";

/* Columns in blocks: each changes rows from its first column on. */
void factor_write(fusing *f)
{
    text *out = &f->w.out;
    text_printf(out,
                "typedef struct {\nreal a[%d]; /* the Jacobian, then what is made of it */\n"
                "real lower[%d], upper[%d], inverse[%d];\nint swap[%d];\n} factored;\n\n",
                f->N * f->N, f->N * f->N, f->N * f->N, f->N, f->N);
    text_printf(out,
                "%s%sPIECE int factor(factored *f)\n{\nreal weight[N], scale[N];\n"
                "if (!weigh(f->a, weight, scale)) return 0;\n",
                weigh, clear_column);
    for (int k = 0; k < f->N; k += BLOCK)
        text_printf(out,
                    "for (int k = %d; k < %d; k++)\n"
                    "if (!clear_column(f, weight, scale, k, %d)) return 0;\n",
                    k, k + BLOCK < f->N ? k + BLOCK : f->N, k);
    text_printf(out, "return 1;\n}\n\n%s", substitute);
}
