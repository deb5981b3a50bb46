/* cli.h - what the commands of the program share: their table, their arguments, their exit
 * codes. */
#ifndef CLI_H
#define CLI_H

#include "dalembert.h"

#include <stdbool.h>

/* exit codes; GO_ON: there is none yet */
enum {
    EXIT_DONE = 0,
    EXIT_WRONG = 1,
    EXIT_FAILED = 2,
    EXIT_IO = 3,
    EXIT_INTERRUPTED = 130,
    GO_ON = -1
};

/* A flag. The common ones stand in args.c, a command's own beside it, the library's in its option
 * rows. */
typedef struct {
    const char *name;     /* "output" of --output                */
    char        letter;   /* 'o' of -o; 0: none                  */
    const char *argument; /* NULL: a switch                      */
    const char *help;
} flag_row;

enum { OUTPUTS_MOST = 16, WORDS_MOST = 256, FLAGS_MOST = 16, GIVEN_MOST = 64 };

typedef struct command command;

typedef struct {
    const command *command;
    dal_context   *cx;
    dal_options   *options;
    const char    *word[WORDS_MOST]; /* arguments that are no flags                   */
    int            words;
    const char    *output[OUTPUTS_MOST]; /* of -o                                         */
    int            outputs;
    const char    *own[FLAGS_MOST]; /* values of its own flags, by row; "" of a switch */
    struct {
        const char *name, *value;
    } given[GIVEN_MOST]; /* the same in the order they came in, for those that may be repeated */
    int            givens;
    bool           quiet, verbose, json;
    int            rank, ranks; /* which of the processes of mpirun this is: 0 of 1 */
} arguments;

struct command {
    const char *name, *synopsis, *title;
    const char *about;           /* what its help says below the synopsis            */
    const char *example;         /* lines of examples                                */
    int         least, most;     /* number of words                                  */
    bool        models;          /* takes the options of the library, and a SYSTEM   */
    bool        json;            /* takes --json                                     */
    bool        shared;          /* many processes work on it together               */
    int (*flags)(flag_row *out); /* its own, at most FLAGS_MOST; or NULL             */
    int (*run)(arguments *a);
};
extern const command *const commands[]; /* ends with NULL */
extern const command command_run, command_resume, command_check, command_show, command_converge,
    command_sweep, command_plot, command_report, command_export, command_import, command_methods,
    command_reproduce, command_cite;

/* args.c: reads the arguments behind the command. GO_ON, or the exit code of a program that is
 * done. */
int         arguments_read(arguments *a, int argc, char **argv);
const char *own_value(const arguments *a, const char *name); /* of its own flag; NULL: not given */
void        command_help(const command *c, FILE *out);
void        program_help(FILE *out);

/* ranks.c: of several processes, the first alone speaks. GO_ON, or the exit code. */
int  ranks_join(arguments *a);
void ranks_leave(const arguments *a, int code);
void ranks_cry(const char *words); /* before a process ends that does not speak: on standard error */

/* common.c */
const char *nearest(const char *wrong, const char *const *names, int count); /* or NULL */

int   complain(const char *format, ...); /* "dalembert: ..." on standard error; EXIT_WRONG   */
int   exit_code(dal_status status);
int   exit_code_unrun(dal_status status); /* of what failed before anything was run */
bool  colours(FILE *f); /* a terminal, and no NO_COLOR                      */
int   load_model(arguments *a, dal_model **out); /* GO_ON, or the exit code                  */
/* In a summary: of names like cell[3].x only the first `most` are shown, counted in *elements;
 * everything that has a name of its own is. */
bool  is_left_out(const char *name, size_t most, size_t *elements);
bool  is_standard(const char *path);             /* "-": standard input, or output           */

/* output.c. What is made in one go lies under its name when it is whole, and not before; rows, of
 * which any number is a whole file, go there at once. */
FILE *open_output(const char *path); /* "-" is standard output; NULL, and said why       */
FILE *open_rows(const char *path);
bool  close_output(FILE *f, const char *path); /* false, and said why: not all was written   */
int   finish_output(FILE *f, const char *path, int code); /* closes or drops it; the code */
bool  output_is_unread(void); /* standard output failed, and whoever read it has gone */
bool  output_is_full(const char *path); /* the disk on which it lies                        */
void  outputs_give_up(void); /* before the program ends at once */

enum { OUTPUT_NAME_MOST = 4096 };
bool        output_is_plain(const char *path); /* or nothing yet: a new one may take its place */
const char *output_beside(const char *path); /* a new, empty file; NULL: write it as it is */
/* false: it is gone */
bool output_take_place(const char *beside, const char *path, bool well);

/* printable.c: writes ? over what is no UTF-8, blanks over what controls a terminal; the words
 * again */
char *plain_text(char *words);

/* memory.c: what is given back is yours to free; where there is none the program ends. */
void *need(void *old, size_t count, size_t size); /* as realloc          */
char *text(const char *format, ...);              /* as much as it takes */
void  no_memory(void);    /* says so, and ends the program                    */
void  memory_begin(void); /* objects of JSON come from here too; called first */

#endif
