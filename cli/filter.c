/* filter.c - another program that turns bytes into others, through two pipes that are served
 * together: neither side ever waits for one that waits for it. */
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef struct {
    int out, in; /* what goes in comes out */
} conduit;

/* Not one of the standard ones, which may be closed, and none of the child's. */
static int apart(int fd)
{
    const int above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
    return above;
}

/* Both ends or none. */
static bool conduit_open(conduit *c)
{
    int end[2];
    if (pipe(end)) return false;
    *c = (conduit){apart(end[0]), apart(end[1])};
    return c->out >= 0 && c->in >= 0;
}

static void let_go(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static void conduit_close(conduit *c)
{
    let_go(&c->out), let_go(&c->in);
}

/* Our environment, in a locale whose texts are UTF-8 and whose numbers have points, as ours have
 * whatever the locale is. */
static char **environment(void)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t      n = 0, kept = 0;
    while (environ[n]) n++;
    char **all = need(NULL, n + 2, sizeof *all);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "LC_ALL=", 7)) all[kept++] = environ[i];
    all[kept] = locale, all[kept + 1] = NULL;
    return all;
}

/* Standard error is ours: what the program says is seen. */
static int start(const char *const *argument, int in, int out, pid_t *child)
{
    posix_spawn_file_actions_t files;
    char                     **with = environment();
    int                        bad = posix_spawn_file_actions_init(&files);
    if (bad) return free(with), bad;
    bad = posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    if (!bad) bad = posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    if (!bad) bad = posix_spawnp(child, argument[0], &files, NULL, (char *const *)argument, with);
    posix_spawn_file_actions_destroy(&files);
    free(with);
    return bad;
}

static bool must_wait(ssize_t n)
{
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Some of what is left to give; false: that was all, or it is not wanted. */
static bool give(int to, const bytes *words, size_t *given)
{
    const ssize_t n = write(to, words->at + *given, words->n - *given);
    if (n > 0) *given += (size_t)n;
    return must_wait(n) || (n > 0 && *given < words->n);
}

/* Some of what is to be read; false: there will be no more. */
static bool take(int from, bytes *out)
{
    char          some[16384];
    const ssize_t n = read(from, some, sizeof some);
    if (n > 0) bytes_add(out, some, (size_t)n);
    return must_wait(n) || n > 0;
}

/* Never blocked by writing while the other side is blocked by writing too. */
static void exchange(int *to, int *from, const bytes *words, bytes *out)
{
    size_t given = 0;
    fcntl(*to, F_SETFL, O_NONBLOCK);
    while (*from >= 0) {
        struct pollfd end[] = {{.fd = *to, .events = POLLOUT}, {.fd = *from, .events = POLLIN}};
        if (poll(end, 2, -1) < 0 && errno != EINTR) return;
        if (end[0].revents && !give(*to, words, &given)) let_go(to);
        if (end[1].revents && !take(*from, out)) let_go(from);
    }
}

int filter_run(const char *const *argument, const bytes *words, bytes *out, int *status)
{
    conduit to = {-1, -1}, from = {-1, -1};
    pid_t   child;
    int     bad = conduit_open(&to) && conduit_open(&from) ? 0 : errno;
    if (!bad) bad = start(argument, to.out, from.in, &child);
    /* our copies of the child's ends, or neither side would ever see an end */
    let_go(&to.out), let_go(&from.in);
    if (!bad) {
        exchange(&to.in, &from.out, words, out);
        let_go(&to.in);
        while (waitpid(child, status, 0) < 0 && errno == EINTR) {
        }
    }
    conduit_close(&to), conduit_close(&from);
    return bad;
}
