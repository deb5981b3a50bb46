/* compiler.c - finds the compiler as a shell would, and runs it as a shell would not: exact
 * arguments, no expansion, a time limit. */
#include "kernel/compiler.h"
#include "kernel/group_time.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* No contraction, no unsafe options that $CC may ask for, and no built-in knowledge of functions
 * except that a sine and a cosine may share a call: so the bits are those of the interpreters of
 * this layer; what gcc 12 contracts all the same, emit_c.h keeps apart. No start files and no libc,
 * no exception tables and no link-time optimisation: a library of plain functions needs none, and
 * linking is faster. */
#if defined(__x86_64__)
#define UNFUSED " -mno-fma -mno-fma4 -mfpmath=sse"
#elif defined(__i386__)
#define UNFUSED " -mno-fma -mno-fma4"
#else
#define UNFUSED ""
#endif
static const char flags[] =
    "-x c -std=c11 -fno-fast-math -fno-unsafe-math-optimizations -fno-finite-math-only "
    "-fno-single-precision-constant -ffp-contract=off" UNFUSED
    " -fvisibility=default -fno-math-errno -fno-builtin-exp -fno-builtin-log "
    "-fno-builtin-pow -fno-builtin-tan -fno-builtin-asin -fno-builtin-acos -fno-builtin-atan "
    "-fno-builtin-atan2 -fno-builtin-sinh -fno-builtin-cosh -fno-builtin-tanh -fPIC -shared "
    "-nostdlib -fno-asynchronous-unwind-tables -fno-lto -pipe -w";

/* Loops over lanes must reach the vectoriser intact, and be unrolled only then; what -O2 and -O3
 * add makes the code of a step slower by up to 1.4 and its compilation by 1.4. Value ranges, known
 * bits and jump threading are a fifth of the compiler's work and gain nothing; with few unknowns,
 * what functions read, where pointers lead, dead stores, induction variables and register regions
 * are another fifth, and what is moved out of the loop over steps only fills the stack. Compilers
 * other than gcc do not know all of these options, and get those for loops. clang 14 does not
 * vectorise without unsafe mathematics, lest an operation trap where it did not stand: so that is
 * undone last. */
static const char *const effort[] = {
    [CODE_LOOPS] = "-O3 -fno-trapping-math",
    [CODE_STEP] = "-O1 -ftree-vectorize -fno-tree-slp-vectorize -fpeel-loops -finline-functions "
                  "-fexpensive-optimizations -fno-thread-jumps -fno-tree-bit-ccp -fstrict-aliasing",
    [CODE_STRAIGHT] = "-O1 -fpeel-loops -finline-functions -fno-thread-jumps -fno-tree-bit-ccp "
                      "-fstrict-aliasing -fno-ipa-modref -fno-ipa-pure-const -fno-ipa-reference "
                      "-fno-tree-pta -fno-dse -fno-tree-dominator-opts -fno-tree-loop-im "
                      "-fno-move-loop-invariants -fno-ivopts -fno-tree-loop-ivcanon "
                      "-fira-region=one",
};

bool path_join(char out[PATH_ROOM], const char *directory, const char *name)
{
    int n = snprintf(out, PATH_ROOM, "%s/%s", directory, name);
    return n > 0 && n < PATH_ROOM;
}

/* Finding it. ---------------------------------------------------------------------------------- */

/* A file that may be executed. */
static bool is_program(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISREG(s.st_mode) && !access(path, X_OK);
}

/* The file that `word` calls: itself if it has a slash, else the first of that name in $PATH. */
static bool look_up(const char *word, char out[PATH_ROOM])
{
    char        directory[PATH_ROOM];
    const char *path = getenv("PATH");
    if (strchr(word, '/')) {
        const char *here = *word == '/' ? "" : getcwd(directory, sizeof directory);
        return here && path_join(out, here, word + (*word == '/')) && is_program(out);
    }
    if (!path) path = "/usr/local/bin:/usr/bin:/bin";
    for (size_t n; *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        if (*path != '/' || n >= sizeof directory) continue; /* never from the current directory */
        memcpy(directory, path, n), directory[n] = 0;
        if (path_join(out, directory, word) && is_program(out)) return true;
    }
    return false;
}

