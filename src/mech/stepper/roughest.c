/* roughest.c - looks at every step, and keeps the state before the one that stands out. */
#include "mech/stepper/roughest.h"

#include "mech/stepper/stepper.h"

#include <math.h>
#include <string.h>

enum { ARRAYS = 8 };

static void list_arrays(roughest *of, double **array[ARRAYS])
{
    double **const all[ARRAYS] = {&of->sum,    &of->z[0], &of->z[1], &of->last_q,
                                  &of->last_p, &of->q,    &of->p,    &of->went};
    memcpy(array, all, sizeof all);
}

void roughest_watch(stepper *st)
{
    roughest *of = &st->rough;
    const int n = st->sys->n;
    double  **array[ARRAYS];
    list_arrays(of, array);
    for (int k = 0; k < ARRAYS; k++)
        if (!*array[k]) *array[k] = mem_array(st->m, n + 1, double);
    memset(of->sum, 0, (size_t)n * sizeof *of->sum);
    roughest_forget(of);
}

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

void roughest_note(stepper *st, double t, double h, const double *q0, const double *p0)
{
    roughest *of = &st->rough;
    const int n = st->sys->n;
    double   *z = of->z[1], *before = of->z[0], most = of->r;
    for (int j = 0; j < n; j++) {
        const double now = st->q[j] - q0[j], D = fabs(now - 2 * before[j] + z[j]);
        z[j] = now;
        if (of->known < 2) continue;
        of->sum[j] += D;
        if (D * (double)of->known > most * of->sum[j]) most = D * (double)of->known / of->sum[j];
    }
    if (most > of->r) {
        copy(of->q, of->last_q, n), copy(of->p, of->last_p, n), copy(of->went, before, n);
        of->r = most, of->t = t - h, of->h = h;
    }
    copy(of->last_q, q0, n), copy(of->last_p, p0, n);
    of->z[0] = z, of->z[1] = before, of->known++;
}

void roughest_archive(stepper *st, archive *r)
{
    static const char *const name[ARRAYS] = {"sum",    "z0", "z1", "last_q",
                                             "last_p", "q",  "p",  "went"};
    roughest                *of = &st->rough;
    double                 **array[ARRAYS];
    list_arrays(of, array);
    for (int k = 0; k < ARRAYS; k++) archive_doubles(r, name[k], *array[k], (size_t)st->sys->n);
    archive_long(r, "known", &of->known), archive_double(r, "r", &of->r);
    archive_double(r, "t", &of->t), archive_double(r, "h", &of->h);
}
