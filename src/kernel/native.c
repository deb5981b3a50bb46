/* native.c - from C text to functions: look in the cache, else compile in a private directory,
 * load, and keep. */
#include "kernel/native.h"

#include "kernel/code_cache.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct native_library {
    void *handle;
    bool  kept;
};

enum { WORDS = 800 };

/* The last function of every text: a library that has it has them all. */
#define LAST "text_ends"
static const char ending[] = "\nvoid " LAST "(void) {}\n";

typedef struct { /* one build; what goes wrong is written down here, since nothing may be allocated
                    meanwhile */
    const compiler *by, *plain; /* plain: where its words are not known; may be NULL */
    const char     *c;
    size_t          length;
    char            key[SHA256_TEXT], name[SHA256_TEXT + 8]; /* name: of the file in the cache */
    bool            hopeless;                                /* elsewhere it would be the same */
    char            trouble[WORDS];
} build;

/* The text, the compiler and the processor: what the bits of the library depend on. */
static void name_build(build *b)
{
    uint8_t digest[SHA256_SIZE];
    sha256  s;
    sha256_begin(&s);
    sha256_add_text(&s, "dalembert native 2");
    compiler_identify(b->by, &s);
    sha256_add(&s, b->c, b->length);
    sha256_end(&s, digest);
    sha256_print(digest, b->key);
    snprintf(b->name, sizeof b->name, "%s.so", b->key);
}

/* RTLD_NOW: a function that is missing is found here, and not in the middle of a run. */
static bool load(native_library *lib, build *b, const char *path)
{
    lib->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *missing = lib->handle && dlsym(lib->handle, LAST) ? NULL : dlerror();
    if (missing) {
        snprintf(b->trouble, sizeof b->trouble, "compiled code cannot be loaded: %s", missing);
        native_release(lib);
    }
    return lib->handle;
}

/* A cached library; its time stamp is renewed, so that it is evicted last. */
static bool load_kept(native_library *lib, build *b, const char *cache)
{
    char path[PATH_ROOM];
    if (!path_join(path, cache, b->name) || access(path, F_OK)) return false;
    if (!code_is_whole(path, b->key)) {
        unlink(path);
        return false;
    }
    lib->kept = load(lib, b, path);
    if (lib->kept) utimensat(AT_FDCWD, path, NULL, 0);
    return lib->kept;
}

/* False: errno says why. */
static bool write_text(const build *b, const char *path)
{
    FILE *f = fopen(path, "wb");
    bool  good = f && fwrite(b->c, 1, b->length, f) == b->length && fputs(ending, f) >= 0;
    return f && !fclose(f) && good;
}

/* What the compiler said, on one line. */
static void quote_messages(build *b, const char *what, const char *directory)
{
    char  path[PATH_ROOM], said[WORDS / 2] = "";
    FILE *f = path_join(path, directory, "messages") ? fopen(path, "rb") : NULL;
    if (f) said[fread(said, 1, sizeof said - 1, f)] = 0, fclose(f);
    for (char *at = said; *at; at++)
        if ((unsigned char)*at < ' ') *at = at[1] && at > said ? ' ' : 0;
    snprintf(b->trouble, sizeof b->trouble, "the compiler %.200s %s%s%s", b->by->program, what,
             *said ? ": " : "", said);
}

static const char *const outcome[] = {
    [COMPILER_DONE] = "made no library",          [COMPILER_FAILED] = "failed",
    [COMPILER_KILLED] = "was killed by a signal", [COMPILER_LATE] = "did not end in time",
    [COMPILER_ABSENT] = "could not be started",
};

static bool is_file(const char *path)
{
    struct stat s;
    return !lstat(path, &s) && S_ISREG(s.st_mode);
}

