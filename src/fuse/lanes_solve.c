/* lanes_solve.c - the linear system J delta = -r of one member, without branches.
 *
 * `eliminate` pivots as solve.c does, but exchanges rows by selection, so that every member can
 * have its own pivots. `divide` does not pivot, in a third of the instructions: the increments of
 * Lagrangian systems nearly always allow that. Where a pivot is small compared with its row, or the
 * result of cancellation, it reports so, and `eliminate` is used for that member. */
#include "fuse/lanes.h"

static const char one_text[] =
    "delta[0] = -r[0] / J[0];\nreturn (fabs(J[0]) >= LEAST) & (fabs(J[0]) <= MOST);\n";

static const char two_text[] =
    "const real x = J[0] * J[3], y = J[1] * J[2], det = x - y, inverse = 1 / det;\n"
    "delta[0] = (J[1] * r[1] - J[3] * r[0]) * inverse;\n"
    "delta[1] = (J[2] * r[0] - J[0] * r[1]) * inverse;\n"
    "return fabs(det) > 4 * EPSILON * (fabs(x) + fabs(y));\n";

/* x[i] and x[k] change places where s says so */
static void exchange_text(text *t, const char *x, int i, int k)
{
    text_printf(t,
                "{ const real a = s ? %s[%d] : %s[%d], b = s ? %s[%d] : %s[%d]; %s[%d] = a; %s[%d] "
                "= b; }\n",
                x, i, x, k, x, k, x, i, x, k, x, i);
}

/* Scales rows by their largest entry, then columns by their largest scaled entry. */
static void weigh_text(fusing *f, text *t)
{
    const int N = f->N;
    for (int i = 0; i < N; i++) {
        text_printf(t, "{\nreal most = 0;\n");
        for (int j = 0; j < N; j++)
            text_printf(t, "most = fabs(J[%d]) > most ? fabs(J[%d]) : most;\n", i * N + j,
                        i * N + j);
        text_printf(t, "fine &= (most >= LEAST) & (most <= MOST);\nw[%d] = 1 / most;\n", i);
        for (int j = 0; j < N; j++)
            text_printf(t,
                        "{ const real x = fabs(J[%d]) * w[%d]; scale[%d] = x > scale[%d] ? x : "
                        "scale[%d]; }\n",
                        i * N + j, i, j, j, j);
        text_add(t, "}\n");
    }
}

static const char *back_text(fusing *f)
{
    text t = text_new(f->w.m);
    for (int k = f->N - 1; k >= 0; k--) {
        text_printf(&t, "delta[%d] *= w[%d];\n", k, k);
        for (int i = 0; i < k; i++)
            text_printf(&t, "delta[%d] -= J[%d] * delta[%d];\n", i, i * f->N + k, k);
    }
    return text_str(&t);
}

/* Elimination; the pivot of column k, the largest entry relative to its row, comes up by exchanges.
 */
static const char *eliminate_text(fusing *f)
{
    const int N = f->N;
    text      t = text_new(f->w.m);
    text_printf(&t, "int fine = 1;\nreal w[%d], scale[%d];\n%s", N, N,
                write_loop(&f->w, "k", N, "delta[k] = -r[k];\nscale[k] = 0;\n"));
    weigh_text(f, &t);
    for (int k = 0; k < N; k++) {
        for (int i = k + 1; i < N; i++) {
            text_printf(&t, "{\nconst int s = fabs(J[%d]) * w[%d] > fabs(J[%d]) * w[%d];\n",
                        i * N + k, i, k * N + k, k);
            for (int j = k; j < N; j++) exchange_text(&t, "J", i * N + j, k * N + j);
            exchange_text(&t, "delta", i, k), exchange_text(&t, "w", i, k);
            text_add(&t, "}\n");
        }
        text_printf(&t,
                    "fine &= (fabs(J[%d]) * w[%d] > NEGLIGIBLE * scale[%d]) & (fabs(J[%d]) <= "
                    "MOST);\nw[%d] = 1 / J[%d];\n",
                    k * N + k, k, k, k * N + k, k, k * N + k);
        for (int i = k + 1; i < N; i++) {
            text_printf(&t, "{\nconst real x = J[%d] * w[%d];\n", i * N + k, k);
            for (int j = k + 1; j < N; j++)
                text_printf(&t, "J[%d] -= x * J[%d];\n", i * N + j, k * N + j);
            text_printf(&t, "delta[%d] -= x * delta[%d];\n}\n", i, k);
        }
    }
    text_printf(&t, "%sreturn fine;\n", back_text(f));
    return text_str(&t);
}

