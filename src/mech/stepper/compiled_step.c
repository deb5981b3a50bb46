/* compiled_step.c - has generated steps read and write the state and the history of the stepper;
 * where the last substep began is told when somebody asks. */
#include "mech/stepper/compiled_step.h"

#include "mech/stepper/stepper.h"

#include <math.h>
#include <string.h>

enum { MISSES_MOST = 8 }; /* then the system is left to step.c */

/* A run backward makes the substeps of a composition in the opposite order. */
static int last_substep(const stepper *st)
{
    return st->compiled->backward ? 0 : st->sch.substeps - 1;
}

/* How much of a step it is. */
static double last_part(const stepper *st)
{
    return st->sch.substeps > 1 ? st->sch.gamma[last_substep(st)] : 1;
}

/* The arrays are shared, not copied; pointers are set before every call, since steps exchange
 * them. */
static void share_state(stepper *st)
{
    step_state *s = &st->compiled->s;
    s->q = st->q, s->q_low = st->q_low, s->p = st->p, s->p_low = st->p_low;
    s->U = st->grid.U, s->W = st->grid.W, s->moved = st->massless.ends.moved;
    s->history = st->history ? st->history->y[0] : st->own_y;
    for (int j = 0; j < st->sch.substeps; j++) s->known[j] = st->history ? st->history[j].count : 0;
}

/* Of directions that bend, as in bent_step.c: ends of the last steps and what belongs to the
 * state. */
static void share_ends(stepper *st)
{
    bent_moves *b = st->massless.bent;
    step_bent  *to = &st->compiled->bent;
    if (!b) return;
    to->v = b->v, to->lam = b->lam, to->sigma = b->sigma, to->stride = b->pass.stride;
    to->ends = b->pass.before->y[0];
    for (int j = 0; j < st->sch.substeps; j++) to->known[j] = b->pass.before[j].count;
}

static void take_ends(stepper *st)
{
    bent_moves      *b = st->massless.bent;
    const step_bent *of = &st->compiled->bent;
    if (!b) return;
    b->pass.stride = of->stride;
    memcpy(b->w, b->v, (size_t)b->n * sizeof *b->w);
    for (int j = 0; j < st->sch.substeps; j++) b->pass.before[j].count = of->known[j];
}

/* Makes no step, but warms up what the first would wait for: the pages of the function, and the
 * coefficients that the equations are multiplied with. */
static void prepare(stepper *st, double h)
{
    compiled_step *f = st->compiled;
    share_state(st);
    f->s.h = h;
    f->call(&f->s, 0);
    equations_set_step(&st->eq, last_part(st) * h, f->backward);
}

/* For generated steps that do not project by themselves. */
static void project_here(void *self, double t, const double *v)
{
    if (stepper_projects(self)) stepper_project(self, t, v);
}

/* Room is taken once; called again, it replaces the function. */
void stepper_use_compiled(stepper *st, compiled_steps call, double h, const step_numbers *of)
{
    if (!st->compiled) st->compiled = mem_array(st->m, 1, compiled_step);
    compiled_step *f = st->compiled;
    if (!f->s.before) {
        f->s.before = mem_array(st->m, 4 * st->turn.width, double);
        f->s.known = mem_array(st->m, st->sch.substeps, int);
        f->bent.known = mem_array(st->m, st->sch.substeps, int);
    }
    f->s.bent = &f->bent, f->ends = st->massless.bent ? st->massless.bent->end.size : 0;
    f->primary = st->massless.primary.k, f->algebraic = st->massless.algebraic.k,
    f->symmetric = st->massless.ends.fits;
    f->s.energy = &f->energy;
    f->call = call, f->backward = h < 0, f->s.par = of->par, f->s.u = of->u;
    f->calls_back = stepper_projects(st) && !stepper_projects_plainly(st) && !st->massless.bent;
    f->s.project = project_here, f->s.stepper = st, f->s.v = st->slope;
    f->s.input_at = of->input_at, f->s.inputs = of->inputs;
    f->ahead = f->unseen = false, f->misses = 0;
    prepare(st, h);
}

/* The last step was another's, or there is none. */
void compiled_forget(stepper *st)
{
    compiled_step *f = st->compiled;
    f->ahead = f->unseen = f->unbordered = f->declined = false;
}

void compiled_archive(stepper *st, archive *r)
{
    compiled_step *f = st->compiled;
    archive_int(r, "misses", &f->misses);
    archive_bool(r, "declined", &f->declined);
    if (st->energy) archive_bool(r, "unbordered", &f->unbordered);
}

/* The substep that was made last, begun again. */
static void begin_last_substep(stepper *st)
{
    const int    n = st->turn.width, count = st->sch.substeps, last = last_substep(st);
    const double h = st->energy ? st->energy->h[0] : last_part(st) * st->compiled->s.h;
    double      *to[] = {st->q0, st->q0_low, st->p0, st->p0_low}, done = 0;
    for (int k = 0; k < 4; k++)
        memcpy(to[k], st->compiled->s.before + k * n, (size_t)n * sizeof **to);
    for (int k = 0; k + 1 < count; k++)
        done += st->sch.gamma[st->compiled->backward ? count - 1 - k : k];
    st->eq.q = st->q0, st->eq.q_low = st->q0_low, st->eq.p = st->p0, st->eq.p_low = st->p0_low;
    st->eq.t = st->compiled->s.from + (double)(st->compiled->s.k - 1) * st->compiled->s.h +
               done * st->compiled->s.h;
    if (st->energy) st->eq.t = st->compiled->energy.t;
    equations_set_step(&st->eq, h, st->compiled->backward);
    st->last_h = h;
    st->y = st->history ? st->history[last].y[0] : st->own_y, st->last = st->y;
}

