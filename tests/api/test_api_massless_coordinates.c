/* test_api_massless_coordinates.c - large systems in which some coordinates have no inertia: many
 * copies of a small system move as the small one does, settle, and are judged, at any size. */
#include "api_run.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Statements of one copy; % stands for its index. */
typedef struct {
    const char *coordinates[3], *statements, *scheme;
    int         n;
} copied;

static const char FOLLOWERS[] = /* y follows x at once, z as resistance lets it */
    "lagrangian x%'^2/2 - x%^2/2 - (x% - y%)^4/4 - (x% - y%)^2 - exp(z% - y%) + z%*sin(t) + "
    "y%*z%'/9\n"
    "force z%: -z%'/5\nstart x% = 1, y% = 0.7, z% = 0.3\n";

static const char PREDATORS[] = /* of first order, and nonlinear */
    "lagrangian y%*x%' + sin(x%)*y%'/3 - exp(x%) + x% - exp(y%)/2 + y% - cos(t)*x%/9\n"
    "start x% = 0.5, y% = 0.2\n";

static const char CREEPERS[] = /* nothing has inertia, and one of the two has no resistance */
    "lagrangian -(x% - sin(t))^2/2 - (x% - y%)^4 - y%^2/9\nforce x%: -x%'*(2 + y%^2)\n"
    "start x% = 0.4, y% = 0.1\n";

static const copied every[] = {
    {{"x", "y", "z"}, FOLLOWERS, "midpoint", 3}, {{"x", "y", "z"}, FOLLOWERS, "gauss(2)", 3},
    {{"x", "y"}, PREDATORS, "midpoint", 2},      {{"x", "y"}, PREDATORS, "gauss(3)", 2},
    {{"x", "y"}, CREEPERS, "gauss(2)", 2},
};

/* One copy without an index, or `count` of them. */
static void write_model(const copied *c, int count, char *to, size_t room)
{
    char *at = to + snprintf(to, room, "system Copies {\n");
    for (int i = 0; i < c->n; i++) {
        at += snprintf(at, room - (size_t)(at - to), " coordinate %s", c->coordinates[i]);
        if (count) at += snprintf(at, room - (size_t)(at - to), "[%d]", count);
        *at++ = '\n';
    }
    if (count) at += snprintf(at, room - (size_t)(at - to), "for k in 1..%d {\n", count);
    for (const char *s = c->statements; *s; s++) {
        if (*s != '%') *at++ = *s;
        else if (count) memcpy(at, "[k]", 3), at += 3;
    }
    snprintf(at, room - (size_t)(at - to), "%s}\n", count ? "}\n" : "");
}

static run open_copies(const copied *c, int count, const char *scheme, const char *project)
{
    const setting set[] = {{"backend", "vm"},          {"scheme", scheme}, {"step", "0.05"},
                           {"project-start", project}, {"steps", "60"},    {0}};
    run           r = with_settings(set);
    char          text[4000];
    write_model(c, count, text, sizeof text);
    r.status = try_text(&r, text);
    return r;
}

/* All copies, coordinate by coordinate, against the one. */
static double far_from(const double *many, const double *one, int n, int count)
{
    double far = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < count; k++) far = fmax(far, fabs(many[i * count + k] - one[i]));
    return far;
}

static void copies_move_as_one(void **state)
{
    enum { STEPS = 60 };
    static const int counts[] = {40, 500}; /* too large for matrices of directions, the second */
    (void)state;
    for (size_t k = 0; k < sizeof every / sizeof *every; k++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const copied *of = &every[k];
            run           one = open_copies(of, 0, of->scheme, "yes"),
                many = open_copies(of, counts[c], of->scheme, "yes");
            must(&one, one.status), must(&many, many.status);
            for (int s = 0; s < STEPS; s++)
                must(&one, dal_step(one.s)), must(&many, dal_step(many.s));
            const double far[] = {far_from(dal_q(many.s), dal_q(one.s), of->n, counts[c]),
                                  far_from(dal_p(many.s), dal_p(one.s), of->n, counts[c]),
                                  far_from(dal_v(many.s), dal_v(one.s), of->n, counts[c])};
            for (int f = 0; f < 3; f++)
                if (!(far[f] < STEPS * 20 * DBL_EPSILON))
                    print_error("%zu, %s, %d: %d is %.1e away\n", k, of->scheme, counts[c], f,
                                far[f]),
                        fail();
            check_close(measure(&many, "energy") / counts[c], measure(&one, "energy"), 1e-13);
            check_below((double)dal_message_count(many.cx),
                        2); /* that the start was moved, no more */
            end(&one), end(&many);
        }
}

/* 4 (x - y)^3 = 2 y/9: y is where the forces on it balance, after every step. */
static void forces_balance_after_every_step(void **state)
{
    enum { COUNT = 300 };
    run r = open_copies(&every[4], COUNT, "gauss(2)", "yes");
    (void)state;
    must(&r, r.status);
    for (int s = 0; s < 40; s++) {
        must(&r, dal_step(r.s));
        const double x = dal_q(r.s)[COUNT - 1], y = dal_q(r.s)[2 * COUNT - 1];
        check_below(fabs(4 * pow(x - y, 3) - 2 * y / 9), 1e-15);
    }
    end(&r);
}

static bool says(const run *r, const char *words)
{
    for (size_t i = 0; i < dal_message_count(r->cx); i++)
        if (strstr(dal_message_at(r->cx, i).text, words)) return true;
    return false;
}

static void starts_must_balance(void **state)
{
    run r = open_copies(&every[4], 300, "gauss(2)", NULL);
    (void)state;
    assert_int_not_equal(r.status, DAL_OK);
    assert_true(says(&r, "y[1]") && says(&r, "do not balance at the start"));
    assert_true(says(&r, "and 294 more")); /* of 300, six are named */
    end(&r);
}

static void schemes_that_grow_are_refused(void **state)
{
    run r = open_copies(&every[4], 300, "lobatto(3)", "yes");
    (void)state;
    assert_int_not_equal(r.status, DAL_OK);
    assert_true(says(&r, "x[1] has no inertia"));
    end(&r);
}

static void tangents_are_known_of_a_few_hundred(void **state)
{
    static const int counts[] = {40, 300};
    (void)state;
    for (int c = 0; c < 2; c++) {
        const size_t n = 2 * (size_t)counts[c];
        run          r = open_copies(&every[4], counts[c], "gauss(2)", "yes");
        double      *pair = calloc(2 * n, sizeof *pair);
        must(&r, r.status);
        pair[0] = 1;
        const dal_direction along = {.q = pair, .p = pair + n};
        double             *out = calloc(2 * n, sizeof *out);
        const dal_status    bad = dal_tangent(r.s, 1, &along, out);
        if (c) assert_true(bad && says(&r, "supported for at most 400 coordinates"));
        else must(&r, bad), assert_true(out[0] > 0.5 && out[0] < 1 && out[1] == 0);
        free(pair), free(out);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_move_as_one),
        cmocka_unit_test(forces_balance_after_every_step),
        cmocka_unit_test(starts_must_balance),
        cmocka_unit_test(schemes_that_grow_are_refused),
        cmocka_unit_test(tangents_are_known_of_a_few_hundred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
