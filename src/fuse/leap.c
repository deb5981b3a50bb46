/* leap.c - explicit steps as generated code: what step/leap.h asks of the model. */
#include "fuse/inside.h"

/* Weight of the point of the rule at x, 0 or 1; 0: there is none. */
static double weight_at(const fusing *f, double x)
{
    const samples *s = &f->eq->rule;
    for (int i = 0; i < s->count; i++)
        if (s->x[f->side][i] == x) return s->b[i];
    return 0;
}

static void open_function(fusing *f, const char *head, const program *at)
{
    text_printf(&f->w.out,
                "%s\n{\nstatic const real none[%d] = {0};\nreal oR[%d];\n"
                "const real *qR = q, *vR = none, *tR = none;\n(void)qR;\n(void)vR;\n(void)tR;\n"
                "(void)par;\n(void)u;\n%s",
                head, f->n, at->slots ? at->slots : 1, program_call(f, at, AT_RULE));
}

/* F = L_q + f of each coordinate at q, and f itself where its work is asked for. */
static void forces_write(fusing *f)
{
    const program *at = &f->of[AT_RULE][0];
    text          *out = &f->w.out;
    open_function(f,
                  "WITHIN void forces(const real *q, const real *par, const real *u, real *F, "
                  "real *f)",
                  at);
    for (int j = 0; j < f->n; j++) force_gather(f, at, j);
    text_add(out, "(void)f;\n}\n\n");
}

/* m and a, from the derivatives of L at rest. */
static void masses_write(fusing *f)
{
    const program *p = &f->constant, *at = &f->of[AT_RULE][0];
    text          *out = &f->w.out;
    open_function(f,
                  "WITHIN void masses(const real *q, const real *par, const real *u, real *mass, "
                  "real *shift)",
                  at);
    for (int j = 0; j < f->n; j++) {
        const int held = program_slot(at, FIELD_LW, j, -1);
        text_printf(out, "shift[%d] = %s;\n", j,
                    held < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", held));
    }
    text_printf(out, "{\nreal constant[%d];\n%s", p->slots,
                write_with(&f->w, program_call(f, p, AT_RULE), "oR", "constant"));
    for (int j = 0; j < f->n; j++) {
        const int held = program_slot(p, FIELD_LWW, j, j);
        text_printf(out, "mass[%d] = %s;\n", j,
                    held < 0 ? "0" : mem_printf(f->w.m, "constant[%d]", held));
    }
    text_add(out, "}\n}\n\n");
}

void leap_write(fusing *f)
{
    const scheme *sch = &f->st->sch;
    const double  b0 = weight_at(f, 0), b1 = weight_at(f, 1);
    if (sch->substeps > 1) write_table(&f->w, "GAMMA", sch->gamma, sch->substeps);
    text_printf(&f->w.out,
                "#define B0 %s\n#define B1 %s\n#define HAS_B0 %d\n#define HAS_B1 %d\n"
                "#define FORCED %d\n\n",
                write_number(&f->w, b0), write_number(&f->w, b1), b0 != 0, b1 != 0, f->forced);
    program_write(f, &f->of[AT_RULE][0]);
    program_write(f, &f->constant);
    forces_write(f);
    masses_write(f);
    if (!f->plain) verbatim(f, "sum.h");
    verbatim(f, "state.h"), verbatim(f, "leap.h");
}
