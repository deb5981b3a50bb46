/* names.h - interned names: equal names are the same pointer. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include "base/mem.h"

typedef const char *name; /* NUL-terminated; compare with == */

typedef struct {
    mem  *m;
    name *table;
    int   count, room; /* room is a power of two */
} names;

void names_init(names *ns, mem *m);
name names_intern(names *ns, const char *text, size_t length);
name names_find(const names *ns, const char *text, size_t length); /* NULL: never interned */


/* The candidate nearest to `wrong`, or NULL if none is near enough to be what was meant. */
const char *name_nearest(const char *wrong, const char *const *candidates, int count);

#endif
