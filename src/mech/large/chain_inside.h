/* chain_inside.h - what the files of chain.h share. */
#ifndef MECH_LARGE_CHAIN_INSIDE_H
#define MECH_LARGE_CHAIN_INSIDE_H

#include "base/text_of.h"
#include "mech/large/chain.h"
#include "model/rows/uniform.h"

/* Compiled passes declare the same structs from the same text. A stretch is a number of rows of
 * every partition of a group that are processed together; quick: all of them lie in regions
 * (model/rows/uniform.h) whose rows are the same sums. */
#define STRETCH_FIELDS int from, rows, quick, region[GROUP];
#define CHAIN_FIELDS                                                                               \
    const double *c, *q, *q_low, *p, *p_low;                                                       \
    const double *scale;                                                                           \
    double       *y;           /* corrected where it stands */                                     \
    double       *made;        /* of each group MEASURES numbers */                                \
    double        l, slope;                                                                        \
    int           n;                                                                               \
    const stretch *stretch;    /* of group k those from first[k] to first[k + 1] - 1 */            \
    const int     *first;                                                                          \
    const int     *run;        /* of each region those of its terms */

/* The end of a step: the state is advanced and the next step predicted. */
#define CLOSE_FIELDS                                                                               \
    const double *c;            /* of the increment of momenta                        */           \
    const double *history[3];   /* solutions before y                                 */           \
    double       *to[4];        /* the state in lanes: q, its second part, p, and its  */          \
    double       *next, *scale; /* the prediction, and the size of each unknown lately */          \
    double       *row[4];       /* where the state goes row by row; NULL: nowhere      */

typedef struct {
    STRETCH_FIELDS
} stretch;

typedef struct {
    const row_reads *s;
    CHAIN_FIELDS
} chain_pass;

typedef struct {
    const chain_pass *at;
    CLOSE_FIELDS
} chain_close;

/* Forward elimination of group `number`, and back substitution. */
typedef void (*chain_down)(const chain_pass *x, group *s, int number);
typedef void (*chain_up)(const chain_pass *x, group *s, int number);
typedef void (*chain_end)(const chain_close *e, const group *s, int number);
typedef void (*chain_turn)(const chain_pass *x, int length, int number, const double *of,
                           double *to);

enum {
    MEASURES = 3 * GROUP,     /* of each lane: largest d/s, d, s */
    QUICK_TILE = 96,         /* rows of a quick stretch at most */
    GUARD_MOST = 16          /* rows                            */
};

/* Arrays in lanes (chain_lanes.c), which compiled passes work on: the state (q, its low part, p,
 * and its low part), the unknowns and their sizes, and, for steps that stay in lanes
 * (chain_steps.c), the previous state, past solutions, newest first, and room for the next. */
enum { LANE_Q, LANE_Q_LOW, LANE_P, LANE_P_LOW, LANE_STATE };
typedef struct {
    double *state[LANE_STATE], *before[LANE_STATE], *y, *scale, *history[4], *next;
} lane_arrays;

struct chain_passes {
    const row_plan  *plan;
    unsigned         sources;
    bool             plain;
    thread_pool     *pool;
    const row_lanes *lanes; /* NULL: no stretch is quick */
    partitions         *partitions;
    chain_pass       pass;
    int              guard; /* rows of its neighbours copied to either side of a partition */
    lane_arrays      in;
    bool in_lanes, ahead;         /* chain_steps.c: lanes hold the state; past solutions alone */
    bool             left;        /* the next step was tried there, and is left to step.c */
    chain_down       down;
    chain_up         up;
    chain_end        close;
    chain_turn       turn_in, turn_out;
};

/* chain_lanes.c: converts all rows to lanes and back; and refreshes the guard rows once the rows
 * they copy have changed. */
void      chain_make_lanes(chain_passes *c, mem *m);
void      chain_make_history(chain_passes *c, mem *m);
ptrdiff_t chain_lane_numbers(const chain_passes *c);
void chain_into_lanes(chain_passes *c, const double *rows, double *lanes);
void chain_out_of_lanes(chain_passes *c, const double *lanes, double *rows);
void chain_state_into_lanes(chain_passes *c, const chain_point *at);
void chain_state_out_of_lanes(chain_passes *c, double *const *lanes, double *const *rows);
void chain_point_at_lanes(chain_passes *c);
void chain_exchange(const chain_passes *c, double *lanes);

/* chain.c: a correction from c->pass, and its size. */
partition_end chain_correct_here(chain_passes *c, row_measure *made);

/* chain_stretches.c: cuts all groups into stretches. */
void chain_divide(chain_passes *c, mem *m);

/* chain_text.c and chain_end_text.c: parts of the text. */
void chain_begin_quick(const chain_passes *c, text *out);
void chain_write_end(const chain_passes *c, text *out);

#endif
