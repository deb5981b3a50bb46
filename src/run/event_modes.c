/* event_modes.c - a simulation of the model for each set of closed rows that the motion meets, made
 * when it first does; and the state, that goes from one to the other:
 *
 *     q and p stay, v follows from the end solve of the new mode               theory.md [EVENTS]
 */
#include "mech/rotation/state.h"
#include "mech/stepper/stepper.h"
#include "model/closed.h"
#include "run/events.h"
#include "run/simulation.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The state. ----------------------------------------------------------------------------------- */

dal_sim *events_run(dal_sim *s)
{
    return s->events->now ? s->events->now->run : s;
}

static const dal_sim *seen(const dal_sim *s)
{
    return s->events->now ? s->events->now->run : s;
}

const stepper *events_stepper(const dal_sim *s)
{
    return seen(s)->st;
}

const double *events_q(const dal_sim *s)
{
    return state_q(seen(s));
}

const double *events_v(const dal_sim *s)
{
    return state_v(seen(s));
}

const double *events_p(const dal_sim *s)
{
    return state_p(seen(s));
}

static void forget(dal_sim *run)
{
    run->now.have = 0;
    if (run->full) run->full->at_q = run->full->at_v = run->full->at_p = run->full->at_lam = -1;
}

void events_arrive(dal_sim *run, double t)
{
    run->t = t;
    forget(run);
}

static void put_into(dal_sim *run, double t, const double *q, const double *p, const double *v)
{
    run->t = t;
    if (run->full) full_system_set(run->full, run->st, t, q, p, v);
    else stepper_set(run->st, t, q, p, v);
    forget(run);
}

void events_put(dal_sim *s, double t, const double *q, const double *p, const double *v)
{
    put_into(events_run(s), t, q, p, v);
}

/* What has come to rest rests: numbers that have no digits left are 0, or steps that begin there
 * would look for them. */
static void copy_at_rest(double *to, const double *from, int n)
{
    static const double NOTHING = DBL_MIN / DBL_EPSILON;
    for (int i = 0; i < n; i++) to[i] = fabs(from[i]) < NOTHING ? 0 : from[i];
}

void events_keep(dal_sim *s)
{
    events   *x = s->events;
    dal_sim  *run = events_run(s);
    const int n = s->sys->n, own = run->st->sys->n;
    x->t = run->t;
    memcpy(x->q, events_q(s), (size_t)turning_width(s->sys->turns, s->sys->n) * sizeof(double));
    copy_at_rest(x->p, events_p(s), turning_momenta(s->sys->turns, n));
    copy_at_rest(x->v, events_v(s), n);
    memcpy(x->q0, run->st->q, (size_t)run->st->turn.width * sizeof(double));
    copy_at_rest(x->p0, run->st->p, own), copy_at_rest(x->v0, stepper_v(run->st), own);
}

/* Equations of steps as short as roundoff may be singular: the state stays. */
bool events_is_no_time(const dal_sim *s, double theta)
{
    return fabs(theta) < 1e-9 * fabs(s->plan.h);
}

dal_status events_along(dal_sim *s, double theta)
{
    events  *x = s->events;
    dal_sim *run = events_run(s);
    stepper_move(run->st, x->t, x->q0, x->p0, x->v0);
    dal_status bad = theta == 0 ? DAL_OK : events_spend(s);
    if (!bad && theta != 0) bad = stepper_step(run->st, x->t, theta, &s->why);
    if (bad == DAL_SINGULAR && events_is_no_time(s, theta)) {
        text_clear(&s->why);
        stepper_move(run->st, x->t, x->q0, x->p0, x->v0);
        bad = DAL_OK;
    }
    run->t = x->t + theta;
    forget(run);
    return bad;
}

void events_show(dal_sim *s)
{
    if (!s->events->now) return;
    const double *q = events_q(s), *p = events_p(s), *v = events_v(s);
    if (s->full) full_system_set(s->full, s->st, s->t, q, p, v);
    else stepper_move(s->st, s->t, q, p, v);
    forget(s);
}

/* Parameters. ---------------------------------------------------------------------------------- */

/* The simulation's own numbers are those of all modes. */
static dal_status refresh(dal_sim *s, dal_sim *run)
{
    bound_refresh(run->bound);
    if (!run->full) return DAL_OK;
    mem             *m = mem_child(&s->m);
    const dal_status bad = full_system_parameters(run->full, m, s->val.parameter, s->ds);
    mem_free(m);
    return bad;
}

dal_status events_refresh(dal_sim *s)
{
    events   *x = s->events;
    dal_sim  *run = events_run(s);
    mem      *m = mem_child(&s->m);
    const int n = s->sys->n, width = turning_width(s->sys->turns, n);
    double   *q = copy_of(m, events_q(s), width), *p = copy_of(m, events_p(s), n),
           *v = copy_of(m, events_v(s), n);
    bound_refresh(x->bound);
    dal_status bad = refresh(s, run);
    if (!bad && run != s) bad = refresh(s, s);
    if (!bad) put_into(run, run->t, q, p, v);
    mem_free(m);
    return bad;
}

