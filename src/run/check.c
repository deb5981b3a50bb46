/* check.c - what a model is and what it allows, found out without running it: facts from the analysis, then
 * each scheme of the table is given one step from the start. */
#include "mech/start.h"
#include "model/analyse.h"
#include "run/describe.h"

#include <math.h>

typedef struct {
    values      val;
    plan        plan;
    bound      *bound;
    dal_system *sys;
    whole      *whole; /* NULL: sys is what is solved */
} trial;

/* Numbers and a method. Without a step one is tried that is short for most systems. */
static dal_status prepare(const description *d, trial *tr)
{
    static const source short_step = {"--step", "0.01", 4};
    request             asked = *d->asked;
    dal_status          bad = d->of->md->evaluate(d->of->md, &asked.over, d->ds, d->m, &tr->val);
    if (bad) return bad;
    if (!asked.setting[SET_STEP] && !tr->val.set[SET_STEP].given) asked.setting[SET_STEP] = &short_step;
    tr->bound = bound_new(d->m, d->of->compiled, tr->val.parameter, tr->val.input);
    tr->sys = bound_system(tr->bound);
    bad = plan_make(&tr->plan, &asked, &tr->val, d->ds, d->m);
    if (bad || !d->of->solved[tr->plan.joined]) return bad;
    return whole_new(d->m, d->of->solved[tr->plan.joined], d->of->compiled, tr->bound, tr->val.parameter,
                     tr->val.input, false, d->ds, &tr->whole);
}

static dal_status check_facts(const description *d, const trial *tr)
{
    sys_point       at = written_start(d->m, tr->sys, &tr->val, tr->plan.from);
    const compiled *c = d->of->compiled;
    const analysis *a = analyse_whole(d->m, d->of, tr->bound, &tr->val, &at, &c);
    analysis_print(a, c, d->out);
    if (tr->whole && tr->whole->form->eliminated)
        text_printf(d->out, "  %-12s %d of %d coordinates are left when its ties are taken out\n", "joined",
                    whole_solved(tr->whole)->n, tr->sys->n);
    return analysis_report(a, c, d->ds);
}

static dal_status check_start(const description *d, trial *tr)
{
    text       why = text_new(d->m);
    start      at = {.t = tr->plan.from, .q = tr->val.q, .v = tr->val.v, .p = tr->val.p,
                     .given = tr->val.given, .project = d->asked->project_start};
    dal_status bad = start_complete(d->m, tr->sys, &at, &why);
    text_printf(d->out, "  %-12s %s\n", "start",
                bad ? text_str(&why) : at.moved ? "moved to satisfy the relations" : "consistent");
    return bad ? diag_error(d->ds, bad, span_none(), NULL, "%s", text_str(&why)) : DAL_OK;
}

/* One step with a scheme, from the start. */
static dal_status try_scheme(const description *d, const trial *tr, const scheme *sch, text *why, text *how)
{
    stepper   *st = NULL;
    dal_system *solved = tr->whole ? whole_solved(tr->whole) : tr->sys;
    dal_status  bad = stepper_new(d->m, solved, sch, &tr->plan.method, &st, why);
    if (bad) return bad;
    if (tr->whole) whole_set(tr->whole, st, tr->plan.from, tr->val.q, tr->val.p, tr->val.v);
    else stepper_set(st, tr->plan.from, tr->val.q, tr->val.p, tr->val.v);
    bool moved;
    bad = stepper_balance(st, d->asked->project_start, &moved, why);
    if (!bad) bad = stepper_step(st, tr->plan.from, tr->plan.h, why);
    if (!bad) bad = stepper_judge(st, d->asked->insist, why);
    if (!bad)
        text_printf(how, "%s",
                    stepper_explicit(st) ? "explicit"
                    : stepper_linear(st) ? "implicit, factored once"
                                         : "implicit");
    if (!bad && !stepper_explicit(st)) text_printf(how, ", %s solver", stepper_solver(st));
    stepper_free(st);
    return bad;
}

static void print_trial(const description *d, const char *words, dal_status bad, const text *how, const text *why)
{
    text_printf(d->out, "    %-30s %s%s\n", words, bad ? "no: " : "", text_str(bad ? why : how));
}

enum { TRIED_MOST = 2000 }; /* coordinates of a system that every scheme is tried on */

/* The scheme of the model first, then one of every kind in the table. */
static dal_status check_schemes(const description *d, const trial *tr)
{
    text              why = text_new(d->m), how = text_new(d->m);
    int               count;
    const scheme_row *row = scheme_rows(&count);
    dal_status        chosen = try_scheme(d, tr, &tr->plan.scheme, &why, &how);
    text_printf(d->out, "  %-12s one step of %.6g from the start, with the scheme of the model and others\n", "schemes",
                fabs(tr->plan.h));
    print_trial(d, tr->plan.scheme.title, chosen, &how, &why);
    if (chosen) diag_error(d->ds, chosen, span_none(), NULL, "%s", text_str(&why));
    for (int i = 0; i < count && tr->sys->n <= TRIED_MOST; i++) {
        scheme sch;
        text_clear(&why), text_clear(&how);
        if (scheme_parse(&sch, row[i].example, NULL, &why)) continue;
        print_trial(d, row[i].example, try_scheme(d, tr, &sch, &why, &how), &how, &why);
    }
    return chosen;
}

dal_status describe_check(const description *d)
{
    trial      tr = {0};
    dal_status bad = prepare(d, &tr);
    if (bad) return bad;
    text_printf(d->out, "%s  (%s)\n", d->of->title, d->of->md->file);
    bad = check_facts(d, &tr);
    dal_status uneven = check_start(d, &tr);
    if (bad || uneven) return bad ? bad : uneven;
    return check_schemes(d, &tr);
}
