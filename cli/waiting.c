/* waiting.c - while a model is read, derived and compiled, which may take seconds: a line on a
 * terminal, and an answer to an interrupt. */
#include "run.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char WORDS[] = "preparing the run: deriving and compiling its equations ...";
static const char GONE[] = "dalembert: interrupted before the first step; nothing was written\n";

static struct {
    pthread_mutex_t lock;
    pthread_cond_t  over;
    pthread_t       thread;
    bool            listens, shows, done, shown;
} waiting = {.lock = PTHREAD_MUTEX_INITIALIZER, .over = PTHREAD_COND_INITIALIZER};

/* Only what a signal handler may call. Files that are being made have no name yet. */
static void on_interrupt(int number)
{
    (void)number;
    dal_stop_compilers(); /* kill() alone: NOLINT(bugprone-signal-handler) */
    if (write(STDERR_FILENO, GONE, sizeof GONE - 1) < 0) _exit(EXIT_INTERRUPTED);
    _exit(EXIT_INTERRUPTED);
}

/* Shows the line after a second, unless it is over by then. */
static void *wait_a_second(void *nothing)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_mutex_lock(&waiting.lock);
    while (!waiting.done && !pthread_cond_timedwait(&waiting.over, &waiting.lock, &until)) continue;
    waiting.shown = !waiting.done;
    if (waiting.shown) fputs(WORDS, stderr), fflush(stderr);
    pthread_mutex_unlock(&waiting.lock);
    return nothing;
}

void waiting_begin(const arguments *a)
{
    waiting.listens = true, waiting.done = waiting.shown = false;
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    waiting.shows = !a->quiet && !a->json && isatty(STDERR_FILENO) &&
                    !pthread_create(&waiting.thread, NULL, wait_a_second, NULL);
}

void waiting_end(void)
{
    if (!waiting.listens) return;
    waiting.listens = false;
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (!waiting.shows) return;
    pthread_mutex_lock(&waiting.lock);
    waiting.done = true;
    pthread_cond_signal(&waiting.over);
    pthread_mutex_unlock(&waiting.lock);
    pthread_join(waiting.thread, NULL);
    if (waiting.shown) fprintf(stderr, "\r%*s\r", (int)strlen(WORDS), "");
}