/* Elimination without exchanges; factors stay in J, and inverse pivots in w. A correction may be
 * wrong by 1e-8 of itself and does no harm. */
static const char *divide_text(fusing *f)
{
    const int N = f->N;
    text      t = text_new(f->w.m);
    text_printf(
        &t, "int fine = 1;\nreal made[%d];\n%s", N,
        write_loop(&f->w, "k", N,
                   mem_printf(f->w.m, "delta[k] = -r[k];\nmade[k] = fabs(J[k * %d]);\n", N + 1)));
    for (int k = 0; k < N; k++) {
        text_printf(&t, "{\nreal row = 0;\nconst real size = fabs(J[%d]);\n", k * N + k);
        for (int j = k + 1; j < N; j++) text_printf(&t, "row = larger(row, J[%d]);\n", k * N + j);
        text_printf(&t,
                    "fine &= (row <= 1e5 * size) & (size > 1e-9 * made[%d]);\nw[%d] = 1 / "
                    "J[%d];\n}\n",
                    k, k, k * N + k);
        for (int i = k + 1; i < N; i++) {
            text_printf(&t,
                        "{\nconst real x = J[%d] * w[%d], d = x * J[%d];\nmade[%d] += fabs(d);\n"
                        "J[%d] = x;\n",
                        i * N + k, k, k * N + i, i, i * N + k);
            for (int j = k + 1; j < N; j++)
                if (j == i) text_printf(&t, "J[%d] -= d;\n", i * N + i);
                else text_printf(&t, "J[%d] -= x * J[%d];\n", i * N + j, k * N + j);
            text_printf(&t, "delta[%d] -= x * delta[%d];\n}\n", i, k);
        }
    }
    text_printf(&t, "%sreturn fine;\n", back_text(f));
    return text_str(&t);
}

/* The same with factors that are there. */
static const char *again_text(fusing *f)
{
    const int N = f->N;
    text      t = text_new(f->w.m);
    text_add(&t, write_loop(&f->w, "k", N, "delta[k] = -r[k];\n"));
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++)
            text_printf(&t, "delta[%d] -= J[%d] * delta[%d];\n", i, i * N + k, k);
    text_add(&t, back_text(f));
    return text_str(&t);
}

static const char *diagonal_text(fusing *f)
{
    return mem_printf(
        f->w.m, "int fine = 1;\n%sreturn fine;\n",
        write_loop(&f->w, "k", f->N,
                   mem_printf(f->w.m,
                              "delta[k] = -r[k] / J[k * %d];\n"
                              "fine &= (fabs(J[k * %d]) >= LEAST) & (fabs(J[k * %d]) <= MOST);\n",
                              f->N + 1, f->N + 1, f->N + 1)));
}

bool lanes_divide(const fusing *f)
{
    return f->N > 2 && !f->linear && !f->relations && !f->phase;
}

void lanes_solve_write(fusing *f)
{
    const char *way = f->eq->diagonal && f->linear ? diagonal_text(f)
                      : f->N == 1                  ? one_text
                      : f->N == 2                  ? two_text
                                                   : eliminate_text(f);
    text_printf(&f->w.out, "PIECE int eliminate(real *J, const real *r, real *delta)\n{\n%s}\n\n",
                way);
    if (!lanes_divide(f)) return;
    text_printf(&f->w.out,
                "PIECE int divide(real *J, const real *r, real *delta, real *w)\n{\n%s}\n\n",
                divide_text(f));
    text_printf(
        &f->w.out,
        "PIECE void divide_again(const real *J, const real *w, const real *r, real *delta)\n"
        "{\n%s}\n\n",
        again_text(f));
}
