/* faults.c - the whole program, each of whose allocations fails once.
 *
 *     faults COMMAND ARGUMENT...        in a folder with the files that it changes
 *
 * By default the first allocation from every chain of callers, and with DAL_FAULTS=all in the
 * environment every one of them, alone and with all that follow; a number there is that of one.
 *
 * malloc, calloc, realloc and free of all our code are those below (by the linker's --wrap). At
 * every allocation a child is forked, in a folder of its own that is a copy of this one, open files
 * too; there it fails, alone or with all that follow, and the program goes on to its end. It must
 * end with code 2 and the words "out of memory", or as if nothing had happened; give back what it
 * took, unless it ended at once; and leave only whole files. The parent goes on, so that a failure
 * costs what is left to do after it, and all of them are tried. */
#include "plot.h"

#include <dirent.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int   program_main(int argc, char **argv); /* main of cli/main.c */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void  __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void  __wrap_free(void *p);

enum {
    BLOCKS_MOST = 1 << 17,
    CHAINS_MOST = 1 << 16,
    CALLERS_MOST = 8,
    SECONDS_MOST = 60,
    LEAKED = 99
};

static struct {
    bool  armed;             /* allocations are counted, and fail                        */
    bool  child, failed;     /* this is one; it has failed                               */
    bool  always;            /* all that follow fail too                                 */
    long  only;              /* if not 0: this one                                       */
    bool  all;               /* every allocation, not only the first of its kind         */
    long  calls, tried, bad; /* allocations so far; children, and those not well         */
    size_t chain[CHAINS_MOST]; /* of callers that were met: a table                       */
    void *block[BLOCKS_MOST]; /* what is out: a table by address                          */
    long  live;
    int   want;              /* the exit code with memory enough                         */
} h;

/* What is out. --------------------------------------------------------------------------------- */

static size_t slot_of(const void *p)
{
    size_t i = (size_t)p / 16 % BLOCKS_MOST;
    while (h.block[i] && h.block[i] != p) i = (i + 1) % BLOCKS_MOST;
    return i;
}

static void note(void *p)
{
    if (!p || !h.armed) return;
    if (h.live > BLOCKS_MOST / 2) abort();
    h.block[slot_of(p)] = p, h.live++;
}

/* Takes it out, and puts those behind it where they are found. */
static void forget(void *p)
{
    size_t i = slot_of(p);
    if (!p || !h.block[i]) return; /* of a library, that has its own */
    h.block[i] = NULL, h.live--;
    for (i = (i + 1) % BLOCKS_MOST; h.block[i]; i = (i + 1) % BLOCKS_MOST) {
        void *moved = h.block[i];
        h.block[i] = NULL, h.block[slot_of(moved)] = moved;
    }
}

/* A folder for a child. ------------------------------------------------------------------------ */

static bool copy_file(const char *from, const char *to)
{
    char    some[16384];
    int     in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ssize_t n = -1;
    while (in >= 0 && out >= 0 && (n = read(in, some, sizeof some)) > 0)
        if (write(out, some, (size_t)n) != n) break;
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    return n == 0;
}

/* Calls it for every file of a folder. */
static void each_file(const char *folder, void (*act)(const char *path, const char *name))
{
    DIR           *d = opendir(folder);
    struct dirent *e;
    struct stat    s;
    char           path[4096];
    while (d && (e = readdir(d))) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (!lstat(path, &s) && S_ISREG(s.st_mode)) act(path, e->d_name);
    }
    if (d) closedir(d);
}

static void copy_here(const char *path, const char *name)
{
    char to[4096];
    snprintf(to, sizeof to, "child/%s", name);
    if (!copy_file(path, to)) abort();
}

static void remove_it(const char *path, const char *name)
{
    (void)name;
    unlink(path);
}

