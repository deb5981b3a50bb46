/* map.h - a hash table from (pointer, int, int) to int: from names to symbols, from lets to
 * expressions, from slots to variables. */
#ifndef LANG_MAP_H
#define LANG_MAP_H

#include "base/mem.h"

#include <stdbool.h>

typedef struct {
    const void *a;
    int         b, c;
    int         value;
    unsigned    stamp; /* the entry counts if it has the table's */
} map_entry;

typedef struct {
    mem       *m;
    map_entry *at;
    int        count, room; /* room is a power of two */
    unsigned   stamp;
} map;

void map_init(map *t, mem *m);
void map_clear(map *t); /* in constant time, memory kept */
int *map_find(const map *t, const void *a, int b, int c); /* NULL: not there */
void map_put(map *t, const void *a, int b, int c, int value);

/* The value of a key, which is put there if it is new. */
int map_keep(map *t, const void *a, int b, int c, int value, bool *fresh);

#endif
