/* test_api_redundant.c - relations that follow from others: the motion is that without them, and of
 * all reactions that make it those of least norm are reported. Those that contradict each other, or
 * depend on each other at one place only, are refused. */
#include "api_run.h"

#include <stdio.h>
#include <string.h>

/* A coupling rod on parallel cranks, turning with it: the third crank is one too many. */
#define ROD                                                                                        \
    "system Rod {\n parameter m = 2, J = 0.3, g = 9.81, l = 1, r = 0.5\n coordinate x, y, phi\n"   \
    " lagrangian m/2*(x'^2 + y'^2) + J/2*phi'^2 - m*g*y\n"                                         \
    " holonomic a: x^2 + y^2 = r^2\n"                                                              \
    " holonomic b: (x + l*cos(phi) - l)^2 + (y + l*sin(phi))^2 = r^2\n"
#define THIRD " holonomic c: (x + 2*l*cos(phi) - 2*l)^2 + (y + 2*l*sin(phi))^2 = r^2\n"
#define SLOWLY " start x = 0.3, y = -0.4, x' = 0.8, y' = 0.6\n}\n"
#define FAST " start x = 0.3, y = -0.4, x' = 8, y' = 6\n}\n"

/* A knife edge pushed along x, turning at rate 1. */
#define KNIFE                                                                                      \
    "system Knife {\n coordinate x, y, th\n lagrangian (x'^2 + y'^2 + th'^2)/2\n"                  \
    " constraint a: sin(th)*x' = cos(th)*y'\n force x: 1\n start th' = 1, x' = 1\n"

/* A planar four-bar linkage in space, whose joints hold it in its plane by three relations. */
#define LINKAGE                                                                                    \
    "system Linkage {\n parameter g = 9.81\n coordinate x, y, z, u, v, w\n"                        \
    " lagrangian (x'^2 + y'^2 + z'^2 + u'^2 + v'^2 + w'^2)/2 - g*(y + v) - 3*z - w\n"              \
    " holonomic crank: x^2 + y^2 + z^2 = 1\n holonomic rocker: (u - 3)^2 + v^2 + w^2 = 4\n"        \
    " holonomic coupler: (u - x)^2 + (v - y)^2 + (w - z)^2 = 6.25\n"                               \
    " holonomic i: z = 0\n holonomic j: w + z = 0\n"                                               \
    " start x = 0.6, y = 0.8, u = 2.9 free, v = 2 free, x' = 0.8, y' = -0.6, u' free, v' free\n"

static run at_end(const char *model, const char *scheme, const char *step, const char *backend)
{
    const setting set[] = {
        {"scheme", scheme}, {"step", step}, {"until", "4"}, {"backend", backend}, {0}};
    run r = begin_text(model, set);
    run_to_end(&r);
    check_below(dal_summarise(r.s)->constraint_residual, 1e-13);
    check_below(dal_summarise(r.s)->dirac_residual, 1e-12);
    return r;
}

/* The angle of a crank, th'' = -(g/r) cos(th), by the classical method of Runge and Kutta. */
static void turn(double *th, double *rate, double until)
{
    enum { STEPS = 40000 };
    const double h = until / STEPS, c = -9.81 / 0.5;
    for (int k = 0; k < STEPS; k++) {
        const double a = *rate, A = c * cos(*th), b = a + h / 2 * A, B = c * cos(*th + h / 2 * a),
                     d = a + h / 2 * B, D = c * cos(*th + h / 2 * b), e = a + h * D,
                     E = c * cos(*th + h * d);
        *th += h / 6 * (a + 2 * b + 2 * d + e), *rate += h / 6 * (A + 2 * B + 2 * D + E);
    }
}

/* All points of the rod move on equal circles. With th the angle of the cranks, the reactions a, b,
 * c add up to (m g y - m v^2)/(2 r^2), their moments to b + 2 c = 0; so the least are (5, 2, -1)/6
 * of that. */
