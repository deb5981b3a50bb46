/* The tangent of a step: against an independent implementation, against differences of the step
 * itself, and by what it must keep. */
#include "check.h"
#include "dalembert.h"
#include "reference_tangent.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 }; /* 2 n */

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
    size_t       n;
} bench;

static bench open_bench(const char *model, const char *scheme, double step)
{
    char  words[32];
    bench b = {.cx = dal_context_new(NULL)};
    b.o = dal_options_new(b.cx);
    snprintf(words, sizeof words, "%.17g", step);
    dal_options_set(b.o, "scheme", scheme), dal_options_set(b.o, "step", words);
    dal_status bad = dal_model_parse(b.cx, "test.dal", model, b.o, &b.m);
    if (bad) dal_report(b.cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
    return b;
}

static void start(bench *b)
{
    dal_status bad = dal_sim_new(b->m, b->o, &b->s);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
    b->n = dal_size(b->s);
}

static void stop(bench *b)
{
    dal_sim_free(b->s);
    b->s = NULL;
}

static void close_bench(bench *b)
{
    dal_sim_free(b->s), dal_model_free(b->m), dal_options_free(b->o), dal_context_free(b->cx);
}

static void tangent_matrix(bench *b, double *M)
{
    dal_status bad = dal_tangent_matrix(b->s, M);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

static void tangent_along(bench *b, const dal_direction *along, double *out)
{
    dal_status bad = dal_tangent(b->s, 1, along, out);
    if (bad) dal_report(b->cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
}

/* L depends on q and v together, the mass on q; f on t, q and v. */
static const char *const plane =
    "system Plane {\n"
    "  parameter m = 1.3, B = 0.4, k = 2, c = 0.3\n"
    "  coordinate x, y\n"
    "  lagrangian (1 + y^2)*x'^2/2 + m*y'^2/2 + B*x*(x*y' - y*x') - x^4/4 - k*y^2/2 - x*y\n"
    "  force x: -c*(1 + y^2)*x'\n"
    "  force y: -c*y' + c*cos(3*t)\n"
    "  start x = 0.6, y = -0.3, x' = 0.5, y' = 0.8\n"
    "}\n";

static const char *const disk =
    "system Disk {\n"
    "  parameter m = 1, I = 0.5, J = 0.25, R = 1, k = 1\n"
    "  coordinate x, y, th, phi\n"
    "  lagrangian m*(x'^2 + y'^2)/2 + I*th'^2/2 + J*phi'^2/2 - k*(x^2 + 2*y^2)/2 - sin(th)/2\n"
    "  lagrangian cos(phi)/2\n"
    "  constraint x' = R*cos(phi)*th'\n"
    "  constraint y' = R*sin(phi)*th'\n"
    "  start x = 0.3, y = -0.2, th = 0.1, phi = 0.4, th' = 1, phi' = 0.7\n"
    "  start x' = cos(0.4), y' = sin(0.4)\n"
    "}\n";

static void tangents_agree_with_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tangents / sizeof *tangents; i++) {
        const tangent_reference *r = &tangents[i];
        double                   M[4 * 4], one[4][4] = {{0}}, out[4];
        bench                    b = open_bench(plane, r->scheme, 0.2);
        start(&b);
        for (int j = 0; j < 4; j++) {
            one[j][j] = 1;
            tangent_along(&b, &(dal_direction){.parameter = one[j]}, out);
            for (int a = 0; a < 4; a++) check_close(out[a], r->parameter[a][j], 1e-13);
        }
        stop(&b);
        dal_options_set(b.o, "set", "c=0");
        start(&b);
        tangent_matrix(&b, M);
        for (int a = 0; a < 16; a++) check_close(M[a], r->state[a / 4][a % 4], 1e-13);
        close_bench(&b);
    }
}

static void tangents_of_a_rolling_disk_agree_with_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tangents / sizeof *tangents; i++) {
        double M[8 * 8];
        if (tangents[i].disk[0][0] == 0) continue;
        bench b = open_bench(disk, tangents[i].scheme, 0.1);
        start(&b);
        tangent_matrix(&b, M);
        for (int a = 0; a < 64; a++) check_close(M[a], tangents[i].disk[a / 8][a % 8], 1e-13);
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_agree_with_the_reference),
        cmocka_unit_test(tangents_of_a_rolling_disk_agree_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
