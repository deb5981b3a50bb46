/* embedded.c - finds a file among those that the program carries. */
#include "embedded.h"

#include <string.h>

const embedded_file *embedded(const char *name)
{
    for (const embedded_file *f = embedded_files; f->name; f++)
        if (!strcmp(f->name, name)) return f;
    return NULL;
}
