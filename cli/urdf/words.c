/* words.c - names of the file as names of the model: letters, digits and _, each once. */
#include "urdf/robot.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What the model has names for already, or the language does. */
static const char *const taken[] = {"t",   "pi",   "in", "and",    "or",
                                    "not", "free", "g",  "ground", "base"};

/* "base-link 1" is base_link_1; what begins with a digit gets the kind of thing that it is. */
static char *plain_word(const char *name, const char *kind)
{
    const bool digit = !*name || isdigit((unsigned char)*name);
    char      *word = text("%s%s%s", digit ? kind : "", digit ? "_" : "", name), *to = word;
    for (const char *s = word; *s; s++) {
        const bool fits = (unsigned char)*s < 0x80 && (isalnum((unsigned char)*s) || *s == '_');
        if (fits) *to++ = *s;
        else if (to == word || to[-1] != '_') *to++ = '_';
    }
    *to = 0;
    return word;
}

typedef struct {
    robot_name *is;
    int         order;
} named;

static int compare(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int    by_word = strcmp(x->is->word, y->is->word);
    return by_word ? by_word : x->order - y->order;
}

static bool is_taken(const char *word)
{
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
        if (!strcmp(word, taken[k])) return true;
    return false;
}

static void number(robot_name *is, int k)
{
    char *word = text("%s_%d", is->word, k);
    free(is->word);
    is->word = word;
}

/* The first of several keeps the word, the others get numbers; these may meet another word, so
 * again. False: all were apart. */
static bool set_apart(named *list, int n, int round)
{
    bool changed = false;
    qsort(list, (size_t)n, sizeof *list, compare);
    for (int first = 0, last; first < n; first = last) {
        for (last = first + 1; last < n && !strcmp(list[last].is->word, list[first].is->word);)
            last++;
        const int keeps = is_taken(list[first].is->word) ? 0 : 1;
        for (int k = first + keeps; k < last; k++, changed = true)
            number(list[k].is, k - first - keeps + 2 + round);
    }
    return changed;
}

/* Joints come first: their words are those that a user writes. */
void robot_find_words(robot *r)
{
    const int n = r->joints + r->links;
    named    *list = need(NULL, (size_t)n, sizeof *list);
    r->is.word = plain_word(r->is.name, "robot");
    for (int k = 0; k < r->joints; k++) {
        r->joint[k].is.word = plain_word(r->joint[k].is.name, "joint");
        list[k] = (named){&r->joint[k].is, k};
    }
    for (int k = 0; k < r->links; k++) {
        r->link[k].is.word = plain_word(r->link[k].is.name, "link");
        list[r->joints + k] = (named){&r->link[k].is, r->joints + k};
    }
    for (int round = 0; set_apart(list, n, round); round++) continue;
    free(list);
}
