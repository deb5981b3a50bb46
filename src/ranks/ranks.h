/* ranks.h - the processes that work on one task together, which mpirun has started: which of them
 * this is, and messages among them.
 *
 * All run the same program on the same model. What differs is what each of them works on, and that
 * rank 0 alone delivers results. MPI is known to one file only, a library of its own that is loaded
 * where there are several ranks (mpi/module.c). One thread of a rank, the caller's, sends and
 * receives. */
#ifndef RANKS_RANKS_H
#define RANKS_RANKS_H

#include <stdbool.h>
#include <stddef.h>

/* What the library has to offer. A message is bytes of some kind, and those of one sender come in
 * the order in which they were sent. */
enum { RANK_FUNCTIONS_VERSION = 1 };
typedef struct {
    int version;
    const char *(*begin)(int *rank, int *count); /* NULL, or why there is none                   */
    bool (*send)(int to, int kind, const void *bytes, size_t n); /* copied; it does not wait.
                                                                    False: no memory for it      */
    bool (*look)(int from, int *kind, size_t *n); /* has a message come, and of what kind?       */
    void (*wait)(int from, int *kind, size_t *n); /* until one has                               */
    void (*take)(int from, void *bytes);          /* the one that was looked at                  */
    void (*end)(void);                            /* all ranks call it                           */
} rank_functions;
#define RANK_FUNCTIONS "dalembert_ranks" /* the name of its only symbol, such a struct */

enum {              /* kinds of messages */
       RANK_STANDS, /* a rank to rank 0: how it stands     */
       RANK_HEARS,  /* rank 0 to all: how all stand        */
       RANK_ENDS,   /* a rank does not take part any more  */
       RANK_WORKS   /* from here on: of the task           */
};

enum { RANK_WORDS = 480 };
typedef struct { /* how a rank stands */
    int  status; /* 0: well                                           */
    int  rank;   /* whose                                             */
    char why[RANK_WORDS];
    char as[RANK_WORDS]; /* what must be the same on all */
} rank_stand;

typedef struct {
    const rank_functions *by;
    void                 *library;
    int                   rank, count;
    bool                 *ended; /* ranks that do not take part any more; count */
} ranks;

/* As how many processes was this program started? 1: alone, or it cannot be told. */
int ranks_started(void);

/* Loads the library, the first that is found under these paths, and begins. False: `why` says what
 * is missing. */
bool ranks_begin(ranks *k, const char *const *path, int paths, char why[RANK_WORDS]);

/* Where do all stand? Each says how it does itself; what is given back is the same on all: of the
 * lowest rank that is not well, else of rank 0. One whose `as` is not that of rank 0 is not well
 * (status `unlike`). */
rank_stand ranks_agree(ranks *k, const rank_stand *mine, int unlike);

/* Takes leave, which ends the task on ranks that are in the midst of it, and waits for all. */
void ranks_end(ranks *k, const rank_stand *mine);

/* The next message from a rank, waited for. False: it has taken leave, and *stand says why. */
bool ranks_next(ranks *k, int from, int *kind, size_t *n, rank_stand *stand);

#endif
