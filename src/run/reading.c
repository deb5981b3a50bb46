/* reading.c - the state of a simulation, the stepper's own or the whole's that follows from it; and
 * energy, outputs, reactions and residuals there, each computed at most once. */
#include "mech/stepper/stepper.h"
#include "run/simulation.h"

#include <math.h>

/* w is v or p as the coordinate has it; where reactions are not determined they are NaN. */
bool state_joint_reactions(dal_sim *s)
{
    const int     rows = s->sys->m + s->sys->r;
    const double *v = stepper_v(s->st), *p = stepper_p(s->st);
    for (int i = 0; i < s->sys->n; i++)
        s->joins.w[i] = s->sys->hamiltonian && s->sys->hamiltonian[i] ? p[i] : v[i];
    const joint_rows *j = &s->joins;
    const bool known = interaction_reactions(s->joint, s->t, s->st->q, j->w, v, j->of_solved, NULL);
    for (int a = 0; a < rows; a++)
        j->lam[a] = !known ? (double)NAN : j->row[a] < 0 ? 0 : j->of_solved[j->row[a]];
    return known;
}

/* The pointer is valid until the next step. */
const double *state_q(const dal_sim *s)
{
    return s->full ? full_system_q(s->full, s->st, s->k) : s->st->q;
}

const double *state_v(const dal_sim *s)
{
    return s->full ? full_system_v(s->full, s->st, s->k) : stepper_v(s->st);
}

/* The papers' momenta are those of polynomial curves. */
const double *state_p(const dal_sim *s)
{
    const bool polynomial = s->plan.scheme.curve == CURVE_POLYNOMIAL;
    momentum   shown = polynomial ? s->plan.method.momentum : MOMENTUM_PROJECTED;
    const bool from_whole = s->full && !s->joint; /* forces leave no coordinate out */
    return from_whole ? full_system_p(s->full, s->st, s->k, s->t, shown) : stepper_p(s->st);
}

const double *state_multipliers(dal_sim *s)
{
    if (s->events && s->events->now) return events_multipliers(s);
    if (s->joint) return state_joint_reactions(s), s->joins.lam;
    return s->full ? full_system_multipliers(s->full, s->st, s->k, s->t)
                   : stepper_multipliers(s->st);
}

/* The system that the stepper has, of which the state above is the whole. */
dal_system *state_solved(const dal_sim *s)
{
    if (s->joint) return interaction_system(s->joint);
    return s->full ? full_system_solved(s->full) : s->sys;
}

enum { HAVE_ENERGY = 1, HAVE_OUTPUTS = 2, HAVE_MULTIPLIERS = 4 };

/* Room for all readings of a run; a step takes no memory. */
void readings_init(dal_sim *s)
{
    int n = s->sys->n, rows = s->sys->m + s->sys->r;
    int outputs = s->md ? model_columns(s->md) : 0;
    s->now = (readings){.output = mem_array(&s->m, outputs, double)};
    if (s->sys->hamiltonian) s->now.w = mem_array(&s->m, n, double);
    s->now.room.Lq = sys_room(&s->m, s->sys, false, n);
    s->now.room.Lw = mem_array(&s->m, n, double);
    s->now.room.e = mem_array(&s->m, rows, double);
    s->now.room.g = mem_array(&s->m, s->sys->r, double);
    if (rows) s->now.room.A = mem_array(&s->m, pattern_count(&s->sys->A), double);
}

/* The present state as a point of the system. */
static void place(dal_sim *s)
{
    readings     *now = &s->now;
    const double *v = state_v(s), *p = now->w ? state_p(s) : NULL; /* costly for joined parts */
    for (int i = 0; i < s->sys->n && now->w; i++) now->w[i] = s->sys->hamiltonian[i] ? p[i] : v[i];
    now->at = (sys_point){.t = s->t, .q = state_q(s), .w = now->w ? now->w : v, .v = v};
}

/* Evaluates what is wanted of the system there, into now.room. */
static const sys_values *evaluate(dal_sim *s, unsigned want)
{
    readings *now = &s->now;
    place(s);
    if (s->sys->eval(s->sys->self, want, 1, &now->at, &now->room)) now->room.L = NAN;
    return &now->room;
}

bool reading_nonfinite_source(dal_sim *s, text *out)
{
    return s->sys->nonfinite_source && s->sys->nonfinite_source(s->sys->self, &s->now.at, out);
}

/* L_w at the present state, where it is known. NULL: nobody has computed it, momenta are others,
 * or it is asked for with other inputs. */
static const double *known_gradient(dal_sim *s)
{
    if (s->joint || s->sys->timed) return NULL;
    if (!s->full) return stepper_gradient(s->st);
    return s->plan.method.momentum == MOMENTUM_PROJECTED ? state_p(s) : NULL;
}

/* L too, if the end solve has left it. */
static bool reported_lagrangian(dal_sim *s)
{
    double *L = &s->now.room.L;
    if (s->full || !stepper_lagrangian(s->st, L) || !isfinite(*L)) return false;
    place(s);
    return true;
}

