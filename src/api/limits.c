/* limits.c - how large a model may become: a wrong size should give a message, not a machine that
 * swaps. Those who mean it raise the limit. */
#include "api/api.h"

#include "base/text.h"

#include <math.h>

static const double MEGABYTE = 1024.0 * 1024;

/* Not set: *out stays as it is. */
static dal_status read_one(dal_context *cx, const dal_options *o, const char *key, const char *unit,
                           double *out)
{
    const source *of = option_text(o, key);
    double        n;
    if (!of) return DAL_OK;
    if (!text_is_number(of->text, &n) || !(n >= 1) || !(n < 1e15))
        return diag_error(&cx->ds, DAL_INVALID, source_span(of), NULL,
                          "a number of %s, at least 1, is needed here", unit);
    *out = floor(n);
    return DAL_OK;
}

/* Half of the machine's memory, unless more is allowed. */
dal_status limits_read(dal_context *cx, const dal_options *o, limits *out)
{
    double     count = 0, memory = floor((double)mem_of_machine() / 2 / MEGABYTE);
    dal_status bad = read_one(cx, o, "limit", "values", &count);
    if (!bad) bad = read_one(cx, o, "memory", "megabytes", &memory);
    *out = (limits){count, (size_t)(memory * MEGABYTE)};
    return bad;
}

void limits_report(dal_context *cx, const mem *full)
{
    diag_error(&cx->ds, DAL_NOMEM, span_none(),
               "use a smaller system, or allow more with --memory MB",
               "out of memory: this needs more than the %zu MB allowed", full->most >> 20);
}

/* What a simulation takes at least for each coordinate: the state in two parts, the one before, the
 * unknowns and some of the last. Explicit steps, which take the least, have 420 bytes. */
dal_status limits_foresee(dal_context *cx, limits most, int coordinates)
{
    static const double LEAST = 400;
    const double        needed = ceil(LEAST * coordinates / MEGABYTE);
    if (most.bytes == 0 || needed * MEGABYTE <= (double)most.bytes) return DAL_OK;
    return diag_error(&cx->ds, DAL_NOMEM, span_none(),
                      "use a smaller system, or allow more with --memory MB",
                      "a simulation of %d coordinates needs %.0f MB at least, and %zu MB are "
                      "allowed",
                      coordinates, needed, most.bytes >> 20);
}