dal_status events_renew(dal_sim *s)
{
    events          *x = s->events;
    dal_sim         *run = events_run(s);
    const dal_status bad = refresh(s, run);
    bound_refresh(x->bound);
    if (!bad && run->full) full_system_look(run->full, x->q); /* where its ties lie */
    if (!bad) stepper_set(run->st, x->t, x->q0, x->p0, x->v0);
    return bad;
}

dal_status events_set(dal_sim *s, int parameter, double value)
{
    if (s->val.parameter[parameter] == value) return DAL_OK;
    s->val.parameter[parameter] = value;
    return events_refresh(s);
}

/* Modes. --------------------------------------------------------------------------------------- */

typedef struct {
    model    md; /* first: evaluate is given it */
    dal_sim *of;
} mode_model;

/* What is asked of steps stays; the rest is the run's own. */
static void settings_of_mode(const dal_sim *s, values *out)
{
    static const bool stays[SETTINGS] = {[SET_SCHEME] = true,
                                         [SET_SUMMATION] = true,
                                         [SET_PRINCIPLE] = true,
                                         [SET_FORCE] = true,
                                         [SET_RETRACTION] = true};
    for (int k = 0; k < SETTINGS; k++)
        if (!stays[k]) out->set[k].given = false;
    out->set[SET_FROM] = (setting){.given = true, .number = s->events->t};
    out->set[SET_STEP] = (setting){.given = true, .number = s->plan.h};
    out->set[SET_STEPS] = (setting){.given = true, .number = (double)(s->plan.steps - s->k + 1)};
    out->columns_given = false;
}

/* Parameters are shared, so that what changes them does so in all modes. */
static dal_status evaluate_mode(const model *md, const overrides *over, diags *ds, mem *m,
                                values *out)
{
    const dal_sim *s = ((const mode_model *)md)->of;
    const events  *x = s->events;
    const int      n = s->sys->n;
    (void)over, (void)ds;
    *out = s->val;
    out->q = copy_of(m, x->q, turning_width(s->sys->turns, n));
    out->v = copy_of(m, x->v, n), out->p = copy_of(m, x->p, n);
    out->given = mem_array(m, n + 1, unsigned char);
    out->start_at = mem_array(m, n + 1, span), out->rate_at = mem_array(m, n + 1, span);
    for (int i = 0; i < n; i++)
        out->given[i] =
            GIVEN_Q | (s->sys->hamiltonian && s->sys->hamiltonian[i] ? GIVEN_P : GIVEN_V);
    settings_of_mode(s, out);
    return DAL_OK;
}

static const model_functions by_mode = {.evaluate = evaluate_mode};

static const char *first_error(const diags *ds)
{
    for (int i = 0; i < ds->list.n; i++)
        if (ds->list.at[i].kind == DIAG_ERROR) return ds->list.at[i].message;
    return "it cannot be run";
}

/* Where each row stands among the multipliers of the mode. */
static void note_rows(dal_sim *s, event_mode *to)
{
    const events *x = s->events;
    int           closed = 0;
    to->relation = mem_array(to->m, x->rows + 1, int);
    to->base = mem_array(to->m, s->md->relations + 1, int);
    for (int r = 0; r < x->rows; r++)
        to->relation[r] =
            to->kept[r] ? compiled_row(to->run->compiled, s->md->relations + closed++) : -1;
    for (int a = 0; a < s->md->relations; a++) to->base[a] = compiled_row(to->run->compiled, a);
}

request events_request(mem *m, const request *r)
{
    static const setting_key same[] = {SET_SCHEME, SET_SUMMATION, SET_PRINCIPLE, SET_FORCE,
                                       SET_RETRACTION};
    request                  out = {.map = r->map,
                                    .jacobian = source_kept(m, r->jacobian),
                                    .solver = source_kept(m, r->solver),
                                    .backend = source_kept(m, r->backend),
                                    .interconnection = source_kept(m, r->interconnection),
                                    .insist = r->insist,
                                    .project_start = true};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        out.over.setting[same[k]] = source_kept(m, r->over.setting[same[k]]);
    return out;
}

static dal_status make_mode(dal_sim *s, event_mode *to)
{
    events     *x = s->events;
    subject    *of = mem_array(to->m, 1, subject);
    diags      *later = mem_array(to->m, 1, diags);
    mode_model *md = mem_array(to->m, 1, mode_model);
    md->of = s;
    model_close(to->m, s->md, to->kept, &md->md);
    md->md.by = &by_mode;
    *of = (subject){.md = &md->md, .title = s->title};
    of->compiled = compile(to->m, of->md);
    solved_forms_new(to->m, of->md, of->solved);
    dal_sim *run = to->run = mem_array(to->m, 1, dal_sim);
    mem_init(&run->m, s->m.heap);
    diags_init(later, to->m);
    run->m.guard = s->m.guard, run->ds = later, run->cx = s->cx;
    run->engine.preview = s->engine.preview;
    const dal_status bad = simulation_start(run, of, &x->known.asked);
    if (bad) text_printf(&s->why, "%s", first_error(later));
    else note_rows(s, to);
    return bad;
}

