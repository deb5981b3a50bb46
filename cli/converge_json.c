/* converge_json.c - a convergence table as one JSON object; what is not a number is null. */
#include "converge.h"

#include <jansson.h>
#include <math.h>

static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *numbers(const double *x)
{
    return json_pack("{s:o, s:o, s:o}", "q", number(x[DAL_OF_Q]), "p", number(x[DAL_OF_P]),
                     "energy", number(x[DAL_OF_ENERGY]));
}

/* The first row has no ratio. */
static json_t *row_json(const dal_convergence_row *row, const dal_convergence_row *before)
{
    double ratio[DAL_QUANTITIES] = {NAN, NAN, NAN};
    for (int k = 0; before && k < DAL_QUANTITIES; k++) ratio[k] = before->error[k] / row->error[k];
    return json_pack("{s:I, s:f, s:o, s:o, s:o, s:{s:b, s:b, s:b}, s:s?}", "steps",
                     (json_int_t)row->steps, "step", row->step, "error", numbers(row->error),
                     "ratio", numbers(ratio), "order", numbers(row->order), "roundoff", "q",
                     row->roundoff[DAL_OF_Q], "p", row->roundoff[DAL_OF_P], "energy",
                     row->roundoff[DAL_OF_ENERGY], "failure", row->failure);
}

static json_t *scheme_json(const dal_convergence_scheme *s)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->rows; i++)
        json_array_append_new(rows, row_json(&s->row[i], i ? &s->row[i - 1] : NULL));
    return json_pack("{s:s, s:s, s:i, s:o, s:b, s:o}", "scheme", s->name, "title", s->title,
                     "claimed", s->claimed, "observed", numbers(s->observed), "missed", s->missed,
                     "rows", rows);
}

void convergence_json(const dal_convergence *c, FILE *out)
{
    json_t *schemes = json_array();
    for (size_t i = 0; i < c->schemes; i++)
        json_array_append_new(schemes, scheme_json(&c->scheme[i]));
    json_t *all =
        json_pack("{s:s, s:s, s:f, s:f, s:I, s:{s:s, s:I, s:s, s:I, s:o}, s:o}", "model", c->model,
                  "file", c->file, "from", c->from, "until", c->until, "times",
                  (json_int_t)c->times, "reference", "scheme", c->reference, "steps",
                  (json_int_t)c->reference_steps, "second", c->second, "second_steps",
                  (json_int_t)c->second_steps, "doubt", numbers(c->doubt), "schemes", schemes);
    json_dumpf(all, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    fputc('\n', out);
    json_decref(all);
}