static void check_rod(const char *text, double speed, const char *scheme, const char *step,
                      double near)
{
    const double r = 0.5, m = 2, g = 9.81;
    double       th = atan2(-0.4, 0.3), rate = speed / r;
    run          of = at_end(text, scheme, step, "auto");
    turn(&th, &rate, 4);
    const double all = (m * g * r * sin(th) - m * r * r * rate * rate) / (2 * r * r);
    check_close(dal_q(of.s)[0], r * cos(th), near);
    check_close(dal_q(of.s)[1], r * sin(th), near);
    check_close(dal_q(of.s)[2], 0, 1e-12);
    check_close(measure(&of, "a"), 5 * all / 6, 100 * near);
    check_close(measure(&of, "b"), all / 3, 100 * near);
    check_close(measure(&of, "c"), -all / 6, 100 * near);
    check_close(measure(&of, "b") + 2 * measure(&of, "c"), 0, 1e-10 * fabs(all));
    end(&of);
}

static void three_cranks_share_what_two_would_bear(void **state)
{
    static const char *const scheme[] = {"trapezoid", "midpoint", "lobatto(3)", "gauss(3)",
                                         "compose(midpoint, yoshida(4))"};
    (void)state;
    for (size_t k = 0; k < sizeof scheme / sizeof *scheme; k++) {
        run a = at_end(ROD THIRD SLOWLY, scheme[k], "0.01", "auto"),
            b = at_end(ROD SLOWLY, scheme[k], "0.01", "vm");
        check_below(apart(dal_q(a.s), dal_q(b.s), 3), 1e-12);
        check_below(apart(dal_p(a.s), dal_p(b.s), 3), 1e-11);
        end(&a), end(&b);
    }
    check_rod(ROD THIRD SLOWLY, 1, "gauss(4)", "0.01", 1e-10);
    /* past the dead points, where the rank is less still, at every turn */
    check_rod(ROD THIRD FAST, 10, "gauss(4)", "0.005", 1e-8);
}

/* A start that is off by the digits that were typed is no other mechanism. */
static void typed_digits_are_enough(void **state)
{
    (void)state;
    run a = begin_text(ROD THIRD " start x = 0.3, y = -0.40000000007, x' = 0.8, y' = 0.6\n}\n",
                       (setting[]){{"scheme", "gauss(2)"}, {"step", "0.01"}, {"until", "4"}, {0}});
    run b = at_end(ROD THIRD SLOWLY, "gauss(2)", "0.01", "auto");
    run_to_end(&a);
    check_below(states_apart(&a, &b), 1e-7);
    check_close(measure(&a, "c"), measure(&b, "c"), 1e-6);
    end(&a), end(&b);
}

/* u = 1 + sin(t) along the edge, and across it -(1 + 2 sin(t)), whatever holds it. A row that is
 * there once and twice as large takes its share of the reaction, (1, 2)/5. */
static void edges_that_repeat_share_the_reaction(void **state)
{
    const double t = 4, x = sin(t) + sin(t) * sin(t) / 2, y = 1 - cos(t) + t / 2 - sin(2 * t) / 4,
                 once = -1 - 2 * sin(t);
    static const char *const scheme[] = {"gauss(3)", "lobatto(4)"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        run a = at_end(KNIFE " constraint b: 2*sin(th)*x' = 2*cos(th)*y'\n}\n", scheme[k], "0.02",
                       "auto"),
            b = at_end(KNIFE "}\n", scheme[k], "0.02", "vm");
        check_close(dal_q(a.s)[0], x, 1e-9);
        check_close(dal_q(a.s)[1], y, 1e-9);
        check_below(states_apart(&a, &b), 1e-12);
        check_close(measure(&a, "a"), once / 5, 1e-9);
        check_close(measure(&a, "b"), 2 * once / 5, 1e-9);
        check_close(measure(&a, "b"), 2 * measure(&a, "a"), 1e-13);
        end(&a), end(&b);
    }
}

/* Across the plane forces 3 and 1 are held by rows (1, 0), (1, 1), (-2 x, 1): lam = B (B^T B)^-1 f.
 */
