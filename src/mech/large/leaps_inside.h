/* leaps_inside.h - inside leaps*.c: a pass over rows as text and by the machine, the blocks into
 * which the rows are divided, and the zones between them. */
#ifndef MECH_LARGE_LEAPS_INSIDE_H
#define MECH_LARGE_LEAPS_INSIDE_H

#include "mech/large/leaps.h"
#include "mech/stepper/stepper.h"
#include "model/rows/lanes.h"
#include "model/rows/machine.h"

enum { STEPS_MOST = 32 }; /* of a wave */
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
} leap;

/* Kicks rows a .. b-1; positions have been advanced before `done`, and may be up to `to`. The text
 * declares the same struct. */
typedef struct {
    int a, b, done, to;
} leap_range;

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
} leap_lanes;

typedef void (*leap_function)(const leap *x, leap_range *r);
typedef void (*lanes_function)(const leap_lanes *x, leap_range *r);

/* Rows on which several steps are made before their neighbours are needed: each step omits `halo`
 * more rows at either end, and the positions that those will need are saved. Several stretches in
 * lanes, or one in place. */
typedef struct {
    int         from, to, lanes; /* rows of the chain, those of each lane consecutive */
    int         length;          /* of a lane                                                    */
    bool        open[2];         /* there are rows before it, behind it                          */
    double     *edge[2], *edge_low[2]; /* at either end, after each step: halo rows of all lanes */
    leap_lanes  x;               /* if it has several                                            */
    bool        weighed;         /* drift and same are those of the rows                         */
    int         region;
    double     *still, **moving, *drift, *resistance;
} leap_block;

/* The rows between two lanes, of one block or of two: none at first, and with every step `halo`
 * more on either side. */
typedef struct {
    int low, high;
    int block[2], lane[2]; /* before and behind it; -1: none */
} leap_zone;

typedef struct {
    int         blocks, zones, halo, steps; /* steps: at most, before zones are looked at */
    int         strip, behind;              /* rows: see leaps_waves.c                     */
    leap_block *block;
    leap_zone  *zone;
} leap_division;

struct leaps {
    const row_plan  *plan;
    const row_lanes *in_lanes; /* NULL: there are no regions for them */
    bool             lanes_forced; /* forces act there, not only outside of them */
    row_reads        reads[STEPS_MOST + 1]; /* after each step of a wave; not driven: the first */
    const dal_system *sys;
    bool             driven;
    double           from;       /* t = from + now h               */
    long             first, now; /* numbers of steps: made, so far */
    double           c[ROW_SOURCES];
    thread_pool      *pool;
    int              n;
    leap             x;
    double          *drift, *same;
    double          *tile_work; /* of each tile of rows */
    double           last_work, all_work; /* of the last step, and of all that were made */
    leap_function    forces, step; /* NULL: by the machine */
    lanes_function   lanes;
    row_machine    **machine; /* of each part         */
    row_machine    **alone;   /* the same for f alone; NULL: there is none */
    bool            *good;    /* of each part: all is finite */
    leap_division    rows, side_by_side;
    double           weighed; /* the h to which drift and same belong; 0: none */
    bool              plain, awake; /* awake: the pool, in the midst of steps */
    double           known; /* the h for which kick is that of the present state; 0: none */
};

/* leaps_text.c, leaps_lanes_text.c: compiles all of it. */
bool leaps_compile(leaps *l, mem *m, text *why);
void leaps_lanes_text(const leaps *l, text *out);

/* leaps_machine.c */
void leaps_make_machines(leaps *l, mem *m);
void machine_forces(const leaps *l, const leap *x, const leap_range *r, int part);
void machine_step(const leaps *l, const leap *x, leap_range *r, int part);

/* leaps_divide.c: one block in place per thread, and stretches in lanes. */
void leaps_divide(leaps *l, mem *m);
void leaps_divide_lanes(leaps *l, mem *m);

/* leaps_waves.c */
void leaps_begin_lanes(leaps *l); /* the state moves there, to be given back by leaps_end_lanes */
void leaps_end_lanes(leaps *l);
void leaps_wave(leaps *l, leap_division *d, int steps);
void leaps_read(leaps *l, int steps); /* what rows read now and after so many steps */
/* The threads that are worth using for the work of so many steps of all rows. */
thread_pool *leaps_pool(const leaps *l, long steps);

/* x += d in two parts: exact where x is the larger, and where it is not what is lost is below the
 * roundoff of d itself.                                                    theory.md [SUMMATION] */
static inline void leap_add(double *x, double *low, double d)
{
    const double rest = d + *low, sum = *x + rest;
    *low = rest - (sum - *x);
    *x = sum;
}

#endif
