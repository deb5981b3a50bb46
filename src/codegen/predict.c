/* predict.c - the initial guess of a step, as generated code: what mech/solve/predict.c does. */
#include "codegen/inside.h"

/* X of the prediction, d x d: how the last difference goes on along its curve. theory.md [PREDICT]
 */
static void continuation_write(codegen *f)
{
    write_table(&f->w, "CONTINUED", curve_continued(f->w.m, f->eq->control.x[0], f->d),
                f->d * f->d);
}

void predict_write(codegen *f)
{
    if (f->d > 1) continuation_write(f);
    verbatim(f, "predict.h");
}
