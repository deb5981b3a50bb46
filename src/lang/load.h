/* load.h - from a text to a model: reads the files, gives names their meaning, elaborates. */
#ifndef LANG_LOAD_H
#define LANG_LOAD_H

#include "lang/source.h"
#include "model/model.h"

typedef struct {
    const char        *file;        /* its name in messages; imports are looked for beside it   */
    const char        *text;        /* NULL: the file is read                                   */
    size_t             length;      /* of the text                                              */
    const char        *system;      /* the one to run; NULL: the last of the file               */
    const char *const *directory;   /* where imports are looked for next: the installed parts   */
    int                directories;
    const overrides   *over;        /* NULL: none. Those of sizes act here                      */
    const kept_texts  *kept;        /* NULL: files are read; else they come from here           */
    double             values;      /* that sums and loops may run through; 0: 50 million       */
    size_t             bytes;       /* that the model may take; 0: half of what there is        */
} load_request;

/* All errors go to ds, whose mem keeps the texts that its messages point into. DAL_IO: a file could
 * not be read; DAL_SYNTAX, DAL_INVALID: the text is wrong; DAL_NOMEM. On success the model is the
 * caller's, who frees it with model_free. */
dal_status model_load(mem_heap heap, diags *ds, const load_request *rq, model **out);

#endif
