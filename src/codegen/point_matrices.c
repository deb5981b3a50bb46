/* point_matrices.c - the matrices of step/simplified_newton.h, one at each sample point, in lanes:
 * inertia, relations and the effect of velocities on both, at the predicted points, factored
 * without pivoting, coordinates first. Which entries are nonzero is known when the code is
 * generated.
 *
 *     [[M + h d_i (L_vq - L_qv - f_v), A^T], [A + h d_i (W v + b)_q, 0]] = L U
 *                                                                    mech/solve/rate_tables.h */
#include "codegen/simplified_newton.h"

enum {
    APART_FROM = 50
}; /* operations of inertia: beside longer ones compilers inline nothing else */

/* Appends a result of the program in lane i; nothing if it is 0. */
static void add_slot(const codegen *f, text *t, const char *sign, field_name of, int row, int col)
{
    const int held = program_slot(&f->rates.inertia, of, row, col);
    if (held >= 0) text_printf(t, "%so[%d + i]", sign, held * rate_lanes(f));
}

/* An entry of M in lane i; NULL: it is 0. */
static const char *rate_inertia(codegen *f, int row, int col)
{
    text t = text_new(f->w.m);
    add_slot(f, &t, "", FIELD_LWW, row, col);
    if (!t.n) add_slot(f, &t, "", FIELD_LWW, col, row);
    return t.n ? text_str(&t) : NULL;
}

/* What dv makes by way of dq = h d_i dv; NULL: nothing. */
static const char *by_way_of_positions(codegen *f, int row, int col)
{
    text t = text_new(f->w.m);
    if (row >= f->n) add_slot(f, &t, "", FIELD_EQ, row - f->n, col);
    else if (row != col) {
        add_slot(f, &t, " + ", FIELD_LQW, col, row);
        add_slot(f, &t, " - ", FIELD_LQW, row, col);
    }
    if (row < f->n) add_slot(f, &t, " - ", FIELD_FW, row, col);
    return t.n ? text_str(&t) : NULL;
}

/* Without such entries d_i is not needed, nor its table. */
bool rate_by_positions(codegen *f)
{
    for (int row = 0; row < f->n + f->relations; row++)
        for (int col = 0; col < f->n; col++)
            if (by_way_of_positions(f, row, col)) return true;
    return false;
}

/* An entry of the matrix in lane i; NULL: it is 0. */
static const char *entry_text(codegen *f, int row, int col)
{
    if (row >= f->n && col >= f->n) return NULL;
    text t = text_new(f->w.m);
    if (col >= f->n) add_slot(f, &t, "", FIELD_A, col - f->n, row);
    else if (row >= f->n) add_slot(f, &t, "", FIELD_A, row - f->n, col);
    else if (rate_inertia(f, row, col)) text_add(&t, rate_inertia(f, row, col));
    const char *more = col < f->n ? by_way_of_positions(f, row, col) : NULL;
    if (more) text_printf(&t, "%sh * SELF[i] * (%s)", t.n ? " + " : "", more);
    return t.n ? text_str(&t) : NULL;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool has(const factor_shape *b, int row, int col)
{
    return row == col || b->filled[row * b->size + col];
}

/* Entries of L below and of U above the diagonal that are not 0. */
static void find_filled(codegen *f, factor_shape *b)
{
    for (int i = 0; i < b->size; i++)
        for (int j = 0; j < b->size; j++) {
            bool held = entry_text(f, i, j);
            for (int k = 0; k < least(i, j) && !held; k++)
                held = b->filled[i * b->size + k] && b->filled[k * b->size + j];
            b->filled[i * b->size + j] = held;
        }
}

/* Fill-in is known beforehand, so only entries that can be non-zero get a place. */
factor_shape matrix_shape(codegen *f)
{
    const int    size = f->n + f->relations;
    factor_shape b = {.size = size};
    b.filled = mem_array(f->w.m, size * size, bool);
    b.place = mem_array(f->w.m, size * size, int);
    find_filled(f, &b);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) b.place[i * size + j] = has(&b, i, j) ? b.held++ : -1;
    return b;
}

/*     K_ij - sum_k l_ik u_kj,   k < i, j */
static const char *eliminated(codegen *f, const factor_shape *b, int i, int j)
{
    const char *entry = entry_text(f, i, j);
    text        t = text_new(f->w.m);
    if (entry) text_add(&t, entry);
    for (int k = 0; k < least(i, j); k++)
        if (b->filled[i * b->size + k] && b->filled[k * b->size + j])
            text_printf(&t, " - l%d_%d * u%d_%d", i, k, k, j);
    return t.n ? text_str(&t) : "0";
}

