/* explicit.c - explicit steps as generated code: what step/explicit.h asks of the model. */
#include "codegen/inside.h"

/* Weight of the point of the rule at x, 0 or 1; 0: there is none. */
static double weight_at(const codegen *f, double x)
{
    const samples *s = &f->eq->rule;
    for (int i = 0; i < s->count; i++)
        if (s->x[f->side][i] == x) return s->b[i];
    return 0;
}

void explicit_write(codegen *f)
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
    verbatim(f, "state.h");
    roughest_write(f);
    verbatim(f, "explicit.h");
    if (f->exported) verbatim(f, "judge.h"); /* for the velocities at a state */
}
