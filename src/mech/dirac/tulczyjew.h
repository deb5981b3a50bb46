/* tulczyjew.h - the discrete Tulczyjew triple: spaces of four blocks each, and maps between them.
 *
 *     T*(Q x Q)  <--kappa_d--  T*Q x T*Q  --Omega_d+-->  T*(Q x Q*)           theory.md [TULCZYJEW]
 *                                         --Omega_d--->  T*(Q* x Q)
 *
 * A point of any of them is 4n numbers, in the order in which it is written below. Every map is a
 * permutation of its blocks with signs, and a row of one table. */
#ifndef MECH_DIRAC_TULCZYJEW_H
#define MECH_DIRAC_TULCZYJEW_H

typedef enum {
    KAPPA,       /* ((q0,p0),(q1,p1)) -> (q0, q1, -p0, p1)     type 1: L_d            */
    OMEGA_PLUS,  /* ((q0,p0),(q1,p1)) -> (q0, p1, p0, q1)      type 2: H_d+           */
    OMEGA_MINUS, /* ((q0,p0),(q1,p1)) -> (p0, q1, -q0, -p1)    type 3: H_d-           */
    GAMMA_PLUS,  /* (q0, q1, a0, a1)  -> (q0, a1, -a0, q1)     Omega_d+ o kappa_d^-1  */
    GAMMA_MINUS, /* (q0, q1, a0, a1)  -> (-a0, q1, -q0, -a1)   Omega_d- o kappa_d^-1  */
} triple_map;

void triple_apply(triple_map map, int n, const double *x, double *y);
void triple_invert(triple_map map, int n, const double *y, double *x);

/* The discrete Dirac differential gamma_d+- o dL_d; with forces, of D1 L_d + f_d^-, D2 L_d + f_d^+.
 *     (+)  (q0, D2 L_d, -D1 L_d, q1)        (-)  (-D1 L_d, q1, -q0, -D2 L_d) */
void dirac_differential(triple_map gamma, int n, const double *q0, const double *q1,
                        const double *d1ld, const double *d2ld, double *alpha);

#endif