/* A file that is open goes on as its copy, at the same place; a pipe leads nowhere. */
static void move_open_file(int fd)
{
    struct stat s;
    char        link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n < 0 || fstat(fd, &s)) return;
    path[n] = 0;
    const char *name = strrchr(path, '/');
    int         to = -1, how = fcntl(fd, F_GETFL);
    if (S_ISFIFO(s.st_mode)) to = open("/dev/null", O_RDWR);
    if (S_ISREG(s.st_mode) && name) to = open(name + 1, how & (O_ACCMODE | O_APPEND));
    if (to < 0) return;
    lseek(to, lseek(fd, 0, SEEK_CUR), SEEK_SET);
    dup2(to, fd), close(to);
}

static void move_to_child(void)
{
    if (chdir("child")) abort();
    for (int fd = 3; fd < 64; fd++) move_open_file(fd);
    int out = open("out", O_WRONLY | O_CREAT, 0666), err = open("err", O_WRONLY | O_CREAT, 0666);
    dup2(out, 1), dup2(err, 2), close(out), close(err);
}

/* What a child has left. ----------------------------------------------------------------------- */

static bool ends_with(const char *path, const char *end)
{
    char   last[64] = "";
    FILE  *f = fopen(path, "rb");
    size_t n = strlen(end);
    if (!f) return false;
    bool same = !fseek(f, -(long)n, SEEK_END) && fread(last, 1, n, f) == n && !memcmp(last, end, n);
    fclose(f);
    return same;
}

static bool same_as(const char *path, const char *other)
{
    FILE *a = fopen(path, "rb"), *b = fopen(other, "rb");
    int   x = a && b ? 0 : 1, y = 0;
    while (x == y && x != EOF) x = getc(a), y = getc(b);
    if (a) fclose(a);
    if (b) fclose(b);
    return x == y;
}

static bool is_table(const char *path)
{
    table t;
    bool  opened = table_open(&t, path) == GO_ON;
    bool  well = opened && (table_read(&t) == GO_ON || !t.rows); /* none is fine */
    table_free(&t);
    return well;
}

static bool is_checkpoint(const char *path)
{
    dal_checkpoint *c = NULL;
    dal_context    *cx = dal_context_new(NULL);
    bool            well = dal_checkpoint_load(cx, path, &c) == DAL_OK;
    dal_checkpoint_free(c), dal_context_free(cx);
    return well;
}

static bool same_size(const char *path, const char *other)
{
    struct stat a, b;
    return !stat(path, &a) && !stat(other, &b) && a.st_size == b.st_size;
}

static bool has_suffix(const char *name, const char *suffix)
{
    const size_t n = strlen(name), k = strlen(suffix);
    return n >= k && !strcmp(name + n - k, suffix);
}

/* Rows may end early, but not in half a line; whatever else there is is whole. */
static bool is_whole(const char *path, const char *name)
{
    char whole[4096];
    snprintf(whole, sizeof whole, "whole/%s", name);
    if (!strcmp(name, "out") || !strcmp(name, "err") || same_as(path, whole) || same_as(path, name))
        return true;
    if (has_suffix(name, ".csv")) return ends_with(path, "\n");
    if (!strcmp(name, "members.h5")) return same_size(path, whole); /* a date is in it */
    if (has_suffix(name, ".npy") || has_suffix(name, ".npz") || has_suffix(name, ".h5"))
        return is_table(path);
    if (has_suffix(name, ".ckpt")) return is_checkpoint(path);
    if (has_suffix(name, ".html")) return ends_with(path, "</html>\n");
    if (has_suffix(name, ".svg"))
        return ends_with(path, "</svg>\n\n") || ends_with(path, "</svg>\n");
    return false;
}

static void look_at(const char *path, const char *name)
{
    if (is_whole(path, name)) return;
    fprintf(stderr, "allocation %ld%s: %s is not whole\n", h.calls,
            h.always ? " and all that follow" : "", name);
    h.bad++;
}

static bool says(const char *path, const char *words)
{
    char  all[8192];
    FILE *f = fopen(path, "rb");
    all[f ? fread(all, 1, sizeof all - 1, f) : 0] = 0;
    if (f) fclose(f);
    return strstr(all, words) != NULL;
}

