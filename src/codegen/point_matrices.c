/* point_matrices.c - the matrices of step/simplified_newton.h, one at each sample point: inertia,
 * relations and the effect of velocities on both, at the predicted points, coordinates first.
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

factors matrix_shape(codegen *f)
{
    const int    size = f->n + f->relations;
    const char **entry = mem_array(f->w.m, size * size, const char *);
    for (int k = 0; k < size * size; k++) entry[k] = entry_text(f, k / size, k % size);
    return factors_of(f, size, rate_lanes(f), entry);
}

static void pivot_write(codegen *f, const factors *b, int k)
{
    text *out = &f->w.out;
    text_printf(out,
                "const real e%d = 1 / u%d_%d;\npivot[%d + i] = fabs(u%d_%d);\n"
                "least[%d + i] = LEAST",
                k, k, k, k * b->lanes, k, k, k * b->lanes);
    if (k < f->n) text_printf(out, " + 64 * EPSILON * fabs(%s)", rate_inertia(f, k, k));
    text_add(out, ";\n");
}

/* Where a pivot has cancelled down to roundoff of its inertia the function returns 0, and the step
 * is left to Newton's iteration. */
void matrices_write(codegen *f, const factors *b)
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
    factors_write(f, b, pivot_write);
    text_printf(out,
                "}\nfor (int k = 0; k < %d; k++) poor |= !(pivot[k] >= least[k]);\n"
                "return !poor;\n}\n\n",
                b->size * W);
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
