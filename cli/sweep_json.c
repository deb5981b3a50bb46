/* sweep_json.c - the summary of a sweep for programs: one object, with keys that stay. */
#include "sweep.h"

#include <jansson.h>
#include <math.h>

enum { FAILURES_MOST = 100 }; /* that are told one by one; the table has them all */

/* JSON has no infinity and no NaN: null. */
static json_t *number(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *statistics(const dal_statistics *s)
{
    static const char *const part[DAL_QUANTILES] = {"0.05", "0.25", "0.5", "0.75", "0.95"};
    json_t                  *quantiles = json_object();
    for (int k = 0; k < DAL_QUANTILES; k++)
        json_object_set_new(quantiles, part[k], number(s->quantile[k]));
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o}", "count", (json_int_t)s->count, "mean",
                     number(s->mean), "sd", number(s->sd), "min", number(s->min), "max",
                     number(s->max), "quantiles", quantiles);
}

static json_t *all_statistics(const dal_sweep_summary *sum)
{
    json_t *all = json_object();
    for (size_t i = 0; i < sum->columns; i++)
        json_object_set_new(all, sum->column[i].name, statistics(&sum->column[i]));
    return all;
}

static json_t *column_names(const sweep_files *f, int swept)
{
    json_t                 *all = json_array();
    size_t                  count;
    const dal_sweep_column *c = dal_sweep_columns(f->sweep, &count);
    for (size_t i = 0; i < count; i++)
        if (c[i].swept == swept) json_array_append_new(all, json_string(c[i].name));
    return all;
}

static json_t *failures(const sweep_files *f)
{
    json_t *all = json_array();
    for (size_t i = 0; i < f->rows && json_array_size(all) < FAILURES_MOST; i++) {
        dal_member m = dal_sweep_member(f->sweep, i);
        if (!m.status) continue;
        json_array_append_new(all, json_pack("{s:I, s:s, s:s}", "member", (json_int_t)i, "status",
                                             member_word(&m), "error",
                                             m.error ? m.error : dal_status_text(m.status)));
    }
    return all;
}

int sweep_json(const sweep_files *f, const dal_sweep_summary *sum, bool interrupted, FILE *out)
{
    const char *status = interrupted                  ? "interrupted"
                         : sum->failed + sum->refused ? "failed"
                                                      : "done";
    json_t     *o = json_pack("{s:s, s:s, s:s, s:s}", "model", sum->model, "file", sum->file,
                              "principle", sum->principle, "scheme", sum->scheme);
    json_object_set_new(o, "members", json_integer((json_int_t)sum->members));
    json_object_set_new(o, "done", json_integer((json_int_t)sum->done));
    json_object_set_new(o, "failed", json_integer((json_int_t)sum->failed));
    json_object_set_new(o, "refused", json_integer((json_int_t)sum->refused));
    json_object_set_new(o, "warned", json_integer((json_int_t)sum->warned));
    json_object_set_new(o, "together", json_integer((json_int_t)sum->together));
    json_object_set_new(o, "swept", column_names(f, 1));
    json_object_set_new(o, "statistics", all_statistics(sum));
    json_object_set_new(o, "failures", failures(f));
    json_object_set_new(o, "steps", json_integer(sum->steps));
    json_object_set_new(o, "backend", json_string(sum->backend));
    json_object_set_new(o, "threads", json_integer(sum->threads));
    json_object_set_new(o, "ranks", json_integer(sum->ranks));
    json_object_set_new(o, "time", json_pack("{s:o}", "run_s", number(sum->seconds)));
    json_object_set_new(o, "status", json_string(status));
    int bad =
        json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) || fputc('\n', out) == EOF;
    json_decref(o);
    return bad ? EXIT_IO : EXIT_DONE;
}
