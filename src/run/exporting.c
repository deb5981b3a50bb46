/* exporting.c - what the text of a step needs to know of its simulation: names, numbers, the state,
 * and how the coordinates of the model follow from those that are solved for. */
#include "run/exporting.h"

#include "mech/stepper.h"

#include <math.h>

static const char *const *names_of(dal_sim *s, mem *m, const model *md, member_kind kind, int count)
{
    const char **list = mem_array(m, count + 1, const char *);
    for (int k = 0; k < count; k++) {
        text word = text_new(m);
        model_name(md, kind, k, &word);
        list[k] = text_str(&word);
    }
    (void)s;
    return list;
}

/* q = slope z + offset of every coordinate of the model. */
static void describe_ties(const dal_sim *s, mem *m, export_facts *x)
{
    const int n = s->sys->n;
    if (!s->whole || !s->whole->form->eliminated) return;
    double *slope = mem_array(m, n, double), *offset = mem_array(m, n, double);
    for (int i = 0; i < n; i++) {
        slope[i] = tie_slope(&s->whole->n, i), offset[i] = tie_offset(&s->whole->n, i);
    }
    x->z = s->whole->form->of->z, x->slope = slope, x->offset = offset;
}

static const char *refusal(const dal_sim *s)
{
    if (!s->md) return "it is made of functions, not of expressions";
    if (s->joint)
        return "its parts are joined by forces; --interconnection eliminate or multipliers can be "
               "written";
    if (s->follow.n)
        return "an input follows a file; without --input it is a number that can be set before "
               "every step";
    return NULL;
}

/* How much of `count` rows of U is not among as many of V, both orthonormal. */
static double outside(const double *U, const double *V, int count, int n)
{
    double most = 0;
    for (int a = 0; a < count; a++) {
        double left = 1;
        for (int b = 0; b < count; b++) {
            double dot = 0;
            for (int i = 0; i < n; i++) dot += U[a * n + i] * V[b * n + i];
            left -= dot * dot;
        }
        most = fmax(most, left);
    }
    return most;
}

/* Are the directions without inertia still those that the step was written for? */
static bool has_turned(mem *m, const stepper *st)
{
    const grid_equations *g = &st->grid;
    const int             n = st->sys->n, first = g->resistive;
    degeneracy            is;
    if (!degeneracy_find(m, st->sys, st->t, st->q, st->w, st->v, &is)) return true;
    if (is.dimension != g->k || is.resistive != first || is.coupled != g->coupled) return true;
    const double *const of[][2] = {{g->U, is.U}, {g->W, is.W}};
    for (int k = 0; k < 2; k++)
        if (outside(of[k][0], of[k][1], first, n) > 1e-10 ||
            outside(of[k][0] + first * n, of[k][1] + first * n, g->k - first, n) > 1e-10)
            return true;
    return false;
}

/* A parameter with which directions turn along which steps settle, or -1. They stand in the text as
 * numbers, and parameters may be set there. */
static int turned_by(dal_sim *s, int parameters)
{
    double *par = s->whole ? s->whole->parameter : s->val.parameter;
    bound  *b = s->whole ? s->whole->bound : s->bound;
    int     by = -1;
    for (int k = 0; k < parameters && by < 0 && stepper_settles(s->st); k++) {
        const double is = par[k];
        par[k] = is != 0 ? 1.37 * is : 0.37;
        bound_refresh(b);
        if (has_turned(&s->m, s->st)) by = k;
        par[k] = is;
    }
    bound_refresh(b);
    return by;
}

dal_status simulation_export(dal_sim *s, const char *title, bool single, export_texts *out)
{
    const char *why_not = refusal(s);
    if (why_not)
        return diag_error(s->ds, DAL_INVALID, span_none(), NULL, "it cannot be exported: %s",
                          why_not);
    if (!export_name_fits(title))
        return diag_error(s->ds, DAL_INVALID, span_none(), "letters, digits and _, as in stepper.c",
                          "'%s' cannot be the beginning of names in C", title);
    const compiled *c = s->whole ? s->whole->form->compiled : s->compiled;
    const model    *solved = s->whole ? s->whole->form->by.md : s->md;
    mem            *m = &s->m;
    fused_pull(s->st);
    report_write_out(s->st);
    export_facts       x = {.name = title,
                            .system = s->title,
                            .scheme = s->plan.scheme.title,
                            .single = single,
                            .from = s->t,
                            .h = s->plan.h,
                            .steps = s->plan.steps < 0 ? -1 : s->plan.steps - s->k,
                            .timed = s->plan.timed,
                            .until = s->plan.until,
                            .rest = plan_rest(&s->plan),
                            .coordinates = s->sys->n,
                            .coordinate = names_of(s, m, s->md, MEMBER_COORDINATE, s->sys->n),
                            .parameters = solved->parameters,
                            .inputs = s->md->inputs,
                            .unknown = names_of(s, m, solved, MEMBER_COORDINATE, s->st->sys->n),
                            .input = names_of(s, m, s->md, MEMBER_INPUT, s->md->inputs),
                            .q = s->st->q,
                            .p = s->st->p,
                            .v = stepper_slope(s->st),
                            .par = s->whole ? s->whole->parameter : s->val.parameter,
                            .u = s->val.input};
    const char       **parameter = mem_array(m, solved->parameters + 1, const char *);
    const char *const *written = names_of(s, m, s->md, MEMBER_PARAMETER, s->md->parameters);
    for (int k = 0; k < solved->parameters; k++)
        parameter[k] =
            k < s->md->parameters ? written[k] : mem_printf(m, "tie_%d", k - s->md->parameters);
    x.parameter = parameter;
    const int turning = turned_by(s, solved->parameters);
    if (turning >= 0)
        return diag_error(s->ds, DAL_INVALID, span_none(),
                          "write it as a number in the model, or export one stepper for each value",
                          "it cannot be exported: with parameter '%s' directions without inertia "
                          "turn, and every step has to settle along them",
                          parameter[turning]);
    describe_ties(s, m, &x);
    *out = (export_texts){text_new(m), text_new(m), text_new(m)};
    text_clear(&s->why);
    if (export_write(m, s->st, c, &x, out, &s->why)) return DAL_OK;
    return diag_error(s->ds, DAL_INVALID, span_none(), NULL, "it cannot be exported: %s",
                      text_str(&s->why));
}
