/* relax_block.c - the matrices that correct the velocities of a relaxed step, one at each point, in
 * lanes: inertia and relations there as they were predicted, factored without exchanges, coordinates
 * first. Which entries are not 0 is known when it is written. Small ones are inverted: a product has
 * no chain of operations that wait for each other.
 *
 *     [[M, A^T], [A, 0]] = L D L^T,   its inverse L^-T D^-1 L^-1                   mech/rates.h */
#include "fuse/inside.h"

enum { INVERTED_MOST = 6 };

static int lanes_of(const fusing *f)
{
    return f->of[AT_RULE][0].lanes;
}

/* Where an entry of the lower triangle is among the results of the program; -1: it is 0. */
static int entry_slot(const fusing *f, int row, int col)
{
    const program *p = &f->relaxation.inertia;
    if (row >= f->n) return col < f->n ? program_slot(p, FIELD_A, row - f->n, col) : -1;
    const int held = program_slot(p, FIELD_LWW, row, col);
    return held < 0 ? program_slot(p, FIELD_LWW, col, row) : held;
}

const char *relax_inertia(fusing *f, int row, int col)
{
    const int held = entry_slot(f, row > col ? row : col, row > col ? col : row);
    return held < 0 ? NULL : mem_printf(f->w.m, "o[%d + i]", held * lanes_of(f));
}

static bool has(const factor_shape *b, const int *of, int row, int col)
{
    return row == col || of[row * b->size + col] >= 0;
}

/* Which entries of L are not 0, of its inverse, and of the inverse of the whole. */
factor_shape relax_block(fusing *f)
{
    const int    size = f->n + f->relations;
    factor_shape b = {.size = size, .inverted = size <= INVERTED_MOST};
    b.entry = mem_array(f->w.m, size * size, int);
    b.turned = mem_array(f->w.m, size * size, int);
    b.place = mem_array(f->w.m, size * size, int);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < i; j++) {
            bool held = entry_slot(f, i, j) >= 0;
            for (int k = 0; k < j && !held; k++)
                held = b.entry[i * size + k] >= 0 && b.entry[j * size + k] >= 0;
            b.entry[i * size + j] = held ? b.entries++ : -1;
            for (int k = j + 1; k < i && !held; k++)
                held = b.entry[i * size + k] >= 0 && b.turned[k * size + j] >= 0;
            b.turned[i * size + j] = held ? 0 : -1;
        }
    for (int i = 0; i < size && b.inverted; i++)
        for (int j = 0; j <= i; j++) {
            bool held = false;
            for (int k = i; k < size && !held; k++)
                held = has(&b, b.turned, k, i) && has(&b, b.turned, k, j);
            b.place[i * size + j] = b.place[j * size + i] = held ? b.held++ : -1;
        }
    if (!b.inverted) b.held = b.entries + size;
    return b;
}

/*     g_ij = K_ij - sum_{k<j} g_ik l_jk,   l_ij = g_ij/d_j,   d_i = K_ii - sum_k g_ik l_ik */
static void row_write(fusing *f, const factor_shape *b, int i)
{
    const int W = lanes_of(f);
    text     *out = &f->w.out;
    for (int j = 0; j < i; j++) {
        if (!has(b, b->entry, i, j)) continue;
        const char *entry = relax_inertia(f, i, j);
        text_printf(out, "const real g%d_%d = %s", i, j, entry ? entry : "0");
        for (int k = 0; k < j; k++)
            if (has(b, b->entry, i, k) && has(b, b->entry, j, k))
                text_printf(out, " - g%d_%d * l%d_%d", i, k, j, k);
        text_printf(out, ", l%d_%d = g%d_%d * e%d;\n", i, j, i, j, j);
    }
    const char *entry = i < f->n ? relax_inertia(f, i, i) : NULL; /* of relations it is 0 */
    text_printf(out, "const real d%d = %s", i, entry ? entry : "0");
    for (int k = 0; k < i; k++)
        if (has(b, b->entry, i, k)) text_printf(out, " - g%d_%d * l%d_%d", i, k, i, k);
    text_printf(out, ", e%d = 1 / d%d;\npivot[%d + i] = fabs(d%d);\n", i, i, i * W, i);
    if (entry) text_printf(out, "least[%d + i] = LEAST + 64 * EPSILON * fabs(%s);\n", i * W, entry);
    else text_printf(out, "least[%d + i] = LEAST;\n", i * W);
}

