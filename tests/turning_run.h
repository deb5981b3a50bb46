/* turning_run.h - runs of models with rotations and directions: what their rows are, their states,
 * and runs that begin at one. */
#ifndef TESTS_TURNING_RUN_H
#define TESTS_TURNING_RUN_H

#include "api_run.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_MOST = 48 };

typedef enum { NUMBER, ROTATION, DIRECTION, FOLLOWS } row_kind;

typedef struct { /* of a rotation or direction the first row has its kind, and its name alone */
    int      n;
    row_kind kind[ROWS_MOST];
    char     name[ROWS_MOST][32];
} rows;

/* As tangents count them: q of numbers, n of directions; p in body axes of rotations. */
typedef struct {
    double q[ROWS_MOST], p[ROWS_MOST], quaternion[ROWS_MOST][4], spatial[ROWS_MOST];
} reading;

static inline double component(const run *r, const char *format, const char *name, int k)
{
    char column[64];
    snprintf(column, sizeof column, format, name, k);
    return measure(r, column);
}

/* A rotation has a column "R.w"; a direction has rows 0 in q, and is not 0. */
static inline row_kind kind_of(const run *r, const char *name, const double *q)
{
    char   column[40];
    double w;
    snprintf(column, sizeof column, "%s.w", name);
    if (!dal_measure(r->s, column, &w)) return ROTATION;
    for (int k = 0; k < 3 && q[0] == 0 && q[1] == 0 && q[2] == 0; k++)
        if (component(r, "%s[%d]", name, k + 1) != 0) return DIRECTION;
    return NUMBER;
}

static inline rows rows_of(const run *r)
{
    rows l = {.n = (int)r->n};
    for (int i = 0; i < l.n; i++) {
        dal_model_name(r->m, DAL_COORDINATES, (size_t)i, l.name[i], sizeof l.name[i]);
        char *bracket = strrchr(l.name[i], '[');
        if (!bracket || bracket[1] != '1' || i + 2 >= l.n) continue;
        *bracket = 0;
        l.kind[i] = kind_of(r, l.name[i], dal_q(r->s) + i);
        if (l.kind[i] == NUMBER) *bracket = '[';
        else l.kind[i + 1] = l.kind[i + 2] = FOLLOWS, i += 2;
    }
    return l;
}

static inline reading read_state(const run *r, const rows *l)
{
    reading out = {.q = {0}};
    memcpy(out.q, dal_q(r->s), r->n * sizeof *out.q);
    memcpy(out.p, dal_p(r->s), r->n * sizeof *out.p);
    memcpy(out.spatial, out.p, sizeof out.p);
    for (int i = 0; i < l->n; i++) {
        for (int k = 0; k < 4 && l->kind[i] == ROTATION; k++) {
            char column[40];
            snprintf(column, sizeof column, "%s.%c", l->name[i], "wxyz"[k]);
            out.quaternion[i][k] = measure(r, column);
        }
        if (l->kind[i] == NUMBER || l->kind[i] == FOLLOWS) continue;
        for (int k = 0; k < 3; k++)
            out.spatial[i + k] = component(r, "p(%s)[%d]", l->name[i], k + 1);
        for (int k = 0; k < 3 && l->kind[i] == DIRECTION; k++)
            out.q[i + k] = component(r, "%s[%d]", l->name[i], k + 1),
                      out.p[i + k] = out.spatial[i + k];
    }
    return out;
}

/* Where a run begins, as words of the option "start". */
static inline void begin_at(run *r, const rows *l, const reading *x)
{
    for (int i = 0; i < l->n; i++) {
        char          words[256];
        const double *q = l->kind[i] == ROTATION ? x->quaternion[i] : x->q + i, *p = x->spatial + i;
        if (l->kind[i] == FOLLOWS) continue;
        if (l->kind[i] == NUMBER) snprintf(words, sizeof words, "%s=%.17g", l->name[i], q[0]);
        else if (l->kind[i] == DIRECTION)
            snprintf(words, sizeof words, "%s=[%.17g, %.17g, %.17g]", l->name[i], q[0], q[1], q[2]);
        else
            snprintf(words, sizeof words, "%s=quaternion(%.17g, %.17g, %.17g, %.17g)", l->name[i],
                     q[0], q[1], q[2], q[3]);
        must(r, dal_options_set(r->o, "start", words));
        if (l->kind[i] == NUMBER) snprintf(words, sizeof words, "p(%s)=%.17g", l->name[i], p[0]);
        else
            snprintf(words, sizeof words, "p(%s)=[%.17g, %.17g, %.17g]", l->name[i], p[0], p[1],
                     p[2]);
        must(r, dal_options_set(r->o, "start", words));
    }
}

static inline double readings_apart(const reading *a, const reading *b, const rows *l)
{
    double most = fmax(apart(a->q, b->q, (size_t)l->n), apart(a->p, b->p, (size_t)l->n));
    for (int i = 0; i < l->n; i++) most = fmax(most, apart(a->quaternion[i], b->quaternion[i], 4));
    return most;
}

#endif
