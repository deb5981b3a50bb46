/* stage_iteration_inside.h - what stage_iteration.c and their text share. */
#ifndef MECH_LARGE_STAGE_ITERATION_INSIDE_H
#define MECH_LARGE_STAGE_ITERATION_INSIDE_H

#include "base/text_of.h"
#include "mech/large/stage_iteration.h"
#include "model/rows/runs.h"

/* Compiled passes declare the same struct from the same text. */
#define STAGE_FIELDS                                                                               \
    const double *q, *q_low, *p, *p_low;                                                           \
    const double *mobility, *shift, *root; /* 1/m, a, and the root of m                    */      \
    double       *y;                       /* unknowns: where they begin, and are found    */      \
    double       *z, *v, *Z;               /* (h/m) (p - a), (p - a)/m; of stages: Q - q   */      \
    const double *Q, *V;                   /* stages that are read,                        */      \
    double       *next_Q, *next_V;         /* and those that are made of them              */      \
    double       *weight, *moved;          /* of a coordinate: 1/size, and its first change */     \
    double       *found;                   /* of each tile FOUND numbers                   */      \
    double       *to[4];                   /* the state at the end                         */      \
    double        h, part, split;          /* h = part split (mech/solve/stages.h)         */      \
    double        least;                   /* root times the size that counts at least     */      \
    int           n, side;

enum { FOUND = 5, OF_FORCE = 1u << ROW_LQ | 1u << ROW_F, OF_F_ALONE = 1u << ROW_F };

typedef struct {
    const row_reads *s; /* of each stage */
    STAGE_FIELDS
} stage_pass;

typedef void (*stage_function)(const stage_pass *x, int from, int to);
typedef enum { BEGIN, FIRST, NEXT, WEIGH, END, STAGE_KINDS } stage_kind;

typedef struct {
    picard_rows     asked;
    const row_plan *plan;
    row_reads      *reads;
    thread_pool    *pool;
    bool            moves, forced, plain;
    stage_function  pass[STAGE_KINDS];
    stage_pass      x;
    double         *Q[2], *V[2];
    double          reach; /* of the largest position */
} stage_iteration;

/* stage_iteration_text.c */
bool stage_iteration_compile(stage_iteration *s, mem *m, const stepper *st, text *why);

#endif
