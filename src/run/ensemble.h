/* ensemble.h - what makes the steps of ensemble members: functions compiled once for all of them,
 * where that repays the compilation. */
#ifndef RUN_ENSEMBLE_H
#define RUN_ENSEMBLE_H

#include "mech/ensemble/block.h"
#include "mech/stepper/compiled_step.h"
#include "run/simulation.h"

typedef struct {
    lane_steps     block;     /* several members at once; NULL: none         */
    int            lanes;     /* how many                                    */
    compiled_steps alone;     /* one of them; NULL: none                     */
    const dal_sim *first;     /* that the others must be like; it is kept    */
    const char    *no_native; /* why members are interpreted though they should not be, or NULL */
} ensemble;

/* The functions live in m. steps: of a run with nothing swept; recorded: rows are asked for, so
 * that every member runs by itself; how: "auto", "vm" or "native". */
void ensemble_choose(ensemble *e, mem *m, const dal_sim *first, long steps, bool recorded,
                     const char *how);

/* Could the member, at its start, be one of a block? Those of one block have the same times. */
bool ensemble_takes(const ensemble *e, const dal_sim *s);
bool ensemble_keeps_time(const dal_sim *one, const dal_sim *other);

/* Has a member that runs by itself use what was compiled for one. */
void ensemble_attach(const ensemble *e, dal_sim *s);

lane_block *ensemble_block(mem *m, const ensemble *e);
void        ensemble_begin(lane_block *b, const dal_sim *like); /* with its times */

/* The first steps are made by the simulation; then its member joins the block. */
dal_status ensemble_join(lane_block *b, int l, dal_sim *s);

/* repeat_lanes.c: parts of all steps are made again; to be told at the beginning, and asked at the
 * end, when b->again.found is known. */
void repeat_lanes_init(mem *m, const ensemble *e, lane_block *b);
void repeat_lanes_begin(lane_block *b);
void repeat_lanes_sample(lane_block *b);
void repeat_lanes_judge(const ensemble *e, lane_block *b);

/* Steps of the block; the last of all is left to each member. False: they are done, or no member is
 * left. */
bool ensemble_advance(const ensemble *e, lane_block *b, long most);

/* A member lost in the last step repeats it by itself and rejoins the block; false: it cannot. */
bool ensemble_rescue(lane_block *b, int l, dal_sim *s, bool shared);

/* It goes on by itself, in the simulation with which it joined, */
void ensemble_leave(const lane_block *b, int l, dal_sim *s);

/* or in one that has been others since: that becomes its own again. */
void ensemble_return(const lane_block *b, int l, dal_sim *s);
bool ensemble_is_shareable(const dal_sim *s); /* one after the other by simulation_again */

#endif
