/* ranks.c - the program as one of the processes that mpirun has started, the ranks: they read the
 * same arguments, and rank 0 speaks for all. */
#include "cli.h"

#include <stdlib.h>
#include <unistd.h>

static struct {
    int rank, error; /* the standard error of a rank that does not speak */
} self;

/* What all would say, rank 0 says. */
static void be_silent(int rank)
{
    self.rank = rank, self.error = dup(STDERR_FILENO);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        ranks_cry("cannot open /dev/null");
}

void ranks_cry(const char *words)
{
    if (self.rank) dprintf(self.error, "dalembert: rank %d: %s\n", self.rank, words);
}

int ranks_join(arguments *a)
{
    dal_status bad = dal_ranks_begin(a->cx, &a->rank, &a->ranks);
    if (a->ranks > 1) setenv("NO_COLOR", "1", 0); /* a terminal of mpirun, which may go to a file */
    if (a->rank) be_silent(a->rank);
    if (bad) return exit_code(bad);
    if (a->ranks == 1 || a->command->shared) return GO_ON;
    return complain("'%s' is not shared by %d processes: start it without mpirun", a->command->name,
                    a->ranks);
}

void ranks_leave(const arguments *a, int code)
{
    static const dal_status of[] = {[EXIT_DONE] = DAL_OK,
                                    [EXIT_WRONG] = DAL_INVALID,
                                    [EXIT_FAILED] = DAL_DIVERGED,
                                    [EXIT_IO] = DAL_IO};
    fflush(NULL);
    dal_ranks_end(a->cx, code == EXIT_INTERRUPTED ? DAL_INTERRUPTED : of[code]);
}
