/* uniform.h - regions of a chain in which every row is the same sum of the same terms. Such a
 * region is cut into stretches of equal length that are processed side by side, each in a lane of
 * its own: row r of all stretches is contiguous, neighbours are neighbours in every lane, and all
 * loops have constant bounds.
 *
 * The sums are those of runs.h, in the same order, so a row has the same bits either way. */
#ifndef MODEL_ROWS_UNIFORM_H
#define MODEL_ROWS_UNIFORM_H

#include "base/vec.h"
#include "model/rows/runs.h"

typedef struct row_loops row_loops;

enum { ROW_LANES = 8, SITE_MOST = 12 }; /* rows of a site, after which all repeats itself */

typedef struct {
    int  from, to; /* rows: whole sites            */
    int *run;      /* of each term of the pattern  */
} lane_region;

typedef struct lane_term lane_term; /* rows/summands.h */

typedef struct {
    int site, ahead, back;   /* rows that a row needs after and before it            */
    int stills, movings;     /* inputs that are the same for all instances, and others */
    vec(lane_region) region;
    const row_loops *loops;
    int              terms;
    lane_term       *term;
} row_lanes;

/* NULL: most rows are not in regions of one kind. n: rows of the system. */
const row_lanes *row_lanes_new(mem *m, const row_plan *p, unsigned wanted, int n);

/* Is there a term of that source in the regions? */
bool row_lanes_give(const row_lanes *w, row_source s);

/* What a stretch reads besides coordinates: rows from .. from + length - 1 of region r, in lane l.
 * still: a number for each such input; moving[j]: room for row_lanes_instances of lanes. */
void row_lanes_read(const row_lanes *w, const row_reads *s, int r, int from, int length, int l,
                    double *still, double *const *moving);
void row_lanes_read_time(const row_lanes *w, double t, double *still); /* only that */
int  row_lanes_instances(const row_lanes *w, int moving, int length);

/* Text, for a function that is given
 *     const struct lanes { const double *c, *still; const double *const *moving; ... } *x;
 *     enum { L = ROW_LANES };
 * arrays: those that the terms of `sites` sites are kept in. history: what comes before row a.
 * terms: instances of n sites from row a, where q points at row a. shift: the end of the arrays
 * becomes what comes before. sum: what these sources give row `row` of site k in lane i, or, if a
 * site is a row, e = k L + i. */
void row_lanes_arrays(const row_lanes *w, int sites, text *out);
void row_lanes_history(const row_lanes *w, text *out);
void row_lanes_terms(const row_lanes *w, text *out);
void row_lanes_shift(const row_lanes *w, text *out);
void row_lanes_sum(const row_lanes *w, unsigned wanted, int row, text *out);

/* The same for one site after the other (emit_sites.c), which may lie in a region of its own in
 * each lane. A function has
 *     enum { L = ROW_LANES };  const struct rows *s;  const double *c;
 * room: arrays for what a stretch of so many rows reads besides coordinates; parameters: those
 * arrays once more, as a function takes or is given them. read: from `row` on, `rows` of them, in
 * lane l, of the runs `run` of its region. arrays: for what is carried from site to site. The
 * others stand in a loop over l, where Q_AT(i) and W_AT(i) are coordinate and velocity i rows
 * behind row a, the first of a site. history: what comes before the first one; terms and sum (of
 * the sources that are wanted, by plane and row as in runs.h): its own; carry: for the next. */
void row_sites_room(const row_lanes *w, int rows, text *out);
void row_sites_parameters(const row_lanes *w, const char *type, text *out);
void row_sites_read(const row_lanes *w, text *out);
void row_sites_arrays(const row_lanes *w, text *out);
void row_sites_history(const row_lanes *w, text *out);
void row_sites_terms(const row_lanes *w, text *out);
void row_sites_carry(const row_lanes *w, text *out);
void row_sites_sum(const row_lanes *w, unsigned wanted, int plane, int row, text *out);

#endif
