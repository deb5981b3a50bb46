/* predict.c - the initial guess of a step, as generated code: what mech/solve/predict.c does.
 * Ensemble members, computed many at a time, all use differences up to the third. */
#include "fuse/inside.h"

static void continuation_write(fusing *f)
{
    write_table(&f->w, "CONTINUED", curve_continued(f->w.m, f->eq->control.x[0], f->d),
                f->d * f->d);
}

/*     y = 4 y_k - 6 y_{k-1} + 4 y_{k-2} - y_{k-3}, or its last difference along the curve */
static void members_write(fusing *f)
{
    const int N = f->N, d = f->d, curve = d > 1 ? f->n * d : 0;
    text     *out = &f->w.out;
    text_printf(out, "PIECE void predict(const real *a, real *y)\n{\nreal e[%d];\n", N);
    text_add(out, write_loop(&f->w, "k", N,
                             mem_printf(f->w.m,
                                        "y[k] = 3 * (a[k] - a[%d + k]) + a[%d + k];\n"
                                        "e[k] = (a[k] - a[%d + k]) - 3 * (a[%d + k] - a[%d + k]);",
                                        N, 2 * N, 3 * N, N, 2 * N)));
    for (int j = 0; j < curve; j += d)
        for (int nu = 0; nu < d; nu++)
            text_add(out, write_loop(&f->w, "mu", d,
                                     mem_printf(f->w.m, "y[%d + mu] += CONTINUED[%d + mu] * e[%d];",
                                                j, nu * d, j + nu)));
    text_add(out, write_loop(&f->w, "k", N - curve,
                             mem_printf(f->w.m, "y[%d + k] += e[%d + k];", curve, curve)));
    text_add(out, "}\n\n");
}

void predict_write(fusing *f)
{
    if (f->d > 1) continuation_write(f);
    if (f->members) members_write(f);
    else verbatim(f, "predict.h");
}
