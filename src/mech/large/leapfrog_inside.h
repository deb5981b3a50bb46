/* leapfrog_inside.h - inside leapfrog*.c: a pass over rows, the blocks into which the rows are
 * divided, and the gaps between them. */
#ifndef MECH_LARGE_LEAPFROG_INSIDE_H
#define MECH_LARGE_LEAPFROG_INSIDE_H

#include "mech/large/leapfrog.h"
#include "mech/stepper/stepper.h"
#include "model/rows/uniform.h"

enum { STEPS_MOST = 32 }; /* of a time tile */
enum { OF_PART = ROW_SOURCES }; /* among coefficients: the length of the substep */
enum { OF_FORCE = 1u << ROW_LQ | 1u << ROW_F, OF_F_ALONE = 1u << ROW_F };

typedef struct { /* the text declares the same */
    const row_reads *s;
    const double    *c;
    double          *q, *q_low, *p, *p_low;
    double          *kick;  /* (h/2) F                                          */
    const double    *drift; /* h/(m + (h/2) R)                                  */
    const double    *same;  /* of each tile of rows; NaN: they are not the same */
    const double    *resistance; /* R; NULL: none                               */
    double          *force;      /* (h/2) f; NULL: none                         */
    double          *work;       /* h times that of all forces; NULL: none      */
} leapfrog_pass;

/* Kicks rows a .. b-1; positions have been advanced before `done`, and may be up to `to`. The text
 * declares the same struct. */
typedef struct {
    int a, b, done, to;
} leapfrog_range;

/* Stretches in lanes; the text declares the same struct. With plain sums, for which
 *     p_1 = ((p_0 + k_0) - R z) + k_1,   p_1 + k_1 = (((p_0 + k_0) - R z) + k_1) + k_1
 * holds, p is the momentum in the middle of a step, p + k, and there is no separate kick. */
typedef struct {
    const double        *c, *still;
    const double *const *moving;
    double              *q, *q_low, *p, *p_low, *kick;
    const double        *drift, *resistance; /* in lanes; NULL: those of all are the same */
    double               same, same_resistance;
    double              *force, *work; /* NULL: none in lanes */
} leapfrog_lanes;

typedef void (*leapfrog_function)(const leapfrog_pass *x, leapfrog_range *r);
typedef void (*lanes_function)(const leapfrog_lanes *x, leapfrog_range *r);

/* Rows on which several steps are made before their neighbours are needed: each step omits `halo`
 * more rows at either end, and the positions that those will need are saved. Several stretches in
 * lanes, or one in place. */
typedef struct {
    int         from, to, lanes; /* rows of the chain, those of each lane consecutive */
    int         length;          /* of a lane                                                    */
    bool        open[2];         /* there are rows before it, behind it                          */
    double     *edge[2], *edge_low[2]; /* at either end, after each step: halo rows of all lanes */
    leapfrog_lanes x; /* if it has several                                            */
    bool        weighed;         /* drift and same are those of the rows                         */
    int         region;
    double     *still, **moving, *drift, *resistance;
} leapfrog_block;

/* The rows between two lanes, of one block or of two: none at first, and with every step `halo`
 * more on either side. */
typedef struct {
    int low, high;
    int block[2], lane[2]; /* before and behind it; -1: none */
} gap_tile;

typedef struct {
    int             from, to;                  /* all its rows */
    bool            open[2];                   /* there are rows before them, behind them   */
    int             blocks, gaps, halo, steps; /* steps: at most, before gaps are looked at */
    int             strip, behind; /* rows: see leapfrog_time_tiles.c                     */
    leapfrog_block *block;
    gap_tile       *gap;
} leapfrog_division;

/* The rows of a rank, and those beside them, as many as some steps take off. */
typedef struct {
    ranks *of;
    int    own, end;      /* its rows                               */
    int    from, to;      /* with those beside them                 */
    int    steps, margin; /* how many steps, and how many rows      */
    double *message;      /* room for one of them                   */
    bool   is_lost;       /* a rank has left: the numbers are wrong */
    rank_stand lost;      /* which, and why                         */
} rank_rows;

struct leapfrog {
    rank_rows       *mine; /* NULL: all rows are */
    const row_plan  *plan;
    const row_lanes *in_lanes; /* NULL: there are no regions for them */
    bool             lanes_forced; /* forces act there, not only outside of them */
    row_reads reads[STEPS_MOST + 1]; /* after each step of a time tile; not driven: the first */
    bool             driven;
    double           from;       /* t = from + now h               */
    long             first, now; /* numbers of (sub)steps: made, so far */
    double           c[STEPS_MOST + 1][ROW_SOURCES + 1]; /* of each step of a time tile */
    int              parts;      /* substeps of a composition; 1: it is none */
    const double    *gamma;      /* their lengths in steps                   */
    bool             back;       /* the last comes first                     */
    thread_pool      *pool;
    int              n;
    leapfrog_pass     x;
    double          *drift, *same;
    double          *tile_work; /* of each tile of rows */
    double           last_work, all_work; /* of the last step, and of all that were made */
    leapfrog_function forces, step;
    lanes_function    lanes;
    bool            *good;    /* of each part: all is finite */
    leapfrog_division rows, side_by_side;
    double           weighed; /* the h to which drift and same belong; 0: none */
    bool              plain, awake; /* awake: the pool, in the midst of steps */
    double           known; /* the h for which kick is that of the present state; 0: none */
};

/* Of (sub)step k: its length in steps, and when it begins.                  theory.md [COMPOSE] */
double leapfrog_part(const leapfrog *l, long k);
double leapfrog_time(const leapfrog *l, long k);

/* leapfrog_text.c, leapfrog_lanes_text.c: compiles all of it. */
bool leapfrog_compile(leapfrog *l, mem *m, text *why);
void leapfrog_lanes_text(const leapfrog *l, text *out);

/* leapfrog_divide.c: one block in place per thread, and stretches in lanes. */
int  leapfrog_reach(const leapfrog *l, int *steps); /* that rows and lanes have; steps, at most */
void leapfrog_divide(leapfrog *l, mem *m);
void leapfrog_divide_lanes(leapfrog *l, mem *m);

/* leapfrog_ranks.c. False: there are too few rows for so many ranks. */
void rank_range(const leapfrog *l, int rank, int *from, int *to); /* the rows of any rank */
bool leapfrog_share(leapfrog *l, mem *m, ranks *of, int halo, int most);
void leapfrog_exchange(leapfrog *l); /* rows beside those of this rank are what they are elsewhere */
void leapfrog_gather(leapfrog *l, double *x, int each); /* a number of each row, or of each tile */

/* leapfrog_time_tiles.c */
/* The state moves to lanes, and is given back by leapfrog_end_lanes. */
void leapfrog_begin_lanes(leapfrog *l);
void leapfrog_end_lanes(leapfrog *l);
void leapfrog_time_tile(leapfrog *l, leapfrog_division *d, int steps);
void leapfrog_read(leapfrog *l, int steps); /* what rows read now and after so many steps */
/* The threads that are worth using for the work of so many steps of all rows. */
thread_pool *leapfrog_pool(const leapfrog *l, long steps);

#endif
