/* relax_block.c - the matrix that corrects the velocities at all points of a relaxed step: inertia
 * and relations in the middle of the step as it was predicted, factored once and without exchanges,
 * coordinates first. Which entries of the factor are not 0 is known when it is written.
 *
 *     [[M, A^T], [A, 0]] = L D L^T                                                mech/rates.h */
#include "fuse/inside.h"

static int lanes_of(const fusing *f)
{
    return f->of[AT_RULE][0].lanes;
}

/* Of the lower triangle; NULL: it is 0. */
static const char *middle_entry(fusing *f, int row, int col)
{
    const program *p = &f->relaxation.middle;
    int            held = -1;
    if (row < f->n) held = program_slot(p, FIELD_LWW, row, col);
    if (row < f->n && held < 0) held = program_slot(p, FIELD_LWW, col, row);
    if (row >= f->n && col < f->n) held = program_slot(p, FIELD_A, row - f->n, col);
    return held < 0 ? NULL : mem_printf(f->w.m, "oR[%d]", held);
}

/* Which entries of the factor are not 0. */
factor_shape relax_block(fusing *f)
{
    factor_shape b = {.size = f->n + f->relations};
    b.entry = mem_array(f->w.m, b.size * b.size, int);
    for (int i = 0; i < b.size; i++)
        for (int j = 0; j < i; j++) {
            bool held = middle_entry(f, i, j);
            for (int k = 0; k < j && !held; k++)
                held = b.entry[i * b.size + k] >= 0 && b.entry[j * b.size + k] >= 0;
            b.entry[i * b.size + j] = held ? b.entries++ : -1;
        }
    return b;
}

/*     g_ij = K_ij - sum_{k<j} g_ik l_jk,   l_ij = g_ij/d_j,   d_i = K_ii - sum_k g_ik l_ik */
static void row_write(fusing *f, const factor_shape *b, int i)
{
    text *out = &f->w.out;
    for (int j = 0; j < i; j++) {
        const int at = b->entry[i * b->size + j];
        if (at < 0) continue;
        const char *entry = middle_entry(f, i, j);
        text_printf(out, "g[%d] = %s", at, entry ? entry : "0");
        for (int k = 0; k < j; k++)
            if (b->entry[i * b->size + k] >= 0 && b->entry[j * b->size + k] >= 0)
                text_printf(out, " - g[%d] * low[%d]", b->entry[i * b->size + k],
                            b->entry[j * b->size + k]);
        text_printf(out, ";\nlow[%d] = g[%d] * inverse[%d];\n", at, at, j);
    }
    const char *entry = i < f->n ? middle_entry(f, i, i) : NULL; /* of relations it is 0 */
    text_printf(out, "{\nreal d = %s;\n", entry ? entry : "0");
    for (int k = 0; k < i; k++)
        if (b->entry[i * b->size + k] >= 0)
            text_printf(out, "d -= g[%d] * low[%d];\n", b->entry[i * b->size + k],
                        b->entry[i * b->size + k]);
    text_add(out, "if (!(fabs(d) >= LEAST)) return 0;\n");
    if (entry) text_printf(out, "if (!(fabs(d) > 64 * EPSILON * fabs(%s))) return 0;\n", entry);
    text_printf(out, "inverse[%d] = 1 / d;\n}\n", i);
    if (entry) text_printf(out, "mass[%d] = fabs(%s);\n", i, entry);
}

void relax_block_write(fusing *f, const factor_shape *b)
{
    const program *p = &f->relaxation.middle;
    text          *out = &f->w.out;
    text_printf(
        out,
        "/* [[M, A^T], [A, 0]] in the middle of the step; 0: it cannot be factored so. */\n"
        "PIECE int middle_block(const coefficients *c, real t, const real *q, const real "
        "*par, const real *u,\n    const real *y, real *low, real *inverse, real *mass)\n{\n"
        "real tR[1], qR[%d], vR[%d], oR[%d], g[%d];\n"
        "tR[0] = t + HALF * c->h;\n(void)tR;\n(void)par;\n(void)u;\n(void)g;\n(void)low;\n"
        "for (int j = 0; j < %d; j++) {\nreal z = 0, s = 0;\n"
        "for (int k = 0; k < %d; k++) { z += MIDDLE_l[k] * y[j * %d + k]; s += MIDDLE_dl[k] "
        "* y[j * %d + k]; }\n"
        "qR[j] = q[j] + z;\nvR[j] = s / c->h;\n}\n(void)qR;\n(void)vR;\n%s",
        f->n, f->n, p->slots, b->entries + 1, f->n, f->d, f->d, f->d, program_call(f, p, AT_RULE));
    for (int i = 0; i < b->size; i++) row_write(f, b, i);
    text_add(out, "return 1;\n}\n\n");
}

/* r = (L D L^T)^-1 r in every lane */
const char *relax_divide(fusing *f, const factor_shape *b)
{
    const int W = lanes_of(f);
    text      t = text_new(f->w.m);
    for (int i = 1; i < b->size; i++) {
        text sum = text_new(f->w.m);
        for (int j = 0; j < i; j++)
            if (b->entry[i * b->size + j] >= 0)
                text_printf(&sum, " - low[%d] * r[%d + i]", b->entry[i * b->size + j], j * W);
        if (*text_str(&sum))
            write_lanes(
                &t, W,
                mem_printf(f->w.m, "r[%d + i] = r[%d + i]%s;", i * W, i * W, text_str(&sum)));
    }
    for (int j = b->size - 1; j >= 0; j--) {
        text sum = text_new(f->w.m);
        for (int i = j + 1; i < b->size; i++)
            if (b->entry[i * b->size + j] >= 0)
                text_printf(&sum, " - low[%d] * r[%d + i]", b->entry[i * b->size + j], i * W);
        write_lanes(&t, W,
                    mem_printf(f->w.m, "r[%d + i] = r[%d + i] * inverse[%d]%s;", j * W, j * W, j,
                               text_str(&sum)));
    }
    return text_str(&t);
}
