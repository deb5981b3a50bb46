/* factors.c - writes elimination and substitution for matrices whose zeros are known.
 *
 *     l_ij = (K_ij - sum_{k<j} l_ik u_kj)/u_jj,   u_ij = K_ij - sum_{k<i} l_ik u_kj,   e = 1/u */
#include "codegen/factors.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Entries of L below and of U above the diagonal that are not 0. */
static void find_filled(factors *b)
{
    for (int i = 0; i < b->size; i++)
        for (int j = 0; j < b->size; j++) {
            bool held = b->entry[i * b->size + j];
            for (int k = 0; k < least(i, j) && !held; k++)
                held = b->filled[i * b->size + k] && b->filled[k * b->size + j];
            b->filled[i * b->size + j] = held;
        }
}

/* Fill-in is known beforehand, so only entries that can be non-zero get a place. */
factors factors_of(codegen *f, int size, int lanes, const char **entry)
{
    factors b = {.size = size, .lanes = lanes, .entry = entry};
    b.filled = mem_array(f->w.m, size * size, bool);
    b.place = mem_array(f->w.m, size * size, int);
    find_filled(&b);
    for (int a = 0; a < size * size; a++)
        b.place[a] = b.filled[a] || a % (size + 1) == 0 ? b.held++ : -1;
    return b;
}

/*     K_ij - sum_k l_ik u_kj,   k < i, j */
static const char *eliminated(codegen *f, const factors *b, int i, int j)
{
    const char *entry = b->entry[i * b->size + j];
    text        t = text_new(f->w.m);
    if (entry) text_add(&t, entry);
    for (int k = 0; k < least(i, j); k++)
        if (b->filled[i * b->size + k] && b->filled[k * b->size + j])
            text_printf(&t, " - l%d_%d * u%d_%d", i, k, k, j);
    return t.n ? text_str(&t) : "0";
}

const char *factors_taken(codegen *f, const factors *b, int i)
{
    text t = text_new(f->w.m);
    for (int k = 0; k < i; k++)
        if (b->filled[i * b->size + k] && b->filled[k * b->size + i])
            text_printf(&t, " + fabs(l%d_%d * u%d_%d)", i, k, k, i);
    return text_str(&t);
}

/* L below, U above, and the inverse of each pivot on the diagonal. */
void factors_write(codegen *f, const factors *b, void (*pivot)(codegen *f, const factors *b, int k))
{
    text *out = &f->w.out;
    for (int i = 0; i < b->size; i++) {
        for (int j = 0; j < b->size; j++) {
            if (b->place[i * b->size + j] < 0) continue;
            const char *left = eliminated(f, b, i, j);
            if (j < i) text_printf(out, "const real l%d_%d = (%s) * e%d;\n", i, j, left, j);
            else text_printf(out, "const real u%d_%d = %s;\n", i, j, left);
            if (j == i) pivot(f, b, i);
        }
    }
    for (int i = 0; i < b->size; i++)
        for (int j = 0; j < b->size; j++) {
            const int at = b->place[i * b->size + j];
            if (at < 0) continue;
            text_printf(out, "K[%d + i] = ", at * b->lanes);
            if (i == j) text_printf(out, "e%d;\n", i);
            else text_printf(out, "%c%d_%d;\n", j < i ? 'l' : 'u', i, j);
        }
}

/*     L s = r,   U z = s */
static void substitution_write(codegen *f, const factors *b)
{
    const int W = b->lanes, size = b->size;
    text     *t = &f->w.out;
    for (int i = 0; i < size; i++) {
        text_printf(t, "const real s%d = r%d", i, i);
        for (int j = 0; j < i; j++)
            if (b->filled[i * size + j])
                text_printf(t, " - K[%d + i] * s%d", b->place[i * size + j] * W, j);
        text_add(t, ";\n");
    }
    for (int i = size - 1; i >= 0; i--) {
        text_printf(t, "const real z%d = (s%d", i, i);
        for (int j = i + 1; j < size; j++)
            if (b->filled[i * size + j])
                text_printf(t, " - K[%d + i] * z%d", b->place[i * size + j] * W, j);
        text_printf(t, ") * K[%d + i];\n", b->place[i * size + i] * W);
    }
}

void factors_divide(codegen *f, const factors *b)
{
    const int W = b->lanes;
    text     *out = &f->w.out;
    text_printf(out,
                "WITHIN void divide(const real *K, const int columns, real *RESTRICT r)\n{\n"
                "for (int k = 0; k < columns * %d; k += %d)\nfor (int i = 0; i < %d; i++) {\n",
                W, W, W);
    for (int j = 0; j < b->size; j++)
        text_printf(out, "real *const at%d = r + (%d * columns + k);\nconst real r%d = at%d[i];\n",
                    j, j * W, j, j);
    substitution_write(f, b);
    for (int j = 0; j < b->size; j++) text_printf(out, "at%d[i] = z%d;\n", j, j);
    text_add(out, "}\n}\n\n");
}
