/* simulation.c - a simulation is made in one pass, from the numbers of the model to a stepper at
 * its start. */
#include "run/simulation.h"

#include "mech/start/start.h"
#include "model/charts.h"
#include "run/damped.h"
#include "run/examine.h"
#include "run/paced_run.h"

#include <math.h>
#include <string.h>

/* "u" in --set "u=3", "u[2]=3" or of all of an array "u". */
static bool is_set(const char *words, const char *input)
{
    const size_t from = strspn(words, " \t"), n = strcspn(words + from, " \t=");
    const char  *rest = input + n;
    return !strncmp(words + from, input, n) && (!*rest || *rest == '[');
}

/* An input that follows a file has no other value. */
static dal_status refuse_two_values(dal_sim *s, const request *r, int i)
{
    text       word = text_new(&s->m);
    dal_status bad = DAL_OK;
    model_name(s->md, MEMBER_INPUT, s->follow.at[i].input, &word);
    for (int k = 0; k < r->over.sets && !bad; k++)
        if (is_set(r->over.set[k].text, text_str(&word)))
            bad = diag_error(s->ds, DAL_INVALID, source_span(&r->over.set[k]),
                             "give it a value or a file",
                             "the input '%s' follows a file, and %s gives it a value too",
                             text_str(&word), r->over.set[k].file);
    for (int k = 0; k < i && !bad; k++)
        if (s->follow.at[k].input == s->follow.at[i].input)
            bad = diag_error(s->ds, DAL_INVALID, source_span(&r->input[i]), "give it one file",
                             "the input '%s' follows a file already", text_str(&word));
    text_drop(&word);
    return bad;
}

/* Both the whole and what is solved read the inputs, so both follow. */
static dal_status follow_inputs(dal_sim *s, const request *r)
{
    const double from = s->plan.from, end = from + fmax((double)s->plan.steps, 0) * s->plan.h;
    s->follow = (tracks){r->inputs, mem_array(&s->m, r->inputs, track)};
    for (int i = 0; i < r->inputs; i++) {
        dal_status bad = track_read(&s->m, s->md, &r->input[i], r->kept, s->ds, &s->follow.at[i]);
        if (!bad) bad = refuse_two_values(s, r, i);
        if (!bad) bad = track_is_continuous(&s->follow.at[i], s->compiled, &r->input[i], s->ds);
        if (bad) return bad;
        track_reaches(&s->follow.at[i], &r->input[i], fmin(from, end), fmax(from, end), s->ds);
    }
    const input_course along = tracks_course(&s->follow);
    if (r->inputs) bound_follow(&s->m, s->bound, &along);
    if (r->inputs && s->full) bound_follow(&s->m, s->full->bound, &along);
    return DAL_OK;
}

