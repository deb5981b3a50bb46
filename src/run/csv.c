/* csv.c - rows as comma-separated text, 17 digits each, so that a number read back is the same
 * number. */
#include "base/digits.h"
#include "run/simulation.h"

#include <errno.h>
#include <string.h>

/* A name with a comma or a quote in it (u[2, 3] has none, but a unit might come to) stands in
 * quotes. */
static void add_name(text *line, const char *word)
{
    if (!word[strcspn(word, ",\"\n")]) {
        text_add(line, word);
        return;
    }
    text_add(line, "\"");
    for (; *word; word++) text_add_bytes(line, *word == '"' ? "\"\"" : word, *word == '"' ? 2 : 1);
    text_add(line, "\"");
}

/* As few digits as read back to the same number. */
static void add_number(text *line, double x)
{
    char digits[NUMBER_ROOM];
    int  n = digits_print(digits, x);
    text_add_bytes(line, digits, (size_t)n);
}

/* A full disk is an error of the run, which ends it. */
static dal_status put(dal_sim *s, FILE *out)
{
    text_add(&s->line, "\n");
    if (fwrite(s->line.at, 1, s->line.n, out) == s->line.n) return DAL_OK;
    return diag_error(s->ds, DAL_IO, span_none(), NULL, "cannot write the results: %s",
                      strerror(errno));
}

dal_status csv_header(dal_sim *s, FILE *out)
{
    text_clear(&s->line);
    for (int i = 0; i < s->columns; i++) {
        if (i) text_add(&s->line, ",");
        add_name(&s->line, s->shown[i].name);
    }
    return put(s, out);
}

dal_status csv_row(dal_sim *s, FILE *out)
{
    text_clear(&s->line);
    column_values(s, s->row);
    for (int i = 0; i < s->columns; i++) {
        if (i) text_add(&s->line, ",");
        add_number(&s->line, s->row[i]);
    }
    return put(s, out);
}
