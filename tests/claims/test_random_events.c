/* test_random_events.c - random piecewise smooth systems reach the order of their scheme. Where
 * their motions lead was computed by another code (tests/random_events.py). */
#include "../api_run.h"

#include <math.h>
#include <stdio.h>

enum { COORDINATES = 4 };

typedef struct {
    int         seed;
    const char *text;
    int         n;
    double      end[2 * COORDINATES]; /* q, p at t = 4                    */
    size_t      events;               /* that are told, without branches  */
    double      first;                /* when the first of them was       */
} random_system;

#include "../reference_events.h"

static const struct {
    const char *name;
    int         order;
} scheme[] = {{"gauss(1)", 2},   {"gauss(2)", 4},   {"gauss(3)", 6},
              {"lobatto(2)", 2}, {"lobatto(3)", 4}, {"compose(midpoint, suzuki(4))", 4}};

enum { SCHEMES = sizeof scheme / sizeof *scheme, HALVINGS = 4 };

/* How far q and p are from where they should be after 4. */
static double error_of(const random_system *x, size_t by, int steps)
{
    char          h[40];
    size_t        count;
    double        error = 0;
    const setting set[] = {{"scheme", scheme[by].name}, {"step", h}, {"until", "4"}, {0}};
    snprintf(h, sizeof h, "%.17g", 4.0 / steps);
    run r = begin_text(x->text, set);
    run_to_end(&r);
    const dal_event *e = dal_events(r.s, &count);
    for (int i = 0; i < x->n; i++) {
        error = fmax(error, fabs(dal_q(r.s)[i] - x->end[i]));
        error = fmax(error, fabs(dal_p(r.s)[i] - x->end[x->n + i]));
    }
    if (error < 1e-3 && count != x->events)
        fail_msg("%d by %s: %zu events of %zu", x->seed, scheme[by].name, count, x->events);
    if (count && scheme[by].order == 6 && steps > 400) check_close(e[0].t, x->first, 1e-10);
    end(&r);
    return error;
}

/* The mean over the last halvings above roundoff: lengths of partial steps change with h, so single
 * pairs scatter. */
static double order_of(const random_system *x, size_t by)
{
    static const double ROUNDOFF = 5e-14;
    double              error[HALVINGS + 1];
    int                 last = HALVINGS;
    for (int j = 0; j <= HALVINGS; j++) error[j] = error_of(x, by, 32 << j);
    while (last > 2 && error[last] < ROUNDOFF) last--;
    if (error[last] < ROUNDOFF) return scheme[by].order;
    return log2(error[last - 2] / error[last]) / 2;
}

static void random_systems_reach_the_order_of_their_scheme(void **state)
{
    (void)state;
    double    sum[SCHEMES] = {0};
    const int count = sizeof random_systems / sizeof *random_systems;
    for (int k = 0; k < count; k++)
        for (size_t by = 0; by < SCHEMES; by++) {
            const double order = order_of(&random_systems[k], by);
            sum[by] += order;
            if (order < scheme[by].order - 0.6)
                fail_msg("%d by %s: %g", random_systems[k].seed, scheme[by].name, order);
        }
    for (size_t by = 0; by < SCHEMES; by++) check_below(fabs(sum[by] / count - scheme[by].order), 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_systems_reach_the_order_of_their_scheme)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
