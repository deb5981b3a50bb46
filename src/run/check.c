/* check.c - what a model is and what it allows, without running it: facts from the analysis, then
 * each scheme of the table makes one step from the start. */
#include "run/check.h"
#include "mech/start/start.h"
#include "model/branches.h"
#include "model/charts.h"
#include "model/compile.h"
#include "run/corners.h"
#include "run/damped.h"
#include "run/examine.h"

#include <math.h>
#include <string.h>

/* What is solved instead of the system, if anything is. */
static dal_status join(const description *d, check_case *tr)
{
    const solved_form *form = tr->as->solved[tr->plan.joined];
    tr->full = NULL;
    if (!form) return DAL_OK;
    return full_system_new(d->m, form, tr->as->compiled, tr->bound, tr->val.parameter,
                           tr->val.input, FULL_SYSTEM_STATE, d->ds, &tr->full);
}

/* Numbers and a method. Without a step one is tried that is short for most systems. */
static dal_status prepare(const description *d, check_case *tr)
{
    static const source short_step = {"--step", "0.01", 4};
    request             asked = *d->asked;
    dal_status bad = d->of->md->by->evaluate(d->of->md, &asked.over, d->ds, d->m, &tr->val);
    if (bad) return bad;
    if (!asked.over.setting[SET_STEP] && !tr->val.set[SET_STEP].given)
        asked.over.setting[SET_STEP] = &short_step;
    bad = plan_make(&tr->plan, &asked, &tr->val, d->ds, d->m);
    if (bad) return bad;
    tr->as = subject_for(d->m, d->of, &tr->plan.scheme);
    tr->bound = bound_new(d->m, tr->as->compiled, tr->val.parameter, tr->val.input);
    tr->sys = bound_system(tr->bound);
    if (tr->sys->charts) charts_look(tr->sys, tr->val.q + tr->sys->n);
    return join(d, tr);
}

/* The same with the subject as another scheme takes it. */
static dal_status take_for(const description *d, const check_case *tr, const scheme *sch,
                           check_case *out)
{
    const bool redundant = tr->sys->redundant;
    *out = *tr;
    out->as = subject_for(d->m, d->of, sch);
    if (out->as == tr->as || sch->damps == tr->plan.scheme.damps) return DAL_OK;
    out->bound = bound_new(d->m, out->as->compiled, tr->val.parameter, tr->val.input);
    out->sys = bound_system(out->bound);
    if (out->sys->charts) charts_look(out->sys, out->val.q + out->sys->n);
    dal_status bad = join(d, out);
    (out->full ? full_system_solved(out->full) : out->sys)->redundant = redundant;
    return bad;
}

/* Redundant relations are solved with the ties that they follow from. */
static dal_status keep_redundant(const description *d, check_case *tr)
{
    tr->plan.joined = MULTIPLIERS;
    dal_status bad = join(d, tr);
    if (!bad) (tr->full ? full_system_solved(tr->full) : tr->sys)->redundant = true;
    return bad;
}

/* The facts of the system as it was written, at its start. */
static const analysis *find_facts(const description *d, const check_case *tr, const compiled **c)
{
    const examined x = {d->m,      tr->as,   NULL,          tr->bound,
                        tr->sys,   &tr->val, tr->plan.from, d->asked->project_start,
                        tr->plan.h};
    analysis      *a = mem_array(d->m, 1, analysis);
    *a = *analyse_start(&x, c);
    bound *b =
        *c == d->of->compiled ? tr->bound : bound_new(d->m, *c, tr->val.parameter, tr->val.input);
    const sys_point at = {.t = tr->plan.from, .q = tr->val.q};
    if (a->finite) a->velocity = analyse_integrability(d->m, *c, b, &at);
    return a;
}

/* The facts live in d->m. */
dal_status describe_analysis(const description *d, const analysis **a, const compiled **c)
{
    check_case tr = {0};
    dal_status bad = prepare(d, &tr);
    if (!bad) *a = find_facts(d, &tr, c);
    return bad;
}

/* What steps pass over: all, or what is left of it where branches are located. */
static void report_kinks(const description *d, const check_case *tr, const analysis *a)
{
    analysis left = *a;
    if (check_locates(d, &tr->plan))
        analyse_kinks(d->m, compile(d->m, model_frozen(d->m, d->of->md)), &left);
    analysis_report_kinks(&left, d->of->md, d->ds);
}

