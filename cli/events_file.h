/* events_file.h - what happened at instants, as CSV: `run --events FILE` writes it, `plot --events
 * FILE` reads it. */
#ifndef CLI_EVENTS_FILE_H
#define CLI_EVENTS_FILE_H

#include "cli.h"

#include <jansson.h>

typedef struct {
    dal_event *at;
    size_t     count;
    char      *words;   /* the text of the file, of which names are parts */
    json_t    *summary; /* or the summary                                 */
} event_list;

int  events_write(const char *path, const dal_event *e, size_t count); /* the exit code          */
int  events_read(event_list *l, const char *path);                     /* GO_ON or the exit code */
void events_of_summary(event_list *l,
                       json_t     *summary); /* those of --json; shares it; may be NULL */
void events_free(event_list *l);

#endif
