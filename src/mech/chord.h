/* chord.h - what a scheme makes of one chord (q0, q1, h): discrete Lagrangian, discrete forces,
 * momenta; and the exact ones.
 *
 *     L_d = h sum_i b_i L^i,   f_d^- = h sum_i b_i (dq^i/dq0)^T f^i,
 *     f_d^+ = h sum_i b_i (dq^i/dq1)^T f^i
 *     -p_0 = D_1 L_d + f_d^-,   p_1 = D_2 L_d + f_d^+                      theory.md [DUPLICATION]
 *
 * with dq^i/dq0, dq^i/dq1 the derivatives of the curve in its ends. The exact ones are the
 * integrals along the motion from q0 to q1. For diagnostics of small systems without relations:
 * slow, dense, and apart from the stepper. */
#ifndef MECH_CHORD_H
#define MECH_CHORD_H

#include "base/text.h"
#include "mech/scheme.h"
#include "model/system.h"

enum { CHORD_MOST = 2 }; /* coordinates */

typedef struct {
    double L, minus[CHORD_MOST], plus[CHORD_MOST], p0[CHORD_MOST], p1[CHORD_MOST];
} chord;

typedef struct chords chords;

/* NULL: the system or the scheme does not allow it, and `why` says what is missing. */
chords *chords_new(mem *m, dal_system *sys, const scheme *sch, text *why);
void    chords_free(chords *c);

/* The motion from (t, q0, v0) over h: its end, and what is exact on its chord. */
bool chord_exact(chords *c, double t, double h, const double *q0, const double *v0, double *q1,
                 chord *out);

/* The scheme on the same chord; v0 of the motion is the guess. */
bool chord_discrete(chords *c, double t, double h, const double *q0, const double *q1,
                    const double *v0, chord *out);

/* Of curves through control points Q^0 .. Q^d, polynomial schemes only (degree 0: none):
 *     G_nu = sum_i b_i [l'_nu L_v + h l_nu L_q]^i + h sum_j b'_j l_nu f^j
 * and the discrete action of the doubled system, L(Q,V) - L(q,v) - (F(q,v) + F(Q,V)).(q - Q)/2,
 * which gives the same as its derivative in Q^nu where both copies agree. */
int    chord_degree(const chords *c);
bool   chord_gradient(chords *c, double t, double h, const double *Q, double *G);
double chord_doubled_action(chords *c, double t, double h, const double *Q, const double *q);

#endif