/* Prints them even where they are errors. */
static dal_status check_facts(const description *d, check_case *tr)
{
    const compiled *c;
    const analysis *a = find_facts(d, tr, &c);
    analysis_print(a, c, d->out);
    if (tr->full && tr->full->form->eliminated && ties_take_out(tr->full->form->of))
        text_printf(d->out, "  %-12s %d of %d coordinates are left when its ties are taken out\n",
                    "joined", full_system_solved(tr->full)->n, tr->sys->n);
    dal_status bad = analysis_report(a, c, d->ds);
    report_kinks(d, tr, a);
    return bad || !a->dependent.redundant ? bad : keep_redundant(d, tr);
}

/* The tables of inputs, as a run would follow them. */
static dal_status follow_inputs(const description *d, check_case *tr)
{
    const request *r = d->asked;
    tr->follow = (tracks){r->inputs, mem_array(d->m, r->inputs + 1, track)};
    for (int i = 0; i < r->inputs; i++) {
        dal_status bad =
            track_read(d->m, d->of->md, &r->input[i], r->kept, d->ds, &tr->follow.at[i]);
        if (!bad)
            bad = track_is_continuous(&tr->follow.at[i], d->of->compiled, &r->input[i], d->ds);
        if (bad) return bad;
    }
    const input_course along = tracks_course(&tr->follow);
    if (r->inputs) bound_follow(d->m, tr->bound, &along);
    return DAL_OK;
}

/* Jumps and kinks in time that lower the order of the scheme of the model. */
static void check_corners(const description *d, const check_case *tr)
{
    corner       *list;
    const values *val = &tr->val;
    double       *w = copy_of(d->m, val->v, tr->sys->n);
    for (int i = 0; i < tr->sys->n; i++)
        if (tr->sys->hamiltonian && tr->sys->hamiltonian[i]) w[i] = val->p[i];
    const sys_point at = {.t = tr->plan.from, .q = val->q, .w = w, .v = val->v};
    const int       n = corners_of_run(d->m, tr->bound, &at, &tr->plan, &tr->follow, &list);
    const int       order = tr->plan.scheme.order;
    const bool      located = check_locates(d, &tr->plan);
    for (int k = 0, shown = 0; k < n && shown < CORNERS_LISTED; k++) {
        if (corner_order(&list[k]) >= order || (located && list[k].input < 0)) continue;
        text_printf(d->out, "  %-12s %s: order %d is left\n", shown++ ? "" : "in time",
                    corner_words(d->m, &list[k]), corner_order(&list[k]));
        corner_warn(&list[k], order, d->of->md, d->ds);
    }
}

static void print_start(const description *d, const char *how)
{
    text_printf(d->out, "  %-12s %s\n", "start", how);
}

/* Completes the start in place: the schemes are then tried from there. */
static dal_status check_start(const description *d, check_case *tr)
{
    text       why = text_new(d->m);
    start      at = {.t = tr->plan.from,
                     .q = tr->val.q,
                     .v = tr->val.v,
                     .p = tr->val.p,
                     .given = tr->val.given,
                     .project = d->asked->project_start};
    dal_status bad = start_complete(d->m, tr->sys, &at, &why);
    tr->moved = at.moved;
    if (!bad) return DAL_OK;
    print_start(d, at.violates >= 0 ? "violates relations" : "impossible");
    return diag_error(d->ds, bad, relation_place(d->of->compiled, at.violates), NULL, "%s",
                      text_str(&why));
}

/* The state of the whole goes to what is solved, if that is another system. */
dal_status check_begin(const check_case *c, mem *m, const scheme *sch, stepper **out, text *why)
{
    const double t = c->plan.from;
    dal_status   bad = stepper_new(m, check_solved(c), sch, &c->plan.method, out, why);
    if (bad) return bad;
    if (c->full) full_system_set(c->full, *out, t, c->val.q, c->val.p, c->val.v);
    else stepper_set(*out, t, c->val.q, c->val.p, c->val.v);
    return DAL_OK;
}

