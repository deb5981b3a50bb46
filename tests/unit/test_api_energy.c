/* The energy principle through the public header, against runs of an independent implementation. */
#include "check.h"
#include "dalembert.h"
#include "reference_energy.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const char *const well = "system Well {\n"
                                "  coordinate q\n"
                                "  lagrangian q'^2/2 - (q^4 - q^2)/2\n"
                                "}\n";

static const char *const damped = "system Damped {\n"
                                  "  parameter zeta = 0.01\n"
                                  "  coordinate q\n"
                                  "  lagrangian q'^2/2 - 2*q^2\n"
                                  "  force q: -4*zeta*q'\n"
                                  "}\n";

static const char *const forced = "system Forced {\n"
                                  "  parameter F0 = 1, sigma = 1\n"
                                  "  coordinate q\n"
                                  "  lagrangian q'^2/2 - 2*q^2\n"
                                  "  force q: F0*cos(2*sigma*t)\n"
                                  "}\n";

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
} bench;

static void set(bench *b, const char *key, const char *format, double x)
{
    char words[64];
    snprintf(words, sizeof words, format, x);
    assert_int_equal(dal_options_set(b->o, key, words), DAL_OK);
}

static bench open_bench(const char *model, const char *scheme, double step)
{
    bench b = {.cx = dal_context_new(NULL)};
    b.o = dal_options_new(b.cx);
    dal_options_set(b.o, "principle", "energy"), dal_options_set(b.o, "scheme", scheme);
    set(&b, "step", "%.17g", step);
    assert_int_equal(dal_model_parse(b.cx, "test.dal", model, b.o, &b.m), DAL_OK);
    return b;
}

static void start(bench *b)
{
    dal_status bad = dal_sim_new(b->m, b->o, &b->s);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static void close_bench(bench *b)
{
    dal_sim_free(b->s), dal_model_free(b->m), dal_options_free(b->o), dal_context_free(b->cx);
}

/* A model, and what its two numbers are called in the rows of the reference. */
typedef struct {
    const char *text, *a, *b; /* "zeta=%.17g"; NULL: it has none */
} family;

static const family wells = {well, NULL, NULL}, dampings = {damped, "zeta=%.17g", NULL},
                    forcings = {forced, "F0=%.17g", "sigma=%.17g"};

static bench open_run(const family *f, const energy_run *r, double p)
{
    bench b = open_bench(f->text, r->scheme, r->h0);
    if (f->a) set(&b, "set", f->a, r->a);
    if (f->b) set(&b, "set", f->b, r->b);
    set(&b, "start", "q=%.17g", r->q0), set(&b, "start", "p(q)=%.17g", p);
    set(&b, "until", "%.17g", r->until);
    dal_options_set(b.o, "monitor", "1"), dal_options_set(b.o, "record", "0");
    return b;
}

static double first_end(const family *f, const energy_run *r, double p)
{
    bench b = open_run(f, r, p);
    start(&b);
    assert_int_equal(dal_step(b.s), DAL_OK);
    double q = dal_q(b.s)[0];
    close_bench(&b);
    return q;
}

/* The momentum at the start whose first, fixed step ends in q1: by secants, on a map that is nearly
 * affine. */
static double momentum_to(const family *f, const energy_run *r)
{
    double p0 = (r->q1 - r->q0) / r->h0, p1 = p0 + 0.01;
    double q0 = first_end(f, r, p0), q1 = first_end(f, r, p1);
    for (int k = 0; k < 4 && q1 != q0 && q1 != r->q1; k++) {
        double p = p1 - (q1 - r->q1) * (p1 - p0) / (q1 - q0);
        p0 = p1, q0 = q1, p1 = p, q1 = first_end(f, r, p);
    }
    return p1;
}

typedef struct {
    const energy_run *r;
    int               next;
    double            worst; /* deviation over its tolerance */
} comparison;

static double measured(dal_sim *s, const char *what)
{
    double x;
    assert_int_equal(dal_measure(s, what, &x), DAL_OK);
    return x;
}

/* Double against double differs by 200 sqrt(k) eps cond: h is no better decided. */
static dal_status compare(void *self, dal_sim *s)
{
    comparison *c = self;
    if (c->next >= c->r->records || c->r->record[c->next].k != dal_steps(s)) return DAL_OK;
    const energy_record *e = &c->r->record[c->next++];
    const double tolerance = 200 * sqrt((double)e->k) * DBL_EPSILON * c->r->condition_max;
    const double off[] = {dal_time(s) - e->t, dal_q(s)[0] - e->q, dal_p(s)[0] - e->p,
                          measured(s, "discrete_energy") - e->E, measured(s, "h") - e->h};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        c->worst = fmax(c->worst, fabs(off[i]) / tolerance);
    return DAL_OK;
}

/* The number of steps is that of the reference too, unless a whole step is below the roundoff. */
static void check_steps(const energy_run *r, const dal_summary *sum)
{
    double doubt = 200 * sqrt((double)r->steps) * DBL_EPSILON * r->condition_max;
    check_below((double)labs(sum->steps - r->steps), doubt > r->h_min ? 1 : 0);
    check_close(sum->length.min / r->h_min, 1, 1e-9 + doubt);
    check_close(sum->length.max / r->h_max, 1, 1e-9 + doubt);
    if (r->condition_max == 0) return;
    check_close(sum->condition.min / r->condition_min, 1, 1e-3);
    check_close(sum->condition.max / r->condition_max, 1, 5e-3);
}

static void follow(const family *f, const energy_run *r)
{
    bench b = open_run(f, r, momentum_to(f, r));
    if (f == &dampings) dal_options_set(b.o, "h_max", "5");
    start(&b);
    comparison         c = {.r = r};
    dal_status         status = dal_run(b.s, &(dal_observer){NULL, compare, &c});
    const dal_summary *sum = dal_summarise(b.s);
    print_message("%s, %g, %g, h0 = %g, q0 = %g\n", r->scheme, r->a, r->b, r->h0, r->q0);
    check_below(c.worst, 1);
    check_steps(r, sum);
    assert_int_equal(status, r->breakdown ? DAL_BREAKDOWN : DAL_OK);
    if (r->breakdown) assert_non_null(strstr(sum->error, r->breakdown));
    close_bench(&b);
}

#define FOLLOW(family, runs)                                                                    \
    for (size_t i = 0; i < sizeof(runs) / sizeof *(runs); i++) follow(&(family), &(runs)[i])

static void double_well_runs_agree_with_the_reference(void **state)
{
    (void)state;
    FOLLOW(wells, well_runs);
}

static void damped_runs_agree_with_the_reference(void **state)
{
    (void)state;
    FOLLOW(dampings, damped_runs);
}

static void forced_runs_agree_with_the_reference(void **state)
{
    (void)state;
    FOLLOW(forcings, forced_runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_well_runs_agree_with_the_reference),
        cmocka_unit_test(damped_runs_agree_with_the_reference),
        cmocka_unit_test(forced_runs_agree_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
