/* common.c - small things that every command needs: messages, exit codes, near names, models. */
#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_MOST = 48, MESSAGE_MOST = 16384 };

/* edits from a to b: letters changed, added or left out */
static int distance(const char *a, const char *b)
{
    int    row[NAME_MOST + 1];
    size_t n = strlen(a), k = strlen(b);
    if (n > NAME_MOST || k > NAME_MOST) return NAME_MOST;
    for (size_t j = 0; j <= k; j++) row[j] = (int)j;
    /*     row[j] = min(diagonal + (a_i != b_j), row[j] + 1, row[j-1] + 1) */
    for (size_t i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= k; j++) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            int other = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
            diagonal = row[j];
            row[j] = change < other ? change : other;
        }
    }
    return row[k];
}

/* Fewer than three or four edits, and fewer than the name has letters; NULL: none. */
const char *nearest(const char *wrong, const char *const *names, int count)
{
    const char *best = NULL;
    int         least = strlen(wrong) <= 4 ? 3 : 4;
    for (int i = 0; i < count; i++) {
        int edits = distance(wrong, names[i]);
        if (edits < least && edits < (int)strlen(names[i])) least = edits, best = names[i];
    }
    return best;
}

int complain(const char *format, ...)
{
    char    words[MESSAGE_MOST];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    fprintf(stderr, "dalembert: %s\n", plain_text(words));
    return EXIT_WRONG;
}

int exit_code(dal_status status)
{
    static const int codes[] = {
        [DAL_OK] = EXIT_DONE,
        [DAL_SYNTAX] = EXIT_WRONG,
        [DAL_INVALID] = EXIT_WRONG,
        [DAL_SINGULAR] = EXIT_FAILED,
        [DAL_DIVERGED] = EXIT_FAILED,
        [DAL_BREAKDOWN] = EXIT_FAILED,
        [DAL_IO] = EXIT_IO,
        [DAL_NOMEM] = EXIT_FAILED,
        [DAL_INTERRUPTED] = EXIT_INTERRUPTED,
    };
    return codes[status];
}

/* Nothing was run, so a step that failed was one that the model does not allow. */
int exit_code_unrun(dal_status status)
{
    const int code = exit_code(status);
    return code == EXIT_FAILED && status != DAL_NOMEM ? EXIT_WRONG : code;
}

bool is_left_out(const char *name, size_t most, size_t *elements)
{
    return strchr(name, '[') && (*elements)++ >= most;
}

bool is_standard(const char *path)
{
    return !strcmp(path, "-");
}

bool colours(FILE *f)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(fileno(f)) && !(none && *none) && !(term && !strcmp(term, "dumb"));
}

/* All that is to be read there, with a 0 behind it; NULL: there was none, or a 0 within. */
static char *read_standard_input(void)
{
    size_t room = 4096, n = 0, got;
    char  *all = need(NULL, room, 1);
    while ((got = fread(all + n, 1, room - n - 1, stdin)) > 0)
        if ((n += got) + 1 == room) all = need(all, room *= 2, 1);
    all[n] = 0;
    if (!ferror(stdin) && strlen(all) == n) return all;
    free(all);
    return NULL;
}

static int load_standard_input(arguments *a, dal_model **out)
{
    char *words = read_standard_input();
    if (!words) {
        complain("standard input is not text");
        return EXIT_IO;
    }
    dal_status bad = dal_model_parse(a->cx, "standard input", words, a->options, out);
    free(words);
    return bad ? exit_code(bad) : GO_ON;
}

int load_model(arguments *a, dal_model **out)
{
    const char *named = dal_options_get(a->options, "system");
    if (a->words > 1 && named && strcmp(named, a->word[1]))
        return complain("%s and --system %s both name the system; give only one of them",
                        a->word[1], named);
    dal_status bad = a->words > 1 ? dal_options_set(a->options, "system", a->word[1]) : DAL_OK;
    if (!bad && is_standard(a->word[0]) && a->ranks > 1)
        return complain("standard input reaches one of %d processes only; put the model into a file",
                        a->ranks);
    if (!bad && is_standard(a->word[0])) return load_standard_input(a, out);
    if (!bad) bad = dal_model_load(a->cx, a->word[0], a->options, out);
    return bad ? exit_code(bad) : GO_ON;
}
