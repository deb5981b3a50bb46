/* embedded.h - the files of this folder as text, byte for byte, for code that is compiled
 * elsewhere: a generated step consists of its sizes, the programs of its model and these files. */
#ifndef STEP_EMBEDDED_H
#define STEP_EMBEDDED_H

#include <stddef.h>

typedef struct {
    const char *name; /* its path in the source, "src/step/lu.h" */
    const char *data; /* ended by a 0 that does not count        */
    size_t      size;
} step_file;

extern const step_file step_files[]; /* ends with a row of nothing; cmake/embed.cmake writes it */

const char *step_text(const char *name); /* of "lu.h"; NULL: there is none */

#endif
