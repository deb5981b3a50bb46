/* stability.c - says before a run, and of one that failed, that its step is beyond the stability
 * limit of the scheme, or that stiff damping rings.                       theory.md [STABILITY] */
#include "run/stability.h"

#include <math.h>

static bool all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* A state of what is solved, in room of its own. */
typedef struct {
    dal_system   *sys;
    double       *q, *w;
    const double *v, *lam;
} place;

/* w: momenta of Hamiltonian coordinates, velocities of the others. False: it is not known. */
static bool present_place(mem *m, dal_system *sys, stepper *st, place *x)
{
    const int     n = sys->n, rows = sys->m + sys->r;
    const double *p = stepper_p(st), *v = stepper_v(st);
    if (!v || !all_finite(stepper_q(st), n) || !all_finite(v, n) || !all_finite(p, n)) return false;
    *x = (place){sys, copy_of(m, stepper_q(st), n), copy_of(m, v, n), v, NULL};
    for (int i = 0; i < n; i++)
        if (sys->hamiltonian && sys->hamiltonian[i]) x->w[i] = p[i];
    if (stability_has_reactions(sys)) x->lam = stepper_multipliers(st);
    return !x->lam || all_finite(x->lam, rows);
}

bool stiffness_varies(const dal_system *sys)
{
    static const field stiff[] = {F_LQQ, F_LQW, F_LWW, F_FQ, F_FW};
    for (size_t k = 0; k < sizeof stiff / sizeof *stiff; k++)
        if (sys->varies[stiff[k]] == FIELD_VARIES) return true;
    return false;
}

/*     q + h v + h^2 v'/2,   v + h v' */
static bool move(const place *x, stepper *st, double h)
{
    const int     n = x->sys->n;
    const double *rate = stepper_rates(st);
    if (!all_finite(rate, n)) return false;
    for (int i = 0; i < n; i++) x->q[i] += h * (x->v[i] + h / 2 * rate[i]), x->w[i] += h * rate[i];
    return true;
}

/* A hard wall at which a motion begins is behind it one step later: what is too fast must be so at
 * the next place, too. Relations and momenta are not followed. */
static void look_ahead(const stability_question *ask, stepper *st, mem *m, const place *x,
                       stability *is)
{
    const bool lasts = !stiffness_varies(ask->sys) || x->lam || ask->sys->hamiltonian;
    if ((!is->beyond && !is->rings) || lasts || !move(x, st, ask->h)) return;
    const sys_point next = {.t = ask->t + ask->h, .q = x->q, .w = x->w, .v = x->w};
    const stability then = stability_at(m, ask->sys, ask->sch, ask->h, &next, false);
    if (then.unknown) return;
    if (!then.beyond) is->beyond = FAST_NOTHING;
    if (!then.rings) is->rings = false;
}

stability stability_of(const stability_question *ask, stepper *st)
{
    place     x;
    stability is = {.growth = 1, .rest = 1};
    if (!ask->all && stability_is_sure(ask->sys, ask->sch)) return is;
    mem *m = mem_child(ask->m);
    is.unknown = "its state is not known";
    if (present_place(m, ask->sys, st, &x)) {
        const sys_point at = {.t = ask->t, .q = x.q, .w = x.w, .v = x.v, .lam = x.lam};
        is = stability_at(m, ask->sys, ask->sch, ask->h, &at, ask->all);
        look_ahead(ask, st, m, &x, &is);
    }
    mem_free(m);
    return is;
}

/* In words. ------------------------------------------------------------------------------------ */

static const char *const too_fast[] = {
    [FAST_OSCILLATION] = "the fastest oscillation %s has the angular frequency %.4g",
    [FAST_DAMPING] = "the strongest damping %s has the rate %.4g",
    [FAST_REACTIONS] =
        "constraint forces %s make the system oscillate, as a taut rope does, at the "
        "angular frequency %.4g",
};

void stability_say(const stability_question *ask, const stability *is, const char *where, text *out)
{
    const double h = fabs(ask->h);
    text_printf(out, "step beyond the stability limit of %s: ", ask->sch->name);
    if (is->beyond == FAST_ALL)
        text_printf(out, "the motion %s is stable, and steps of %.6g of it are not", where, h);
    else {
        text_printf(out, too_fast[is->beyond], where,
                    is->beyond == FAST_DAMPING     ? is->c
                    : is->beyond == FAST_REACTIONS ? is->taut
                                                   : is->omega);
        text_printf(out, ", which times the %s is %.4g, and the limit is %.4g",
                    is->beyond == FAST_REACTIONS && ask->sch->substeps > 1 ? "longest substep"
                                                                           : "step",
                    is->limit * h / is->longest, is->limit);
    }
    if (isfinite(is->growth))
        text_printf(out, "; errors grow by a factor of %.3g in each step", is->growth);
}

void stability_advise(const stability_question *ask, const stability *is, text *out)
{
    static const double SAFE = 0.95,
                        FAR = 1e-3; /* rates are found from below; a run that is lost */
    if (is->longest > FAR * fabs(ask->h))
        text_printf(out, "try a step of %.2g", SAFE * is->longest);
    else text_add(out, "try a smaller step");
    if (is->beyond == FAST_DAMPING) text_add(out, "; damped(s) damps at any step");
    else if (!stability_has_reactions(ask->sys))
        text_add(out, "; midpoint and gauss(s) are stable at any step");
}

