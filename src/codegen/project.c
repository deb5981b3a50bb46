/* project.c - mech/stepper/project.c as generated code: what step/project.h asks of the model, and
 * its directions without inertia, which come with the state or stand in a table. theory.md
 * [DEGENERATE] */
#include "codegen/inside.h"

/* Of a field at one point, by coordinates: "oR[3]", or NULL where it is zero. */
static const char *entry(codegen *f, const program *p, field_name of, int row, int col)
{
    const int at = program_slot(p, of, row, col);
    return at < 0 ? NULL : mem_printf(f->w.m, "oR[%d]", at);
}

/* sign a + b, of which either may be zero; NULL: both are. */
static const char *sum_of(codegen *f, const char *a, const char *sign, const char *b)
{
    if (!b) return a;
    return mem_printf(f->w.m, "%s %s %s", a ? a : "", sign, b);
}

/* One program for all moves, called seldom, so its sines are left to libm. */
static void choose(codegen *f, program *p)
{
    static const bool wanted[FIELDS] = {
        [FIELD_LQ] = true,  [FIELD_LW] = true, [FIELD_LWT] = true, [FIELD_LQQ] = true,
        [FIELD_LQW] = true, [FIELD_F] = true,  [FIELD_FQ] = true,  [FIELD_FW] = true};
    program_init(f, p, "projected", 1);
    for (int k = 0; k < f->f->roots; k++)
        if (wanted[f->f->root[k].of]) program_add(f, p, &f->f->root[k]);
    program_make(f, p);
    p->seldom = true;
}

/*     L_qq + f_q */
static const char *stiffness(codegen *f, const program *p, int i, int j)
{
    return sum_of(f, entry(f, p, FIELD_LQQ, i, j), "+", entry(f, p, FIELD_FQ, i, j));
}

/* L_qw + f_w: what a velocity makes of momentum */
static const char *dragged(codegen *f, const program *p, int i, int j)
{
    return sum_of(f, entry(f, p, FIELD_LQW, i, j), "+", entry(f, p, FIELD_FW, i, j));
}

/*     L_qw + f_w - L_wq: what a velocity makes of force along directions without inertia */
static const char *pushed(codegen *f, const program *p, int i, int j)
{
    return sum_of(f, dragged(f, p, i, j), "-", entry(f, p, FIELD_LQW, j, i));
}

/* L_wq */
static const char *turned(codegen *f, const program *p, int i, int j)
{
    return entry(f, p, FIELD_LQW, j, i);
}

/* A matrix by its entries that are not 0, if it is asked for: how many, their rows and columns, and
 * text that fills an array with them. */
static void matrix_write(codegen *f, const program *p, bool asked, const char *word,
                         const char *array,
                         const char *(*of)(codegen *, const program *, int i, int j), text *body)
{
    int *row = mem_array(f->w.m, f->n * f->n, int), *col = mem_array(f->w.m, f->n * f->n, int);
    int  count = 0;
    for (int i = 0; i < f->n && asked; i++)
        for (int j = 0; j < f->n; j++) {
            const char *m = of(f, p, i, j);
            if (!m) continue;
            text_printf(body, "%s[%d] = %s;\n", array, count, m);
            row[count] = i, col[count++] = j;
        }
    write_size(&f->w, word, count);
    if (!asked) return;
    write_indices(&f->w, mem_printf(f->w.m, "%s_ROW", word), row, count ? count : 1);
    write_indices(&f->w, mem_printf(f->w.m, "%s_COLUMN", word), col, count ? count : 1);
}

/* Matrices are lists of their non-zero entries; only those that the kinds of directions need. */
static void terms_write(codegen *f, const program *p)
{
    const bool momenta = f->st->massless.primary.k, forces = f->st->massless.algebraic.k;
    text       body = text_new(f->w.m);
    matrix_write(f, p, forces, "STIFFNESS", "stiffness", stiffness, &body);
    matrix_write(f, p, true, "DRAG", "drag", dragged, &body);
    matrix_write(f, p, momenta, "PUSH", "push", pushed, &body);
    matrix_write(f, p, forces, "TURN", "turn", turned, &body);
    for (int i = 0; i < f->n; i++) {
        const char *Lw = entry(f, p, FIELD_LW, i, -1),
                   *force =
                       sum_of(f, entry(f, p, FIELD_LQ, i, -1), "+", entry(f, p, FIELD_F, i, -1));
        force = sum_of(f, force, "-", entry(f, p, FIELD_LWT, i, -1));
        text_printf(&body, "force[%d] = %s;\nL_w[%d] = %s;\n", i, force ? force : "0", i,
                    Lw ? Lw : "0");
    }
    text_printf(
        &f->w.out,
        "WITHIN void projected_terms(real t, const real *qR, const real *vR, const real *par,\n"
        "    const real *u, real *force, real *L_w, real *stiffness, real *drag, "
        "real *push,\n    real *turn)\n{\nconst real tR[1] = {t}, *const wR = vR;\n"
        "real oR[%d];\n(void)tR;\n(void)qR;\n(void)wR;\n(void)par;\n(void)u;\n"
        "(void)stiffness;\n(void)drag;\n(void)push;\n(void)turn;\n%s%s}\n\n",
        p->slots ? p->slots : 1, program_call(f, p, AT_RULE), text_str(&body));
}

/* Are there moves after a whole step? Others are made at both ends of every curve. */
bool projects_after(const codegen *f)
{
    const stepper *st = f->st;
    return stepper_projects(st) && !st->massless.bent &&
           (st->massless.algebraic.k || !st->massless.ends.fits);
}

/* An exported stepper has its directions in tables, others get them with the state. */
void project_write(codegen *f)
{
    const stepper *st = f->st;
    const int      count = st->grid.k * f->n;
    program        p;
    if (f->exported) {
        write_table(&f->w, "MOVES", st->grid.U, count);
        if (projects_after(f)) write_table(&f->w, "ALONG", st->grid.W, count);
    }
    choose(f, &p);
    program_write(f, &p);
    terms_write(f, &p);
    text_printf(&f->w.out,
                "#define PRIMARY %d\n#define ALGEBRAIC %d\n#define FIRST_ALGEBRAIC %d\n\n",
                st->massless.primary.k, st->massless.algebraic.k, st->grid.resistive * f->n);
    verbatim(f, "echelon.h"), verbatim(f, "complete_pivots.h"), verbatim(f, "project.h");
}
