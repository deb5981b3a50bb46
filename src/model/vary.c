/* vary.c - how a model changes with its parameters, its inputs and explicit time: programs for the
 * directional derivative of everything a step sums.                          theory.md [TANGENT] */
#include "model/directional.h"

#include <string.h>

typedef struct {
    sys_variation  is;
    bound         *b;
    directional_programs made;
    double        *zeros; /* as many as there are parameters */
} variation;

/* t, parameters and inputs move; q, w, v and lam do not. A becomes the change of sum_a lam_a
 * A_a. */
static const movement beside = {
    .how =
        {[FROM_TIME] = ALONG_TIME, [FROM_PARAMETER] = ALONG_PARAMETER, [FROM_INPUT] = ALONG_INPUT},
    .into = {[SINK_L] = SINK_L_ALONG,
             [SINK_LT] = SINK_LT_ALONG,
             [SINK_LQ] = SINK_LQ_ALONG,
             [SINK_LW] = SINK_LW_ALONG,
             [SINK_F] = SINK_F_ALONG,
             [SINK_D] = SINK_D_ALONG,
             [SINK_E] = SINK_E_ALONG,
             [SINK_G] = SINK_G_ALONG,
             [SINK_A] = SINK_R_ALONG},
};

/* NULL: not wanted */
static void clear(double *x, int n)
{
    if (x) memset(x, 0, (size_t)n * sizeof *x);
}

/* The change of every field in one direction of (t, parameters, inputs); programs add to 0. */
static void eval(void *self, const sys_point *at, const sys_direction *along, const sys_change *out)
{
    variation *v = self;
    const int *size = v->b->c->size;
    sources    from = bound_sources(v->b, at);
    double    *of_coordinates[] = {out->Lq, out->Lw, out->f, out->D, out->reaction};
    from.of[ALONG_TIME] = &along->t;
    from.of[ALONG_PARAMETER] = along->parameter ? along->parameter : v->zeros;
    from.of[ALONG_INPUT] = bound_turn(v->b, at->t, along);
    for (int k = 0; k < 5; k++) clear(of_coordinates[k], size[COORDINATES]);
    clear(out->L, 1), clear(out->Lt, 1);
    clear(out->e, size[ROWS]), clear(out->g, size[HOLONOMIC]);
    directional_run(&v->made, &from, out);
}

sys_variation *bound_vary(void *self, mem *m)
{
    bound          *b = self;
    const compiled *c = b->c;
    variation      *v = mem_array(m, 1, variation);
    v->b = b, v->is = (sys_variation){v, eval, true};
    v->zeros = mem_array(m, c->md->parameters + 1, double);
    v->made = directional_compile(m, directional_elements(m, c->element, c->elements, &beside),
                                  c->elements);
    return &v->is;
}
