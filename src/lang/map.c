/* map.c - open addressing; a stamp per entry makes clearing free, since it is done for every
 * instance of a term. */
#include "lang/map.h"

#include <stdint.h>
#include <string.h>

void map_init(map *t, mem *m)
{
    *t = (map){.m = m, .stamp = 1};
}

/* A new stamp makes all entries old; only when stamps run out is memory cleared. */
void map_clear(map *t)
{
    t->count = 0;
    if (++t->stamp) return;
    if (t->at) memset(t->at, 0, (size_t)t->room * sizeof *t->at);
    t->stamp = 1;
}

/* Multiplication spreads what differs in few bits over all; the upper half is the hash. */
static uint32_t hash(const void *a, int b, int c)
{
    uint64_t h = (uint64_t)(uintptr_t)a ^ (uint64_t)(uint32_t)b << 32 ^ (uint32_t)c;
    h = (h ^ h >> 32) * 0x9E3779B97F4A7C15u;
    h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
    return (uint32_t)(h >> 32);
}

/* The entry of a key, or the free one where it would stand. There is always a free one. */
static map_entry *place(const map *t, const void *a, int b, int c)
{
    uint32_t mask = (uint32_t)t->room - 1, i = hash(a, b, c) & mask;
    for (;; i = (i + 1) & mask) {
        map_entry *e = &t->at[i];
        if (e->stamp != t->stamp || (e->a == a && e->b == b && e->c == c)) return e;
    }
}

/* Twice the room; old entries of other stamps are left behind. */
static void grow(map *t)
{
    map    old = *t;
    size_t room = old.room ? 2 * (size_t)old.room : 64;
    t->at = mem_resize(t->m, NULL, room * sizeof *t->at);
    memset(t->at, 0, room * sizeof *t->at);
    t->room = (int)room;
    for (int i = 0; i < old.room; i++) {
        const map_entry *e = &old.at[i];
        if (e->stamp == t->stamp) *place(t, e->a, e->b, e->c) = *e;
    }
    mem_drop(t->m, old.at);
}

int *map_find(const map *t, const void *a, int b, int c)
{
    if (!t->room) return NULL;
    map_entry *e = place(t, a, b, c);
    return e->stamp == t->stamp ? &e->value : NULL;
}

int map_keep(map *t, const void *a, int b, int c, int value, bool *fresh)
{
    /* at most two thirds are filled */
    if (3 * (t->count + 1) > 2 * t->room) grow(t);
    map_entry *e = place(t, a, b, c);
    *fresh = e->stamp != t->stamp;
    if (*fresh) *e = (map_entry){a, b, c, value, t->stamp}, t->count++;
    return e->value;
}

void map_put(map *t, const void *a, int b, int c, int value)
{
    bool fresh;
    map_keep(t, a, b, c, value, &fresh);
    if (!fresh) place(t, a, b, c)->value = value;
}
