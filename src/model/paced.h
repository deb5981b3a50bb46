/* paced.h - a model in another time, dt = g dtau; ' = d/dtau, v = q'/g. Canonical, the Poincare
 * transformation of L and H:
 *
 *     L~(q, q') = g (L(q, v) + E0),   H~(q, p) = g (H(q, p) - E0)
 *
 * whose motion at the energy E0 is that of L and H, with the same momenta. Where something depends
 * on time, t is a coordinate with the momentum -E, and g p(t) takes the place of -g E0 in H~. So it
 * is with forces, whose virtual work is f~.(q-variation) - f.q' (t-variation), f~ = g f, and with
 * constraints A q' + b t' = 0.
 * Plain, for forces and constraints too:
 *
 *     L~ = g L(q, v),   H~ = g H,   f~ = g f + g_q e,   A q' + g b = 0,   t' = g
 *
 * with the energy e = v.L_v - L + H.                                            theory.md [PACE] */
#ifndef MODEL_PACED_H
#define MODEL_PACED_H

#include "model/model.h"

typedef struct {
    const element *g; /* reads the data of the model */
    bool           plain;
    bool           clock; /* t is a coordinate, the last one */
} paced_form;

/* md: a copy (model_copy). Canonical without a clock it has a parameter more, the last one, E0.
 * Outputs and figures are left out. */
void model_pace(mem *m, model *md, const paced_form *as);

/* Does a term of this kind read t? */
bool model_reads_time(const model *md);

/* A pace for the model as it is:
 *
 *     g = (w0^4 + sum_ij V_ij^2/(M_i M_j))^(-1/4),   or   (1 + sum_i M_i v_i^2)^(-1/2)
 *
 * of the stiffness V'' = -L_qq and the inertia M_i = L_{v_i v_i} at rest, or of the speed. False:
 * there is no inertia. */
bool model_own_pace(mem *m, const model *md, double w0, bool by_speed, element *out);

#endif
