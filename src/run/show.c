/* show.c - views of what was derived from a model, one row of a table each. */
#include "mech/scheme/print.h"
#include "model/closed.h"
#include "model/damping.h"
#include "model/print/print.h"
#include "run/describe.h"

#include <string.h>

/* With its momenta, where velocities take their place in a run. */
static const compiled *as_written(const description *d)
{
    const compiled *c = d->of->compiled;
    return compiled_model(c) == d->of->md ? c : compile(d->m, d->of->md);
}

/* The names that the user gave to expressions. */
static let_list lets_of(const description *d)
{
    let_list lets = {0};
    if (d->of->md->by->lets) d->of->md->by->lets(d->of->md, &d->asked->over, d->m, &lets);
    return lets;
}

static dal_status show_model(const description *d)
{
    values     val;
    dal_status bad = d->of->md->by->evaluate(d->of->md, &d->asked->over, d->ds, d->m, &val);
    if (bad) return bad;
    let_list lets = lets_of(d);
    print_system(as_written(d), &lets, val.parameter, d->out);
    return DAL_OK;
}

/* The same where all rows of events are relations, which hold at times. */
static const compiled *with_events(const description *d)
{
    const model *md = d->of->md;
    if (!md->event_row.n) return as_written(d);
    model         *all = mem_array(d->m, 1, model);
    unsigned char *closed = mem_array(d->m, md->event_row.n + 1, unsigned char);
    for (int r = 0; r < md->event_row.n; r++) closed[r] = 1;
    model_close(d->m, md, closed, all);
    all->event = md->event;
    return compile(d->m, all);
}

static dal_status show_equations(const description *d)
{
    let_list lets = lets_of(d);
    print_equations(with_events(d), &lets, d->out);
    return DAL_OK;
}

static dal_status show_latex(const description *d)
{
    let_list lets = lets_of(d);
    print_equations_latex(with_events(d), &lets, d->out);
    return DAL_OK;
}

static dal_status show_mathml(const description *d)
{
    let_list lets = lets_of(d);
    print_equations_mathml(with_events(d), &lets, d->out);
    return DAL_OK;
}

static dal_status show_program(const description *d)
{
    print_programs(d->of->compiled, d->out);
    return DAL_OK;
}

static dal_status show_pattern(const description *d)
{
    print_pattern(d->of->compiled, d->out);
    return DAL_OK;
}

/* Which rows the discrete equations have. */
static step_blocks blocks_of(const model *md)
{
    step_blocks has = {0};
    for (int i = 0; i < md->elements.n; i++)
        has.forced |= md->elements.at[i].kind == EL_FORCE, has.damped |= md->elements.at[i].damping;
    for (int i = 0; i < md->coordinates && md->state; i++) has.states |= md->state[i];
    for (int i = 0; i < md->coordinates; i++) {
        has.hamiltonian |= md->hamiltonian[i] != 0;
        has.lagrangian |= !md->hamiltonian[i];
    }
    for (int k = 0; md->turns && k < md->turns->count; k++)
        has.rotations = true, has.directions |= md->turns->direction[k] != 0;
    for (int a = 0; a < md->relations; a++) {
        bool velocity = md->relation.at[a].kind == REL_VELOCITY;
        has.velocity_rows |= velocity, has.holonomic_rows |= !velocity;
    }
    return has;
}

/* The scheme alone matters here, so any step will do. */
static dal_status show_scheme(const description *d,
                              void (*print)(const scheme *sch, step_blocks has, text *out))
{
    static const source any = {"--step", "1", 1};
    values              val;
    plan                p;
    request             asked = *d->asked;
    dal_status          bad = d->of->md->by->evaluate(d->of->md, &asked.over, d->ds, d->m, &val);
    if (bad) return bad;
    if (!val.set[SET_STEP].given && !asked.over.setting[SET_STEP])
        asked.over.setting[SET_STEP] = &any;
    bad = plan_make(&p, &asked, &val, d->ds, d->m);
    if (bad) return bad;
    const model *md = p.scheme.damps ? model_damped(d->m, d->of->md) : d->of->md;
    step_blocks  has = blocks_of(md);
    has.energy = p.method.principle == ENERGY;
    print(&p.scheme, has, d->out);
    return DAL_OK;
}

static dal_status show_discrete(const description *d)
{
    return show_scheme(d, scheme_print);
}

/* One table for the names and what shows them; the public half of a row is what dal_views
 * returns. */
#define VIEWS                                                                                      \
    VIEW(model, 1, "the flattened system: coordinates, parameters, terms")                         \
    VIEW(equations, 1, "the equations of motion")                                                  \
    VIEW(discrete, 1, "the discrete equations of the scheme")                                      \
    VIEW(latex, 0, "the equations of motion in LaTeX")                                             \
    VIEW(mathml, 0, "the Lagrangian and the equations of motion in MathML")                        \
    VIEW(program, 0, "the programs that evaluate the terms")                                       \
    VIEW(pattern, 0, "where the matrices have entries")                                            \
    VIEW(plan, 0, "which engine makes the steps of a run, and what it costs")

const dal_view views[] = {
#define VIEW(name, usual, help) {#name, help, usual},
    VIEWS
#undef VIEW
};
const int view_count = sizeof views / sizeof *views;

dal_status describe_view(const description *d, const char *view)
{
    static dal_status (*const show[])(const description *) = {
#define VIEW(name, usual, help) show_##name,
        VIEWS
#undef VIEW
    };
    for (int i = 0; i < view_count; i++)
        if (!strcmp(views[i].name, view)) return show[i](d);
    if (!strcmp(view, "discrete latex")) return show_scheme(d, scheme_print_latex);
    text list = text_new(d->m);
    for (int i = 0; i < view_count; i++)
        text_printf(&list, "%s%s", i ? ", " : "it is one of ", views[i].name);
    return diag_error(d->ds, DAL_INVALID, span_none(), text_str(&list), "there is no view '%s'",
                      view);
}
