/* inside.h - what start.c and momenta.c share: a start that is being completed. */
#ifndef MECH_START_INSIDE_H
#define MECH_START_INSIDE_H

#include "mech/start/least_change.h"
#include "mech/start/start.h"

enum { START_ITERATIONS_MOST = 60 };

/* A violation this small, relative to its terms, is due to the digits that were typed. */
#define START_TOLERATED 1e-9

/* What may be changed: what is marked free; also what is tied to that; what the start does not
 * specify; everything. */
typedef enum { REACH_FREE, REACH_TIED, REACH_UNSAID, REACH_ALL } reach;

typedef struct {
    dal_system *sys;
    start      *s;
    mem        *m;
    reach       may, may_velocities; /* of what is being settled; of velocities, when they are */
    bool        placed;              /* positions satisfy the relations                        */
    int         n, relations;
    double     *w, *v;
    /* where everything is evaluated: (t, q, w, v) as they are now */
    sys_point   at;
    sys_values  out;
    text       *why;
} work;

static inline bool is_phase(const work *k, int i)
{
    return k->sys->hamiltonian && k->sys->hamiltonian[i];
}

static inline unsigned given(const work *k, int i)
{
    return k->s->given ? k->s->given[i] : GIVEN_Q | GIVEN_V;
}

/* Is Lambda_w given rather than w? */
static inline bool is_dual(const work *k, int i)
{
    return (given(k, i) & (is_phase(k, i) ? GIVEN_V : GIVEN_P)) != 0;
}

static inline bool evaluate(work *k, unsigned want)
{
    return !k->sys->eval(k->sys->self, want, 1, &k->at, &k->out);
}

/* v of what Lambda_w and w are now */
static inline void spread(work *k)
{
    for (int i = 0; i < k->n; i++) k->v[i] = is_phase(k, i) ? -k->out.Lw[i] : k->w[i];
}

bool   start_has_inertia(const work *k, int i);
void   start_say_coordinate(work *k, int i);
double start_largest(const double *x, int n);

/* Rows from..to-1 of A, with the columns of Hamiltonian coordinates multiplied by dv/dp, v =
 * -Lambda_w, if p is in w: -A Lambda_ww. */
sparse_entries start_relation_entries(const work *k, mem *m, int from, int to, bool in_w);

/* w of what was given as Lambda_w. */
dal_status start_momenta(work *k);

/* A momentum given to a coordinate without inertia must be the one that L gives it. */
dal_status start_check_momenta(work *k);

#endif
