/* structure.h - discrete Dirac structures, as relations that can be evaluated.
 *
 *     (+)  in (T*Q x T*Q) x T*(Q x Q*),     (-)  in (T*Q x T*Q) x T*(Q* x Q)     theory.md [DIRAC]
 *
 * A structure says of z = (q0,p0,q1,p1) whether the points obey its relations, and which covectors
 * alpha belong to z: those over the right base with
 *
 *     alpha = c Omega_d(z) + any combination of the generators     in the fibre,
 *
 * c a number for each coordinate. Induced structures (c = 1), interactions (c = 0), direct sums and
 * bowtie products are of this form, and so is whatever they are combined to. */
#ifndef MECH_DIRAC_STRUCTURE_H
#define MECH_DIRAC_STRUCTURE_H

#include "mech/dirac/distribution.h"
#include "mech/dirac/subspace.h"
#include "mech/dirac/tulczyjew.h"

typedef struct structure structure;
struct structure {
    principle side; /* DIRAC_PLUS or DIRAC_MINUS */
    int       n, relations, generators;
    void     *self;
    double   *c; /* n, fixed */

    /* Fills what follows; false: z is out of reach. */
    bool (*eval)(structure *s, const double *z, double h);
    double *relation;      /* h W_d, displacements that must vanish */
    double *by_q0, *by_q1; /* their derivatives, relations x n      */
    double *generator;     /* generators x 2n                       */
};

/* For kinds of one's own: room is made for what eval fills, and c = 0. */
structure *structure_new(mem *m, principle side, int n, int relations, int generators);

/* D_Delta:  (q0,q1) in Delta_d,  alpha - Omega_d(z) in Delta^o, taken at q0 (+) or at q1 (-). */
structure *structure_induced(mem *m, principle side, const one_forms *W, const retraction_map *R,
                             retraction at);

/* D_int: the same with 0 for Omega_d. With no rows it is the neutral element of the bowtie. */
structure *structure_interaction(mem *m, principle side, const one_forms *W,
                                 const retraction_map *R, retraction at);

/* Of structures of one side, the product of two on the same Q; in bowtie.c.   theory.md [BOWTIE] */
structure *structure_direct_sum(mem *m, structure *const *part, int parts);
structure *structure_bowtie(mem *m, structure *a, structure *b);

/* How far (z, alpha) is from D: the largest of |h W_d|, the mismatch of the base, and the distance
 * of the fibre from those allowed.                                        theory.md [MEMBERSHIP]
 * NaN where z is out of reach. m lends work space. */
double structure_residual(mem *m, structure *s, const double *z, const double *alpha, double h);

/* Directions in which one can leave z within D over a fixed base, as (v_q, v_p, a_q, a_p): a
 * subspace of V x V*, V = T(T*Q). Here v = (dq1, -dp0) for (+), (-dq0, dp1) for (-). */
subspace structure_fibre_tangent(mem *m, structure *s, const double *z, double h);

/* The pairing <<(v,a), (v',a')>> = a.v' + a'.v on a subspace of V x V*: 0 where it is isotropic. */
double pairing_defect(const subspace *D);

/* D itself, as (q0,p0,q1,p1, fibre): a subspace of R^6n where one-forms are constant and R flat. */
subspace structure_space(mem *m, structure *s, double h);

#endif
