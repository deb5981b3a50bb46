/* notes.c - what a result says of itself: the model's text, how it was run, with which numbers, and
 * how that went. A report can be made from it, and the run made again. */
#include "run.h"

#include <stdlib.h>

static char *copy(const char *words)
{
    return text("%s", words ? words : "");
}

static char *dump(json_t *o)
{
    char *all = json_dumps(o, JSON_REAL_PRECISION(17));
    json_decref(o);
    return all ? all : copy("{}");
}

/* The options that were given, by key; a list of those that repeat. */
static char *options_text(const dal_options *o)
{
    json_t           *all = json_object();
    size_t            rows;
    const dal_option *row = dal_option_rows(&rows);
    for (size_t i = 0; i < rows; i++) {
        const char *words = dal_options_get(o, row[i].key);
        json_t     *list = json_array();
        if (words && row[i].flags & DAL_OPTION_REPEATS)
            for (size_t k = 0; (words = dal_options_at(o, row[i].key, k)); k++)
                json_array_append_new(list, json_string(words));
        else if (words) json_object_set_new(all, row[i].key, json_string(words));
        if (json_array_size(list)) json_object_set(all, row[i].key, list);
        json_decref(list);
    }
    return dump(all);
}

static char *parameters_text(const dal_model *m, const dal_sim *s)
{
    json_t       *all = json_object();
    const double *value = dal_parameters(s);
    for (size_t i = 0; i < dal_model_count(m, DAL_PARAMETERS); i++) {
        size_t n = dal_model_name(m, DAL_PARAMETERS, i, NULL, 0);
        char  *name = need(NULL, n + 1, 1);
        dal_model_name(m, DAL_PARAMETERS, i, name, n + 1);
        json_object_set_new(all, name, json_real(value[i]));
        free(name);
    }
    return dump(all);
}

void notes_take(notes *n, const dal_model *m, const dal_options *o, dal_sim *s)
{
    const dal_summary *sum = dal_summarise(s);
    char               step[40];
    snprintf(step, sizeof step, "%.17g", sum->step);
    *n = (notes){{{"model", copy(dal_model_text(m))},
                  {"file", copy(dal_model_file(m))},
                  {"system", copy(dal_model_system(m))},
                  {"scheme", copy(sum->scheme)},
                  {"principle", copy(sum->principle)},
                  {"step", copy(step)},
                  {"version", copy(dal_version())},
                  {"parameters", parameters_text(m, s)},
                  {"options", options_text(o)}},
                 copy("{\"status\": \"running\"}")};
}

void notes_end(notes *n, dal_sim *s, const dal_context *cx)
{
    char *made = dump(summary_object(s, cx)); /* else the old one is written */
    free(n->summary);
    n->summary = made;
}

void notes_free(notes *n)
{
    for (int i = 0; i < NOTES; i++) free(n->of[i].text);
    free(n->summary);
}
