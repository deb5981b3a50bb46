/* exporting.c - what the text of a step needs to know of its simulation: names, numbers, the state,
 * and how the coordinates of the model follow from those that are solved for. */
#include "run/exporting.h"

#include "mech/stepper/stepper.h"

#include <math.h>

/* Coordinates and relations of a model whose reactions are solved for in one matrix, on the stack
 * of whoever asks. */
enum { OBSERVED_MOST = 256 };

/* Names of all members of a kind, in m. */
static const char *const *names_of(mem *m, const model *md, member_kind kind, int count)
{
    const char **list = mem_array(m, count + 1, const char *);
    for (int k = 0; k < count; k++) {
        text word = text_new(m);
        model_name(md, kind, k, &word);
        list[k] = text_str(&word);
    }
    return list;
}

/* Those of the model, then the numbers of ties that were taken out. */
static const char *const *parameter_names(mem *m, const model *md, int count)
{
    const char *const *written = names_of(m, md, MEMBER_PARAMETER, md->parameters);
    const char       **list = mem_array(m, count + 1, const char *);
    for (int k = 0; k < count; k++)
        list[k] = k < md->parameters ? written[k] : mem_printf(m, "tie_%d", k - md->parameters);
    return list;
}

/* q = slope z + offset of every coordinate of the model. */
static void describe_ties(const dal_sim *s, mem *m, export_facts *x)
{
    const int n = s->sys->n;
    if (!s->full || !s->full->form->eliminated) return;
    double *slope = mem_array(m, n, double), *offset = mem_array(m, n, double);
    for (int i = 0; i < n; i++)
        slope[i] = tie_slope(&s->full->n, i), offset[i] = tie_offset(&s->full->n, i);
    x->z = s->full->form->of->z, x->slope = slope, x->offset = offset;
}

/* NULL: it can be written. */
static const char *refusal(const dal_sim *s)
{
    if (s->events)
        return "an exported step passes over events; branches of a model are passed over "
               "with switches = free";
    if (s->pace) return "an exported step has one length, and here steps follow a pace";
    if (!s->md) return "it is made of functions, not of expressions";
    if (s->joint)
        return "its parts are joined by forces; --interconnection eliminate or multipliers can be "
               "written";
    if (s->sys->inputs_move)
        return "a holonomic relation holds an input, whose rate is not written out";
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
    const node_equations *g = &st->grid;
    const int             n = st->sys->n, first = g->resistive;
    degeneracy            is;
    if (!degeneracy_find(m, st->sys, st->t, st->q, st->node.w, st->node.v, &is)) return true;
    if (is.dimension != g->k || is.resistive != first || is.coupled != g->coupled) return true;
    const double *const of[][2] = {{g->U, is.U}, {g->W, is.W}};
    for (int k = 0; k < 2; k++)
        if (outside(of[k][0], of[k][1], first, n) > 1e-10 ||
            outside(of[k][0] + first * n, of[k][1] + first * n, g->k - first, n) > 1e-10)
            return true;
    return false;
}

/* A parameter with which directions turn along which steps are projected, or -1. They stand in the
 * text as numbers, and parameters may be set there. */
static int turned_by(dal_sim *s, int parameters)
{
    double *par = s->full ? s->full->parameter : s->val.parameter;
    bound  *b = s->full ? s->full->bound : s->bound;
    int     by = -1;
    if (s->st->massless.bent) return -1; /* their bases are found in every step */
    for (int k = 0; k < parameters && by < 0 && stepper_projects(s->st); k++) {
        const double is = par[k];
        par[k] = is != 0 ? 1.37 * is : 0.37;
        bound_refresh(b);
        if (has_turned(&s->m, s->st)) by = k;
        par[k] = is;
    }
    bound_refresh(b);
    return by;
}

/* Names of relations by row; NULL where none was given. */
static const char *const *relation_names(mem *m, const dal_sim *s)
{
    const char **list = mem_array(m, s->md->relations + 1, const char *);
    for (int a = 0; a < s->md->relations; a++) {
        text      word = text_new(m);
        const int row = compiled_row(s->compiled, a);
        if (s->md->relation.at[a].member < 0) continue;
        s->sys->relation_name(s->sys->self, row, &word);
        list[row] = text_str(&word);
    }
    return list;
}