static void joints_in_space_hold_their_plane(void **state)
{
    (void)state;
    run a = at_end(LINKAGE " holonomic k: w = 2*z*x\n}\n", "lobatto(3)", "0.01", "auto"),
        b = at_end(LINKAGE "}\n", "lobatto(3)", "0.01", "vm");
    const double x = dal_q(a.s)[0], B[3][2] = {{1, 0}, {1, 1}, {-2 * x, 1}};
    double       N[3] = {0}, f[2] = {3, 1};
    for (int i = 0; i < 3; i++)
        N[0] += B[i][0] * B[i][0], N[1] += B[i][0] * B[i][1], N[2] += B[i][1] * B[i][1];
    const double det = N[0] * N[2] - N[1] * N[1];
    const double s[2] = {(N[2] * f[0] - N[1] * f[1]) / det, (N[0] * f[1] - N[1] * f[0]) / det};
    check_below(states_apart(&a, &b), 1e-12);
    static const char *const name[] = {"i", "j", "k"};
    for (int i = 0; i < 3; i++)
        check_close(measure(&a, name[i]), B[i][0] * s[0] + B[i][1] * s[1], 1e-11);
    check_close(measure(&a, "coupler"), measure(&b, "coupler"), 1e-10);
    end(&a), end(&b);
}

/* Both levels, momenta as coordinates, time: as without the relation that repeats. */
static void whatever_repeats_changes_nothing(void **state)
{
#define PENDULUM "coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - 9.81*y\n"
#define CANONICAL "coordinate x, y\n hamiltonian (p(x)^2 + p(y)^2)/2 + 9.81*y\n"
#define CIRCLE " holonomic a: x^2 + y^2 = 1\n start x = 1\n"
    static const char *const of[][2] = {
        {PENDULUM CIRCLE, " holonomic b: 3*x^2 + 3*y^2 = 3\n"},
        {PENDULUM CIRCLE, " constraint b: x*x' + y*y' = 0\n"},
        {PENDULUM CIRCLE, " holonomic b: 1e9*x^2 + 1e9*y^2 = 1e9\n"},
        {CANONICAL CIRCLE, " holonomic b: exp(x^2 + y^2) = exp(1)\n"},
        {PENDULUM " holonomic a: sin(x)^2 + y^2 = 1\n start y = -1, x' = 1\n",
         " constraint b: sin(x)*cos(x)*x' + y*y' = 0\n"},
        {PENDULUM " holonomic a: x = sin(t)\n start x' = 1\n",
         " holonomic b: x^3 + x = sin(t)^3 + sin(t)\n"},
        {"coordinate x, y, z\n lagrangian (x'^2 + y'^2 + z'^2)/2 - x - y^2 - z^4\n"
         " constraint a: x' = y'\n constraint c: y' = z'\n start x' = 1, y' = 1, z' = 1\n",
         " constraint b: 0.1*x' + 0.2*y' = 0.3*z'\n"},
        {PENDULUM " constraint a: x' = y*t\n", " constraint b: -x'/3 = -y*t/3\n"}};
    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char one[300], two[300];
        snprintf(one, sizeof one, "system S {\n %s}\n", of[k][0]);
        snprintf(two, sizeof two, "system S {\n %s%s}\n", of[k][0], of[k][1]);
        for (int s = 0; s < 2; s++) {
            run a = at_end(one, s ? "gauss(2)" : "midpoint", "0.01", "vm"),
                b = begin_text(two, (setting[]){{"scheme", s ? "gauss(2)" : "midpoint"},
                                                {"step", "0.01"},
                                                {"until", "4"},
                                                {0}});
            run_to_end(&b);
            if (!(states_apart(&a, &b) < 1e-11))
                fail_msg("model %zu: %g apart", k, states_apart(&a, &b));
            end(&a), end(&b);
        }
    }
}