/* What is left of damping that is gone within a step of the motion. */
static void note_ringing(const stability_question *ask, const stability *is, diags *ds)
{
    text      hint = text_new(ask->m);
    const int s = ask->sch->degree > 2 ? ask->sch->degree : 2;
    text_printf(&hint,
                "damped(%d) damps it at any step, as does gauss(%d) what is written as "
                "'damping'; so does %s with steps below %.2g",
                s, s, ask->sch->name, 2 / is->lasting);
    diag_note(ds, span_none(), text_str(&hint),
              "the strongest damping at the start has the rate %.4g, which times the step is %.4g: "
              "%s does not damp it, but multiplies it by %.3g in each step, and what the start "
              "has of it rings",
              is->lasting, is->lasting * fabs(ask->h), ask->sch->name, is->rest);
    text_drop(&hint);
}

/* Gyroscopic forces as damping make a step unstable, if slowly. */
static void warn_turning(const stability_question *ask, const stability *is, diags *ds)
{
    static const double ROUNDOFF = 1e-8;
    if (!(is->turning > ROUNDOFF)) return;
    diag_warning(
        ds, span_none(),
        ask->sch->damps ? "use gauss(s), and write 'damping' for what takes energy; terms of the "
                          "Lagrangian are no damping in any scheme"
                        : "write that part as 'force', or as a term of the Lagrangian",
        "damping at the start has a gyroscopic part, %.2g of its largest entry, which turns "
        "velocities and takes no energy: as damping it makes errors grow",
        is->turning);
}

void stability_tell(const stability_question *ask, const stability *is, diags *ds)
{
    text message = text_new(ask->m), hint = text_new(ask->m);
    warn_turning(ask, is, ds);
    if (is->beyond) {
        stability_say(ask, is, "at the start", &message);
        stability_advise(ask, is, &hint);
        diag_warning(ds, span_none(), text_str(&hint), "%s", text_str(&message));
    } else if (is->rings) note_ringing(ask, is, ds);
    text_drop(&message), text_drop(&hint);
}

/* Of a run. ------------------------------------------------------------------------------------ */

/* With the energy principle h follows from the energy. */
static bool is_judged(const dal_sim *s)
{
    return s->plan.method.principle != ENERGY;
}

static stability_question question_of(dal_sim *s)
{
    return (stability_question){&s->m, state_solved(s), &s->plan.scheme, s->t, s->plan.h, false};
}

/* The longest substep that goes back, of a step; 0: there is none. */
static double farthest_back(const scheme *sch)
{
    double most = 0;
    for (int k = 0; k < sch->substeps && sch->substeps > 1; k++) most = fmax(most, -sch->gamma[k]);
    return most;
}

void stability_warn(dal_sim *s)
{
    if (!is_judged(s)) return;
    const stability_question ask = question_of(s);
    s->mon.fast = stability_of(&ask, s->st);
    s->mon.back = (undamping){.asked = farthest_back(&s->plan.scheme) > 0 && !s->mon.fast.beyond &&
                                       state_solved(s)->varies[F_FW] == FIELD_VARIES};
    stability_tell(&ask, &s->mon.fast, s->ds);
}

/* A substep that goes back undoes damping, (1 + z/2)/(1 - z/2) fold with z = -gamma h c: beyond 2
 * it does something else. */
void stability_follow(dal_sim *s)
{
    enum { LOOKS = 256 }; /* in a run */
    static const double POLE = 2;
    const scheme       *sch = &s->plan.scheme;
    undamping          *back = &s->mon.back;
    if ((s->k - back->last) * LOOKS < s->plan.steps) return;
    const stability_question ask = question_of(s);
    const stability          is = stability_of(&ask, s->st);
    const double             z = farthest_back(sch) * fabs(s->plan.h) * is.c;
    back->last = s->k;
    if (is.unknown || z < POLE) return;
    diag_note(s->ds, span_none(),
              "see whether half the step changes the motion; gauss(s), and damped(s) with stiff "
              "damping, have any order without going back",
              "at t = %.6g damping has the rate %.4g, and %s goes back by %.3g of a step: there it "
              "cannot undo damping, %.3g in that time, and errors may grow",
              s->t, is.c, sch->name, farthest_back(sch), z);
    back->asked = false;
}

bool stability_is_near(dal_sim *s)
{
    static const double NEAR = 1.25; /* times the step is beyond the limit */
    stability_question  ask = question_of(s);
    ask.h *= NEAR;
    return is_judged(s) && stability_of(&ask, s->st).beyond;
}

bool stability_explain(dal_sim *s, text *out)
{
    if (!is_judged(s)) return false;
    const stability_question ask = question_of(s);
    const bool               first = s->mon.fast.beyond != FAST_NOTHING;
    const stability          is = first ? s->mon.fast : stability_of(&ask, s->st);
    if (!is.beyond) return false;
    stability_say(&ask, &is, first ? "at the start" : "there", out);
    text_add(out, "; ");
    stability_advise(&ask, &is, out);
    return true;
}