static double largest(const double *x, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* Was this of the start written, or may it move? What follows from the rest is not moved. */
static bool is_of_start(const dal_sim *s, int i, int what, bool project)
{
    const unsigned given = s->val.given[i];
    const bool     by_momentum =
        (s->sys->hamiltonian && s->sys->hamiltonian[i]) || given & (GIVEN_P | FREE_P);
    if (what == 0) return true;
    return by_momentum ? what == 2 : what == 1 && (project || given & (GIVEN_V | FREE_V));
}

/* x, x' or p(x); of a rotation its spin or its momentum in body axes. */
static void name_moved(const dal_sim *s, int i, int what, text *out)
{
    static const char *const written[3][2] = {{"", ""}, {"", "'"}, {"p(", ")"}};
    const turning           *t = s->sys->turns;
    const int                k = t ? t->of_row[i] : -1;
    if (k >= 0 && what == 2) {
        model_body_momentum_name(s->md, i, out);
        return;
    }
    text_add(out, k < 0 ? written[what][0] : "bodyspin(");
    if (k < 0) s->sys->coordinate_name(s->sys->self, i, out);
    else model_turning_name(s->md, k, out);
    if (k < 0) text_add(out, written[what][1]);
    else text_printf(out, ")[%d]", i - t->first[k] + 1);
}

/* Shows what of the start, q, v and p, was moved, and where to: the first few, if they are many. */
static void note_start(dal_sim *s, const double *const before[3], bool project)
{
    enum { SHOWN = 12 };
    static const double SMALL = 1e-15; /* of the largest: roundoff of the projection, no move */
    const double       *after[3] = {s->val.q, s->val.v, s->val.p};
    double              size[3];
    text                all = text_new(&s->m);
    int                 moved = 0;
    for (int k = 0; k < 3; k++) size[k] = largest(after[k], s->sys->n);
    for (int i = 0; i < s->sys->n; i++)
        for (int k = 0; k < 3; k++) {
            double far = fabs(after[k][i] - before[k][i]);
            if (!is_of_start(s, i, k, project) || far <= SMALL * size[k]) continue;
            if (moved++ >= SHOWN) continue;
            text_add(&all, moved > 1 ? ", " : "");
            name_moved(s, i, k, &all);
            text_printf(&all, " = %.10g", after[k][i]);
        }
    if (moved)
        diag_note(s->ds, span_none(), NULL, "the start was moved to satisfy the relations: %s%s",
                  text_str(&all), moved > SHOWN ? ", ..." : "");
    text_drop(&all);
}

/* What is wrong with the system itself is said before its start and its steps are. */
static dal_status examine(dal_sim *s, const subject *of, const request *r)
{
    if (!s->md) return DAL_OK;
    const compiled *c;
    mem            *m = mem_child(&s->m);
    const examined  x = {m,       of,           s->form,          s->bound, s->sys,
                         &s->val, s->plan.from, r->project_start, s->plan.h};
    const analysis *a = analyse_start(&x, &c);
    dal_status      bad = analysis_report(a, c, s->ds);
    analysis_report_kinks(a, s->md, s->ds);
    s->sys->redundant = a->dependent.redundant;
    mem_free(m);
    return bad;
}

/* Completes the start in place and puts it into the stepper; a move that was allowed is told. */
static dal_status put_start(dal_sim *s, const request *r)
{
    start         at = {.t = s->plan.from,
                        .q = s->val.q,
                        .v = s->val.v,
                        .p = s->val.p,
                        .given = s->val.given,
                        .project = r->project_start};
    mem          *m = mem_child(&s->m);
    const int     kept = start_may_move(&s->val, r->project_start, s->sys->n) ? s->sys->n : 0;
    const double *before[3] = {copy_of(m, at.q, kept), copy_of(m, at.v, kept),
                               copy_of(m, at.p, kept)};
    dal_status    bad = start_complete(m, s->sys, &at, &s->why);
    if (!bad && at.moved) note_start(s, before, r->project_start);
    mem_free(m);
    if (bad)
        return diag_error(s->ds, bad, relation_place(s->compiled, at.violates), NULL, "%s",
                          text_str(&s->why));
    if (s->full) full_system_set(s->full, s->st, at.t, at.q, at.p, at.v);
    else stepper_set(s->st, at.t, at.q, at.p, at.v);
    return DAL_OK;
}

/* Engines of large systems are chosen inside, once there are equations. */
static dal_status make_stepper(dal_sim *s)
{
    step_options method = s->plan.method;
    method.choose = engine_choose_for_rows, method.chooser = s;
    dal_status bad = stepper_new(&s->m, state_solved(s), &s->plan.scheme, &method, &s->st, &s->why);
    const span at = state_solved(s)->damped && !scheme_upwinds(&s->plan.scheme)
                        ? damping_place(s->compiled)
                        : span_none();
    return bad ? diag_error(s->ds, bad, at, NULL, "%s", text_str(&s->why)) : DAL_OK;
}

/* Directions without inertia along which nothing but stiffness acts begin in balance. */
static dal_status balance_start(dal_sim *s, const request *r)
{
    bool       moved;
    dal_status bad = stepper_balance(s->st, r->project_start, &moved, &s->why);
    if (bad)
        return diag_error(s->ds, DAL_INVALID, span_none(),
                          bad == DAL_INVALID ? "--project-start moves it there" : NULL, "%s",
                          text_str(&s->why));
    if (!moved) return DAL_OK;
    const double *const before[3] = {copy_of(&s->m, s->val.q, s->sys->n), s->val.v, s->val.p};
    memcpy(s->val.q, state_q(s), (size_t)s->sys->n * sizeof *s->val.q);
    note_start(s, before, r->project_start);
    return DAL_OK;
}

/* A scheme that is unstable along directions without inertia is refused, unless one insists. */
static dal_status judge_scheme(dal_sim *s, const request *r)
{
    if (joint_judge(s)) return DAL_INVALID;
    dal_status bad = stepper_judge(s->st, r->insist, &s->why);
    if (!bad) return DAL_OK;
    text       again = text_new(&s->m);
    const bool helps = !r->insist && !stepper_judge(s->st, true, &again);
    return diag_error(s->ds, bad, span_none(), helps ? "to run it all the same: --insist" : NULL,
                      "%s", text_str(&s->why));
}

/* Numbers of a model from its text, of functions from the caller. */
static dal_status take_values(dal_sim *s, const subject *of, const request *r)
{
    if (of->md) return of->md->by->evaluate(of->md, &r->over, s->ds, &s->m, &s->val);
    return functions_values(s, of->made, r);
}

/* Which multipliers can be asked for: those of relations with a name. */
static full_system_use use_of_relations(const model *md, const solved_form *form)
{
    full_system_use use = FULL_SYSTEM_STATE;
    for (int a = 0; a < md->relation.n; a++) {
        if (md->relation.at[a].member < 0) continue;
        if (form->by.relation_now[a] < 0) return FULL_SYSTEM_REACTIONS;
        use = FULL_SYSTEM_KEPT;
    }
    return use;
}

/* What is solved instead of the model, with as much room as will be asked for. */
static dal_status join_parts(dal_sim *s, const subject *of, const request *r)
{
    if (s->plan.joined >= FORCES) return joint_open(s, of->solved[MULTIPLIERS], r->ledger);
    const solved_form *form = of->solved[s->plan.joined];
    const solved_form *without = of->solved[ELIMINATE];
    if (s->plan.keeps_ties && without && without->eliminated && ties_take_out(without->of))
        diag_note(s->ds, span_none(), NULL,
                  "momentum = papers: momenta after the kick are made of the multipliers of every "
                  "relation, so ties are kept (--interconnection multipliers)");
    if (!form) return DAL_OK;
    full_system_use use = r->ledger ? FULL_SYSTEM_REACTIONS : use_of_relations(s->md, form);
    if (s->plan.method.momentum == MOMENTUM_PAPERS)
        use = use == FULL_SYSTEM_STATE ? FULL_SYSTEM_POINTS : FULL_SYSTEM_REACTIONS;
    return full_system_new(&s->m, form, s->compiled, s->bound, s->val.parameter, s->val.input, use,
                           s->ds, &s->full);
}

/* Of a relation that follows from ties nothing would be left without them: so they are kept. */
static dal_status keep_redundant(dal_sim *s, const subject *of, const request *r)
{
    if (!s->sys->redundant) return DAL_OK;
    dal_status bad = DAL_OK;
    if (s->full && s->full->form->eliminated) {
        s->full = NULL, s->plan.joined = MULTIPLIERS;
        bad = join_parts(s, of, r);
        const input_course along = tracks_course(&s->follow);
        if (!bad && s->full && r->inputs) bound_follow(&s->m, s->full->bound, &along);
    }
    if (!bad) state_solved(s)->redundant = true;
    return bad;
}

/* After this s->sys is the system as written, with its numbers. */
static dal_status bind_system(dal_sim *s, const subject *of, const request *r)
{
    if (!of->md) {
        s->sys = functions_bind(&s->m, of->made, s->val.parameter, s->val.input);
        return DAL_OK;
    }
    s->bound = bound_new(&s->m, of->compiled, s->val.parameter, s->val.input);
    s->sys = bound_system(s->bound);
    if (s->sys->charts) charts_look(s->sys, s->val.q + s->sys->n);
    dal_status bad = join_parts(s, of, r);
    return bad ? bad : follow_inputs(s, r);
}

/* The order matters: numbers, plan, system, facts, stepper, start, engine. On failure the caller
 * ends the simulation, and s->ds says why. */
dal_status simulation_start(dal_sim *s, const subject *of, const request *r)
{
    double               begin = now_seconds();
    const subject *const as_given = of;
    s->md = of->md, s->title = of->title, s->recorded = -1;
    s->made = of->made, s->allows = (allowances){r->project_start, r->insist};
    s->why = text_new(&s->m), s->line = text_new(&s->m);
    dal_status bad = take_values(s, of, r);
    if (!bad) bad = plan_make(&s->plan, r, &s->val, s->ds, &s->m);
    if (bad) return bad;
    of = events_subject(s, of, r);
    s->as = of = subject_for(&s->m, of, &s->plan.scheme);
    s->compiled = of->compiled, s->kept = of->solved[MULTIPLIERS];
    s->t = s->plan.from;
    bad = bind_system(s, of, r);
    if (!bad) bad = examine(s, of, r);
    if (!bad) bad = keep_redundant(s, of, r);
    if (!bad) bad = make_stepper(s);
    if (!bad) bad = put_start(s, r);
    if (!bad) bad = balance_start(s, r);
    if (!bad) bad = judge_scheme(s, r);
    if (!bad) bad = columns_choose(s);
    if (bad) return bad;
    warnings_at_start(s);
    readings_init(s);
    int *cyclic = NULL, cyclics = s->md ? analyse_cyclic(&s->m, s->compiled, &cyclic) : 0;
    bad = pace_open(s, r);
    if (!bad) bad = events_open(s, r);
    if (bad) return bad;
    monitor_init(s, cyclic, cyclics);
    if (!s->pace || !s->pace->run) stability_warn(s), engine_choose(s);
    else paced_run_tell(s);
    monitor_take(s);
    defect_init(s);
    defect_restart(s);
    if (!s->sys->turns) resolution_init(s);
    s->mon.accurate.twin = twin_new(s, as_given, r);
    accuracy_init(s), accuracy_restart(s);
    if (r->ledger && s->md) ledger_open(s);
    if (s->plan.exponents) bad = lyapunov_open(s, s->plan.exponents);
    if (!bad) bad = times_open(s);
    if (bad) return bad;
    s->mon.still = s->md && !s->md->inputs && !s->full && !s->joint && !s->book && !s->exponents;
    s->mon.sum.setup_seconds = of->seconds + now_seconds() - begin;
    return DAL_OK;
}

/* Anything but numbers of parameters, inputs and starts would be another plan. */
static bool same_settings(const values *a, const values *b)
{
    for (int k = 0; k < SETTINGS; k++) {
        const setting *x = &a->set[k], *y = &b->set[k];
        if (x->given != y->given || !x->words != !y->words) return false;
        if (x->given && (x->words ? strcmp(x->words, y->words) != 0 : x->number != y->number))
            return false;
    }
    return true;
}

/* In place, since engines and programs read these arrays. */
static void take_numbers(dal_sim *s, const values *v)
{
    const int n = s->sys->n;
    for (int i = 0; i < s->md->parameters; i++) s->val.parameter[i] = v->parameter[i];
    for (int i = 0; i < s->md->inputs; i++) s->val.input[i] = v->input[i];
    for (int i = 0; i < n; i++) {
        s->val.q[i] = v->q[i], s->val.v[i] = v->v[i], s->val.p[i] = v->p[i];
        s->val.given[i] = v->given[i];
    }
    for (int i = n; i < turning_width(s->sys->turns, n); i++) s->val.q[i] = v->q[i];
    if (s->sys->charts) charts_look(s->sys, s->val.q + n);
    bound_refresh(s->bound);
}

/* False *other and an error: this member cannot start, but the simulation is still good for
 * others. */
dal_status simulation_again(dal_sim *s, const subject *of, const request *r, varying *v,
                            bool *other)
{
    values now;
    mem   *m = mem_child(&s->m);
    of = s->as;
    *other = !s->md || s->full || s->pace || s->events || s->joint || s->follow.n || s->book ||
             s->plan.exponents;
    dal_status bad = *other ? DAL_OK : of->md->by->vary(of->md, v, s->ds, m, &now);
    if (!bad && !*other) *other = !same_settings(&now, &s->val);
    if (!bad && !*other) take_numbers(s, &now);
    mem_free(m);
    if (bad || *other) return bad;
    if (!s->form && !of->solved[MULTIPLIERS]) s->form = analyse_form(&s->m, s->compiled);
    s->k = 0, s->t = s->plan.from, s->recorded = -1, s->now.have = 0;
    text_clear(&s->why);
    const bool redundant = s->sys->redundant;
    bad = examine(s, of, r);
    *other = s->sys->redundant != redundant;
    if (*other) return DAL_OK;
    if (!bad) bad = put_start(s, r);
    if (!bad) bad = balance_start(s, r);
    if (!bad) bad = judge_scheme(s, r);
    if (!bad) stability_warn(s), monitor_restart(s), times_restart(s);
    return bad;
}

/* Tangents before the stepper that they refer to. */
void simulation_end(dal_sim *s)
{
    simulation_tangent_end(s);
    times_hide(s);
    pace_end(s);
    events_end(s);
    if (s->st) stepper_free(s->st);
    s->st = NULL;
    trial_free(&s->mon.resolved.with);
    accuracy_end(s);
    times_end(s);
    mem_free(&s->m);
}