/* Which rows follow from others may change along the motion. */
static event_mode *mode_of_rows(dal_sim *s, const event_mode *like)
{
    events *x = s->events;
    for (int i = 0; i < x->known.at.n; i++) {
        event_mode *to = x->known.at.at[i];
        if (memcmp(to->closed, like->closed, (size_t)x->rows) ||
            memcmp(to->kept, like->kept, (size_t)x->rows))
            continue;
        to->used = ++x->known.entered;
        return to;
    }
    return NULL;
}

static void drop_mode(event_mode *of)
{
    mem *m = of->m;
    if (of->run) simulation_end(of->run);
    mem_free(m);
}

/* Where there are many, the one that was entered longest ago makes room. */
static void make_room(events *x)
{
    enum { MOST = 32 };
    int oldest = -1;
    for (int i = 0; i < x->known.at.n && x->known.at.n >= MOST; i++)
        if (x->known.at.at[i] != x->now &&
            (oldest < 0 || x->known.at.at[i]->used < x->known.at.at[oldest]->used))
            oldest = i;
    if (oldest < 0) return;
    drop_mode(x->known.at.at[oldest]);
    x->known.at.at[oldest] = x->known.at.at[--x->known.at.n];
}

/* The present set. */
static event_mode *present_mode(dal_sim *s)
{
    events     *x = s->events;
    mem        *m = mem_child(&s->m);
    event_mode *to = mem_array(m, 1, event_mode);
    to->m = m;
    to->closed = mem_array(m, x->rows + 1, unsigned char);
    to->kept = mem_array(m, x->rows + 1, unsigned char);
    memcpy(to->closed, x->closed, (size_t)x->rows);
    events_find_dependent(m, s, to);
    return to;
}

static bool none_is_closed(const events *x)
{
    for (int r = 0; r < x->rows; r++)
        if (x->closed[r]) return false;
    return true;
}

static void name_rows(dal_sim *s, text *out)
{
    const events *x = s->events;
    bool          more = false;
    for (int r = 0; r < x->rows; r++) {
        if (!x->closed[r]) continue;
        if (more) text_add(out, ", ");
        model_name(s->md, MEMBER_EVENT, x->of_row[r], out);
        more = true;
    }
}

/* Contacts that close touch exactly: what is left of phi is roundoff, and is taken off along n.
 * Rows of rotations in q are charts where the body is. */
static void touch(dal_sim *s)
{
    events           *x = s->events;
    const dal_system *sys = x->sys;
    events_read(s, &x->try);
    for (int r = 0; r < x->rows; r++) {
        const int a = x->row_at[r];
        double    nn = 0;
        if (!x->closed[r] || a < sys->m) continue;
        for (int e = sys->A.start[a]; e < sys->A.start[a + 1]; e++)
            nn += x->room.A[e] * x->room.A[e];
        for (int e = sys->A.start[a]; e < sys->A.start[a + 1] && nn > 0; e++)
            x->q[sys->A.column[e]] -= x->room.A[e] * x->try.row[r] / nn;
    }
    if (sys->turns) turning_take_rows(sys->turns, sys->n, x->q);
}

/* Rates as small as that are 0. */
static void flush(double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) < 1e-290) x[i] = 0;
}

/* The state is that of the mode before, or, where the new one begins, as near to it as it may be.
 */
dal_status events_enter(dal_sim *s)
{
    events *x = s->events;
    events_keep(s);
    flush(x->v, s->sys->n), flush(x->p, s->sys->n);
    if (none_is_closed(x)) {
        x->now = NULL;
        const dal_status bad = refresh(s, s);
        if (!bad) put_into(s, x->t, x->q, x->p, x->v);
        return bad;
    }
    touch(s);
    event_mode *to = present_mode(s), *known = mode_of_rows(s, to);
    if (known) {
        drop_mode(to);
        to = x->now = known;
        to->run->m.guard = s->m.guard;
        const dal_status bad = refresh(s, to->run);
        if (!bad) put_into(to->run, x->t, x->q, x->p, x->v);
        return bad;
    }
    make_room(x);
    to->used = ++x->known.entered;
    const dal_status bad = make_mode(s, to);
    if (!bad) { /* as where it is entered again */
        vec_push(&s->m, x->known.at, to);
        x->now = to;
        put_into(to->run, x->t, x->q, x->p, x->v);
        return DAL_OK;
    }
    text rows = text_new(&s->m), said = text_new(&s->m);
    name_rows(s, &rows);
    text_printf(&said, "while %s holds: %s", text_str(&rows), text_str(&s->why));
    text_clear(&s->why);
    text_add(&s->why, text_str(&said));
    drop_mode(to);
    return bad;
}

const double *events_multipliers(dal_sim *s)
{
    events *x = s->events;
    if (!x || !x->now) return NULL;
    const double *lam = state_multipliers(x->now->run);
    for (int a = 0; a < s->md->relations; a++)
        x->lam[compiled_row(s->compiled, a)] = lam[x->now->base[a]];
    return x->lam;
}