/* One step with a scheme, from the start. unbalanced: no scheme can begin there. */
static dal_status try_scheme(const description *d, const check_case *of, const scheme *sch,
                             text *why, text *how, bool *unbalanced)
{
    stepper   *st = NULL;
    bool       moved;
    check_case taken;
    dal_status bad = take_for(d, of, sch, &taken);
    if (!bad) bad = check_begin(&taken, d->m, sch, &st, why);
    if (bad) return bad;
    bad = stepper_balance(st, d->asked->project_start, &moved, why);
    *unbalanced = bad != DAL_OK;
    if (!bad) bad = stepper_judge(st, d->asked->insist, why);
    if (!bad) bad = stepper_step(st, taken.plan.from, taken.plan.h, why);
    if (!bad)
        text_printf(how, "%s",
                    stepper_explicit(st)                          ? "explicit"
                    : stepper_linear(st) && !stepper_iterates(st) ? "implicit, factored once"
                                                                  : "implicit");
    if (!bad && !stepper_explicit(st)) text_printf(how, ", %s solver", stepper_solver_used(st));
    stepper_free(st);
    return bad;
}

typedef struct { /* of a scheme */
    scheme     sch;
    dal_status bad;
    text       said; /* how it steps, or why it does not */
} attempt;

enum { TRIED_MOST = 2000 }; /* coordinates of a system that every scheme is tried on */

/* The scheme of the model may stand in the table too. */
static bool is_listed(const attempt *list, int n, const scheme *sch)
{
    for (int k = 0; k < n; k++)
        if (!strcmp(list[k].sch.title, sch->title) && !list[k].sch.own_force_rule) return true;
    return false;
}

/* Schemes that fail for one reason are many, and the reason is long. */
static void print_attempts(const description *d, const attempt *list, int n)
{
    int wide = 0;
    for (int k = 0; k < n; k++)
        if ((int)strlen(list[k].sch.name) > wide) wide = (int)strlen(list[k].sch.name);
    for (int k = 0; k < n; k++) {
        int         first = 0;
        const char *said = text_str(&list[k].said);
        while (strcmp(text_str(&list[first].said), said)) first++;
        if (list[k].bad && first < k) said = mem_printf(d->m, "as %s", list[first].sch.name);
        text_printf(d->out, "    %-*s  %s%s\n", wide, list[k].sch.name, list[k].bad ? "no: " : "",
                    said);
    }
}

/* The scheme of the model first, then one of every kind in the table that is another one. */
static dal_status check_schemes(const description *d, const check_case *tr)
{
    text              why = text_new(d->m), how = text_new(d->m);
    int               rows, n = 0;
    bool              unbalanced = false;
    const scheme_row *row = scheme_rows(&rows);
    attempt          *list = mem_array(d->m, rows + 1, attempt);
    for (int i = -1; i < (tr->sys->n <= TRIED_MOST ? rows : 0) && !unbalanced; i++) {
        attempt *now = &list[n];
        text_clear(&why), text_clear(&how);
        if (i < 0) now->sch = tr->plan.scheme;
        else if (scheme_parse(&now->sch, row[i].example, NULL, &why)) continue;
        if (is_listed(list, n, &now->sch)) continue;
        now->bad = try_scheme(d, tr, &now->sch, &why, &how, &unbalanced);
        now->said = text_new(d->m), n++;
        text_add(&now->said, text_str(now->bad ? &why : &how));
    }
    /* only the scheme of the model is to blame if it fails; others are information */
    if (list->bad) diag_error(d->ds, list->bad, span_none(), NULL, "%s", text_str(&list->said));
    print_start(d, unbalanced  ? "not in balance"
                   : tr->moved ? "moved to satisfy the relations"
                               : "consistent");
    if (unbalanced) return list->bad;
    text_printf(
        d->out,
        "  %-12s one step of %.6g from the start, with the scheme of the model and others\n",
        "schemes", fabs(tr->plan.h));
    print_attempts(d, list, n);
    return list->bad;
}

/* Facts, then what is fast at the start, then the schemes: each needs the one before. Returns the
 * first error. */
dal_status describe_check(const description *d)
{
    check_case tr = {0};
    dal_status bad = prepare(d, &tr);
    if (!bad) bad = follow_inputs(d, &tr);
    if (bad) return bad;
    text_printf(d->out, "%s  (%s)\n", d->of->title, d->of->md->file);
    bad = check_facts(d, &tr);
    dal_status uneven = check_start(d, &tr);
    if (bad || uneven) return bad ? bad : uneven;
    check_corners(d, &tr);
    check_events(d, &tr.plan);
    if (tr.plan.pace.given) bad = check_pace(d, &tr.plan.h);
    if (bad) return bad;
    if (tr.plan.method.principle != ENERGY) check_stability(d, &tr);
    bad = check_schemes(d, &tr);
    if (!bad && tr.plan.method.principle == ENERGY) check_energy(d, &tr);
    return bad;
}
