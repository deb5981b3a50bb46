/* chain_inside.h - what chain.c, chain_stretches.c and chain_text.c share. */
#ifndef MECH_CHAIN_INSIDE_H
#define MECH_CHAIN_INSIDE_H

#include "base/once_more.h"
#include "mech/chain.h"
#include "model/row_lanes.h"

/* Compiled passes declare the same structs, of the same text. A stretch: rows of every strand of a rope that are taken at
 * a time; quick: all lie in regions (model/row_lanes.h) whose rows are the same sums. */
#define STRETCH_FIELDS int from, rows, quick, region[ROPE];
#define CHAIN_FIELDS                                                                               \
    const double *c, *q, *q_low, *p, *p_low, *a, *b; /* a, b: past solutions; NULL: scale is known */ \
    const double *y;                                                                               \
    double       *to, *scale, *made; /* to: y with its correction; made: of each rope MEASURES numbers */ \
    double        l, slope;                                                                        \
    int           n;                                                                               \
    const stretch *stretch; /* of rope k those from first[k] to first[k + 1] - 1           */      \
    const int     *first;                                                                          \
    const int     *run;     /* of each region those of its terms                           */

typedef struct {
    STRETCH_FIELDS
} stretch;

typedef struct {
    const row_reads *s;
    CHAIN_FIELDS
} chain_pass;

/* Down rope `number` from stretch k on, to its end or only as far as spikes live; the stretch that is next. And up. */
typedef int (*chain_down)(const chain_pass *x, rope *s, int number, int k, int as_spikes);
typedef void (*chain_up)(const chain_pass *x, rope *s, int number);

enum {
    MEASURED = 12,               /* unknowns that are measured side by side */
    MEASURES = 1 + 3 * MEASURED, /* see improve                             */
    QUICK_TILE = 96              /* rows of a quick stretch at most         */
};

typedef struct { /* of one part */
    row_machine *rows;
    double      *q, *w, *planes;
} room;

typedef struct { /* of one part, in chain_flight.c */
    rope        first, now, next;
    double     *small, *lead, *last;
    int         stretch; /* with which the next rope goes on */
    strands_end end;
} flight;

struct chain_passes {
    const row_plan  *plan;
    unsigned         sources;
    bool             plain;
    crew            *hands;
    const row_lanes *lanes; /* NULL: no stretch is quick */
    strands         *strands;
    chain_pass       pass;
    chain_down       down; /* NULL: by the machine */
    chain_up         up;
    room            *room; /* of each part         */
    bool             in_flight; /* see chain_flight.c; */
    flight          *flight;    /* of each part; NULL: there is but one rope */
};

/* chain.c: a rope by whoever does it. */
int  chain_go_down(const chain_passes *c, int part, rope *s, int number, int k, bool as_spikes);
void chain_go_up(const chain_passes *c, int part, rope *s, int number);

/* chain_flight.c: both passes rope by rope. */
void        chain_prepare_flight(chain_passes *c, mem *m);
strands_end chain_fly(chain_passes *c);

/* chain_stretches.c: cuts all ropes into stretches. */
void chain_divide(chain_passes *c, mem *m);

/* chain.c: as text. */
extern const char *const CHAIN_IMPROVE[3];

#endif
