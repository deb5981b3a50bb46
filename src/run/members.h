/* members.h - the members of an ensemble: which parameters and starts are varied, and their value
 * in each member.
 *
 *     k=1..10/19             19 values, evenly from 1 to 10         k=1..5        whole numbers
 *     k=0.01..100/9 log      evenly in the logarithm                k=1, 2, 5     a list; pieces
 * may be ranges x=normal(0, 0.1)       drawn at random (run/random.h)
 *
 * Grids, the rows of a table and random draws multiply; the first grid varies slowest, draws
 * fastest. */
#ifndef RUN_MEMBERS_H
#define RUN_MEMBERS_H

#include "model/model.h"
#include "run/random.h"

typedef enum { AXIS_GRID, AXIS_TABLE, AXIS_RANDOM } axis_kind;

typedef struct {
    axis_kind     kind;
    const source *of;    /* the text that it stands in, for messages        */
    span          at;    /* its name there                                  */
    const char   *name;  /* "k", "first.x'", "p(x)"                         */
    bool          start; /* of a coordinate; else a parameter or an input   */
    vec(double) value;   /* of a grid, or one per row of the table          */
    distribution d;
    double       a, b; /* its numbers                                     */
    uint64_t     key;
} axis;

typedef struct {
    mem   *m;
    diags *ds;
    vec(axis) axes;
    long     rows;  /* of the table; 0: there is none */
    long     draws; /* 0: not said                    */
    uint64_t seed;
    long     count; /* of members, once they are settled */
} members;

enum { MEMBERS_MOST = 100000000 };

dal_status members_grid(members *ms, const source *of);
dal_status members_random(members *ms, const source *of);
dal_status members_table(members *ms, const source *path);
dal_status members_draws(members *ms, const source *of); /* a whole number */
dal_status members_seed(members *ms, const source *of);

/* Counts them, and finds out what each name is in the model, beside the overrides that are given
 * anyway. */
dal_status members_settle(members *ms, const model *md, const overrides *over);

double members_value(const members *ms, int axis, long who);

/* The overrides of one member: those given anyway and its own, all in m. */
overrides members_overrides(const members *ms, const overrides *over, long who, mem *m);

#endif
