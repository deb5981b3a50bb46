/* embedded.c - finds a file of this folder among those that the library carries. */
#include "step/embedded.h"

#include <string.h>

const char *step_text(const char *name)
{
    for (const step_file *f = step_files; f->name; f++)
        if (!strcmp(strrchr(f->name, '/') + 1, name)) return f->data;
    return NULL;
}
