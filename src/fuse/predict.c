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

/* D_o is the first of column o: a0, b0 ... of the numbers a0, a1 ... */
static void differences_write(fusing *f)
{
    for (int o = 1; o < PAST_MOST; o++)
        for (int i = 0; i < PAST_MOST - o; i++)
            text_printf(&f->w.out, "const real %c%d = %c%d - %c%d;\n", 'a' + o, i, 'a' + o - 1, i,
                        'a' + o - 1, i + 1);
}

/* Selects the smallest of the known differences, by their middle and their end: the best of pairs,
 * then of those, without unpredictable branches. */
static void smallest_write(fusing *f, int W)
{
    text *out = &f->w.out;
    for (int i = 0; i < PAST_MOST; i++)
        text_printf(out,
                    "const real z%d = known > %d ? fabs(D[%d]) + fabs(D[%d]) : HUGE_VALUE;\n", i, i,
                    i * W + f->d / 2 - 1, i * W + f->d - 1);
    for (int i = 0; i < PAST_MOST; i += 2)
        text_printf(out, "const int l%d = z%d < z%d ? %d : %d;\n"
                         "const real m%d = z%d < z%d ? z%d : z%d;\n",
                    i, i + 1, i, i + 1, i, i, i + 1, i, i + 1, i);
    text_add(out, "const int l = m2 < m0 ? l2 : l0;\nconst real m = m2 < m0 ? m2 : m0;\n"
                  "const int last = m4 < m ? l4 : l;\n");
}

/* The differences of one curve side by side, with the sum of those before each, up to the smallest,
 * and that one extrapolated. Unknown past solutions are finite numbers all the same. */
static void curve_write(fusing *f)
{
    const int d = f->d, W = (d + 3) / 4 * 4;
    text     *out = &f->w.out, sum = text_new(f->w.m);
    text_printf(out,
                "WITHIN void continue_curve(const int known, const real *a, real *y)\n{\n"
                "real D[%d], before[%d];\n"
                "for (int k = 0; k < %d; k++) {\n",
                PAST_MOST * W, PAST_MOST * W, d);
    for (int i = 0; i < PAST_MOST; i++)
        text_printf(out, "const real a%d = a[%d + k];\n", i, i * f->N);
    differences_write(f);
    text_add(out, "const real s0 = 0;\n");
    for (int i = 0; i < PAST_MOST; i++) {
        if (i) text_printf(out, "const real s%d = s%d + %c0;\n", i, i - 1, 'a' + i - 1);
        text_printf(out, "D[%d + k] = %c0;\nbefore[%d + k] = s%d;\n", i * W, 'a' + i, i * W, i);
    }
    text_add(out, "}\n");
    smallest_write(f, W);
    for (int nu = 0; nu < d; nu++)
        text_printf(&sum, "%s%sCONTINUED[%d + k] * x[%d]%s", nu ? " + " : "",
                    nu % 2 || nu + 1 == d ? "" : "(", nu * d, nu, nu % 2 ? ")" : "");
    text_printf(out,
                "const real *const x = D + last * %d, *const sum = before + last * %d;\n"
                "for (int k = 0; k < %d; k++) y[k] = %s + sum[k];\n}\n\n",
                W, W, d, text_str(&sum));
}

/* Differences of one number: D_j is the first of column j. Four of those that are known, or all
 * six. */
static void number_write(fusing *f, bool alone)
{
    text *out = &f->w.out;
    text_add(out, "WITHIN real continued(const int known, const real *a)\n{\n");
    for (int i = 0; i < PAST_MOST; i++) text_printf(out, "const real a%d = a[%d];\n", i, i * f->N);
    differences_write(f);
    text_add(out, "const real far = fabs(e0) + fabs(f0), near = fabs(c0) + fabs(d0);\n");
    text_printf(out,
                alone ? "if (known == %d && far < near)\n"
                        "return 6 * a0 + ((20 * a2 - 15 * (a1 + a3)) + (6 * a4 - a5));\n"
                        "return continued_less(known, a0, b0, c0, d0);\n}\n\n"
                      : "const real fourth = known > 3 ? d0 : 0, third = known > 2 ? c0 : 0;\n"
                        "const real second = known > 1 ? b0 : 0, more = e0 + f0;\n"
                        "return a0 + (second + (third + (fourth + (known == %d && "
                        "far < near ? more : 0))));\n}\n\n",
                PAST_MOST);
}

/* Few unknowns are bound by latency: the six differences are one sum, to which the last solution,
 * which arrives late, is added once. Whether they apply is tested alongside, by a predictable
 * branch. */
static void alone_write(fusing *f)
{
    text_add(&f->w.out,
             "RARE real continued_less(int known, real a0, real b0, real c0, real d0)\n{\n"
             "const real fourth = known > 3 ? d0 : 0, third = known > 2 ? c0 : 0;\n"
             "const real second = known > 1 ? b0 : 0;\n"
             "return a0 + (second + (third + fourth));\n}\n\n");
    number_write(f, true);
}

/* All unknowns; with many of them there is a second version for when all past solutions are
 * known. */
static void whole_write(fusing *f, int curve, bool alone)
{
    const int N = f->N, d = f->d;
    text     *out = &f->w.out;
    text_add(out,
             "WITHIN void continue_all(const int known, const real *a, real *RESTRICT y)\n{\n");
    if (curve)
        text_printf(out,
                    "for (int j = 0; j < %d; j++) continue_curve(known, a + j * %d, y + j * %d);\n",
                    f->n, d, d);
    if (alone)
        text_add(out, write_loop(&f->w, "k", N - curve,
                                 mem_printf(f->w.m, "y[%d + k] = continued(known, a + %d + k);",
                                            curve, curve)));
    else
        text_printf(out, "for (int k = %d; k < %d; k++) y[k] = continued(known, a + k);\n", curve,
                    N);
    if (curve || alone)
        text_add(out, "}\n\nPIECE void predict(int known, const real *a, real *y)\n{\n"
                      "continue_all(known, a, y);\n}\n\n");
    else
        text_printf(
            out,
            "}\n\nRARE void predict_early(int known, const real *a, real *y)\n{\n"
            "continue_all(known, a, y);\n}\n\n"
            "PIECE void predict(int known, const real *a, real *y)\n{\n"
            "if (known == %d) continue_all(%d, a, y);\nelse predict_early(known, a, y);\n}\n\n",
            PAST_MOST, PAST_MOST);
}

void predict_write(fusing *f)
{
    const int  curve = f->d > 1 ? f->n * f->d : 0;
    const bool alone = f->N - curve < 4;
    if (f->d > 1) continuation_write(f);
    if (f->members) {
        members_write(f);
        return;
    }
    text_add(&f->w.out,
             "/* Past solutions continued: differences over the steps while they shrink, "
             "the last of them along its curve. */\n");
    if (curve) curve_write(f);
    if (curve < f->N && alone) alone_write(f);
    else if (curve < f->N) number_write(f, false);
    whole_write(f, curve, alone);
}
