/* dead_point.c - watches whether the relations of a step pass a place where they lose rank: there a
 * mechanism can go on in more than one way.                                   theory.md [RELIABLE]
 */
#include "mech/stepper/stepper.h"

#include <string.h>

enum { LARGE = 512 }; /* unknowns */

void dead_point_init(stepper *st)
{
    dead_point *d = &st->dead;
    if (!st->eq.relations || st->eq.size > LARGE) return;
    d->of = st->eq.redundant;
    if (!d->of) {
        d->of = mem_array(st->m, 1, redundancy);
        redundancy_init(d->of, st->m, st->sys);
    }
    d->q = mem_array(st->m, st->sys->n, double);
}

/* Of the curve that was evaluated last: A at its ends is at hand. The first place is kept. */
void dead_point_note(stepper *st)
{
    const equations *eq = &st->eq;
    dead_point      *d = &st->dead;
    if (!d->of || d->group || eq->shot) return;
    d->group = redundancy_crosses(d->of, eq->control.out[0].A, eq->control.out[eq->d].A);
    if (!d->group) return;
    d->t = eq->t;
    memcpy(d->q, eq->control.q, (size_t)eq->n * sizeof *d->q);
}

static void say_relations(const stepper *st, const relation_group *g, text *out)
{
    enum { SHOWN = 8 };
    for (int i = 0; i < g->rows && i < SHOWN; i++) {
        text_add(out, i ? ", " : "");
        if (st->sys->relation_name) st->sys->relation_name(st->sys->self, g->row[i], out);
        else text_printf(out, "relation %d", g->row[i] + 1);
    }
    if (g->rows > SHOWN) text_add(out, ", ...");
}

const double *stepper_dead_point(const stepper *st, double *t, text *relations)
{
    const dead_point *d = &st->dead;
    if (!d->group) return NULL;
    say_relations(st, d->group, relations);
    *t = d->t;
    return d->q;
}

/* Of the state where a step has failed; a row of length 1 of which this little is left beside the
 * others is about to depend on them. */
void dead_point_explain(stepper *st, text *why)
{
    static const double LITTLE = 0.1;
    equations          *eq = &st->eq;
    const sys_point     at = {.t = st->t, .q = st->q, .w = eq->zero, .v = eq->zero};
    if (!st->dead.of || eq->sys->eval(eq->sys->self, WANT_RELATIONS, 1, &at, &eq->control.out[0]))
        return;
    redundancy_find(st->dead.of, eq->control.out[0].A, field_at(&eq->rule, 0, F_LWW));
    for (int k = 0; k < st->dead.of->groups; k++) {
        const relation_group *g = &st->dead.of->group[k];
        if (g->least > LITTLE) continue;
        text_add(why, "; the relations ");
        say_relations(st, g, why);
        text_printf(why,
                    " are near a dead point, where they depend on each other: %.2g of one is left "
                    "beside the others",
                    g->least);
        return;
    }
}