/* E = sum over the Lagrangian coordinates of L_v v  -  (L - H)                 theory.md [PHASE] */
double reading_energy(dal_sim *s)
{
    if (s->now.have & HAVE_ENERGY) return s->now.energy;
    s->now.have |= HAVE_ENERGY;
    const double     *known = known_gradient(s), *v = state_v(s);
    const sys_values *at = &s->now.room;
    if (!known || !reported_lagrangian(s)) evaluate(s, known ? WANT_L : WANT_L | WANT_GRADIENT);
    const double *Lw = known ? known : at->Lw;
    double        sum = 0, all = 0;
    for (int i = 0; i < s->sys->n; i++) {
        bool   phase = s->now.w && s->sys->hamiltonian[i];
        double pv = (phase ? s->now.w[i] : Lw[i]) * v[i];
        if (!phase) sum += pv;
        all += fabs(pv);
    }
    s->now.energy = sum - at->L;
    s->now.energy_size = all + fabs(s->now.energy); /* in any units */
    return s->now.energy;
}

/* Kept until the state moves. */
const double *reading_multipliers(dal_sim *s)
{
    if (!(s->now.have & HAVE_MULTIPLIERS))
        s->now.lam = s->sys->m + s->sys->r ? state_multipliers(s) : NULL;
    s->now.have |= HAVE_MULTIPLIERS;
    return s->now.lam;
}

/* Both outputs and momenta of symmetries, of which outputs may hold reactions. */
const double *reading_outputs(dal_sim *s)
{
    if (!s->bound || s->now.have & HAVE_OUTPUTS) return s->now.output;
    s->now.have |= HAVE_OUTPUTS;
    const double *lam = s->sys->m + s->sys->r ? reading_multipliers(s) : NULL;
    bound_outputs(s->bound, s->t, state_q(s), state_v(s), state_p(s), lam, s->now.output);
    return s->now.output;
}

/*     max(|A v + beta|, |g|) */
double reading_constraints(dal_sim *s)
{
    double worst = 0;
    if (!(s->sys->m + s->sys->r)) return worst;
    const sys_values *at = evaluate(s, WANT_RELATIONS | (s->sys->r ? WANT_HOLONOMIC : 0u));
    for (int a = 0; a < s->sys->m + s->sys->r; a++) worst = fmax(worst, fabs(at->e[a]));
    for (int a = 0; a < s->sys->r; a++) worst = fmax(worst, fabs(at->g[a]));
    return worst;
}

const double *reading_relations(dal_sim *s)
{
    if (s->sys->m + s->sys->r) evaluate(s, WANT_RELATIONS);
    return s->now.room.A;
}

/* Of the step that led here; at the start, of the next one, and the energy itself. */
static double length_value(const dal_sim *s)
{
    if (s->pace) return s->pace->length;
    return s->k ? stepper_length(s->st) : s->plan.h;
}

static double discrete_energy_value(dal_sim *s)
{
    return s->k ? stepper_discrete_energy(s->st) : reading_energy(s);
}

/* Numbers of a kind, in the order of their indices; *one holds a kind of a single number. */
static const double *column_numbers(dal_sim *s, column_kind kind, double *one)
{
    switch (kind) {
    case COL_TIME: return &s->t;
    case COL_Q: return state_q(s);
    case COL_P: return state_p(s);
    case COL_OUTPUT: return reading_outputs(s);
    case COL_SYMMETRY: return reading_outputs(s) + s->md->outputs;
    case COL_MULTIPLIER: return reading_multipliers(s);
    case COL_INPUT: return bound_input(s->bound, s->t);
    case COL_H: return *one = length_value(s), one;
    case COL_DISCRETE_ENERGY: return *one = discrete_energy_value(s), one;
    default: return *one = reading_energy(s), one;
    }
}

/* Reads what is needed, and each of it once for a state. */
double column_value(dal_sim *s, column c)
{
    double one;
    return column_numbers(s, c.kind, &one)[c.index];
}

/* The first column of an output or of a symmetry's momentum that has no value; -1: each has one. */
int column_undefined(dal_sim *s)
{
    double one;
    for (int i = 0; s->bound && i < s->stretch.n; i++) {
        const column_stretch *of = &s->stretch.at[i];
        if (of->first.kind != COL_OUTPUT && of->first.kind != COL_SYMMETRY) continue;
        const double *from = column_numbers(s, of->first.kind, &one) + of->first.index;
        for (int k = 0; k < of->count; k++)
            if (!isfinite(from[k])) return of->at + k;
    }
    return -1;
}

void column_values(dal_sim *s, double *out)
{
    double one;
    for (int i = 0; i < s->stretch.n; i++) {
        const column_stretch *of = &s->stretch.at[i];
        const double         *from = column_numbers(s, of->first.kind, &one) + of->first.index;
        for (int k = 0; k < of->count; k++) out[of->at + k] = from[k];
    }
}
