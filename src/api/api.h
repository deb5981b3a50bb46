/* api.h - what stands behind the handles of dalembert.h, and the guard that every call which
 * allocates runs under. */
#ifndef API_API_H
#define API_API_H

#include "ranks/ranks.h"
#include "run/simulation.h"

struct dal_context {
    mem      m; /* messages, and the texts they point into */
    mem_heap heap;
    diags    ds;
    int      kept; /* messages whose texts are copied already */
    bool     no_memory;
    double   spare; /* ns that its runs may still spend on being made again: run/accuracy.h */
    ranks   *of;    /* of which this process is one; NULL: it is alone */
};

typedef struct { /* one per row of options.def; REPEATS have many texts */
    vec(source) text;
} option_value;

struct dal_options {
    mem               m;
    dal_context      *cx;
    option_value     *value;
    kept_texts       *kept;      /* NULL: files are read; else they come from here          */
    const char      **directory; /* and imports are looked for in these                     */
    int               directories;
    const retraction_map *map; /* of a caller; NULL: q + v */
};

struct dal_model {
    mem          m;
    dal_context *cx;
    model       *md; /* NULL: made of functions */
    subject      is;
    asked_list         asked; /* the options it was read with                  */
    const char *const *directory;
    int                directories;
};

/* Runs the action with failing allocations of the context and of `owner` (may be NULL) turned into
 * DAL_NOMEM. Afterwards every message is independent of what it speaks of. */
typedef dal_status action(void *job);
dal_status         guarded(dal_context *cx, mem *owner, action *act, void *job);

/* NULL where a call needs an object or a text is DAL_INVALID, told in the context if there is
 * one. */
dal_status is_null(dal_context *cx, const char *call, const char *argument);
#define NEEDS(cx, argument)                                                                        \
    do {                                                                                           \
        if (!(argument)) return is_null(cx, __func__, #argument);                                  \
    } while (0)

/* So is what would move a simulation under the run that an observer was called from. */
dal_status is_running(const dal_sim *s, const char *call);
#define RESTS(s)                                                                                   \
    do {                                                                                           \
        if ((s)->call.running) return is_running(s, __func__);                                     \
    } while (0)

/* An object of `size` bytes that owns its own mem, which is its first member; NULL if there is no
 * memory. */
void *object_new(dal_context *cx, size_t size);
void  object_free(void *object);

/* limits.c: how large a model and a simulation may become. */
typedef struct {
    double values; /* that sums and loops run through; 0: the usual */
    size_t bytes;  /* 0: as many as there are         */
} limits;
dal_status limits_read(dal_context *cx, const dal_options *o, limits *out);
/* before anything is built */
dal_status limits_foresee(dal_context *cx, limits most, int coordinates);
void       limits_report(dal_context *cx, const mem *full); /* that it would have become larger */

/* options.c: as the layers below want them; o may be NULL. The request points into o. */
void options_request(const dal_options *o, request *out);
const source *option_text(const dal_options *o, const char *key); /* NULL: not set */
void options_copy(mem *m, const dal_options *o, asked_list *out); /* of all that was set */

/* imports.c: where imports are looked for, after the importing file's own directory; and what is
 * loaded for several ranks, the first of these that is there. */
const char *const *parts_directories(mem *m, int *count);
const char *const *ranks_files(mem *m, int *count);

/* ranks.c: do all ranks agree that it goes on? A status of another rank gets its message here. */
dal_status agree_on(dal_context *cx, dal_status mine, const char *as);
dal_status tell_of_rank(dal_context *cx, const rank_stand *of);

/* Can they share the steps of a simulation, in the same way? It has been started, or `bad`. And an
 * observer that ends a run on all ranks if that of one does. */
dal_status agree_on_steps(dal_sim *s, dal_status bad);
typedef struct {
    dal_context        *cx;
    const dal_observer *theirs; /* or NULL */
} agreement;
dal_observer observer_of_ranks(const agreement *of);

#endif
