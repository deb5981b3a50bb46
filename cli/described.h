/* described.h - what check and show print, as one JSON object. */
#ifndef CLI_DESCRIBED_H
#define CLI_DESCRIBED_H

#include <dalembert.h>
#include <stdbool.h>
#include <stdio.h>

/* What dal_check prints, by its headings; `out` has it as JSON. The status is that of dal_check. */
dal_status described_check(const dal_model *m, const dal_options *o, FILE *out);

/* {"model", "file", "views": {name: text}}: of `count` views, those for which `wanted` holds. */
dal_status described_views(const dal_model *m, const dal_options *o, const dal_view *view,
                           const bool *wanted, size_t count, FILE *out);

#endif
