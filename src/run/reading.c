/* reading.c - energy, outputs, reactions and residuals at the present state, each computed at most
 * once. */
#include "run/simulation.h"

#include <math.h>

enum { HAVE_ENERGY = 1, HAVE_OUTPUTS = 2, HAVE_MULTIPLIERS = 4 };

void readings_init(dal_sim *s)
{
    int n = s->sys->n, rows = s->sys->m + s->sys->r;
    int outputs = s->md ? s->md->outputs + s->md->symmetries : 0;
    s->now = (readings){.output = mem_array(&s->m, outputs, double)};
    if (s->sys->hamiltonian) s->now.w = mem_array(&s->m, n, double);
    s->now.room.Lq = sys_room(&s->m, s->sys, false, n);
    s->now.room.Lw = mem_array(&s->m, n, double);
    s->now.room.e = mem_array(&s->m, rows, double);
    s->now.room.g = mem_array(&s->m, s->sys->r, double);
    if (rows) s->now.room.A = mem_array(&s->m, pattern_count(&s->sys->A), double);
}

static sys_point present(dal_sim *s)
{
    const double *v = state_v(s), *p = s->now.w ? state_p(s) : NULL; /* costly for joined parts */
    for (int i = 0; i < s->sys->n && s->now.w; i++)
        s->now.w[i] = s->sys->hamiltonian[i] ? p[i] : v[i];
    return (sys_point){.t = s->t, .q = state_q(s), .w = s->now.w ? s->now.w : v, .v = v};
}

bool reading_nonfinite_source(dal_sim *s, text *out)
{
    sys_point at = present(s);
    return s->sys->nonfinite_source && s->sys->nonfinite_source(s->sys->self, &at, out);
}

/* Evaluates what is wanted of the system at the present state, into now.room. */
static const sys_values *evaluate(dal_sim *s, unsigned want)
{
    sys_point at = present(s);
    if (s->sys->eval(s->sys->self, want, 1, &at, &s->now.room)) s->now.room.L = NAN;
    return &s->now.room;
}

/* E = sum over the Lagrangian coordinates of L_v v  -  (L - H)                 theory.md [PHASE] */
double reading_energy(dal_sim *s)
{
    if (s->now.have & HAVE_ENERGY) return s->now.energy;
    s->now.have |= HAVE_ENERGY;
    const sys_values *at = evaluate(s, WANT_L | WANT_GRADIENT);
    const double     *v = state_v(s);
    double            sum = 0, all = 0;
    for (int i = 0; i < s->sys->n; i++) {
        bool   phase = s->now.w && s->sys->hamiltonian[i];
        double pv = (phase ? s->now.w[i] : at->Lw[i]) * v[i];
        if (!phase) sum += pv;
        all += pv;
    }
    s->now.energy = sum - at->L;
    s->now.energy_size = fabs(all) + fabs(s->now.energy); /* in any coordinates */
    return s->now.energy;
}

const double *reading_multipliers(dal_sim *s)
{
    if (!(s->now.have & HAVE_MULTIPLIERS))
        s->now.lam = s->sys->m + s->sys->r ? state_multipliers(s) : NULL;
    s->now.have |= HAVE_MULTIPLIERS;
    return s->now.lam;
}

const double *reading_outputs(dal_sim *s)
{
    if (!s->bound || s->now.have & HAVE_OUTPUTS) return s->now.output;
    s->now.have |= HAVE_OUTPUTS;
    const double *lam = s->sys->m + s->sys->r ? reading_multipliers(s) : NULL;
    bound_outputs(s->bound, s->t, state_q(s), state_v(s), state_p(s), lam, s->now.output);
    return s->now.output;
}

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
