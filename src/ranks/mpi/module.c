/* module.c - messages by MPI: a library of its own, the only file that knows MPI. Nothing here
 * waits within MPI, where a rank that has died would never be heard of again. */
#include "ranks/ranks.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What was sent, until it has left; then room for the next message. */
typedef struct sent {
    struct sent *next;
    MPI_Request  request;
    bool         under_way;
    size_t       room;
    char         bytes[];
} sent;

/* What comes from a rank. */
typedef struct {
    enum { NOTHING, COMES, HERE } state;
    MPI_Request request;
    char       *bytes;
    size_t      room;
    int         kind, size;
} coming;

static struct {
    MPI_Comm comm;
    bool     ours; /* it was begun here */
    int      count;
    sent    *sent;
    coming  *from; /* by rank */
} mpi;

static const char *begin(int *rank, int *count)
{
    int begun = 0, over = 0, level;
    MPI_Finalized(&over);
    if (over) return "it has ended already";
    MPI_Initialized(&begun);
    if (!begun && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level))
        return "it cannot begin";
    mpi.ours = !begun;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &mpi.comm)) return "there is no communicator";
    MPI_Comm_rank(mpi.comm, rank);
    MPI_Comm_size(mpi.comm, &mpi.count);
    *count = mpi.count;
    mpi.from = calloc((size_t)mpi.count, sizeof *mpi.from);
    return mpi.from ? NULL : "out of memory";
}

/* One that has left, with room for n bytes; NULL: out of memory. */
static sent *room_for(size_t n)
{
    sent *found = NULL;
    for (sent *s = mpi.sent; s; s = s->next) {
        int left = !s->under_way;
        if (!left) MPI_Test(&s->request, &left, MPI_STATUS_IGNORE);
        s->under_way = !left;
        if (left && s->room >= n && !found) found = s;
    }
    if (found) return found;
    found = n > INT_MAX ? NULL : malloc(sizeof *found + n);
    if (!found) return NULL;
    *found = (sent){.next = mpi.sent, .room = n};
    return mpi.sent = found;
}

static bool send(int to, int kind, const void *bytes, size_t n)
{
    sent *s = room_for(n);
    if (!s) return false;
    if (n) memcpy(s->bytes, bytes, n);
    s->under_way = !MPI_Isend(s->bytes, (int)n, MPI_BYTE, to, kind, mpi.comm, &s->request);
    return s->under_way;
}

/* Has a message begun to come? It needs room. */
static void find(int from, coming *c)
{
    int         found = 0;
    MPI_Status  status;
    MPI_Message message;
    MPI_Improbe(from, MPI_ANY_TAG, mpi.comm, &found, &message, &status);
    if (!found) return;
    MPI_Get_count(&status, MPI_BYTE, &c->size);
    c->kind = status.MPI_TAG;
    if ((size_t)c->size > c->room) {
        free(c->bytes);
        c->room = (size_t)c->size, c->bytes = malloc(c->room);
        if (!c->bytes) MPI_Abort(mpi.comm, EXIT_FAILURE);
    }
    MPI_Imrecv(c->bytes, c->size, MPI_BYTE, &message, &c->request);
    c->state = COMES;
}

static bool look(int from, int *kind, size_t *n)
{
    coming *c = &mpi.from[from];
    int     here = 0;
    if (c->state == NOTHING) find(from, c);
    if (c->state == COMES) MPI_Test(&c->request, &here, MPI_STATUS_IGNORE);
    if (here) c->state = HERE;
    if (c->state != HERE) return false;
    *kind = c->kind, *n = (size_t)c->size;
    return true;
}

/* A neighbour's rows come soon; whoever waits longer leaves the processor to others. */
static void wait(int from, int *kind, size_t *n)
{
    static const double SOON = 0.02; /* seconds */
    const double        began = MPI_Wtime();
    while (!look(from, kind, n)) {
        if (MPI_Wtime() - began < SOON) sched_yield();
        else nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

static void take(int from, void *bytes)
{
    coming *c = &mpi.from[from];
    if (c->size) memcpy(bytes, c->bytes, (size_t)c->size);
    c->state = NOTHING;
}

/* Everybody waits for what was sent last. */
static void end(void)
{
    for (sent *s; (s = mpi.sent);) {
        if (s->under_way) MPI_Wait(&s->request, MPI_STATUS_IGNORE);
        mpi.sent = s->next;
        free(s);
    }
    for (int r = 0; r < mpi.count; r++) free(mpi.from[r].bytes);
    free(mpi.from);
    MPI_Comm_free(&mpi.comm);
    if (mpi.ours) MPI_Finalize();
}

extern const rank_functions dalembert_ranks;
__attribute__((visibility("default")))
const rank_functions dalembert_ranks = {RANK_FUNCTIONS_VERSION, begin, send, look, wait, take, end};