/* The words of a line, which is cut. */
static int split_words(char *line, const char **word)
{
    int n = 0;
    for (char *at = strtok_r(line, " \t", &line); at; at = strtok_r(NULL, " \t", &line))
        word[n++] = at;
    return n;
}

/* Place 0 is for the TMPDIR of each run. */
static void copy_environment(mem *m, compiler *c)
{
    int n = 0, kept = 1;
    while (environ[n]) n++;
    c->environment = mem_array(m, n + 2, const char *);
    for (int i = 0; i < n; i++)
        if (strncmp(environ[i], "TMPDIR=", 7)) c->environment[kept++] = environ[i];
}

/* The first lines of the kernel's word on the processor that say what code it can run. */
static bool identify_processor(sha256 *into)
{
    /* names of these lines on the processors that Linux runs on */
    static const char *const telling[] = {
        "vendor_id",       "cpu family", "model",       "stepping", "flags", "Features",
        "CPU implementer", "CPU part",   "CPU variant", "isa",      "cpu",   NULL};
    bool  known = false;
    char  line[4096];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f) && *line != '\n') {
        size_t n = strcspn(line, "\t:");
        for (int k = 0; telling[k]; k++)
            if (strlen(telling[k]) == n && !memcmp(line, telling[k], n)) {
                if (into) sha256_add_text(into, line);
                known = true;
            }
    }
    if (f) fclose(f);
    return known;
}

/* $CC may bring words of its own; ours come last and prevail. Rights of another user are no
 * rights to run what $CC names. */
compiler *compiler_find(mem *m, code_kind kind, text *why)
{
    const char *words = getenv("CC");
    if (!words || !words[strspn(words, " \t")]) words = "cc";
    compiler    *c = mem_array(m, 1, compiler);
    char        *line = mem_printf(m, "%s", words);
    char        *fixed = mem_printf(m, "%s %s", flags, effort[kind]);
    const char **word = mem_array(m, strlen(line) + strlen(fixed) + 8, const char *);
    int          n = split_words(line, word);
    if (getuid() != geteuid() || getgid() != getegid()) {
        text_add(why, "a program that runs with another user's rights does not call a compiler");
        return NULL;
    }
    if (!look_up(word[0], c->program)) {
        text_printf(why, "there is no C compiler '%s' (CC names another one)", word[0]);
        return NULL;
    }
    if (identify_processor(NULL)) word[n++] = "-march=native";
    n += split_words(fixed, word + n);
    word[n] = "-o", c->output = n + 1, c->input = n + 2, word[n + 3] = "-lm";
    c->argument = word, c->arguments = n + 4, c->seconds = COMPILER_SECONDS;
    copy_environment(m, c);
    return c;
}

/* A compiler that was exchanged has another size, time or inode: what it made before is made
 * again. */
void compiler_identify(const compiler *c, sha256 *into)
{
    struct utsname machine = {0};
    struct stat    s = {0};
    uname(&machine), stat(c->program, &s);
    const int64_t facts[] = {(int64_t)s.st_size, (int64_t)s.st_mtime, (int64_t)s.st_ino};
    sha256_add_text(into, c->program);
    sha256_add(into, facts, sizeof facts);
    sha256_add_text(into, machine.machine);
    identify_processor(into);
    for (int i = 0; i < c->arguments; i++)
        sha256_add_text(into, c->argument[i] ? c->argument[i] : "");
}

/* Running it. ---------------------------------------------------------------------------------- */

/* Not the time of day, which may be set. */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What a process group has left: it may compute for so many seconds, and pause for as many. On a
 * busy machine a good compiler may take any amount of wall time. */
typedef struct {
    pid_t  group;
    double seconds, used; /* allowed, and computed when it was last looked at */
    double look, idle;    /* by the clock: when to look again, and when a pause is too long */
} allowance;

/* Reading /proc takes a while, so it is done once in a sixtieth of the limit; where there is none,
 * the clock alone decides. */