/* Sixty rods of 180 relations, one by one beside a spring: the solver is sparse. */
static void many_groups_are_solved_at_once(void **state)
{
    (void)state;
    run a = at_end(ROD THIRD SLOWLY "system Train {\n part e[60] : Rod\n"
                                    " lagrangian sum(k in 1..59: -2*(e[k+1].x - e[k].x)^2)\n}\n",
                   "gauss(2)", "0.02", "auto"),
        b = at_end(ROD SLOWLY, "gauss(2)", "0.02", "vm");
    assert_string_not_equal(dal_summarise(a.s)->solver, "dense");
    for (int k = 0; k < 60; k++) check_below(apart(dal_q(a.s) + 3 * k, dal_q(b.s), 3), 1e-11);
    end(&a), end(&b);
}

/* y is what the small difference of two relations determines, and nothing to be left open. */
static void nearly_redundant_is_independent(void **state)
{
    (void)state;
    run a = begin_text("system S {\n parameter e = 1e-6\n coordinate x, y, z\n"
                       " lagrangian (x'^2 + y'^2 + z'^2)/2 - 9.81*y\n"
                       " holonomic a: x + y^2 + z = 1\n"
                       " holonomic b: x + (1 + e)*y^2 + z = 1 + e/4\n"
                       " start y = 0.5, x = 0.75, z' = 1, x' = -1\n}\n",
                       (setting[]){{"scheme", "gauss(2)"}, {"step", "0.01"}, {"until", "1"}, {0}});
    run_to_end(&a);
    check_close(dal_q(a.s)[0], -0.25, 1e-9);
    check_close(dal_q(a.s)[1], 0.5, 1e-9);
    check_close(measure(&a, "a") * 1e-6, -9.81, 1e-3);
    check_close(measure(&a, "b") * 1e-6, 9.81, 1e-3);
    end(&a);
}

static void contradictions_and_dead_points_are_refused(void **state)
{
    static const char *const of[] = {
        /* a crank that is too long, a circle that is too large, an edge that slips later */
        ROD " holonomic c: (x + 2*l*cos(phi) - 2*l)^2 + (y + 2*l*sin(phi))^2 = 1.001*r^2\n" SLOWLY,
        "system S {\n " PENDULUM CIRCLE " holonomic b: 3*x^2 + 3*y^2 = 3.1\n}\n",
        KNIFE " constraint b: 2*sin(th)*x' = 2*cos(th)*y' + t\n}\n",
        /* two cranks in line with the rod */
        ROD " start x = 0.5, y' = 1, phi' = 0\n}\n"};
    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        run r = with_settings(
            (setting[]){{"scheme", "gauss(2)"}, {"step", "0.01"}, {"until", "4"}, {0}});
        assert_int_equal(try_text(&r, of[k]), DAL_INVALID);
        end(&r);
    }
}

/* Held altogether at the origin: all lengths are roundoff, and reactions are those of statics. */
static void what_is_held_at_the_origin_rests(void **state)
{
    (void)state;
    static const char *const held[] = {"y - sin(a) = 0", "y - a = 0", "y + a^3 - 2*a = 0"};
    for (size_t k = 0; k < 3; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "system Held {\n coordinate y, a\n lagrangian y'^2/2 + a'^2/6 - 9.81*y\n"
                 " holonomic left: %s\n holonomic middle: y = 0\n}\n",
                 held[k]);
        const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.01"}, {"until", "3"}, {0}};
        run           r = begin_text(text, set);
        run_to_end(&r);
        assert_true(fabs(dal_q(r.s)[0]) < 1e-17 && fabs(dal_q(r.s)[1]) < 1e-17);
        double row[8]; /* t, y, a, p(y), p(a), energy, left, middle */
        dal_row(r.s, row);
        check_close(row[7], 9.81, 1e-13);
        assert_int_equal(dal_message_count(r.cx), 1); /* that nothing can move */
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_at_the_origin_rests),
        cmocka_unit_test(three_cranks_share_what_two_would_bear),
        cmocka_unit_test(typed_digits_are_enough),
        cmocka_unit_test(edges_that_repeat_share_the_reaction),
        cmocka_unit_test(joints_in_space_hold_their_plane),
        cmocka_unit_test(whatever_repeats_changes_nothing),
        cmocka_unit_test(many_groups_are_solved_at_once),
        cmocka_unit_test(nearly_redundant_is_independent),
        cmocka_unit_test(contradictions_and_dead_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
