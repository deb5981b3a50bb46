/* described.c - what check and show print, as one JSON object.
 *
 * The library describes a model in lines: a title, headings with what belongs to them, and a row
 * for every scheme. The object has the same, by key:
 *
 *     Chain  (chain.dal)                    "model": "Chain", "file": "chain.dal"
 *       kind         linear, separable      "kind": ["linear", "separable"]
 *       inertia      constant; regular      "inertia": ["constant; regular"]
 *                    one more line             ... a text for every line
 *       schemes      one step of 0.01       "schemes": [{"scheme", "fits", "step"}, ...]
 *         midpoint   implicit
 *
 * and beside them "facts", the analysis behind these lines as values by name. */
#include "described.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEADING = 2, TEXT = 15, ROW = 4 }; /* columns at which they begin */

static void append(json_t *list, const char *s, size_t n)
{
    json_array_append_new(list, json_stringn_nocheck(s, n));
}

/* "linear, separable" as two texts */
static void append_words(json_t *list, const char *s)
{
    for (const char *comma; (comma = strstr(s, ", ")) != NULL; s = comma + 2)
        append(list, s, (size_t)(comma - s));
    append(list, s, strlen(s));
}

/* "made of     " as the key "made_of", with an empty list under it */
static json_t *open_heading(json_t *all, const char *line)
{
    char   key[TEXT - HEADING + 1] = {0};
    size_t n = TEXT - HEADING;
    memcpy(key, line + HEADING, n);
    while (n && key[n - 1] == ' ') key[--n] = 0;
    for (size_t i = 0; i < n; i++)
        if (key[i] == ' ') key[i] = '_';
    json_t *list = json_array();
    json_object_set_new(all, key, list);
    return list;
}

/* "    gauss(2)   implicit", or "no: why" behind the name */
static void append_scheme(json_t *list, const char *row)
{
    static const char no[] = "no: ";
    const char       *end = strstr(row, "  "), *says = end ? end + strspn(end, " ") : "";
    const bool        fits = strncmp(says, no, strlen(no)) != 0;
    json_array_append_new(
        list, json_pack("{s:o, s:b, s:s}", "scheme",
                        json_stringn_nocheck(row, end ? (size_t)(end - row) : strlen(row)), "fits",
                        fits, fits ? "step" : "why", fits ? says : says + strlen(no)));
}

/* "Chain  (chain.dal)" */
static void read_title(json_t *all, const char *line)
{
    const char *file = strstr(line, "  (");
    size_t      n = file ? strlen(file) : 0;
    json_object_set_new(all, "model",
                        json_stringn_nocheck(line, file ? (size_t)(file - line) : strlen(line)));
    if (n > 4) json_object_set_new(all, "file", json_stringn_nocheck(file + 3, n - 4));
}

static void read_line(json_t *all, json_t **heading, const char *line)
{
    const size_t indent = strspn(line, " "), n = strlen(line);
    if (indent == 0) read_title(all, line);
    else if (indent == ROW && *heading) append_scheme(*heading, line + ROW);
    else if (n > TEXT && indent == HEADING) {
        *heading = open_heading(all, line);
        if (*heading == json_object_get(all, "kind")) append_words(*heading, line + TEXT);
        else if (*heading != json_object_get(all, "schemes"))
            append(*heading, line + TEXT, n - TEXT);
    } else if (n > TEXT && *heading) append(*heading, line + TEXT, n - TEXT);
}

/* NaN is null: not known. */
static json_t *value_of(const dal_fact *f)
{
    if (f->kind == DAL_FACT_TRUTH) return json_boolean(f->number != 0);
    if (f->kind == DAL_FACT_NUMBER)
        return isnan(f->number) ? json_null() : json_integer((json_int_t)f->number);
    json_t *list = json_array();
    for (size_t k = 0; k < f->names; k++) append(list, f->text[k], strlen(f->text[k]));
    return list;
}

/* The analysis by name, for programs: the lines beside it are for people. */
static dal_status add_facts(json_t *all, const dal_model *m, const dal_options *o)
{
    dal_facts *known = NULL;
    json_t    *facts = json_object();
    dal_status bad = dal_analyse(m, o, &known);
    if (!bad)
        for (size_t k = 0; k < known->count; k++)
            json_object_set_new(facts, known->fact[k].name, value_of(&known->fact[k]));
    dal_facts_free(known);
    json_object_set_new(all, "facts", facts);
    return bad;
}

static void print(json_t *all, FILE *out)
{
    json_dumpf(all, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(all);
}

/* The lines of dal_check are read back, so that both say the same. */
dal_status described_check(const dal_model *m, const dal_options *o, FILE *out)
{
    char      *words = NULL;
    size_t     n = 0;
    FILE      *to = open_memstream(&words, &n);
    dal_status bad = to ? dal_check(m, o, to) : DAL_NOMEM;
    json_t    *all = json_object(), *heading = NULL;
    if (to) fclose(to);
    for (char *line = words, *end; line && *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) *end++ = 0;
        read_line(all, &heading, line);
    }
    free(words);
    /* a model that cannot be run has few facts, and dal_check has said why */
    if (bad != DAL_NOMEM && add_facts(all, m, o) == DAL_NOMEM) bad = DAL_NOMEM;
    print(all, out);
    return bad;
}

static dal_status append_view(const dal_model *m, const dal_options *o, const char *name,
                              json_t *views)
{
    char      *words = NULL;
    size_t     n = 0;
    FILE      *to = open_memstream(&words, &n);
    dal_status bad = to ? dal_show(m, o, name, to) : DAL_NOMEM;
    if (to) fclose(to);
    if (!bad) json_object_set_new(views, name, json_stringn_nocheck(words, n));
    free(words);
    return bad;
}

dal_status described_views(const dal_model *m, const dal_options *o, const dal_view *view,
                           const bool *wanted, size_t count, FILE *out)
{
    json_t    *all = json_pack("{s:s, s:s, s:{}}", "model", dal_model_system(m), "file",
                               dal_model_file(m), "views");
    dal_status bad = DAL_OK;
    for (size_t i = 0; i < count && !bad; i++)
        if (wanted[i]) bad = append_view(m, o, view[i].name, json_object_get(all, "views"));
    print(all, out);
    return bad;
}
