/* compiler.h - the system's C compiler: which one, with what arguments, and one run of it.
 *
 * It is executed directly, never through a shell. Its arguments are fixed, except for the words
 * that $CC itself may have after the first. It gets an empty input, a process group of its own and
 * a time limit, and is waited for by its process id, so that children, handlers and threads of the
 * host program are left alone. */
#ifndef KERNEL_COMPILER_H
#define KERNEL_COMPILER_H

#include "base/sha256.h"
#include "base/text.h"
#include "kernel/native.h"

enum { PATH_ROOM = 4096, COMPILER_SECONDS = 60 };

typedef struct {
    char         program[PATH_ROOM];       /* absolute                                            */
    const char **argument;                 /* as executed; two places are filled in by each run   */
    const char **environment;              /* ours, with a TMPDIR that each run fills in          */
    int          arguments, output, input; /* how many, and which of them are those places  */
    int          seconds; /* the limit: of processor time, and of a pause by the clock */
} compiler;

/* The words of $CC, or cc, looked up in $PATH. NULL, with the reason in why, if there is none. */
compiler *compiler_find(mem *m, code_kind kind, text *why);

/* What the result of a run depends on, besides the text: the program, the arguments, the processor.
 */
void compiler_identify(const compiler *c, sha256 *into);

typedef enum {
    COMPILER_DONE,
    COMPILER_FAILED,
    COMPILER_KILLED,
    COMPILER_LATE,
    COMPILER_ABSENT
} compiler_end;

/* Compiles `directory`/kernel.c to `directory`/kernel.so; messages go to `directory`/messages. No
 * allocation. */
compiler_end compiler_run(const compiler *c, const char *directory);

/* Ends all that run, with their children; may be called by a signal handler. */
void compilers_end(void);

/* out = directory/name; false if that is too long. */
bool path_join(char out[PATH_ROOM], const char *directory, const char *name);

#endif
