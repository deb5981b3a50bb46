/* inside.h - the inside of an interaction: interaction.c evaluates it, reactions.c has its
 * derivatives, vary.c its dependence on time, parameters and inputs. */
#ifndef MECH_INTERACTION_INSIDE_H
#define MECH_INTERACTION_INSIDE_H

#include "mech/interaction/interaction.h"

struct interaction {
    dal_system     sys; /* what the methods see                             */
    dal_system    *of;
    node_equations grid;     /* of the whole: gives u = (a, v', lam)             */
    const uint8_t *as_force; /* per row of the whole                             */
    int           *row;      /* of each row that is kept: its row in the whole   */
    int           *of_A;     /* of each entry of the whole's A: ours; -1: none   */
    sys_inner      inner;
    int           *f_u_of; /* of each entry of f_u: that of A it comes from    */
    sys_rates     *rates;
    sys_variation *beside;
    double        *lam, *weights; /* rows of the whole                         */
    double        *speed;         /* v' of all coordinates                     */
    sys_values     room;
    sys_change     change, moved; /* of the whole; along the motion            */
};

/* Weights of the kept rows (NULL: 0) as those of all rows; and of all rows, those of forces
 * only. */
const double *joint_kept(interaction *x, const double *lam);
const double *joint_forces(interaction *x, const double *lam);

/* The motion that u describes. */
sys_motion joint_motion(interaction *x, const double *u);

/* interaction/reactions.c */
void joint_shape(interaction *x, mem *m);
bool joint_linearise(interaction *x, const sys_point *at, sys_values *out);

/* interaction/vary.c: sys->vary; and how f and c change along a direction at a point whose u is
 * known. */
sys_variation *joint_vary(void *self, mem *m);
void joint_change(interaction *x, const sys_point *at, const sys_direction *along, double *f,
                  double *c);
void joint_change_room(interaction *x, mem *m);

#endif
