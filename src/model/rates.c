/* rates.c - the rates of change of momenta and relations along a motion, and their derivatives in
 * the state, parameters and inputs: derivatives of third order, but only in the direction of the
 * motion, so they are as sparse as those of second order.                   theory.md [INTERACTION]
 *                                                                        theory.md [INTERACTION] */
#include "model/directional.h"

#include <string.h>

/* self of sys_rates: programs of the first derivatives along the motion, and of their changes */
typedef struct {
    sys_rates      is;
    bound         *b;
    directional_programs made, varied;
    double        *zeros;
} rates;

/*     t' = 1,  q' = v,  w' and v' as they are given, inputs as they follow t */
static const movement motion = {
    .how = {[FROM_Q] = FROM_V,
            [FROM_W] = ALONG_W,
            [FROM_V] = ALONG_V,
            [FROM_INPUT] = RATE_OF_INPUT},
    .time_runs = true,
    .into = {[SINK_LW] = SINK_LW_ALONG,
             [SINK_LQ] = SINK_LQ_ALONG,
             [SINK_F] = SINK_F_ALONG,
             [SINK_LQQ] = SINK_LQQ_ALONG,
             [SINK_LQW] = SINK_LQW_ALONG,
             [SINK_LWW] = SINK_LWW_ALONG,
             [SINK_FQ] = SINK_FQ_ALONG,
             [SINK_FW] = SINK_FW_ALONG,
             [SINK_E] = SINK_E_ALONG,
             [SINK_A] = SINK_A_ALONG,
             [SINK_EQ] = SINK_EQ_ALONG},
};

/* How those rates change with t, parameters and inputs. */
static const movement beside = {
    .how =
        {[FROM_TIME] = ALONG_TIME, [FROM_PARAMETER] = ALONG_PARAMETER, [FROM_INPUT] = ALONG_INPUT},
    .into = {[SINK_LW_ALONG] = SINK_LW_ALONG,
             [SINK_E_ALONG] = SINK_E_ALONG,
             [SINK_LQ_ALONG] = SINK_LQ_ALONG,
             [SINK_F_ALONG] = SINK_F_ALONG},
};

/* NULL: not wanted */
static void clear(double *x, int n)
{
    if (x) memset(x, 0, (size_t)n * sizeof *x);
}

/* Programs add, so every array that is wanted begins with 0. */
static void clear_all(const rates *r, const sys_change *out)
{
    const int *size = r->b->c->size;
    double    *of_n[] = {out->Lw, out->Lq, out->f};
    double    *of_K[] = {out->Lqq, out->Lqw, out->Lww, out->fq, out->fw};
    for (int k = 0; k < 3; k++) clear(of_n[k], size[COORDINATES]);
    for (int k = 0; k < 5; k++) clear(of_K[k], size[ENTRIES_K]);
    clear(out->e, size[ROWS]), clear(out->A, size[ENTRIES_A]), clear(out->eq, size[ENTRIES_A]);
}

/* The point, with w' and v' of the motion and the slopes of inputs beside it. */
static sources along_motion(const rates *r, const sys_point *at, const sys_motion *by)
{
    sources from = bound_sources(r->b, at);
    from.of[ALONG_W] = by->w, from.of[ALONG_V] = by->v;
    from.of[RATE_OF_INPUT] = bound_slope(r->b, at->t);
    return from;
}

static void eval(void *self, const sys_point *at, const sys_motion *by, const sys_change *out)
{
    rates  *r = self;
    sources from = along_motion(r, at, by);
    clear_all(r, out);
    directional_run(&r->made, &from, out);
}

static void vary(void *self, const sys_point *at, const sys_motion *by, const sys_direction *along,
                 const sys_change *out)
{
    rates     *r = self;
    const int *size = r->b->c->size;
    sources    from = along_motion(r, at, by);
    clear(out->Lq, size[COORDINATES]), clear(out->f, size[COORDINATES]);
    from.of[ALONG_TIME] = &along->t;
    from.of[ALONG_PARAMETER] = along->parameter ? along->parameter : r->zeros;
    from.of[ALONG_INPUT] = bound_turn(r->b, at->t, along);
    /* only the rates of L_w, e, L_q and f are varied */
    clear(out->Lw, size[COORDINATES]), clear(out->e, size[ROWS]);
    directional_run(&r->varied, &from, out);
}

/* The elements differentiated along the motion, and once more beside it; all in m. */
sys_rates *bound_rates(void *self, mem *m)
{
    bound          *b = self;
    const compiled *c = b->c;
    rates          *r = mem_array(m, 1, rates);
    derived        *moved = directional_elements(m, c->element, c->elements, &motion);
    r->b = b, r->is = (sys_rates){r, eval, vary};
    r->zeros = mem_array(m, c->md->parameters + 1, double);
    r->made = directional_compile(m, moved, c->elements);
    r->varied =
        directional_compile(m, directional_elements(m, moved, c->elements, &beside), c->elements);
    return &r->is;
}
