/* curve_points.c - the points of the last curve, for those who integrate along it: ledgers, momenta
 * of other systems. */
#include "mech/stepper.h"

/* Momenta of Hamiltonian coordinates, and all of a curve that is shot, are known where L is sampled
 * only. */
static const samples *points_of(const stepper *st, curve_points of)
{
    const equations *eq = &st->eq;
    bool             anywhere = !eq->phase && st->sch.curve == CURVE_POLYNOMIAL;
    if (of == POINTS_OF_FORCE && eq->force.count) return &eq->force;
    return of == POINTS_OF_RELATIONS && anywhere ? &eq->gauss : &eq->rule;
}

int stepper_points(stepper *st, curve_points of)
{
    const samples *set = points_of(st, of);
    fused_pull(st);
    if (set == &st->eq.gauss && !st->eq.relations)
        equations_place(&st->eq, set, st->y); /* no step needed them */
    return set->count;
}

/*     weight = h b_i,   end_w = b_i l'_d(c_i),   end_q = h b_i l_d(c_i) theory.md [GALERKIN] */
curve_point stepper_point(const stepper *st, curve_points of, int i)
{
    stepper_complete(st);
    const samples *set = points_of(st, of);
    const basis   *at = &set->at[st->eq.mirrored];
    const int      end = i * (st->eq.d + 1) + st->eq.d;
    return (curve_point){&set->point[i], st->eq.h * set->b[i], set->b[i] * at->dl[end],
                         st->eq.h * set->b[i] * at->l[end]};
}

void stepper_watch(stepper *st, void (*watch)(void *self, stepper *st), void *self)
{
    st->watch = watch, st->watcher = self;
}
