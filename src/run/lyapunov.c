/* lyapunov.c - the exponents of a motion, by the method of Benettin and others:
 *                                                                            theory.md [LYAPUNOV]
 *
 *     d_j <- DPhi d_j,   then orthonormal:   d_j = sum_i r_ij e_i,   exponent_j = sum ln r_jj / t
 *
 * Relations do not admit directions that violate them. One step removes those, so the growth in the
 * first step is not counted. */
#include "run/lyapunov.h"

#include "run/simulation.h"

#include <math.h>
#include <string.h>

struct lyapunov {
    int            count, N; /* N = 2 n, or 2 n + 2 */
    /* next: the directions after a step; sum: of ln r_jj */
    double        *basis, *next, *sum, *exponent;
    dal_direction *along;
    double         since;
    bool           begun;
};

/* Directions that are near no other, and orthogonal to none that matters. */
static void choose_directions(lyapunov *l)
{
    for (int k = 0; k < l->count * l->N; k++)
        l->basis[k] = sin(1 + 1.7 * k + 0.3 * k * sin((double)k));
}

/* The averages of a new state are its own. */
void lyapunov_forget(dal_sim *s)
{
    lyapunov *l = s->exponents;
    if (!l) return;
    l->begun = false;
    memset(l->sum, 0, (size_t)l->count * sizeof *l->sum);
    for (int j = 0; j < l->count; j++) l->exponent[j] = (double)NAN;
    choose_directions(l);
}

/* A tangent is tried once here, so that what has none is refused before the run. */
dal_status lyapunov_open(dal_sim *s, long count)
{
    const dal_system *sys =
        s->joint ? interaction_system(s->joint) : s->sys; /* forces take nothing away */
    const int n = sys->n, N = (int)simulation_tangent_width(s);
    const int room = N - sys->m - 2 * sys->r - stepper_bound_numbers(s->st);
    if (count > room)
        return diag_error(s->ds, DAL_INVALID, span_none(), NULL,
                          "%ld Lyapunov exponents are asked for, and there are %d: two for "
                          "each coordinate, minus those that relations and directions without "
                          "inertia remove",
                          count, room);
    lyapunov *l = s->exponents = mem_array(&s->m, 1, lyapunov);
    l->count = (int)count, l->N = N;
    l->basis = mem_array(&s->m, l->count * l->N, double);
    l->next = mem_array(&s->m, l->count * l->N, double);
    l->sum = mem_array(&s->m, l->count, double), l->exponent = mem_array(&s->m, l->count, double);
    l->along = mem_array(&s->m, l->count, dal_direction);
    for (int j = 0; j < l->count; j++)
        l->along[j] = (dal_direction){.q = l->basis + j * l->N, .p = l->basis + j * l->N + n};
    lyapunov_forget(s);
    s->mon.sum.exponents = (size_t)l->count, s->mon.sum.exponent = l->exponent;
    dal_status bad = simulation_consistent(s, l->count, l->basis);
    if (bad) return bad;
    return simulation_tangent(s, (size_t)l->count, l->along, l->next); /* is there one? */
}

/* Of the step that comes next, before it is made. */
dal_status lyapunov_carry(dal_sim *s)
{
    lyapunov *l = s->exponents;
    const int both = 2 * s->sys->n;
    for (int j = 0; j < l->count && l->N > both; j++)
        l->along[j].t = l->basis[j * l->N + both], l->along[j].E = l->basis[j * l->N + both + 1];
    return simulation_tangent(s, (size_t)l->count, l->along, l->next);
}

/*     x.y */
static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* r_jj; x becomes orthogonal to the j directions before it, and of length one. */
static double renew(lyapunov *l, int j)
{
    double *x = l->next + j * l->N;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < j; i++) {
            const double *e = l->basis + i * l->N;
            double        c = dot(e, x, l->N);
            for (int k = 0; k < l->N; k++) x[k] -= c * e[k];
        }
    double size = sqrt(dot(x, x, l->N));
    for (int k = 0; k < l->N; k++) l->basis[j * l->N + k] = size > 0 ? x[k] / size : 0;
    return size;
}

/* The j-th largest: over a short time the directions are not yet in order. */
static void place(double *list, int j)
{
    for (; j > 0 && list[j] > list[j - 1]; j--) {
        const double x = list[j];
        list[j] = list[j - 1], list[j - 1] = x;
    }
}

/* Momenta along directions without inertia are not part of the motion, but a step passes roundoff
 * along them on: removed after every step, it cannot outgrow directions that contract. */
dal_status lyapunov_renew(dal_sim *s)
{
    lyapunov  *l = s->exponents;
    dal_status bad =
        stepper_bound_numbers(s->st) ? simulation_consistent(s, l->count, l->next) : DAL_OK;
    if (bad) return bad;
    for (int j = 0; j < l->count; j++) {
        double growth = log(renew(l, j));
        if (l->begun) l->sum[j] += growth;
    }
    if (!l->begun) l->begun = true, l->since = s->t;
    for (int j = 0; j < l->count && s->t != l->since; j++) {
        l->exponent[j] = l->sum[j] / fabs(s->t - l->since);
        place(l->exponent, j);
    }
    return DAL_OK;
}

void lyapunov_archive(lyapunov *l, archive *r)
{
    const size_t count = (size_t)l->count;
    archive_bool(r, "exponents.begun", &l->begun);
    archive_double(r, "exponents.since", &l->since);
    archive_doubles(r, "exponents.directions", l->basis, count * (size_t)l->N);
    archive_doubles(r, "exponents.sums", l->sum, count);
    archive_doubles(r, "exponents", l->exponent, count);
}