/*     n_ij = -(l_ij + sum_{j<k<i} l_ik n_kj),   m_ij = n_ij/d_i,   K^-1_ij = sum_k n_ki m_kj */
static void inverse_write(fusing *f, const factor_shape *b)
{
    text *out = &f->w.out;
    for (int i = 0; i < b->size; i++)
        for (int j = 0; j < i; j++) {
            if (!has(b, b->turned, i, j)) continue;
            text_printf(out, "const real n%d_%d = -(", i, j);
            if (has(b, b->entry, i, j)) text_printf(out, "l%d_%d", i, j);
            else text_add(out, "0");
            for (int k = j + 1; k < i; k++)
                if (has(b, b->entry, i, k) && has(b, b->turned, k, j))
                    text_printf(out, " + l%d_%d * n%d_%d", i, k, k, j);
            text_printf(out, "), m%d_%d = n%d_%d * e%d;\n", i, j, i, j, i);
        }
    for (int i = 0; i < b->size; i++)
        for (int j = 0; j <= i; j++) {
            const char *between = "";
            if (b->place[i * b->size + j] < 0) continue;
            text_printf(out, "K[%d + i] = ", b->place[i * b->size + j] * lanes_of(f));
            for (int k = i; k < b->size; k++) {
                if (!has(b, b->turned, k, i) || !has(b, b->turned, k, j)) continue;
                if (k == j) text_printf(out, "%se%d", between, k);
                else if (k == i) text_printf(out, "%sm%d_%d", between, k, j);
                else text_printf(out, "%sn%d_%d * m%d_%d", between, k, i, k, j);
                between = " + ";
            }
            text_add(out, ";\n");
        }
}

static void factor_kept(fusing *f, const factor_shape *b)
{
    const int W = lanes_of(f);
    for (int i = 0; i < b->size; i++) {
        text_printf(&f->w.out, "K[%d + i] = e%d;\n", (b->entries + i) * W, i);
        for (int j = 0; j < i; j++)
            if (has(b, b->entry, i, j))
                text_printf(&f->w.out, "K[%d + i] = l%d_%d;\n", b->entry[i * b->size + j] * W, i, j);
    }
}

void relax_block_write(fusing *f, const factor_shape *b)
{
    const int W = lanes_of(f);
    text     *out = &f->w.out;
    text_printf(out,
                "/* [[M, A^T], [A, 0]] at every point, %s; 0: it cannot be factored so. */\n"
                "PIECE int blocks(const real *o, real *RESTRICT K)\n{\n"
                "real pivot[%d], least[%d];\nint poor = 0;\nfor (int i = 0; i < %d; i++) {\n",
                b->inverted ? "inverted" : "factored", b->size * W, b->size * W, W);
    for (int i = 0; i < b->size; i++) row_write(f, b, i);
    if (b->inverted) inverse_write(f, b);
    else factor_kept(f, b);
    text_printf(out, "}\nfor (int k = 0; k < %d; k++) poor |= !(pivot[k] >= least[k]);\n"
                     "return !poor;\n}\n\n",
                b->size * W);
}

/* z_j = sum_k K^-1_jk r_k, in pairs */
static void product_text(fusing *f, const factor_shape *b, text *t)
{
    for (int j = 0; j < b->size; j++) {
        int count = 0;
        text_printf(t, "const real z%d = ", j);
        for (int k = 0; k < b->size; k++) {
            const int at = b->place[j * b->size + k];
            if (at < 0) continue;
            text_printf(t, "%sK[%d + i] * r%d", count ? (count % 2 ? " + " : ") + (") : "(",
                        at * lanes_of(f), k);
            count++;
        }
        text_add(t, ");\n");
    }
}

static void substitution_text(fusing *f, const factor_shape *b, text *t)
{
    const int W = lanes_of(f);
    for (int i = 0; i < b->size; i++) {
        text_printf(t, "const real s%d = r%d", i, i);
        for (int j = 0; j < i; j++)
            if (has(b, b->entry, i, j))
                text_printf(t, " - K[%d + i] * s%d", b->entry[i * b->size + j] * W, j);
        text_add(t, ";\n");
    }
    for (int j = b->size - 1; j >= 0; j--) {
        text_printf(t, "const real z%d = s%d * K[%d + i]", j, j, (b->entries + j) * W);
        for (int i = j + 1; i < b->size; i++)
            if (has(b, b->entry, i, j))
                text_printf(t, " - K[%d + i] * z%d", b->entry[i * b->size + j] * W, i);
        text_add(t, ";\n");
    }
}

const char *relax_divide(fusing *f, const factor_shape *b)
{
    text t = text_new(f->w.m);
    if (b->inverted) product_text(f, b, &t);
    else substitution_text(f, b, &t);
    return text_str(&t);
}
