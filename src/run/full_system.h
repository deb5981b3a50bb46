/* full_system.h - the system as it was written, recovered from the reduced one that is solved: that
 * has fewer coordinates and relations, and positions, momenta and reactions of the whole follow
 * from its state.
 *
 *     q = T z + c,   v = T z',   p = L_v(t, q, v),   A^T lam = d/dt L_v - L_q - f theory.md [TIES]
 * */
#ifndef RUN_FULL_SYSTEM_H
#define RUN_FULL_SYSTEM_H

#include "base/archive.h"
#include "mech/stepper/step.h"
#include "model/compile.h"
#include "model/ties/reduce.h"

/* Ties are eliminated; all relations are kept; connections become forces, or all relations do
 * (mech/interaction/interaction.h). */
typedef enum { ELIMINATE, MULTIPLIERS, FORCES, REACTIONS, INTERCONNECTIONS } joining;

/* What is solved instead of a model, compiled: shared by simulations. NULL: the model itself. */
typedef struct {
    bool            eliminated; /* ties and their coordinates; else only ties that repeat others */
    const ties     *of;
    reduction       by;
    const compiled *compiled;
} solved_form;
void solved_forms_new(mem *m, const model *md, const solved_form *out[INTERCONNECTIONS]);

typedef struct {
    const solved_form *form;
    const compiled    *compiled; /* of the full_system        */
    dal_system        *sys;
    bound             *bound; /* of what is solved   */
    tie_numbers        n;
    double            *parameter;
    double            *z, *pz, *vz;     /* a start for what is solved */
    double            *start_p;         /* of the whole; or NULL      */
    double            *q, *v, *p, *lam; /* the state                  */
    double            *elsewhere;           /* of another point           */
    double            *at_point[2], *w; /* q, v and w at a point; NULL: only the state */
    double            *rate, *rho, *join, *junction;
    sys_values         room;
    long               at_q, at_v, at_p, at_lam; /* the steps they belong to; -1: none */
    bool               only_kept;                /* lam: of relations that are solved with */
    bool               known;                    /* parameters: to what is solved          */
} full_system;

/* What will be asked for: the state; that and the multipliers of relations that are solved with;
 * the state and any point of a curve, as for the papers' momenta; multipliers of what was taken out
 * too. */
typedef enum {
    FULL_SYSTEM_STATE,
    FULL_SYSTEM_KEPT,
    FULL_SYSTEM_POINTS,
    FULL_SYSTEM_REACTIONS
} full_system_use;

/* bound: of the whole. */
dal_status  full_system_new(mem *m, const solved_form *form, const compiled *c, bound *of,
                            const double *parameter, const double *input, full_system_use use,
                            diags *ds, full_system **out);
dal_system *full_system_solved(full_system *w);
void        full_system_archive(full_system *w, archive *r); /* what a checkpoint keeps of it */

/* Parameters have changed; the state must be put again. m lends work space. On failure all is as it
 * was. */
dal_status full_system_parameters(full_system *w, mem *m, const double *parameter, diags *ds);

/* A consistent start of the whole, put into the stepper of what is solved. */
void full_system_set(full_system *w, stepper *st, double t, const double *q, const double *p,
                     const double *v);

/* After full_system_parameters: what is solved has the numbers of the ties at q, though no state
 * was put. */
void full_system_look(full_system *w, const double *q);

/* The state of the whole at step k, time t. */
const double *full_system_q(full_system *w, stepper *st, long k);
const double *full_system_v(full_system *w, stepper *st, long k);
const double *full_system_p(full_system *w, stepper *st, long k, double t, momentum reported);
const double *full_system_multipliers(full_system *w, stepper *st, long k, double t);

/* Positions of the whole, of any z; and accelerations at the present state. Valid until the next
 * call. */
const double *full_system_spread(full_system *w, const double *z);
const double *full_system_rates(full_system *w, stepper *st);

/* Any point of what is solved, seen in the whole: into at_point and w. Then its reactions, into
 * lam, from the rates and reactions of what is solved. */
void full_system_point(full_system *w, const sys_point *at);
void full_system_reactions_at(full_system *w, double t, const double *rate, const double *lam);

/* The field xi of the whole as one of what is solved, xi = T xi_z; false: the ties do not allow it.
 * Takes the place of the last point. */
bool full_system_descend(full_system *w, const double *xi, double *xi_z);

#endif
