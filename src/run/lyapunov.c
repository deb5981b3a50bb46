/* lyapunov.c - the exponents of a motion, by the method of Benettin and others:
 *                                                                            theory.md [LYAPUNOV]
 *
 *     d_j <- DPhi d_j,   then orthonormal:   d_j = sum_i r_ij e_i,   exponent_j = sum ln r_jj / t
 *
 * Relations do not admit directions that violate them. One step removes those, so the growth in the
 * first step is not counted; and the sum is over the second half of the run, since before the
 * directions have turned to where the motion stretches them it is not theirs. */
#include "run/lyapunov.h"

#include "run/simulation.h"

#include <math.h>
#include <string.h>

/* Equal parts of the run so far: when there are PARTS of them, every two become one. */
enum { PARTS = 32 };

struct lyapunov {
    int            count, N;             /* N = 2 n, or 2 n + 2                           */
    double        *basis, *next;         /* the directions, and where a step takes them   */
    int            parts;                /* begun, the last of them perhaps not full      */
    long           each, filled;         /* steps of a part, and of the last one so far   */
    double         length[PARTS];        /* in time                                       */
    double        *growth;               /* PARTS x count: sums of ln r_jj                */
    double        *exponent, *error;
    dal_direction *along;
    double         since; /* when the directions were renewed last */
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
    l->begun = false, l->parts = 0, l->each = l->filled = 1;
    for (int j = 0; j < l->count; j++) l->exponent[j] = l->error[j] = (double)NAN;
    choose_directions(l);
}

/* A tangent is tried once here, so that what has none is refused before the run. */
dal_status lyapunov_open(dal_sim *s, long count)
{
    const dal_system *sys =
        s->joint ? interaction_system(s->joint) : s->sys; /* forces take nothing away */
    const int n = sys->n, N = (int)simulation_tangent_width(s);
    const int room = N - sys->m - 2 * sys->r + stepper_redundant_numbers(s->st) -
                     stepper_bound_numbers(s->st) - 2 * turning_directions(sys->turns);
    if (count > room)
        return diag_error(s->ds, DAL_INVALID, span_none(), NULL,
                          "%ld Lyapunov exponents are asked for, and there are %d: two for "
                          "each degree of freedom, minus those that relations and directions "
                          "without inertia remove",
                          count, room);
    lyapunov *l = s->exponents = mem_array(&s->m, 1, lyapunov);
    l->count = (int)count, l->N = N;
    l->basis = mem_array(&s->m, l->count * l->N, double);
    l->next = mem_array(&s->m, l->count * l->N, double);
    l->growth = mem_array(&s->m, PARTS * l->count, double);
    l->exponent = mem_array(&s->m, l->count, double);
    l->error = mem_array(&s->m, l->count, double);
    l->along = mem_array(&s->m, l->count, dal_direction);
    for (int j = 0; j < l->count; j++)
        l->along[j] = (dal_direction){.q = l->basis + j * l->N, .p = l->basis + j * l->N + n};
    lyapunov_forget(s);
    s->mon.sum.exponents = (size_t)l->count, s->mon.sum.exponent = l->exponent;
    s->mon.sum.exponent_error = l->error;
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

/* Parts 2k and 2k + 1 become part k. */
static void join_parts(lyapunov *l)
{
    l->parts /= 2, l->each *= 2;
    for (int k = 0; k < l->parts; k++) {
        l->length[k] = l->length[2 * k] + l->length[2 * k + 1];
        for (int j = 0; j < l->count; j++)
            l->growth[k * l->count + j] =
                l->growth[2 * k * l->count + j] + l->growth[(2 * k + 1) * l->count + j];
    }
}

/* The part that the next step belongs to. */
static int part_now(lyapunov *l)
{
    if (l->filled < l->each) return l->filled++, l->parts - 1;
    if (l->parts == PARTS) join_parts(l);
    l->length[l->parts] = 0, l->filled = 1;
    memset(l->growth + l->parts * l->count, 0, (size_t)l->count * sizeof *l->growth);
    return l->parts++;
}

/* Over the second half of the parts:   x = sum_k g_k / sum_k T_k,   and with x_k = g_k / T_k
 *
 *     error^2 = sum_k T_k (x_k - x)^2 / (sum_k T_k (n - 1)) */
static void average(lyapunov *l, int j)
{
    double    time = 0, sum = 0, spread = 0;
    const int first = l->parts / 2, n = l->parts - first;
    for (int k = first; k < l->parts; k++)
        time += l->length[k], sum += l->growth[k * l->count + j];
    for (int k = first; k < l->parts; k++) {
        const double off = l->growth[k * l->count + j] / l->length[k] - sum / time;
        spread += l->length[k] * off * off;
    }
    l->exponent[j] = sum / time;
    l->error[j] = n > 1 ? sqrt(spread / (time * (n - 1))) : (double)NAN;
}

static void exchange(double *x, double *y)
{
    const double kept = *x;
    *x = *y, *y = kept;
}

/* The j-th largest: over a short time the directions are not yet in order. */
static void place(lyapunov *l, int j)
{
    for (; j > 0 && l->exponent[j] > l->exponent[j - 1]; j--)
        exchange(&l->exponent[j], &l->exponent[j - 1]), exchange(&l->error[j], &l->error[j - 1]);
}

/* Momenta along directions without inertia are not part of the motion, but a step passes roundoff
 * along them on: removed after every step, it cannot outgrow directions that contract. */
dal_status lyapunov_renew(dal_sim *s)
{
    lyapunov  *l = s->exponents;
    dal_status bad =
        stepper_bound_numbers(s->st) ? simulation_consistent(s, l->count, l->next) : DAL_OK;
    if (bad) return bad;
    const int k = l->begun ? part_now(l) : -1;
    for (int j = 0; j < l->count; j++) {
        double growth = log(renew(l, j));
        if (l->begun) l->growth[k * l->count + j] += growth;
    }
    if (l->begun) l->length[k] += fabs(s->t - l->since);
    for (int j = 0; j < l->count && l->begun; j++) average(l, j), place(l, j);
    l->begun = true, l->since = s->t;
    return DAL_OK;
}

/* Numbers of a checkpoint that index its parts. */
static bool is_sound(const lyapunov *l)
{
    return l->parts >= 0 && l->parts <= PARTS && l->each > 0 && l->filled > 0 &&
           l->filled <= l->each && (l->parts || l->filled == l->each);
}

/* Checkpoints of before had one sum for all of the run: then the averages begin anew. */
void lyapunov_archive(lyapunov *l, archive *r)
{
    const size_t count = (size_t)l->count;
    archive_doubles(r, "exponents.directions", l->basis, count * (size_t)l->N);
    if (r->reading && !r->bad && archive_count(r, "exponents.growth") < 0) {
        l->begun = false, l->parts = 0, l->each = l->filled = 1;
        return;
    }
    archive_bool(r, "exponents.begun", &l->begun);
    archive_double(r, "exponents.since", &l->since);
    archive_int(r, "exponents.parts", &l->parts);
    archive_long(r, "exponents.each", &l->each);
    archive_long(r, "exponents.filled", &l->filled);
    archive_doubles(r, "exponents.length", l->length, PARTS);
    archive_doubles(r, "exponents.growth", l->growth, PARTS * count);
    archive_doubles(r, "exponents", l->exponent, count);
    archive_doubles(r, "exponents.error", l->error, count);
    if (r->reading && !r->bad && !is_sound(l)) archive_refuse(r, "its exponents are damaged");
}
