/* forces.c - forces and masses as generated code, for explicit steps and for the iteration of
 * stages: F = L_q + f at the points, and the inertia of L = v.m v/2 + a.v - V. */
#include "codegen/inside.h"

/* L_q + f of coordinate j at point i, or f; NULL: it is 0. */
static const char *force_of(codegen *f, const program *p, int j, bool all)
{
    const int W = p->lanes, F = program_slot(p, FIELD_F, j, -1),
              Lq = all ? program_slot(p, FIELD_LQ, j, -1) : -1;
    if (Lq < 0 && F < 0) return NULL;
    if (Lq < 0 || F < 0) return mem_printf(f->w.m, "oR[%d + i]", (Lq < 0 ? F : Lq) * W);
    return mem_printf(f->w.m, "oR[%d + i] + oR[%d + i]", Lq * W, F * W);
}

void gather_write(codegen *f, const char *array, int lanes, int j, const char *value)
{
    write_lanes(&f->w.out, lanes,
                mem_printf(f->w.m, "%s[%d + i] = %s;", array, j * lanes, value ? value : "0"));
}

/* Is there any force along coordinate j at the points of the program? */
bool force_acts(codegen *f, const program *p, int j)
{
    return force_of(f, p, j, true);
}

void force_gather(codegen *f, const program *p, int j)
{
    gather_write(f, "F", p->lanes, j, force_of(f, p, j, true));
    if (f->forced) gather_write(f, "f", p->lanes, j, force_of(f, p, j, false));
}

/* The function `forces`: F = L_q + f and, where work is asked for, f, both by lane. */
void forces_write(codegen *f)
{
    const program *p = &f->of[AT_RULE][0];
    text          *out = &f->w.out;
    text_printf(out,
                "WITHIN void forces(const real *tR, const real *qR, const real *vR, const real "
                "*par,\n    const real *u, real *F, real *f)\n{\nreal oR[%d];\n"
                "(void)tR;\n(void)qR;\n(void)vR;\n(void)par;\n(void)u;\n(void)f;\n%s",
                (p->slots ? p->slots : 1) * p->lanes, program_call(f, p, AT_RULE));
    for (int j = 0; j < f->n; j++) force_gather(f, p, j);
    text_add(out, "}\n\n");
}

/* The results of a program at one point, as an array. */
static void gather_results(codegen *f, const char *array, const program *p, field_name of)
{
    text_printf(&f->w.out, "{\nreal oR[%d];\n%s", p->slots ? p->slots : 1,
                program_call(f, p, AT_RULE));
    for (int j = 0; j < f->n; j++) {
        const int held = program_slot(p, of, j, of == FIELD_LWW ? j : -1);
        gather_write(f, array, 1, j, held < 0 ? NULL : mem_printf(f->w.m, "oR[%d]", held));
    }
    text_add(&f->w.out, "}\n");
}

/* Momentum at v = 0 is a; masses are the constant entries of L_vv. */
void masses_write(codegen *f)
{
    const program *at = &f->of[AT_RULE][0];
    program        rest = {.name = "momentum_at_rest", .lanes = 1};
    for (int k = 0; k < at->root.n; k++)
        if (at->root.at[k]->of == FIELD_LW) program_add(f, &rest, at->root.at[k]);
    program_make(f, &rest);
    program_write(f, &rest);
    text_printf(&f->w.out,
                "/* m and a, from the derivatives of L at rest. */\n"
                "WITHIN void masses(const real *qR, const real *par, const real *u, real *mass,\n"
                "    real *shift)\n{\nstatic const real vR[%d] = {0};\nconst real *const tR = vR;\n"
                "(void)tR;\n(void)qR;\n(void)vR;\n(void)par;\n(void)u;\n",
                f->n);
    gather_results(f, "mass", &f->constant, FIELD_LWW);
    gather_results(f, "shift", &rest, FIELD_LW);
    text_add(&f->w.out, "}\n\n");
}
