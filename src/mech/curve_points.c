/* curve_points.c - the points of the last curve, for those who integrate along it: ledgers, momenta of other systems. */
#include "mech/stepper.h"

static const samples *points_of(const stepper *st, bool of_force)
{
    return of_force && st->eq.force.count ? &st->eq.force : &st->eq.rule;
}

int stepper_points(const stepper *st, bool of_force)
{
    return points_of(st, of_force)->count;
}

/*     weight = h b_i,   end_w = b_i l'_d(c_i),   end_q = h b_i l_d(c_i)                    theory.md [GALERKIN] */
curve_point stepper_point(const stepper *st, bool of_force, int i)
{
    const samples *set = points_of(st, of_force);
    const basis   *at = &set->at[st->eq.mirrored];
    const int      end = i * (st->eq.d + 1) + st->eq.d;
    return (curve_point){&set->point[i], st->eq.h * set->b[i], set->b[i] * at->dl[end],
                         st->eq.h * set->b[i] * at->l[end]};
}

void stepper_watch(stepper *st, void (*watch)(void *self, const stepper *st), void *self)
{
    st->watch = watch, st->watcher = self;
}
