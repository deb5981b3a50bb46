/* vec.h - growable arrays: vec(int) v = {0}; vec_push(m, v, 3); v.at[i], v.n. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/mem.h"

#define vec(type)                                                                               \
    struct {                                                                                    \
        type *at;                                                                               \
        int   n, room;                                                                          \
    }

#define vec_push(m, v, ...)                                                                     \
    ((v).n == (v).room ? vec_grow((m), (void **)&(v).at, &(v).room, (v).n + 1, sizeof *(v).at)  \
                       : (void)0,                                                               \
     (v).at[(v).n++] = (__VA_ARGS__))

/* room for count more elements, uninitialised, after the present ones */
#define vec_reserve(m, v, count)                                                                \
    ((v).n + (count) > (v).room                                                                 \
         ? vec_grow((m), (void **)&(v).at, &(v).room, (v).n + (count), sizeof *(v).at)          \
         : (void)0)

/* no more room than there are elements: it has grown for the last time */
#define vec_trim(m, v)                                                                             \
    ((v).n < (v).room ? (void)((v).at = mem_resize((m), (v).at, (size_t)(v).n * sizeof *(v).at),   \
                               (v).room = (v).n)                                                   \
                      : (void)0)

#define vec_drop(m, v) (mem_drop((m), (v).at), (v).at = NULL, (v).n = (v).room = 0)

void vec_grow(mem *m, void **at, int *room, int need, size_t size);

#endif
