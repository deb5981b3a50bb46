/* runs.h - a large system as passes over its rows: every term as runs of instances whose
 * coordinates advance by a common stride, and C text that evaluates a stretch of rows, each summed
 * once and in a fixed order.
 *
 * What a pass computes of row i is
 *     y_i = sum of c[s] times what source s gives row i,     s = L_w, L_q, f
 *     J_{i,i+o} = sum of c[s] times the entries of source s, s = L_ww, L_qq, f_q, f_w, |o| <= reach
 * with coefficients c that the caller chooses each time. So one text serves residual, Newton's
 * matrix and the forces of explicit steps; the text is compiled by kernel/native.h. */
#ifndef MODEL_ROWS_RUNS_H
#define MODEL_ROWS_RUNS_H

#include "base/text.h"

#include <stdbool.h>

typedef struct dal_system dal_system;

typedef enum { ROW_LW, ROW_LQ, ROW_F, ROW_LWW, ROW_LQQ, ROW_FQ, ROW_FW, ROW_SOURCES } row_source;

enum { ROWS_TILE = 256 }; /* rows that are evaluated at a time */

#include "step/rows.h"

typedef struct run_table run_table;
typedef struct region    row_region;
typedef struct rows      row_reads; /* where a pass reads */

typedef struct row_plan row_plan;

/* The runs for these sources (bits 1 << row_source), with entries at most `reach` from the
 * diagonal. NULL: the system is not a compiled model (it has functions of a caller, or reactions as
 * forces), does not consist of such runs, or of too many terms. */
const row_plan *row_plan_new(mem *m, const dal_system *sys, unsigned wanted, int reach);
int             row_plan_halo(const row_plan *p); /* how far from its row it reads or adds */
row_reads       row_plan_reads(const row_plan *p, double t);

/* The rows where all velocities are 0. */
const row_plan *row_plan_at_rest(mem *m, const row_plan *p);

bool row_plan_gives(const row_plan *p, row_source s); /* is there a term of that source? */

/* Text. row_plan_declare: struct rows, and functions that the loops call. row_plan_loops:
 * statements that evaluate rows a .. b-1, at most ROWS_TILE, where these names are known:
 *     const struct rows *s;  const double *c, *q, *w;  int first, a, b;
 * q and w begin with coordinate `first` and reach halo beyond a and b. row_plan_sum: the expression
 * for what they gave row a + i: of plane 0 it is y, of plane 1 + reach + o it is J at distance o.
 * Only the sources in `wanted` are computed. */
void row_plan_declare(text *out);
void row_plan_loops(const row_plan *p, unsigned wanted, text *out);
void row_plan_sum(const row_plan *p, unsigned wanted, int plane, text *out);

/* A function that does `each` for rows a .. b-1, where `sum` is y of row a + i, called as
 *     NAME(s, c, cf, q, w, first, a, b, reads .., writes ..)
 * with arrays that begin with row a. force: if not NULL, then also this, where `force` is what f
 * alone gives with the coefficients cf. Rows in the middle of a chain are added up in one loop,
 * those at the ends of runs by the loops above. */
typedef struct {
    const char        *name;
    unsigned           wanted;
    const char *const *reads, *const *writes; /* names, and then NULL */
    const char        *each, *force;
    /* Rows i .. i + 3 at once, where the terms are such: `sum` and `force` are then of type v4,
     * which a text has declared, with V(pointer) for four numbers. count: if not NULL, those fours
     * that begin at a multiple of four are counted by it instead of four_force, into the sums of
     * begin .. end; they are the last argument. */
    const char *each_four, *force_four, *count, *begin, *end, *sums;
} row_function;
void row_plan_function(const row_plan *p, const row_function *f, text *out);

#endif
