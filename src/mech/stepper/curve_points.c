/* curve_points.c - the sample points of the last curve, for integrals along it: ledgers, momenta of
 * other systems. */
#include "mech/stepper/stepper.h"

#include <string.h>

/* Momenta of Hamiltonian coordinates are known where L is sampled; elsewhere they are found from
 * velocities, if possible. A shooting curve is known only where L is sampled. */
static const samples *points_of(const stepper *st, curve_points of)
{
    const equations *eq = &st->eq;
    bool anywhere = (!eq->phase || st->momenta.known) && st->sch.curve == CURVE_POLYNOMIAL;
    if (of == POINTS_OF_FORCE && eq->force.count) return &eq->force;
    return of == POINTS_OF_RELATIONS && anywhere ? &eq->gauss : &eq->rule;
}

/* Momenta of Hamiltonian coordinates are no unknowns at the Gauss points of relations. */
void stepper_prepare_points(stepper *st)
{
    if (st->eq.phase && st->eq.relations && st->sch.curve == CURVE_POLYNOMIAL)
        st->momenta.of = legendre_new(st->m, st->sys);
}

/* Momenta at the Gauss points of the last curve; the guess is a stage of it. */
static bool find_momenta(stepper *st)
{
    const equations *eq = &st->eq;
    const samples   *set = &eq->gauss;
    for (int k = 0; k < set->count; k++) {
        double       *w = set->w + k * eq->n;
        const double *v = set->v + k * eq->n, *stage = eq->rule.w + (k < eq->s ? k : 0) * eq->n;
        memcpy(w, v, (size_t)eq->n * sizeof *w);
        for (int j = 0; j < eq->phase; j++) w[eq->phase_list[j]] = stage[eq->phase_list[j]];
        if (!legendre_solve(st->momenta.of, set->point[k].t, set->q + k * eq->n, v, w))
            return false;
    }
    return true;
}

int stepper_points(stepper *st, curve_points of)
{
    const equations *eq = &st->eq;
    stepper_synchronise(st);
    if (of != POINTS_OF_RELATIONS) return points_of(st, of)->count;
    if (!(eq->relations && equations_use_gauss(eq)) && !eq->shot)
        equations_place(eq, &eq->gauss, st->y, 0, eq->n); /* no step needed them */
    st->momenta.known = st->momenta.of && find_momenta(st);
    return points_of(st, of)->count;
}

int stepper_place(stepper *st)
{
    const equations *eq = &st->eq;
    stepper_synchronise(st);
    if (st->explicitly.due) explicit_complete(st);
    if (st->picard.due) picard_complete(st);
    equations_place(eq, &eq->rule, st->y, 0, eq->n);
    return eq->rule.count;
}

const double *stepper_placed(const stepper *st, int i, double *weight)
{
    *weight = st->eq.h * st->eq.rule.b[i];
    return st->eq.rule.q + i * st->eq.n;
}

/*     weight = h b_i,   end_w = b_i l'_d(c_i),   end_q = h b_i l_d(c_i) theory.md [GALERKIN]
 *     end_d = -h b_i u_d(c_i)                                            theory.md [DAMPING] */
curve_point stepper_point(stepper *st, curve_points of, int i)
{
    stepper_complete(st);
    const samples *set = points_of(st, of);
    const basis   *at = &set->at[st->eq.mirrored];
    const int      end = i * (st->eq.d + 1) + st->eq.d;
    const double  *u = st->eq.upwind.at[st->eq.mirrored], h = st->eq.h;
    return (curve_point){&set->point[i], h * set->b[i], set->b[i] * at->dl[end],
                         h * set->b[i] * at->l[end], u ? -h * set->b[i] * u[end] : 0};
}

void stepper_watch(stepper *st, void (*watch)(void *self, stepper *st), void *self)
{
    st->watch = (curve_watch){watch, self, watch != NULL};
}
