/* solve.c - the linear systems of Newton's iteration, with their size written in.
 *
 * One and two unknowns are solved in closed form; up to sixteen by factor.c, more by
 * factor_rows.c. */
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
    "return fabs(det) > 4 * EPSILON * (fabs(x) + fabs(y)) && fabs(det) <= MOST && "
    "fabs(det) >= LEAST;\n}\n\n"
    "static inline void solve(const factored *f, const real *r, real *delta)\n{\n"
    "delta[0] = (f->a[1] * r[1] - f->a[3] * r[0]) * f->inverse[0];\n"
    "delta[1] = (f->a[2] * r[0] - f->a[0] * r[1]) * f->inverse[0];\n}\n\n";

void solve_write(fusing *f)
{
    if (f->N > 2) {
        f->blocked ? factor_write(f) : factor_rows_write(f);
        return;
    }
    text_printf(&f->w.out,
                "typedef struct {\nreal a[%d]; /* the Jacobian, then what is made of it */\n"
                "%s} factored;\n\n",
                f->N * f->N, f->N == 2 ? "real inverse[1];\n" : "");
    text_add(&f->w.out, f->N == 1 ? one : two);
}