void compiled_synchronise(stepper *st)
{
    if (!st->compiled->ahead) return;
    st->compiled->ahead = false;
    begin_last_substep(st);
}

void compiled_complete(stepper *st)
{
    compiled_synchronise(st);
    if (!st->compiled->unseen) return;
    st->compiled->unseen = false;
    equations_evaluate(&st->eq, st->y, st->nw.r);
}

/* Does it project along as many directions as there are now? Where they turn or are coupled the
 * stepper projects instead. */
static bool projects_alike(const stepper *st)
{
    const compiled_step *f = st->compiled;
    const bent_moves   *bent = st->massless.bent;
    if (bent || f->ends) return bent && f->ends == bent->end.size;
    return !stepper_projects(st) || (f->calls_back && !st->massless.ends.fits) ||
           (stepper_projects_plainly(st) && f->primary == st->massless.primary.k &&
            f->algebraic == st->massless.algebraic.k && f->symmetric == st->massless.ends.fits);
}

/* May the step be made this way? */
static bool is_usable(const stepper *st, double h)
{
    const compiled_step *f = st->compiled;
    return !f->declined && f->misses < MISSES_MOST && !st->watch.asked && projects_alike(st) &&
           (h < 0) == f->backward && (!st->energy || compiled_decides(st));
}

/* A first prediction goes along the slope. */
static void begin_steps(stepper *st, const steps_asked *along)
{
    compiled_step *f = st->compiled;
    share_state(st);
    for (int j = 0; st->history && j < st->sch.substeps; j++)
        if (!f->s.known[j]) (void)stepper_slope(st); /* in s.v */
    if (st->energy) compiled_energy_begin(st, along);
    share_ends(st);
}

/* Is the state one that a step may begin from? That of directions that bend is moved to where it
 * balances, as after a parameter has changed. */
static bool is_balanced(stepper *st)
{
    bool balanced = true;
    if (!st->massless.bent) return true;
    if (!bent_reach(st, &balanced)) return false;
    if (!balanced) bent_adopt(st);
    return true;
}

/* Counts what was done; state and history are in the stepper's arrays already. */
static void take_in(stepper *st, double h, long made, bool declined)
{
    compiled_step     *f = st->compiled;
    newton_statistics *count = &st->nw.count;
    count->steps += made, count->iterations += f->s.iterations,
        count->factorisations += f->s.factored;
    count->fixed_point += f->s.fixed_point;
    if (f->s.most > count->max_iterations) count->max_iterations = f->s.most;
    if (f->s.most_fixed_point > count->max_fixed_point)
        count->max_fixed_point = f->s.most_fixed_point;
    /* a system that declines again and again is left to step.c for good */
    f->misses = (made ? 0 : f->misses) + declined, f->declined = declined;
    for (int j = 0; st->history && j < st->sch.substeps; j++) st->history[j].count = f->s.known[j];
    if (!made) return;
    take_ends(st);
    f->ahead = f->unseen = true;
    /* the force that explicit.c carries is that of another state */
    explicit_forget(st);
    st->history_h = h, st->work = f->s.last_work, st->stepped = true;
    stepper_moved(st);
    st->t = f->s.from + (double)f->s.k * h;
}

/* Charts at grid points are centred on the matrices of the state. */
static void compiled_turns_take(stepper *st)
{
    st->turn.most = fmax(st->turn.most, sqrt(st->compiled->s.turned));
    stepper_look(st);
}

/* Solutions of steps of another length predict nothing. */
static void meet_length(stepper *st, double h)
{
    if (st->energy || stepper_goes_on(st, h)) return;
    compiled_synchronise(st);
    for (int j = 0; st->history && j < st->sch.substeps; j++) st->history[j].count = 0;
}

/* Fewer steps than asked for: the next one is declined, unless the run has come to its end. */
long compiled_advance(stepper *st, const steps_asked *along, steps_made *out)
{
    compiled_step *f = st->compiled;
    if (!is_usable(st, along->h) || !is_balanced(st)) return 0;
    meet_length(st, along->h);
    begin_steps(st, along);
    f->s.from = along->from, f->s.k = along->k, f->s.h = along->h, f->s.work = out->work;
    f->s.iterations = f->s.factored = f->s.fixed_point = f->s.most = f->s.most_fixed_point = 0;
    f->s.rough = st->rough.sum ? &st->rough : NULL, f->s.turned = 0;
    const long made = f->call(&f->s, along->count);
    out->work = f->s.work;
    take_in(st, along->h, made, made < along->count && !(st->energy && compiled_ended(st)));
    if (made && st->eq.turn) compiled_turns_take(st);
    if (made && st->energy) compiled_energy_take(st, out);
    return made;
}