static bool is_used_up(allowance *a)
{
    const double at = now();
    if (at < a->look) return false;
    const double used = group_time(a->group);
    if (used < 0) return at > a->idle;
    if (used > a->used) a->used = used, a->idle = at + a->seconds;
    a->look = at + a->seconds / 60;
    return used > a->seconds || at > a->idle;
}

/* The groups of compilers that run now, for compilers_end; one that finds no place is not ended. */
enum { RUNNING_MOST = 64 };
static atomic_int running[RUNNING_MOST];

static atomic_int *note_running(pid_t group)
{
    for (int i = 0; i < RUNNING_MOST; i++) {
        int none = 0;
        if (atomic_compare_exchange_strong(&running[i], &none, (int)group)) return &running[i];
    }
    return NULL;
}

/* Only what a signal handler may call. */
void compilers_end(void)
{
    for (int i = 0; i < RUNNING_MOST; i++) {
        const pid_t group = atomic_load(&running[i]);
        if (group) kill(-group, SIGKILL);
    }
}

/* Waits until the child ends or its time is over. A host that ignores its children, or reaps them
 * all, takes the exit status away: then only the output file counts. */
static compiler_end await(pid_t child, int seconds)
{
    allowance       left = {child, seconds, 0, now() + seconds / 2.0, now() + seconds};
    struct timespec nap = {0, 500000};
    int             status;
    for (;;) {
        pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended < 0 && errno == EINTR) continue;
        if (ended < 0) return COMPILER_DONE;
        if (ended == child) break;
        if (is_used_up(&left)) {
            kill(-child, SIGKILL);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
            }
            return COMPILER_LATE;
        }
        nanosleep(&nap, NULL);
    }
    if (WIFSIGNALED(status)) return COMPILER_KILLED;
    return WEXITSTATUS(status) ? COMPILER_FAILED : COMPILER_DONE;
}

/* A group of its own, no signal blocked, those that a host may ignore as they are by default. */
static int set_attributes(posix_spawnattr_t *a)
{
    static const int usual[] = {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD, SIGHUP, SIGALRM};
    sigset_t         none, plain;
    sigemptyset(&none), sigemptyset(&plain);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) sigaddset(&plain, usual[i]);
    posix_spawnattr_setpgroup(a, 0);
    posix_spawnattr_setsigmask(a, &none);
    posix_spawnattr_setsigdefault(a, &plain);
    return posix_spawnattr_setflags(a, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                           POSIX_SPAWN_SETSIGDEF);
}

/* Input from nowhere, both outputs into one file. Returns 0 or an errno. */
static int start_child(const compiler *c, const char *messages, pid_t *child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t          how;
    if (posix_spawn_file_actions_init(&files)) return ENOMEM;
    int bad = posix_spawnattr_init(&how);
    if (!bad) {
        bad = set_attributes(&how);
        if (!bad) bad = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
        if (!bad)
            bad = posix_spawn_file_actions_addopen(&files, 2, messages,
                                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (!bad) bad = posix_spawn_file_actions_adddup2(&files, 2, 1);
        if (!bad)
            bad = posix_spawn(child, c->program, &files, &how, (char *const *)c->argument,
                              (char *const *)c->environment);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return bad;
}

compiler_end compiler_run(const compiler *c, const char *directory)
{
    char  input[PATH_ROOM], output[PATH_ROOM], messages[PATH_ROOM], room[PATH_ROOM];
    pid_t child;
    if (!path_join(input, directory, "kernel.c") || !path_join(output, directory, "kernel.so") ||
        !path_join(messages, directory, "messages") ||
        snprintf(room, sizeof room, "TMPDIR=%s", directory) >= (int)sizeof room)
        return COMPILER_ABSENT;
    /* filled in for this run only: the strings are on our stack */
    c->argument[c->input] = input, c->argument[c->output] = output, c->environment[0] = room;
    int bad = start_child(c, messages, &child);
    c->argument[c->input] = c->argument[c->output] = c->environment[0] = NULL;
    if (bad) return COMPILER_ABSENT;
    atomic_int  *place = note_running(child);
    compiler_end end = await(child, c->seconds);
    if (place) atomic_store(place, 0);
    return end;
}
