/* sweep_shares.h - the members of a sweep in shares, and who takes them: threads of this process,
 * and those of other ranks. */
#ifndef API_SWEEP_SHARES_H
#define API_SWEEP_SHARES_H

#include "api/sweep.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct far_shares far_shares; /* sweep_ranks.c */

typedef struct {
    dal_sweep                *w;
    const dal_sweep_observer *o;
    long                      share, shares; /* members in a share, and how many there are */
    atomic_long               next, done;    /* share to begin; members that are done      */
    atomic_int                stop;          /* a dal_status, once it is to end            */
    dal_status                refused;       /* the observer wants no more members         */
    double                    looked;        /* when it was asked                          */

    pthread_mutex_t lock; /* of what follows                        */
    pthread_cond_t  told; /* a share is finished, or a worker ends  */
    uint8_t        *finished;
    long            ready; /* shares that are finished, up to the first that is not */
    int             at_work;

    ranks      *ranks;   /* NULL: there is one                               */
    int         others;  /* of them are at work; on those, 1 until all have ended */
    bool        warned;  /* that they are to stop                            */
    double      stopped; /* when                                            */
    bool       *heard;   /* on rank 0: the others have ended; by rank        */
    mem        *notes;   /* on rank 0: texts of members of the others        */
    far_shares *far;     /* those that this rank has got; NULL: it is rank 0 */
} shared_sweep;

void sweep_stop(shared_sweep *c, dal_status why); /* the first reason counts */
long sweep_share_end(const shared_sweep *c, long share);

/* sweep_ranks.c. Threads come for the next share, which may be under way; the caller's thread
 * speaks with the other ranks. working: there are threads that have not ended. */
void sweep_ranks_begin(shared_sweep *c);
bool sweep_ranks_next(shared_sweep *c, long *share);
void sweep_ranks_ended(shared_sweep *c, long share); /* c->lock is held */
void sweep_ranks_serve(shared_sweep *c, bool working);
void sweep_ranks_end(shared_sweep *c);

#endif
