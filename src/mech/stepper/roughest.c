/* roughest.c - looks at every step, and keeps the state before the one that stands out. */
#include "mech/stepper/roughest.h"

#include "mech/stepper/stepper.h"
#include "step/words.h"

#include "step/roughest.h"

#include <math.h>
#include <string.h>

enum { ARRAYS = 6 };

typedef struct {
    double    **at;
    int         n;
    const char *name;
} array_of;

static void list_arrays(stepper *st, array_of list[ARRAYS])
{
    roughness     *of = &st->rough.of;
    const int      n = st->sys->n;
    const array_of all[ARRAYS] = {{&of->sum, n, "sum"},       {&of->weight, n, "weight"},
                                  {&of->z, 2 * n, "z"},       {&of->last, 2 * n, "last"},
                                  {&of->from, 3 * n, "from"}, {&st->rough.step, n, "step"}};
    memcpy(list, all, sizeof all);
}

void roughest_watch(stepper *st)
{
    array_of all[ARRAYS];
    list_arrays(st, all);
    for (int k = 0; k < ARRAYS; k++) {
        if (!*all[k].at) *all[k].at = mem_array(st->m, all[k].n + 1, double);
        memset(*all[k].at, 0, (size_t)all[k].n * sizeof(double));
    }
    st->rough.of.known = 0, st->rough.part = 1;
    roughest_forget(&st->rough);
}

/* Means are renewed at first with every call, then with one of some. */
roughness *roughest_begin(stepper *st)
{
    enum { FIRST = 64, APART = 16 };
    roughness *of = &st->rough.of;
    if (!of->sum) return NULL;
    if (of->known <= FIRST || of->known % APART == 0)
        for (int j = 0; j < st->sys->n; j++)
            of->weight[j] = of->sum[j] > 0 ? (double)of->known / of->sum[j] : 0;
    of->k = -1;
    return of;
}

void roughest_end(stepper *st, double from, double h, double part, const double *z)
{
    roughest *rough = &st->rough;
    const int n = st->sys->n;
    if (!rough->of.sum) return;
    rough->part = part;
    memcpy(rough->of.z, z, (size_t)n * sizeof *z);
    if (!rough->of.seen) rough->of.seen = 1;
    if (rough->of.k < 0) return;
    rough->t = from + (double)rough->of.k * h, rough->h = h;
    for (int j = 2 * n; j < 3 * n; j++) rough->of.from[j] /= part;
}

void roughest_note(stepper *st, double t, double h, const double *q0, const double *p0)
{
    roughness *of = roughest_begin(st);
    double    *z = st->rough.step;
    for (int j = 0; j < st->sys->n; j++) z[j] = st->q[j] - q0[j];
    note_roughness(of, st->sys->n, 1, q0, p0, z);
    roughest_end(st, t - h, h, 1, z);
}

void roughest_note_forces(stepper *st, long k, const double *F0, const double *F1)
{
    note_forces(&st->rough.of, st->sys->n, k, st->q0, st->p0, st->y, F0, F1);
}

void roughest_archive(stepper *st, archive *r)
{
    roughest *rough = &st->rough;
    array_of  all[ARRAYS];
    list_arrays(st, all);
    for (int k = 0; k < ARRAYS; k++) archive_doubles(r, all[k].name, *all[k].at, (size_t)all[k].n);
    archive_long(r, "known", &rough->of.known), archive_double(r, "r", &rough->of.most);
    archive_long(r, "seen", &rough->of.seen);
    archive_double(r, "part", &rough->part);
    archive_double(r, "t", &rough->t), archive_double(r, "h", &rough->h);
}
