/* ranks.c - how ranks come together, agree and take leave. */
#include "ranks/ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What launchers tell the processes that they start: Open MPI, MPICH and those like it, Slurm. */
int ranks_started(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    const char              *pmix = getenv("PMIX_RANK"), *slurm = getenv("SLURM_STEP_NUM_TASKS");
    int                      most = pmix && slurm ? atoi(slurm) : 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        const int   count = text ? atoi(text) : 1;
        if (count > most) most = count;
    }
    return most;
}

/* It stays loaded: MPI cannot be begun twice. */
static const rank_functions *load(ranks *k, const char *const *path, int paths, char *why)
{
    const char *found = NULL;
    for (int i = 0; i < paths && !found; i++)
        if (!access(path[i], R_OK)) found = path[i];
    if (!found) {
        snprintf(why, RANK_WORDS,
                 "this build has no MPI; for Debian and Ubuntu that is libopenmpi-dev and "
                 "openmpi-bin, which are to be there when dalembert is configured and built");
        return NULL;
    }
    k->library =
        dlopen(found, RTLD_NOW | RTLD_GLOBAL); /* what MPI loads itself looks for its names */
    const rank_functions *by = k->library ? dlsym(k->library, RANK_FUNCTIONS) : NULL;
    if (!by) snprintf(why, RANK_WORDS, "%s cannot be loaded: %s", found, dlerror());
    else if (by->version != RANK_FUNCTIONS_VERSION)
        snprintf(why, RANK_WORDS, "%s is of another version", found), by = NULL;
    return by;
}

bool ranks_begin(ranks *k, const char *const *path, int paths, char why[RANK_WORDS])
{
    const int started = ranks_started();
    k->by = load(k, path, paths, why);
    if (!k->by) return false;
    const char *bad = k->by->begin(&k->rank, &k->count);
    if (bad) return snprintf(why, RANK_WORDS, "MPI: %s", bad), false;
    if (k->count == started) {
        k->ended = calloc((size_t)k->count, sizeof *k->ended);
        if (k->ended) return true;
        return snprintf(why, RANK_WORDS, "out of memory"), false;
    }
    snprintf(why, RANK_WORDS,
             "%d processes were started, and MPI knows of %d: is it the mpirun of Open MPI?",
             started, k->count);
    return false;
}

bool ranks_next(ranks *k, int from, int *kind, size_t *n, rank_stand *stand)
{
    k->by->wait(from, kind, n);
    if (*kind != RANK_ENDS) return true;
    k->by->take(from, stand);
    k->ended[from] = true;
    return false;
}

/* How it stands, or how it did when it took leave. A message of another kind has nobody to read it
 * any more. */
static void hear(ranks *k, int from, int wanted, rank_stand *stand)
{
    int    kind;
    size_t n;
    while (!k->ended[from] && ranks_next(k, from, &kind, &n, stand)) {
        if (kind == wanted) {
            k->by->take(from, stand);
            return;
        }
        char *unread = malloc(n + 1);
        if (!unread) abort();
        k->by->take(from, unread);
        free(unread);
    }
}

/* The lowest rank that is not well speaks for all; one that has left without a reason is not. */
rank_stand ranks_agree(ranks *k, const rank_stand *mine, int unlike)
{
    rank_stand all = *mine, other;
    if (k->rank) {
        k->by->send(0, RANK_STANDS, mine, sizeof *mine);
        hear(k, 0, RANK_HEARS, &all);
        if (k->ended[0] && !all.status) all.status = unlike;
        return all;
    }
    for (int r = 1; r < k->count; r++) {
        if (k->ended[r]) continue;
        hear(k, r, RANK_STANDS, &other);
        if (k->ended[r] && !other.status) other.status = unlike;
        if (!other.status && strcmp(other.as, mine->as)) {
            other.status = unlike;
            snprintf(other.why, RANK_WORDS, "it has %.200s, and rank 0 has %.200s", other.as,
                     mine->as);
        }
        if (other.status && !all.status) all = other;
    }
    for (int r = 1; r < k->count; r++)
        if (!k->ended[r]) k->by->send(r, RANK_HEARS, &all, sizeof all);
    return all;
}

/* All hear all others, since any of them may wait for this one. */
void ranks_end(ranks *k, const rank_stand *mine)
{
    rank_stand unheard;
    for (int r = 0; r < k->count; r++)
        if (r != k->rank) k->by->send(r, RANK_ENDS, mine, sizeof *mine);
    for (int r = 0; r < k->count; r++)
        if (r != k->rank) hear(k, r, RANK_ENDS, &unheard);
    k->by->end();
    free(k->ended);
}
