/* keeper.h - checkpoints of a run: when they are due, and what the program adds to them so that
 * `dalembert resume` finds its files again. */
#ifndef CLI_KEEPER_H
#define CLI_KEEPER_H

#include "cli.h"

typedef struct {
    const char *path;    /* NULL: none are asked for                 */
    const char *cadence; /* as it was written: "60s", "1000"         */
    double      seconds; /* between two of them; 0: by steps         */
    long        steps;
    double      last;    /* when the last was written,               */
    long        last_step; /* and at which step                      */
} keeper;

/* The flags --checkpoint and --checkpoint-every, two rows. */
int keeper_flags(flag_row *out);

/* What the flags say; where they say nothing, the given path and cadence (NULL: none, a minute). */
int keeper_read(keeper *k, const arguments *a, const char *path, const char *cadence);

/* After a step: is one due? `now` is asked for the clock, if that is what counts. */
bool keeper_due_by_steps(const keeper *k, long step);
bool keeper_due_by_clock(const keeper *k, double now);

/* Writes it, with its own notes: where and how often. */
dal_status keeper_save(keeper *k, dal_sim *s, double now);

#endif