/* Other options are tried where a compiler does not know those of a step. */
static bool compile(build *b, const char *directory, char library[PATH_ROOM])
{
    char source[PATH_ROOM];
    if (!path_join(source, directory, "kernel.c") || !path_join(library, directory, "kernel.so") ||
        !write_text(b, source)) {
        snprintf(b->trouble, sizeof b->trouble, "%.400s cannot be written: %s", directory,
                 strerror(errno));
        return false;
    }
    compiler_end end = compiler_run(b->by, directory);
    if (end == COMPILER_FAILED && b->plain) end = compiler_run(b->plain, directory);
    bool         good = end == COMPILER_DONE && is_file(library);
    /* neither a slow compiler nor a missing one is better elsewhere */
    b->hopeless = end == COMPILER_LATE || end == COMPILER_ABSENT;
    if (!good) quote_messages(b, outcome[end], directory);
    return good;
}

/* The digest is what makes it trusted next time. */
static bool seal(build *b, const char *library)
{
    const bool good = code_seal(library, b->key);
    if (!good)
        snprintf(b->trouble, sizeof b->trouble, "%.400s cannot be written: %s", library,
                 strerror(errno));
    return good;
}

/* Compiles and loads in a directory of its own within `parent`; `keep`: which is the cache, and the
 * result stays there. */
static bool build_in(native_library *lib, build *b, const char *parent, bool keep)
{
    char directory[PATH_ROOM], library[PATH_ROOM], path[PATH_ROOM];
    if (!private_directory(directory, parent)) {
        snprintf(b->trouble, sizeof b->trouble, "%.400s cannot be written: %s", parent,
                 strerror(errno));
        return false;
    }
    bool good =
        compile(b, directory, library) && (!keep || seal(b, library)) && load(lib, b, library);
    if (good && keep) {
        if (path_join(path, parent, b->name) && rename(library, path)) unlink(library);
        code_cache_trim(parent, CODE_CACHE_BYTES);
    }
    private_directory_remove(directory);
    return good;
}

/* Code that another process or thread is just building is not built twice. */
static bool build_in_turn(native_library *lib, build *b, const char *cache)
{
    code_turn turn = code_turn_take(cache, b->key);
    bool      good = load_kept(lib, b, cache) || build_in(lib, b, cache, true);
    code_turn_end(&turn);
    return good;
}

/* In the cache if there is one; else, or if that failed, in the directory for temporary files. */
static bool build_anywhere(native_library *lib, build *b, text *why)
{
    char        cache[PATH_ROOM];
    const char *closed = code_cache_open(cache), *elsewhere = getenv("TMPDIR");
    if (!elsewhere || *elsewhere != '/') elsewhere = "/tmp";
    if (!closed && (load_kept(lib, b, cache) || build_in_turn(lib, b, cache))) return true;
    bool good = !b->hopeless && build_in(lib, b, elsewhere, false);
    if (good && closed) text_printf(why, "compiled code is not kept: %.400s%s%s", cache,
                                  *cache ? ": " : "", closed);
    else if (good) text_printf(why, "compiled code is not kept: %s", b->trouble);
    else text_add(why, b->trouble);
    return good;
}

static void end_library(void *lib)
{
    native_release(lib);
}

/* Released with m. Words in `why` may come with a library too: it could not be kept. */
native_library *native_build_as(mem *m, code_kind kind, const char *c, size_t length, text *why)
{
    native_library *lib = mem_array(m, 1, native_library);
    mem            *brief = mem_child(m);
    build           b = {.by = compiler_find(brief, kind, why), .c = c, .length = length};
    mem_at_end(m, end_library, lib);
    bool good = b.by;
    if (good && kind != CODE_LOOPS) b.plain = compiler_find(brief, CODE_LOOPS, why);
    if (good) name_build(&b), good = build_anywhere(lib, &b, why);
    mem_free(brief);
    return good ? lib : NULL;
}

native_library *native_build(mem *m, const char *c, size_t length, text *why)
{
    return native_build_as(m, CODE_LOOPS, c, length, why);
}

native_function native_symbol(const native_library *lib, const char *name)
{
    native_function f = NULL;
    void           *at = dlsym(lib->handle, name);
    memcpy(&f, &at, sizeof f);
    return f;
}

bool native_was_kept(const native_library *lib)
{
    return lib->kept;
}

void native_release(native_library *lib)
{
    if (lib->handle) dlclose(lib->handle);
    lib->handle = NULL;
}
