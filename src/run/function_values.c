/* function_values.c - the numbers of a system made of functions: those it came with, and what the
 * options "set" and "start" say instead. */
#include "run/simulation.h"

#include <string.h>

/* The name of "NAME=NUMBER"; NULL, with a message, if it is something else. */
static char *split(dal_sim *s, const source *words, double *number)
{
    const char *equals = strrchr(words->text, '=');
    if (equals && text_is_number(equals + 1, number))
        return mem_printf(&s->m, "%.*s", (int)(equals - words->text), words->text);
    diag_error(s->ds, DAL_INVALID, source_span(words), "NAME=NUMBER",
               "'%s' is not NAME=NUMBER, which a model made of functions needs", words->text);
    return NULL;
}

/* NAME must be a parameter; inputs are set by the caller. */
static dal_status set_one(dal_sim *s, const functions *of, const source *words)
{
    double number = 0;
    char  *word = split(s, words, &number);
    if (!word) return DAL_INVALID;
    int at = functions_find(of, &s->m, MEMBER_PARAMETER, word);
    if (at < 0)
        return diag_error(s->ds, DAL_INVALID, source_span(words), NULL,
                          "'%s' has no parameter '%s'", of->given.name, word);
    s->val.parameter[at] = number;
    return DAL_OK;
}

/* x, x' or p(x), in place: the name of the coordinate, and which of the three it is. */
static unsigned start_kind(char *word)
{
    const size_t n = strlen(word);
    if (n > 1 && word[n - 1] == '\'') return word[n - 1] = 0, GIVEN_V;
    if (n < 4 || strncmp(word, "p(", 2) != 0 || word[n - 1] != ')') return GIVEN_Q;
    memmove(word, word + 2, n - 3);
    word[n - 3] = 0;
    return GIVEN_P;
}

/* A rate that is given replaces the other: v or p, never both. */
static dal_status start_one(dal_sim *s, const functions *of, const source *words)
{
    double number = 0;
    char  *word = split(s, words, &number);
    if (!word) return DAL_INVALID;
    const unsigned kind = start_kind(word);
    int            at = functions_find(of, &s->m, MEMBER_COORDINATE, word);
    if (at < 0)
        return diag_error(s->ds, DAL_INVALID, source_span(words), NULL,
                          "'%s' has no coordinate '%s'", of->given.name, word);
    double *to = kind == GIVEN_Q ? s->val.q : kind == GIVEN_V ? s->val.v : s->val.p;
    to[at] = number;
    if (kind != GIVEN_Q) s->val.given[at] = (unsigned char)(GIVEN_Q | kind);
    return DAL_OK;
}

/* The numbers that came with the functions, then what the options say instead. */
dal_status functions_values(dal_sim *s, const functions *of, const request *r)
{
    const dal_callbacks *c = &of->given;
    const int            n = c->coordinates;
    dal_status           bad = DAL_OK;
    if (r->over.columns || r->inputs)
        return diag_error(s->ds, DAL_INVALID, span_none(), NULL,
                          "columns and input need a model of the language; '%s' is made of "
                          "functions",
                          c->name);
    s->val.q = copy_of(&s->m, c->q, n), s->val.v = copy_of(&s->m, c->v, n);
    s->val.p = copy_of(&s->m, c->p, n);
    s->val.parameter = copy_of(&s->m, c->parameter_value, c->parameters);
    s->val.input = copy_of(&s->m, c->input_value, c->inputs);
    s->val.given = mem_array(&s->m, n, unsigned char);
    for (int i = 0; i < n; i++)
        s->val.given[i] = GIVEN_Q | (c->hamiltonian && c->hamiltonian[i] ? GIVEN_P : GIVEN_V);
    for (int k = 0; k < r->over.sets && !bad; k++) bad = set_one(s, of, &r->over.set[k]);
    for (int k = 0; k < r->over.starts && !bad; k++) bad = start_one(s, of, &r->over.start[k]);
    return bad;
}
