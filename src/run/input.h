/* input.h - inputs that follow a file: a table of times and values, linear in between or held from
 * row to row, and held beyond its ends. Two rows at one time are a jump. */
#ifndef RUN_INPUT_H
#define RUN_INPUT_H

#include "lang/source.h"
#include "model/compile.h"

typedef struct {
    int     input; /* which one it drives */
    int     n;
    double *t, *u;
    bool    held; /* u_k until t_{k+1} */
    const source *file;
    int     last; /* interval of the last look-up: the next is mostly there too */
} track;

typedef struct {
    int    n;
    track *at;
} tracks;

/* Reads "NAME=FILE.csv" or "NAME=held(FILE.csv)": two columns of time and value, or a header with
 * `t` and the input's name. */
dal_status track_read(mem *m, const model *md, const source *option, const kept_texts *kept,
                      diags *ds, track *out);

/* An error if a holonomic relation holds the input, and the table jumps. */
dal_status track_is_continuous(const track *tr, const compiled *c, const source *option, diags *ds);

/* Warns if the table does not reach over the times of a run, from <= until. */
void track_reaches(const track *tr, const source *option, double from, double until, diags *ds);

/* Puts the inputs that have a table to their values at t, or to how fast these change: where the
 * slope jumps, to the mean of both. self is a `tracks`. */
void tracks_at(void *self, double t, double *u);
void tracks_slope(void *self, double t, double *u);

static inline input_course tracks_course(tracks *of)
{
    return (input_course){tracks_at, tracks_slope, of};
}

#endif
