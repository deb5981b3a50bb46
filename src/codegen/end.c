/* end.c - velocities and energy at a state, as generated code: the equations that step/end.h
 * solves, written for a model. */
#include "codegen/inside.h"

enum { NODES_MOST = 60000 };

/* A program for all entries of these fields; called seldom, so its sines are left to libm. */
static void choose(codegen *f, program *p, const field_name *of, int count)
{
    for (int k = 0; k < f->f->roots; k++)
        for (int a = 0; a < count; a++)
            if (f->f->root[k].of == of[a]) program_add(f, p, &f->f->root[k]);
    program_make(f, p);
    p->seldom = true;
}

/* Rows of the momenta and their columns; v of Hamiltonian coordinates is known with them. */
static void write_momenta(codegen *f, const program *p, int M)
{
    text *t = &f->w.out;
    for (int i = 0; i < f->n; i++) {
        const int   Lw = program_slot(p, FIELD_LW, i, -1);
        const char *value = Lw < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", Lw);
        if (is_phase(f, i)) {
            text_printf(t, "    r[%d] = x[%d] - s->p[%d];\n    a[%d] = 1;\n    v[%d] = -%s;\n", i,
                        i, i, i * M + i, i, value);
            continue;
        }
        text_printf(t, "    r[%d] = %s - s->p[%d];\n    v[%d] = x[%d];\n", i, value, i, i, i);
        for (int j = 0; j < f->n; j++) {
            const int Lww = program_slot(p, FIELD_LWW, i, j);
            if (Lww >= 0) text_printf(t, "    a[%d] = oR[%d];\n", i * M + j, Lww);
        }
    }
}

/*     r_v -= A^T x_lam,   r_lam = e,   and A in both borders
 * of a Hamiltonian column v = -L_w, so that dv/dx = -L_ww */
static void write_relations(codegen *f, const program *at, const program *inertia, int M)
{
    text *t = &f->w.out;
    for (int k = 0; k < at->root.n; k++) {
        const field_root *r = at->root.at[k];
        const int         row = f->n + r->row, o = at->slot[k];
        if (r->of == FIELD_E) text_printf(t, "    r[%d] = oG[%d];\n", row, o);
        if (r->of != FIELD_A) continue;
        text_printf(t, "    r[%d] -= oG[%d] * x[%d];\n    a[%d] = -oG[%d];\n", r->column, o, row,
                    r->column * M + row, o);
        if (!is_phase(f, r->column)) {
            text_printf(t, "    a[%d] += oG[%d];\n", row * M + r->column, o);
            continue;
        }
        for (int j = 0; j < f->n; j++) {
            const int Lww = program_slot(inertia, FIELD_LWW, r->column, j);
            if (Lww >= 0) text_printf(t, "    a[%d] -= oG[%d] * oR[%d];\n", row * M + j, o, Lww);
        }
    }
}

/* The equations of step/end.h at x. */
static void write_equations(codegen *f, const program *inertia, const program *relations, int M,
                            const char *title)
{
    text *t = &f->w.out;
    text_printf(
        t,
        "\nstatic void end_equations(const %s *s, const real *x, real *r, real *a, real *v)\n"
        "{\n    const real tR[1] = {%s_time(s)}, *const qR = s->q, *const par = s->par,\n"
        "           *const u = s->u, *const wR = x, *const vR = x;\n"
        "    real oR[%d];\n    (void)tR;\n    (void)qR;\n    (void)par;\n    (void)u;\n"
        "    (void)wR;\n    (void)vR;\n    (void)oR;\n    (void)a;\n    %s",
        f->state, title, inertia->slots ? inertia->slots : 1, program_call(f, inertia, AT_RULE));
    write_momenta(f, inertia, M);
    if (f->relations) {
        text_printf(t,
                    "    const real *const tG = tR, *const qG = qR, *const vG = v;\n"
                    "    (void)tG;\n    (void)qG;\n    (void)vG;\n"
                    "    real oG[%d];\n    %s",
                    relations->slots ? relations->slots : 1, program_call(f, relations, AT_GAUSS));
        write_relations(f, relations, inertia, M);
    }
    text_add(t, "}\n\n");
}

/* Which coordinates have a momentum as their unknown. */
static void write_kinds(codegen *f)
{
    int *is = mem_array(f->w.m, f->n, int);
    for (int i = 0; i < f->n; i++) is[i] = is_phase(f, i);
    write_indices(&f->w, "HAMILTONIAN", is, f->n);
    text_add(&f->w.out, "\n");
}

/* L and L_w at w; 0 for those of Hamiltonian coordinates, whose L has no part p v. */
static void write_lagrangian(codegen *f, const program *p, const char *title)
{
    text *t = &f->w.out;
    text_printf(t,
                "static real end_lagrangian(const %s *s, const real *wR, real *L_w)\n{\n"
                "    const real tR[1] = {%s_time(s)}, *const vR = wR, *const qR = s->q;\n"
                "    const real *const par = s->par, *const u = s->u;\n    real oR[%d];\n"
                "    (void)tR;\n    (void)qR;\n    (void)par;\n    (void)u;\n    (void)vR;\n"
                "    (void)oR;\n    %s",
                f->state, title, p->slots ? p->slots : 1, program_call(f, p, AT_RULE));
    for (int i = 0; i < f->n; i++) {
        const int Lw = is_phase(f, i) ? -1 : program_slot(p, FIELD_LW, i, -1);
        text_printf(t, "    L_w[%d] = %s;\n", i, Lw < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", Lw));
    }
    const int L = program_slot(p, FIELD_L, 0, -1);
    text_printf(t, "    return %s;\n}\n\n", L < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", L));
}

/* f->f is replaced by fields with a limit of their own. False: there are too many. */
bool end_write(codegen *f, const compiled *c, const char *title)
{
    static const field_name of_inertia[] = {FIELD_LW, FIELD_LWW},
                            of_relations[] = {FIELD_E, FIELD_A}, of_energy[] = {FIELD_L, FIELD_LW};
    program   inertia, relations, energy;
    const int M = f->n + f->relations;
    f->f = fields_new(f->w.m, c, NODES_MOST);
    if (!f->f) return false;
    f->phase = f->eq->phase;
    program_init(f, &inertia, "end_inertia", 1), choose(f, &inertia, of_inertia, 2);
    program_init(f, &relations, "end_relations", 1), choose(f, &relations, of_relations, 2);
    program_init(f, &energy, "end_energy", 1), choose(f, &energy, of_energy, 2);
    if (!f->st->massless.bent) program_write(f, &inertia);
    if (f->relations && !f->st->massless.bent) program_write(f, &relations);
    program_write(f, &energy);
    if (!f->st->massless.bent) write_equations(f, &inertia, &relations, M, title), write_kinds(f);
    write_lagrangian(f, &energy, title);
    if (!stepper_projects_plainly(f->st) && !f->st->massless.bent)
        verbatim(f, "echelon.h"), verbatim(f, "complete_pivots.h");
    verbatim_named(f, "end.h", title);
    return true;
}
