/* embedded.h - files that the program carries within itself; cmake/embed.cmake puts them there. */
#ifndef CLI_EMBEDDED_H
#define CLI_EMBEDDED_H

#include <stddef.h>

typedef struct {
    const char *name; /* its path in the source, "examples/papers/rlc_loop.dal" */
    const char *data; /* ended by a 0 that does not count                       */
    size_t      size;
} embedded_file;

extern const embedded_file embedded_files[]; /* ends with a row of nothing */

const embedded_file *embedded(const char *name); /* NULL: there is none */

#endif
