/* noether.c - momenta of symmetries, booked curve by curve. What is carried from step to step is
 * the momentum before reactions act at the grid point; what is reported satisfies the relations
 * there, and the difference is an impulse of theirs, too. */
#include "run/noether.h"

#include "model/generator.h"
#include "run/simulation.h"

#include <math.h>
#include <string.h>

typedef struct {     /* of one symmetry */
    double  ahead;   /* by which the reported J was more than the carried one, at the start */
    double  carried; /* at the end of the last curve                                       */
    double  F[2];    /* at the ends of the curve                                           */
    double *xi;      /* at its nodes, of what is solved                                    */
    bool    allowed; /* by the ties that were eliminated                                   */
} course;

struct noether {
    dal_sim         *s;
    generators      *of;
    int              count, nodes, n; /* n: coordinates of what is solved */
    dal_impulses    *sum, *shown;
    course          *course;
    bool             begun;    /* some curve has been booked */
    double          *z, *zero; /* a node, n each             */
    generator_values at;
};

/* The field of symmetry k at a point of what is solved; false: the ties do not allow it. */
static bool field_at(noether *x, int k, double t, const double *z, double *xi)
{
    dal_sim        *s = x->s;
    const sys_point of_z = {.t = t, .q = z, .w = x->zero, .v = x->zero};
    sys_point       at = of_z;
    if (s->full) full_system_point(s->full, &of_z), at.q = s->full->at_point[0];
    generator_eval(x->of, s->bound, s->mon.declared[k], &at, NULL, &x->at);
    if (s->full) return full_system_descend(s->full, x->at.xi, xi);
    memcpy(xi, x->at.xi, (size_t)x->n * sizeof *xi);
    return true;
}

/* The momentum that the stepper carries at the present state. */
static double carried_now(noether *x, int k)
{
    course *c = &x->course[k];
    c->allowed &= field_at(x, k, x->s->t, stepper_q(x->s->st), c->xi);
    return stepper_carried_along(x->s->st, c->xi) + x->at.J;
}

static double reported_now(const noether *x, int k)
{
    return reading_outputs(x->s)[x->s->md->outputs + x->s->mon.declared[k]];
}

static bool has_reactions(const noether *x)
{
    const dal_system *sys = state_solved(x->s);
    return sys->m + sys->r > 0 || stepper_moves_between(x->s->st);
}

noether *noether_new(dal_sim *s)
{
    static const double MOST = 1e6; /* numbers of all fields together */
    mem                *m = &s->m;
    if (!s->mon.symmetries || (double)s->mon.symmetries * s->sys->n > MOST) return NULL;
    noether *x = mem_array(m, 1, noether);
    *x = (noether){.s = s, .count = s->mon.symmetries, .nodes = stepper_nodes(s->st)};
    x->n = state_solved(s)->n, x->of = generators_new(m, s->compiled);
    x->sum = mem_array(m, x->count, dal_impulses), x->shown = mem_array(m, x->count, dal_impulses);
    x->course = mem_array(m, x->count, course);
    x->z = mem_array(m, x->n, double), x->zero = mem_array(m, x->n, double);
    x->at.xi = mem_array(m, s->sys->n, double);
    for (int k = 0; k < x->count; k++) {
        course *c = &x->course[k];
        c->xi = mem_array(m, (x->nodes + 1) * x->n, double), c->allowed = x->nodes > 0;
        x->sum[k] = (dal_impulses){.name = s->mon.momentum[k].name, .first = reported_now(x, k)};
        c->ahead = x->sum[k].first - carried_now(x, k);
    }
    return x;
}

static void take_fields(noether *x, const stepper *st)
{
    for (int nu = 0; nu < x->nodes; nu++) {
        const double t = stepper_node(st, nu, x->z);
        for (int k = 0; k < x->count; k++) {
            course *c = &x->course[k];
            c->allowed &= field_at(x, k, t, x->z, c->xi + nu * x->n);
            if (nu == 0) c->F[0] = -x->at.J;
            c->F[1] = -x->at.J;
        }
    }
}

/* What moves the state between two curves does so as reactions do. */
void noether_book(noether *x, stepper *st)
{
    const bool moves = stepper_moves_between(st);
    take_fields(x, st);
    for (int k = 0; k < x->count && x->nodes; k++) {
        course               *c = &x->course[k];
        dal_impulses         *to = &x->sum[k];
        const momentum_change by = stepper_along(st, c->xi);
        if (moves && x->begun) to->relations += by.first - c->F[0] - c->carried;
        to->forces += by.forces, to->relations += by.relations;
        to->lagrangian += by.lagrangian - (c->F[1] - c->F[0]);
        c->carried = by.last - c->F[1];
    }
    x->begun = true;
}

const dal_impulses *noether_read(noether *x, size_t *count)
{
    const bool moves = stepper_moves_between(x->s->st) && x->begun;
    for (int k = 0; k < x->count; k++) {
        const course *c = &x->course[k];
        dal_impulses *out = &x->shown[k];
        *out = x->sum[k], out->last = reported_now(x, k);
        const double carried = moves ? c->carried : carried_now(x, k);
        if (has_reactions(x)) out->relations += out->last - carried - c->ahead;
        if (!c->allowed) out->forces = out->relations = out->lagrangian = (double)NAN;
    }
    *count = (size_t)x->count;
    return x->shown;
}

/* Not in checkpoints of versions that kept no such account: it then begins anew. */
void noether_archive(noether *x, archive *r)
{
    enum { NUMBERS = 6 };
    mem    *m = &x->s->m;
    size_t  all = (size_t)x->count * NUMBERS;
    double *number = mem_resize(m, NULL, all * sizeof *number);
    archive_section(r, "noether.");
    if (r->reading && archive_count(r, "all") < 0) return;
    for (int put = 0; put < (r->reading ? 2 : 1); put++) {
        for (int k = 0; k < x->count; k++) {
            dal_impulses *i = &x->sum[k];
            course       *c = &x->course[k];
            double       *mine[NUMBERS] = {&i->first,      &i->forces, &i->relations,
                                           &i->lagrangian, &c->ahead,  &c->carried};
            double       *at = number + k * NUMBERS;
            for (int e = 0; e < NUMBERS; e++) *(put ? mine[e] : &at[e]) = *(put ? &at[e] : mine[e]);
        }
        if (!put) archive_doubles(r, "all", number, all);
    }
    archive_bool(r, "begun", &x->begun);
    mem_drop(m, number);
}