/* By row: ties that repeat others are left out of what is solved, and have no reaction. */
static const uint8_t *repeats_of(mem *m, const dal_sim *s)
{
    uint8_t *is = mem_array(m, s->md->relations + 1, uint8_t);
    for (int a = 0; s->full && a < s->md->relations; a++)
        is[compiled_row(s->compiled, a)] = s->full->form->of->role[a] == TIE_REPEATS;
    return is;
}

static const int *parents_of(mem *m, const model *md)
{
    int *of = mem_array(m, md->parts.n + 1, int);
    for (int k = 0; k < md->parts.n; k++) of[k] = md->parts.at[k].parent;
    return of;
}

/* The same columns as those of a run. */
static void describe_rotations(dal_sim *s, mem *m, export_facts *x)
{
    const char **title = mem_array(m, s->sys->turns->count, const char *);
    for (int k = 0; k < s->sys->turns->count; k++) {
        text word = text_new(m);
        model_turning_name(s->md, k, &word);
        title[k] = text_str(&word);
    }
    x->rotation = title;
    x->positions = columns_of_positions(s, &x->position, &x->place);
}

/* The state, names and numbers as they are now; arrays are the simulation's own. */
static export_facts facts_of(dal_sim *s, const char *title, bool single)
{
    const model *solved = s->full ? s->full->form->by.md : s->md;
    mem         *m = &s->m;
    export_facts x = {.name = title,
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
                      .coordinate = names_of(m, s->md, MEMBER_COORDINATE, s->sys->n),
                      .positions = s->sys->n,
                      .parameters = solved->parameters,
                      .parameter = parameter_names(m, s->md, solved->parameters),
                      .inputs = s->md->inputs,
                      .unknown = names_of(m, solved, MEMBER_COORDINATE, s->st->sys->n),
                      .input = names_of(m, s->md, MEMBER_INPUT, s->md->inputs),
                      .q = s->st->q,
                      .p = s->st->p,
                      .v = stepper_slope(s->st),
                      .par = s->full ? s->full->parameter : s->val.parameter,
                      .u = s->val.input,
                      .bound = s->md->bound,
                      .whole = s->compiled,
                      .hamiltonian = s->sys->hamiltonian,
                      .repeats = repeats_of(m, s),
                      .outputs = s->md->outputs,
                      .output = names_of(m, s->md, MEMBER_OUTPUT, s->md->outputs),
                      .relations = s->sys->m + s->sys->r,
                      .relation = relation_names(m, s),
                      .parts = s->md->parts.n,
                      .parent = parents_of(m, s->md)};
    if (x.coordinates + x.relations > OBSERVED_MOST) x.outputs = x.relations = 0;
    x.position = x.coordinate;
    describe_ties(s, m, &x);
    if (s->sys->turns) describe_rotations(s, m, &x);
    return x;
}

static dal_status cannot(const dal_sim *s, const char *reason)
{
    return diag_error(s->ds, DAL_INVALID, span_none(), NULL, "it cannot be exported: %s", reason);
}

/* The texts live in s->m. What engines keep to themselves is brought to the stepper first. */
dal_status simulation_export(dal_sim *s, const char *title, bool single, export_texts *out)
{
    mem *m = &s->m;
    if (refusal(s)) return cannot(s, refusal(s));
    if (!export_name_fits(title))
        return diag_error(s->ds, DAL_INVALID, span_none(), "letters, digits and _, as in stepper.c",
                          "'%s' cannot be the beginning of names in C", title);
    stepper_synchronise(s->st);
    report_write_out(s->st);
    bool balanced;
    if (s->st->massless.bent && (!bent_reach(s->st, &balanced) || !balanced))
        return cannot(s, "it is not balanced along directions without inertia that bend");
    const export_facts x = facts_of(s, title, single);
    const int          turner = turned_by(s, x.parameters);
    if (turner >= 0)
        return diag_error(
            s->ds, DAL_INVALID, span_none(),
            "write it as a number in the model, or export one stepper for each value",
            "it cannot be exported: the directions without inertia depend on parameter '%s', and "
            "corrections along them would be written as numbers",
            x.parameter[turner]);
    *out = (export_texts){text_new(m), text_new(m), text_new(m)};
    text_clear(&s->why);
    const compiled *c = s->full ? s->full->form->compiled : s->compiled;
    return export_write(m, s->st, c, &x, out, &s->why) ? DAL_OK : cannot(s, text_str(&s->why));
}
