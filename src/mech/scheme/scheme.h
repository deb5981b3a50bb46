/* scheme.h - a scheme is a curve times a quadrature; every scheme is a row of one table. */
#ifndef MECH_SCHEME_SCHEME_H
#define MECH_SCHEME_SCHEME_H

#include "base/diag.h"

enum { DEGREE_MOST = 32, STAGES_MOST = DEGREE_MOST + 1 }; /* of a curve; points of a quadrature */

/* Nodes c_i in [0,1], weights b_i, sum b_i = 1.                           theory.md [QUADRATURE]
 * order: polynomials of degree < order are integrated exactly. */
typedef struct {
    int    s, order;
    double c[STAGES_MOST], b[STAGES_MOST];
    bool   symmetric;
} quadrature;

bool quadrature_gauss(quadrature *r, int s);
bool quadrature_lobatto(quadrature *r, int s);     /* s >= 2 */
bool quadrature_radau(quadrature *r, int s);       /* c_s = 1 */
bool quadrature_radau_left(quadrature *r, int s);  /* c_1 = 0 */
void quadrature_rectangle(quadrature *r, double alpha);

typedef enum { CURVE_POLYNOMIAL, CURVE_SHOOTING } curve_kind;

enum { CLAIM_SYMMETRIC = 1, CLAIM_SYMPLECTIC = 2, CLAIM_DAMPS = 4 };
enum { SUBSTEPS_MOST = 64 };

typedef struct {
    char       title[160];       /* canonical: "polynomial(2) with lobatto(3)" */
    char       name[160];        /* the short name if there is one, "lobatto(3)"; else the title */
    char       force_title[48];  /* of the rule of f: "gauss(2)" */
    curve_kind curve;
    int        degree;           /* d of polynomial(d) */
    quadrature rule;             /* of L, and of f unless another is given */
    quadrature force;            /* of f */
    bool       own_force_rule;
    bool       damps;            /* every force that holds a velocity is damping */
    int        order;            /* claimed: theory.md [SCHEME], [FORCE] */
    unsigned   claims;
    int        substeps;         /* 1, or the stages of a composition */
    double     gamma[SUBSTEPS_MOST];
    char       shooting[32];     /* map of a shooting curve, e.g. "taylor(4)" */
    int        map, map_order;   /* its row in flow.h, and its order */
} scheme;

/* Reads "lobatto(3)", "polynomial(2) with gauss(3)", "compose(midpoint, suzuki(4))"; force may be
 * NULL. On failure returns a status, and `why` says what is wrong and what would be right.
 * A force rule equal to that of L counts as none. Titles read back as the same scheme. */
dal_status scheme_parse(scheme *out, const char *what, const char *force, text *why);

/* Rows of the table, for `methods`, docs and tests. */
typedef struct {
    const char *name;     /* "lobatto(s)"           */
    const char *example;  /* "lobatto(3)"           */
    const char *order;    /* "2s-2"                 */
    const char *curve;    /* "polynomial(s-1)"      */
    const char *title;    /* one line               */
    const char *cite;
    unsigned    claims;
    int         least, most; /* range of s; 0, 0 if it takes none */
    const char *points;   /* of the quadrature: "s"                           */
    const char *solves;   /* "implicit": whether a step is solved for         */
    const char *needs;    /* of the system, for its claims to hold            */
} scheme_row;
const scheme_row *scheme_rows(int *count);

/* Rows of the compositions: yoshida(4), yoshida(6), ...; order 0 stands for any even one. */
typedef struct {
    const char *name;
    int         order;
    const char *cite, *title;
    int         steps; /* of a scheme of order 2; 0: it depends on the order */
} composition_row;
const composition_row *composition_rows(int *count);

/* Basis of the curve: Lagrange polynomials l_nu at its control nodes, the Lobatto(d+1) points,
 * sampled at points x.                                                         theory.md [CURVE] */
typedef struct {
    int     d, points;
    double *l, *dl; /* l[i*(d+1) + nu] = l_nu(x_i), dl = l'_nu(x_i) */
} basis;
basis basis_new(mem *m, int d, const double *x, int points);

/* upwind.c: the order that is left where there is damping, and where there is none. */
int scheme_order(const scheme *sch, bool damped);

/* Has the scheme upwinded functions, for damping and states? Those of gauss(s), s >= 2. */
bool scheme_upwinds(const scheme *sch);

/*     u_nu(c_i) = beta d_nu phi(c_i),   d_nu = sum_i b_i phi(c_i) l'_nu(c_i)  theory.md [DAMPING]
 * at the Gauss points of a basis, d + 1 numbers for each. */
double *upwind_new(mem *m, const basis *at, const double *x, const double *b);

/* chi = (P_{s-1} + P_s)/2 vanishes at the start, is 1 at the end, and its upwinded function is 0 at
 * every Gauss point: the rows weighed with it hold no damping. */
typedef struct {
    double *node;  /* chi(x_nu) at the control nodes         */
    double *w, *q; /* b_i chi'(c_i), b_i chi(c_i)            */
} upwind_end;
upwind_end *upwind_end_new(mem *m, const basis *at, const double *b);

#endif