static void judge(int status)
{
    const int  code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const bool well = code == h.want || (code == EXIT_FAILED && says("child/err", "out of memory"));
    if (!well) {
        fprintf(stderr, "allocation %ld%s: ", h.calls, h.always ? " and all that follow" : "");
        if (code < 0) fprintf(stderr, "signal %d\n", WTERMSIG(status));
        else if (code == LEAKED) fprintf(stderr, "not all is given back\n");
        else fprintf(stderr, "exit code %d\n", code);
        h.bad++;
    }
    each_file("child", look_at);
}

/* Failing. ------------------------------------------------------------------------------------- */

/* In the parent: false, after the child has ended. In the child: true. */
static bool fork_child(bool always)
{
    int status = 0;
    h.always = always;
    each_file("child", remove_it);
    each_file(".", copy_here);
    fflush(stderr);
    const pid_t child = fork();
    if (child == 0) {
        h.armed = true, h.child = true, h.failed = true;
        move_to_child();
        alarm(SECONDS_MOST);
        return true;
    }
    if (child < 0 || waitpid(child, &status, 0) != child) abort();
    h.tried++;
    judge(status);
    return false;
}

/* Is it the first allocation that these callers make? */
static bool is_new(void)
{
    void     *caller[CALLERS_MOST];
    const int n = backtrace(caller, CALLERS_MOST);
    size_t    sum = 1, i;
    for (int k = 0; k < n; k++) sum = (sum ^ (size_t)caller[k]) * 0x100000001b3u;
    for (i = sum % CHAINS_MOST; h.chain[i]; i = (i + 1) % CHAINS_MOST)
        if (h.chain[i] == sum) return false;
    h.chain[i] = sum;
    return true;
}

static bool fails(void)
{
    if (!h.armed) return false;
    if (h.child) return h.failed && h.always;
    h.calls++, h.armed = false;
    if (h.only && h.calls == h.only && fork_child(false)) return true;
    if (h.only) return h.armed = true, false;
    if (h.all && (fork_child(true) || fork_child(false))) return true;
    if (!h.all && is_new() && fork_child(h.calls % 2)) return true;
    h.armed = true;
    return false;
}

void *__wrap_malloc(size_t size)
{
    void *p = fails() ? NULL : __real_malloc(size);
    note(p);
    return p;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *p = fails() ? NULL : __real_calloc(count, size);
    note(p);
    return p;
}

void *__wrap_realloc(void *p, size_t size)
{
    if (fails()) return NULL;
    forget(p);
    void *block = __real_realloc(p, size);
    note(block);
    return block;
}

void __wrap_free(void *p)
{
    forget(p);
    __real_free(p);
}

/* Whole files to compare with, of a run with memory enough. */
static int run_whole(int argc, char **argv)
{
    int   status = 0;
    pid_t child = fork();
    if (child == 0) {
        if (chdir("child") || !freopen("out", "w", stdout) || !freopen("err", "w", stderr)) abort();
        exit(program_main(argc, argv));
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    mkdir("child", 0777);
    each_file(".", copy_here);
    h.want = run_whole(argc, argv);
    if (rename("child", "whole") || mkdir("child", 0777)) abort();
    FILE *kept = freopen("out", "w", stdout);
    const char *which = getenv("DAL_FAULTS");
    h.all = which && !strcmp(which, "all"), h.only = which ? atol(which) : 0;
    h.armed = true;
    const int code = program_main(argc, argv);
    h.armed = false;
    if (h.child) {
        fflush(NULL);
        _exit(h.live ? LEAKED : code);
    }
    fprintf(stderr, "%s: %ld allocations, %ld tried, %ld complaints\n", argv[1], h.calls, h.tried,
            h.bad);
    return kept && code == h.want && !h.bad && h.calls && !h.live ? 0 : 1;
}
