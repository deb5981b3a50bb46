/* bent.c - directions without inertia that bend, in generated steps: the fields, sizes and pivots
 * that step/bent.h needs of the model.                                        theory.md [BENT] */
#include "codegen/inside.h"

/* All roots of some fields at one point; its sines are left to libm. */
static void choose(codegen *f, program *p, const char *title, const field_name *of, int count)
{
    program_init(f, p, title, 1);
    for (int k = 0; k < f->f->roots; k++)
        for (int a = 0; a < count; a++)
            if (f->f->root[k].of == of[a]) program_add(f, p, &f->f->root[k]);
    program_make(f, p);
    p->seldom = true;
    program_write(f, p);
}

/* Where an entry is added, and its sign:  B = L_qv + f_v and L_vq are both made of L_qw. */
static void entry_write(codegen *f, const field_root *r, int held)
{
    static const struct {
        const char *matrix, *sign;
    } into[FIELDS] = {[FIELD_LQ] = {"force", "+"},      [FIELD_F] = {"force", "+"},
                      [FIELD_LWT] = {"force", "-"},     [FIELD_LW] = {"L_v", "+"},
                      [FIELD_LQQ] = {"stiffness", "+"}, [FIELD_FQ] = {"stiffness", "+"},
                      [FIELD_LQW] = {"drag", "+"},      [FIELD_FW] = {"drag", "+"},
                      [FIELD_LWW] = {"inertia", "+"},   [FIELD_A] = {"A", "+"},
                      [FIELD_EQ] = {"e_q", "+"},        [FIELD_E] = {"e", "+"},
                      [FIELD_G] = {"g", "+"},           [FIELD_CURV] = {"curved[0]", "+"}};
    const int at = r->column < 0 ? r->row : r->row * f->n + r->column;
    text_printf(&f->w.out, "m->%s[%d] %s= oR[%d];\n", into[r->of].matrix, at, into[r->of].sign,
                held);
    if (r->of == FIELD_LQW)
        text_printf(&f->w.out, "m->turn[%d] += oR[%d];\n", r->column * f->n + r->row, held);
}

/* `bent_fields_at`, whose curvature is weighed twice. */
static void fields_write(codegen *f)
{
    static const field_name all[] = {FIELD_LQ,  FIELD_LW, FIELD_LWT, FIELD_LQQ, FIELD_LQW,
                                     FIELD_LWW, FIELD_F,  FIELD_FQ,  FIELD_FW,  FIELD_A,
                                     FIELD_EQ,  FIELD_E,  FIELD_G,   FIELD_CURV};
    static const field_name curved[] = {FIELD_CURV};
    program                 p, again;
    choose(f, &p, "bent_entries", all, sizeof all / sizeof *all);
    choose(f, &again, "bent_curvature", curved, 1);
    text_printf(
        &f->w.out,
        "PIECE void bent_fields_at(real t, const real *qR, const real *vR, const real *par,\n"
        "    const real *u, const real *of_a, const real *of_c, bent_fields *m)\n{\n"
        "const bent_fields none = {0};\nconst real tR[1] = {t}, *const wR = vR, "
        "*lamR = of_a;\nreal oR[%d];\n(void)tR;\n(void)wR;\n(void)lamR;\n(void)of_c;\n"
        "(void)par;\n(void)u;\n*m = none;\n%s",
        p.slots ? p.slots : 1, program_call(f, &p, AT_RULE));
    for (int k = 0; k < p.root.n; k++) entry_write(f, p.root.at[k], p.slot[k]);
    text_printf(&f->w.out, "lamR = of_c;\n(void)lamR;\n%s", program_call(f, &again, AT_RULE));
    for (int k = 0; k < again.root.n; k++)
        text_printf(&f->w.out, "m->curved[1][%d] += oR[%d];\n",
                    again.root.at[k]->row * f->n + again.root.at[k]->column, again.slot[k]);
    text_add(&f->w.out, "}\n\n");
}

/* Rows, then columns, pivots first. */
static void pivots_write(codegen *f, const char *title, const fixed_pivots *of)
{
    text_printf(&f->w.out, "static const int %s[%d] = {", title, of->rows + of->columns);
    for (int i = 0; i < of->rows; i++) text_printf(&f->w.out, "%d, ", of->row[i]);
    for (int j = 0; j < of->columns; j++)
        text_printf(&f->w.out, j + 1 < of->columns ? "%d, " : "%d};\n", of->column[j]);
}

/* Kinds of relations, their numbers among those, and their rows below L_vv. */
static void kinds_write(codegen *f, const bent_moves *b)
{
    int *kind = mem_array(f->w.m, b->M + 1, int), *number = mem_array(f->w.m, b->M + 1, int);
    int *row = mem_array(f->w.m, b->M + 1, int);
    for (int a = 0; a < b->M; a++) kind[a] = b->inside[a], number[a] = b->number[a];
    for (int i = f->n; i < f->n + b->M; i++) row[bent_relation_of(b, i)] = i;
    write_indices(&f->w, "INSIDE", kind, b->M ? b->M : 1);
    write_indices(&f->w, "NUMBER", number, b->M ? b->M : 1);
    write_indices(&f->w, "STACKED", row, b->M ? b->M : 1);
}

/* Unknowns of the end. */
int bent_unknowns(const codegen *f)
{
    return f->st->massless.bent ? f->st->massless.bent->end.size : 0;
}

void bent_write(codegen *f)
{
    const bent_moves *b = f->st->massless.bent;
    const struct {
        const char *word;
        int         size;
    } of[] = {{"RELATIONS", b->M},
              {"INNER", b->inner},
              {"HOLONOMIC_INNER", b->positions},
              {"DIM_N", b->k},
              {"DIM_X", b->kx},
              {"DIM_V", b->kv},
              {"STIFF", b->stiff},
              {"FELT", b->felt},
              {"FIRST_HOLONOMIC", b->sys->m}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        write_size(&f->w, of[k].word, of[k].size);
    kinds_write(f, b);
    pivots_write(f, "IN_N", &b->along.of_N), pivots_write(f, "IN_X", &b->along.of_X);
    verbatim(f, "echelon.h"), verbatim(f, "complete_pivots.h"), verbatim(f, "bent.h");
    fields_write(f);
}