/*     l_ij = (K_ij - sum_{k<j} l_ik u_kj)/u_jj,   u_ij = K_ij - sum_{k<i} l_ik u_kj,   e = 1/u */
static void row_write(codegen *f, const factor_shape *b, int i)
{
    const int W = rate_lanes(f);
    text     *out = &f->w.out;
    for (int j = 0; j < b->size; j++) {
        if (!has(b, i, j)) continue;
        const char *left = eliminated(f, b, i, j);
        if (j < i) text_printf(out, "const real l%d_%d = (%s) * e%d;\n", i, j, left, j);
        else text_printf(out, "const real u%d_%d = %s;\n", i, j, left);
        if (j == i) text_printf(out, "const real e%d = 1 / u%d_%d;\n", i, i, i);
    }
    text_printf(out, "pivot[%d + i] = fabs(u%d_%d);\nleast[%d + i] = LEAST", i * W, i, i, i * W);
    if (i < f->n) text_printf(out, " + 64 * EPSILON * fabs(%s)", rate_inertia(f, i, i));
    text_add(out, ";\n");
}

/* L below, U above, and the inverse of each pivot on the diagonal. */
static void factor_kept(codegen *f, const factor_shape *b)
{
    for (int i = 0; i < b->size; i++)
        for (int j = 0; j < b->size; j++) {
            const int at = b->place[i * b->size + j];
            if (at < 0) continue;
            text_printf(&f->w.out, "K[%d + i] = ", at * rate_lanes(f));
            if (i == j) text_printf(&f->w.out, "e%d;\n", i);
            else text_printf(&f->w.out, "%c%d_%d;\n", j < i ? 'l' : 'u', i, j);
        }
}

/* Where a pivot has cancelled down to roundoff of its inertia the function returns 0, and the step
 * is left to Newton's iteration. */
void matrices_write(codegen *f, const factor_shape *b)
{
    const int      W = rate_lanes(f);
    const program *p = &f->rates.inertia;
    text          *out = &f->w.out;
    text_printf(
        out,
        "/* The matrix at every point, factored; 0: it cannot be without pivoting. */\n"
        "%s int point_matrices(real h, const real *tR, const real *qR, const real *vR,\n"
        "    const real *par, const real *u, real *nearR, real *RESTRICT o, real *RESTRICT K)\n{\n"
        "real pivot[%d], least[%d];\nint poor = 0;\n%s%s(%so);\n"
        "for (int i = 0; i < %d; i++) {\n",
        p->k->instructions > APART_FROM ? "PIECE" : "WITHIN", b->size * W, b->size * W,
        UNREAD_AT_POINTS "(void)h;\n", p->name, program_passed(f, p, AT_RULE), W);
    for (int i = 0; i < b->size; i++) row_write(f, b, i);
    factor_kept(f, b);
    text_printf(out,
                "}\nfor (int k = 0; k < %d; k++) poor |= !(pivot[k] >= least[k]);\n"
                "return !poor;\n}\n\n",
                b->size * W);
}

/*     L s = r,   U z = s */
static void substitution_write(codegen *f, const factor_shape *b)
{
    const int W = rate_lanes(f), size = b->size;
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

/* r <- K^-1 r at every point */
void divide_write(codegen *f, const factor_shape *b)
{
    const int W = rate_lanes(f);
    text     *out = &f->w.out;
    text_printf(out,
                "WITHIN void divide(const real *K, real *RESTRICT r)\n{\n"
                "for (int i = 0; i < %d; i++) {\n",
                W);
    for (int j = 0; j < b->size; j++) text_printf(out, "const real r%d = r[%d + i];\n", j, j * W);
    substitution_write(f, b);
    for (int j = 0; j < b->size; j++) text_printf(out, "r[%d + i] = z%d;\n", j * W, j);
    text_add(out, "}\n}\n\n");
}

/* The terms of momentum at every point, over the mass. */
void inertia_sizes_write(codegen *f)
{
    const int W = rate_lanes(f);
    text     *out = &f->w.out;
    text_add(
        out,
        "WITHIN void inertia_sizes(const real *p, const real *o, const real *v, real *size)\n{\n");
    for (int j = 0; j < f->n; j++) {
        text terms = text_new(f->w.m);
        for (int k = 0; k < f->n; k++) {
            const char *M = rate_inertia(f, j, k);
            if (M) text_printf(&terms, " + fabs(%s * v[%d + i])", M, k * W);
        }
        gather_write(f, "size", W, j,
                     mem_printf(f->w.m, "(fabs(p[%d])%s) / fabs(%s)", j, text_str(&terms),
                                rate_inertia(f, j, j)));
    }
    text_add(out, "}\n\n");
}
