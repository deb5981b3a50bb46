/* test_api_bent.c - directions without inertia that relations, time or the state bend: steps are
 * those of an independent implementation, motions those of the index-reduced equations; random
 * systems, whose motion is known, have the order that every scheme claims, or are refused; steps
 * are taken back, and energies stay. */
#include "api_run.h"
#include "random_massless.h"
#include "reference_massless.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static const massless_motion *motion_of(const char *name)
{
    for (size_t k = 0; k < COUNT(massless_motions); k++)
        if (!strcmp(massless_motions[k].name, name)) return &massless_motions[k];
    return NULL;
}

/* Over t = 0 .. until. */
static run prepared(const char *text, const char *scheme, double until, int steps)
{
    char          number[2][40];
    const setting set[] = {{"scheme", scheme}, {"step", number[0]}, {"steps", number[1]}, {0}};
    snprintf(number[0], sizeof number[0], "%.17g", until / steps);
    snprintf(number[1], sizeof number[1], "%d", steps);
    run r = with_settings(set);
    r.status = try_text(&r, text);
    return r;
}

static run at_end_of(const char *text, const char *scheme, double until, int steps)
{
    run r = prepared(text, scheme, until, steps);
    must(&r, r.status);
    run_to_end(&r);
    return r;
}

static void steps_are_those_of_an_independent_code(void **state)
{
    (void)state;
    for (size_t k = 0; k < COUNT(massless_runs); k++) {
        const massless_run *of = &massless_runs[k];
        run r = at_end_of(motion_of(of->name)->text, of->scheme, of->h * of->steps, of->steps);
        if (apart(dal_q(r.s), of->q, r.n) > 1e-13 || apart(dal_p(r.s), of->p, r.n) > 1e-13)
            fail_msg("%s, %s: %g, %g", of->name, of->scheme, apart(dal_q(r.s), of->q, r.n),
                     apart(dal_p(r.s), of->p, r.n));
        end(&r);
    }
}

/* Of positions, momenta, velocities and reactions, those of velocity relations first. */
static double error_of(const run *r, const massless_motion *m)
{
    double error = fmax(apart(dal_q(r->s), m->q, r->n), apart(dal_p(r->s), m->p, r->n));
    int    at = 0;
    error = fmax(error, apart(dal_v(r->s), m->v, r->n));
    for (const char *kind = "wg"; *kind; kind++)
        for (int a = 0; a < m->relations; a++) {
            char row[16];
            snprintf(row, sizeof row, "%c%d:", *kind, a);
            if (!strstr(m->text, row)) break;
            row[2] = 0;
            error = fmax(error, fabs(measure(r, row) - m->lam[at++]));
        }
    assert_int_equal(at, m->relations);
    return error;
}

static void motions_are_those_of_the_reduced_equations(void **state)
{
    static const struct {
        const char *scheme;
        int         steps, order;
    } of[] = {{"midpoint", 20, 2},
              {"gauss(2)", 20, 4},
              {"gauss(3)", 10, 6},
              {"compose(midpoint, suzuki(4))", 10, 4},
              {"compose(gauss(2), suzuki(6))", 5, 6}};
    (void)state;
    for (size_t k = 0; k < COUNT(massless_motions); k++)
        for (size_t i = 0; i < COUNT(of); i++) {
            const massless_motion *m = &massless_motions[k];
            run                    a = at_end_of(m->text, of[i].scheme, 1, of[i].steps);
            run                    b = at_end_of(m->text, of[i].scheme, 1, 2 * of[i].steps);
            const double           coarse = error_of(&a, m), fine = error_of(&b, m);
            assert_int_equal(dal_summarise(b.s)->order, of[i].order);
            if (!(fine < 1e-12) && !(log2(coarse / fine) > of[i].order - 0.3))
                fail_msg("%s, %s: %g, %g", m->name, of[i].scheme, coarse, fine);
            end(&a), end(&b);
        }
}

/* The error of a random system at t = 1; NaN: it is refused, or a step is too long. */
static double random_error(const random_system *of, const char *text, const char *scheme, int steps,
                           int *order)
{
    run    r = prepared(text, scheme, 1, steps);
    double error = r.status ? (double)NAN : 0;
    if (!r.status && dal_run(r.s, NULL)) error = (double)NAN;
    if (!r.status) *order = dal_summarise(r.s)->order;
    for (int i = 0; i < of->n && error == error; i++)
        error = fmax(error, fabs(dal_q(r.s)[i] - curve_at(of, i, 1)));
    for (int a = 0; a < of->relations && error == error; a++) {
        char row[16];
        snprintf(row, sizeof row, "c%d", a);
        error = fmax(error, fabs(measure(&r, row) - of->lam[a] * cos(1)));
    }
    end(&r);
    return error;
}

#define RULE(word, argument, make, s, shift, least, most, name, example, ...) example,
#define FORM(word, least, most, name, example, ...) example,
static const char *const rows[] = {
#include "mech/scheme/schemes.def"
};
#define JUMP(name, k, ...) k ? "compose(midpoint, " name "(4))" : "compose(midpoint, " name "(6))",
#define COMPOSITION(name, k, ...) "compose(midpoint, " name "(" #k "))",
static const char *const compositions[] = {
#include "mech/scheme/compositions.def"
};

/* A scheme that is accepted has its order; one that is refused has points other than those of
 * Gauss. */
static void check_claim(uint64_t seed, const random_system *of, const char *text,
                        const char *scheme, bool gauss)
{
    int    order = 0;
    double before = random_error(of, text, scheme, 5, &order);
    if (before != before && !order) {
        if (gauss) fail_msg("system %d refuses %s", (int)seed, scheme);
        return;
    }
    for (int steps = 10; steps <= 160; steps *= 2) {
        const double error = random_error(of, text, scheme, steps, &order);
        if (error < 1e-11 || log2(before / error) > order - 0.35) return;
        before = error;
    }
    fail_msg("system %d, %s: not of order %d", (int)seed, scheme, order);
}

static void random_systems_have_the_orders_that_are_claimed(void **state)
{
    enum { SYSTEMS = 24, EVERY = 6 }; /* compositions of high order are dear */
    static words w;
    (void)state;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        const random_system of = draw_system(seed);
        say_system(&w, &of);
        check_claim(seed, &of, w.at, "gauss(1)", true);
        check_claim(seed, &of, w.at, "gauss(3)", true);
        for (size_t k = 0; k < COUNT(rows); k++)
            check_claim(seed, &of, w.at, rows[k],
                        strstr(rows[k], "midpoint") || !strcmp(rows[k], "gauss(2)"));
        for (size_t k = 0; k < COUNT(compositions) && seed % EVERY == 0; k++)
            check_claim(seed, &of, w.at, compositions[k], true);
    }
}

/* There and back again. */
static void steps_are_taken_back(void **state)
{
    static const char *const scheme[] = {"midpoint", "gauss(2)", "compose(midpoint, yoshida(4))"};
    (void)state;
    for (size_t m = 0; m < COUNT(massless_motions); m++)
        for (size_t k = 0; k < COUNT(scheme); k++) {
            const setting there[] = {{"scheme", scheme[k]}, {"step", "0.05"}, {"until", "1"}, {0}};
            const setting back[] = {
                {"scheme", scheme[k]}, {"step", "0.05"}, {"from", "1"}, {"until", "0"}, {0}};
            const char *text = massless_motions[m].text;
            run a = begin_text(text, there), c = begin_text(text, there), b = with_settings(back);
            run_to_end(&a);
            must(&b, dal_model_parse(b.cx, "test.dal", text, b.o, &b.m));
            assert_int_equal(dal_options_set(b.o, "project-start", "yes"), DAL_OK);
            must(&b, try_simulation(&b));
            must(&b, dal_set_state(b.s, 1, dal_q(a.s), NULL, dal_p(a.s)));
            run_to_end(&b);
            if (apart(dal_q(b.s), dal_q(c.s), c.n) > 1e-11)
                fail_msg("%s, %s: %g", massless_motions[m].name, scheme[k],
                         apart(dal_q(b.s), dal_q(c.s), c.n));
            end(&a), end(&b), end(&c);
        }
}

/* A bead on a ring, a spin, and a one-form beside a mass, none of which loses energy. */
static void energies_stay(void **state)
{
    static const struct {
        const char *name, *scheme;
        double      most;
    } of[] = {{"d18", "gauss(2)", 4.3e-6},
              {"d13", "gauss(2)", 6e-8},
              {"d13", "midpoint", 3.7e-4},
              {"d14", "gauss(2)", 6.3e-7},
              {"r3", "gauss(2)", 1.4e-6}};
    (void)state;
    for (size_t k = 0; k < COUNT(of); k++) {
        run                r = at_end_of(motion_of(of[k].name)->text, of[k].scheme, 300, 3000);
        const dal_summary *s = dal_summarise(r.s);
        const double range = fmax(s->energy.max - s->energy.first, s->energy.first - s->energy.min);
        if (!(range <= of[k].most)) fail_msg("%s, %s: %g", of[k].name, of[k].scheme, range);
        check_below(s->constraint_residual, 1e-14);
        end(&r);
    }
}

/* A spin that turns about (0.2, 0, 1) and passes at 0.17 from the pole, where its one-form is
 * singular: z stays that of the rotation by |(0.2, 0, 1)| t/1.3. */
static const char SPIN[] = "system Spin {\n coordinate x, y, z\n"
                           " lagrangian 1.3*z*(x*y' - y*x')/(x^2 + y^2) - z - x/5\n"
                           " holonomic sphere: x^2 + y^2 + z^2 = 1\n"
                           " start x = sin(0.567), y = 0, z = cos(0.567)\n}\n";

static void poles_are_passed(void **state)
{
    static const struct {
        const char *scheme;
        int         steps; /* to t = 30 */
        double      most;
    } of[] = {{"midpoint", 3000, 2e-3}, {"gauss(2)", 600, 2e-4}, {"gauss(3)", 300, 2e-5}};
    const double B = sqrt(1.04), along = (0.2 * sin(0.567) + cos(0.567)) / B;
    const double across = sin(0.567) - 0.2 * along / B; /* x at the start, less its axial part */
    (void)state;
    for (size_t k = 0; k < COUNT(of); k++) {
        run r = at_end_of(SPIN, of[k].scheme, 30, of[k].steps);
        check_close(dal_q(r.s)[0], 0.2 * along / B + across * cos(B / 1.3 * 30), of[k].most);
        end(&r);
    }
}

/* A bead that is held by drag at first, and then by stiffness alone. */
static void kinds_of_directions_stay(void **state)
{
    static const char HELD[] =
        "system Held {\n coordinate x, y, a, b\n lagrangian (x'^2 + y'^2)/2 - y - (x^2 + y^2)/2\n"
        " lagrangian -2*((x - a)^2 + (y - b)^2)\n force a: if(t < 0.51, -a', 0)\n"
        " force b: if(t < 0.51, -b', 0)\n holonomic ring: a^2 + b^2 = 1\n"
        " start x = 0.5, y = 0.3, a = 1\n}\nsimulate {\n switches = free\n}\n";
    (void)state;
    for (int steps = 25; steps <= 50; steps *= 2) { /* a grid point at 0.52, none nearby */
        run r = prepared(HELD, "gauss(2)", 1, steps);
        must(&r, r.status);
        assert_int_not_equal(dal_run(r.s, NULL), DAL_OK);
        assert_true(dal_time(r.s) < 0.52);
        assert_non_null(
            strstr(dal_message_at(r.cx, 0).text, "forces by velocities begin or cease"));
        end(&r);
    }
}

/* Straight directions, alone and beside a bead on a ring that has nothing to do with them, where
 * the equations of those that bend hold for all: nonlinear one-forms, half of whose velocities
 * appear nowhere, vortices, a one-form beside a pendulum, resistance, capacitors with and without a
 * relation, a gyrator, a source that a current elsewhere controls. */
static const char *const straight[] = {
    "coordinate x, y\n"
    " lagrangian -y*(1 + 0.3*x^2 + 0.2*y + 0.1*x*y^2)*x' + (0.2*x^2*y + 0.3*sin(x + 2*y))*y'\n"
    " lagrangian -(x^2 + y^2)/2 - 0.2*x^3 - 0.15*x*y^2 - 0.1*x^4 - 0.2*y^4\n"
    " start x = 0.5, y = 0.2\n",
    "coordinate x, y\n lagrangian log(y)/x*x' - x + log(x) - y + log(y)\n"
    " start x = 1.5, y = 1.2\n",
    "coordinate x, y, u, v\n"
    " lagrangian (x*y' - y*x')/2 + u*v' - v*u' + log((x - u)^2 + (y - v)^2)\n"
    " start x = 1, u = -0.5, v = 0.8\n",
    "coordinate x, y, u, v\n lagrangian (x'^2 + y'^2)/2 - 2*y - (x - u)^2/3\n"
    " lagrangian (u + u^3/3)*v' - u^2/2 - v^2/2 - v^4/9\n holonomic rod: x^2 + y^2 = 1\n"
    " start x = 0.6, y = -0.8, u = 0.5, v = 0.3\n",
    "coordinate x, y\n lagrangian x'^2/2 - x^2/2 - (x - y)^2/2 - y^4/4\n force y: -y'\n"
    " start x = 1, y = 0.6\n",
    "coordinate x, y\n lagrangian x'^2/2 - x^2/2 - (x - y)^2/2 - y^4/4\n"
    " start x = 2, y = 1\n",
    "coordinate i, q, r\n lagrangian 0.4*i'^2 - q^2/6 - r^2/4 - 0.1*r^4\n"
    " constraint node: i' = q' + r'\n start q = 0.9, r = 0.5, i' = 0.3, q' free, r' free\n",
    "coordinate x, y\n lagrangian x'^2/2 + 2*x*y' - y^2/2 - y^4/8\n force x: cos(2*t)\n"
    " start x' = 0\n",
    "coordinate s, c, r, l\n lagrangian l'^2/2 - c^2 - c^4/4\n force s: sin(t)^2\n"
    " force r: -r'\n force l: c'/2\n constraint s' = c' + r' + l'\n",
};

static void straight_directions_are_a_special_case(void **state)
{
    static const char *const scheme[] = {"midpoint", "gauss(2)", "gauss(3)",
                                         "compose(midpoint, suzuki(4))"};
    (void)state;
    for (size_t m = 0; m < COUNT(straight); m++)
        for (size_t k = 0; k < COUNT(scheme); k++) {
            static words alone, beside;
            alone.used = beside.used = 0;
            say(&alone, "system Alone {\n %s}\n", straight[m]);
            say(&beside,
                "system Beside {\n %s coordinate a, b\n lagrangian -2*a^2 - b\n"
                " force a: -a'\n force b: -b'\n holonomic ring: a^2 + b^2 = 1\n"
                " start a = 0.6, b = 0.8\n}\n",
                straight[m]);
            run a = at_end_of(alone.at, scheme[k], 5, 50),
                b = at_end_of(beside.at, scheme[k], 5, 50);
            if (!(apart(dal_q(a.s), dal_q(b.s), a.n) < 1e-14))
                fail_msg("model %zu, %s: %g", m, scheme[k], apart(dal_q(a.s), dal_q(b.s), a.n));
            end(&a), end(&b);
        }
}

/* Where velocities pass through 0, what short steps leave of them is roundoff. */
static void short_steps_settle(void **state)
{
    static const char TAP[] = "system Tap {\n coordinate q, r\n lagrangian -q^2/2 - r^2\n"
                              " force q: cos(2*t)\n constraint (1 + 0.5*sin(3*t))*q' + r' = 0\n"
                              " start q = 1, r = 0\n}\n";
    (void)state;
    run a = at_end_of(TAP, "gauss(2)", 6, 6000), b = at_end_of(TAP, "gauss(3)", 6, 600);
    check_below(apart(dal_q(a.s), dal_q(b.s), a.n), 1e-11);
    end(&a), end(&b);
}

/* From rest at 0, moves are as large as positions. */
static void starts_at_rest(void **state)
{
    static const char DRIVEN[] = "system Driven {\n coordinate s, c, r, l\n"
                                 " lagrangian l'^2/2 - c^2 - c^4/4\n force s: sin(t)^2\n"
                                 " force r: -r'\n force l: c'/2\n"
                                 " constraint (1 + sin(t)/4)*s' = c' + r' + l'\n}\n";
    (void)state;
    run a = at_end_of(DRIVEN, "midpoint", 2, 40), b = at_end_of(DRIVEN, "midpoint", 2, 80),
        exact = at_end_of(DRIVEN, "gauss(3)", 2, 40);
    const double coarse = states_apart(&a, &exact), fine = states_apart(&b, &exact);
    check_close(log2(coarse / fine), 2, 0.2);
    end(&a), end(&b), end(&exact);
}

/* A Hamiltonian coordinate beside a bent direction, in forces and in the relation that bends it,
 * and the same with its Lagrangian. */
#define BESIDE(energy)                                                                             \
    "system Swing {\n coordinate q\n " energy "\n start q = 0.7\n}\n"                              \
    "system Tap {\n coordinate u, w, s, r\n lagrangian s'^2/2 - s^2/2 - u^2/2 - w^2 - w^4/8\n"     \
    " lagrangian (r + r^3/3)*u'/4 - r^2/2\n start u = 0.3, w = 0.2, s = 0.4, r = 0.1, s' = 0.3\n"  \
    "}\nsystem Both {\n part h : Swing\n part r : Tap\n force h.q: 0.6*r.u - 0.2*r.w'\n"           \
    " force r.u: 0.6*h.q - 0.3*h.q'\n force r.r: -r.r'*(1 + r.u^2)\n"                              \
    " constraint (1 + 0.5*sin(3*t) + r.s/5)*r.u' + (1 + h.q^2/5)*r.w' + 0.4*h.q' = 0\n"            \
    " start r.w' free, r.u' free, r.r' free\n}\n"

static void hamiltonian_coordinates_are_as_lagrangian_ones(void **state)
{
    static const char *const scheme[] = {"midpoint", "gauss(2)", "compose(midpoint, suzuki(4))"};
    (void)state;
    for (size_t k = 0; k < COUNT(scheme); k++) {
        run a = at_end_of(BESIDE("hamiltonian p(q)^2/(2*(1 + q^2/4)) + q^2/2 + q^4/8"), scheme[k],
                          2, 40),
            b = at_end_of(BESIDE("lagrangian q'^2*(1 + q^2/4)/2 - q^2/2 - q^4/8"), scheme[k], 2,
                          40);
        check_below(apart(dal_q(a.s), dal_q(b.s), a.n), 1e-14);
        check_below(apart(dal_p(a.s), dal_p(b.s), a.n), 1e-14);
        check_below(apart(dal_v(a.s), dal_v(b.s), a.n), 1e-13);
        end(&a), end(&b);
    }
}

/* Damping and a state beside a bead: order 2s - 1, against forces and a coordinate. */
#define DAMPED(word, z)                                                                            \
    "system Damped {\n coordinate x, y, a, b\n"                                                    \
    " lagrangian x'^2/2 + y'^2/2 - x^2/2 - y^2/2 - 2*((x - a)^2 + (y - b)^2) - a/3\n"              \
    " " word " x: -0.7*x'*(1 + a^2)\n " word " y: -0.4*y' + 0.1*x'\n " z "\n force a: 0.5*z\n"     \
    " force x: 0.3*z - 0.2*x\n holonomic ring: a^2 + b^2 + x*a/5 = 1\n"                            \
    " start x = 0.5, y = 0.3, a = 0.8 free, b = 0.6 free, z = 0.4, x' = 0.5\n}\n"
#define RATE "-1.3*z + a*x - 0.2*z^3 + y'"
static const char UPWINDED[] = DAMPED("damping", "state z' = " RATE);
static const char GAUSS[] = DAMPED("force", "coordinate z\n force z: " RATE " - z'");

static run from_balance(const char *text, const char *scheme, const char *step)
{
    const setting set[] = {
        {"scheme", scheme}, {"step", step}, {"until", "1"}, {"project-start", "yes"}, {0}};
    return begin_text(text, set);
}

static void damping_and_states_go_beside(void **state)
{
    (void)state;
    run exact = from_balance(GAUSS, "gauss(5)", "0.02");
    run_to_end(&exact);
    for (int s = 2; s <= 3; s++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            run r = from_balance(UPWINDED, s == 2 ? "gauss(2)" : "gauss(3)", k ? "0.05" : "0.1");
            run_to_end(&r);
            error[k] = fmax(apart(dal_q(r.s), dal_q(exact.s), r.n),
                            apart(dal_p(r.s), dal_p(exact.s), r.n));
            end(&r);
        }
        check_close(log2(error[0] / error[1]), 2 * s - 1, 0.2);
    }
    end(&exact);
}

/* How the end of a step changes with a parameter of the damping: by differences of steps. */
static const char PARAMETER[] =
    "system Parameter {\n parameter c = 0.7\n coordinate x, y, a, b\n"
    " lagrangian x'^2/2 + y'^2/2 - x^2/2 - 2*((x - a)^2 + (y - b)^2) + (x - a^2)*b'/3\n"
    " damping x: -c*x'*(1 + a^2)\n damping y: -c*y'\n force a: -a'/2\n"
    " holonomic ring: a^2 + b^2 + x*a/5 = 1\n"
    " start x = 0, y = 0.3, a = 0.8, b = 0.6, x' = 0.5, a' free, b' free\n}\n";

static void tangents_know_damping_beside(void **state)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    const double        one = 1;
    double              d[8], want[8] = {0};
    (void)state;
    for (int j = -1; j < 4; j++) {
        char c[32];
        snprintf(c, sizeof c, "c=%.17g", 0.7 + (j < 0 ? 0 : 1e-2 * at[j]));
        const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.1"}, {"set", c}, {0}};
        run           r = begin_text(PARAMETER, set);
        if (j < 0) must(&r, dal_tangent(r.s, 1, &(dal_direction){.parameter = &one}, d));
        must(&r, dal_step(r.s));
        for (int i = 0; i < 4 && j >= 0; i++) {
            want[i] += weight[j] * dal_q(r.s)[i] / 1e-2;
            want[4 + i] += weight[j] * dal_p(r.s)[i] / 1e-2;
        }
        end(&r);
    }
    for (int i = 0; i < 8; i++) check_close(d[i], want[i], 1e-9);
}

/* A coil behind a gyrator, a resistor and a capacitor: only Gauss points keep the momentum of the
 * charge what the position requires. */
static const char GYRATOR[] = "system Gyrator {\n coordinate a, b\n"
                              " lagrangian a'^2/2 + 2*a*b' - b^2/2\n"
                              " force a: cos(2*t)\n force b: -b'/2\n start a' = 0.1\n}\n";
/* Relations of which one follows from the others along what they leave free. */
static const char REPEATED[] = "system Repeated {\n coordinate x, a, b, c\n"
                               " lagrangian x'^2/2 - x^2/2 - (a - x)^2 - b^2 - c^2\n"
                               " constraint r: (1 + sin(t)/2)*a' + b' + c' = 0\n"
                               " constraint s: (1 + sin(t)/2)*a' + b' + c' = x'\n"
                               " start x = 0\n}\n";
/* Damping and states that feel velocities along a bead. */
#define BEAD_WITH(rest)                                                                            \
    "system Bead {\n coordinate x, a, b\n lagrangian x'^2/2 - x^2 - (a - x)^2/2 - b^2\n"           \
    " holonomic ring: a^2 + b^2 = 1\n start a = 1\n " rest "\n}\n"

static void what_no_step_follows_is_refused(void **state)
{
    static const struct {
        const char *text, *scheme, *why;
    } of[] = {{GYRATOR, "radau(2)", "its momentum is a function of the position"},
              {GYRATOR, "radau(3)", "its momentum is a function of the position"},
              {GYRATOR, "radau_left(2)", "its momentum is a function of the position"},
              {GYRATOR, "rectangle(1)", "its momentum is a function of the position"},
              {REPEATED, "gauss(2)", "depend on each other along such directions"},
              {BEAD_WITH("damping x: -a'"), "gauss(2)", "damping holds its velocity"},
              {BEAD_WITH("damping b: -x'"), "gauss(2)", "damping acts along"},
              {BEAD_WITH("state z' = b' - z"), "gauss(2)", "a state z' = g holds its velocity"},
              {BEAD_WITH("state z' = -z\n coordinate c\n lagrangian -c^2\n"
                         " constraint (2 + z)*a' + b' + c' = x'"),
               "gauss(2)", "a relation that bends it holds a state"},
              {BEAD_WITH("coordinate R : rotation\n lagrangian dot(spin(R), spin(R))/2"),
               "gauss(2)", "quaternions"}};
    (void)state;
    for (size_t k = 0; k < COUNT(of); k++) {
        run r = prepared(of[k].text, of[k].scheme, 1, 10);
        assert_int_not_equal(r.status, DAL_OK);
        const char *said = dal_message_at(r.cx, 0).text;
        if (!said || !strstr(said, of[k].why)) fail_msg("%s: %s", of[k].scheme, said);
        end(&r);
    }
}

/* Resistance along a direction that turns with time, and stiffness alone across it, against the
 * equations for x, a and b that follow; and where the direction passes through a coordinate, at
 * q = 0, there are steps of any length. */
static void resistance_turns(void **state)
{
    static const char TURNING[] = "system Turning {\n coordinate x, a, b\n"
                                  " lagrangian x'^2/2 - x^2/2 - a^2/2 - b^2 - a^4/6 - (a - x)^2/4\n"
                                  " force a: -cos(t)*(cos(t)*a' + sin(t)*b')\n"
                                  " force b: -sin(t)*(cos(t)*a' + sin(t)*b') + 0.3\n"
                                  " start x = 0.5, x' = 0.2, a = 0.4, b = 0.15\n}\n";
    static const char PASSING[] =
        "system Passing {\n coordinate q, a, b, c\n"
        " lagrangian q'^2/2 - a^2/2 - b^2 - b^4/4 - c^2/3\n force a: -a'*(1 + a^2)\n"
        " force b: cos(t)/2\n constraint w: a' + q*b' + 0.6*c' = 0\n"
        " start q = -0.5, q' = 1, a = 0.2, b = 0.1 free, c = 0.3\n}\n";
    static const double motion[] = {-0.16499198548605326, -0.054880223831513815,
                                    0.1499284799329311};
    static const struct {
        const char *scheme;
        int         order;
    } of[] = {
        {"midpoint", 2}, {"gauss(2)", 4}, {"gauss(3)", 6}, {"compose(midpoint, suzuki(4))", 4}};
    (void)state;
    for (size_t k = 0; k < COUNT(of); k++) {
        run a = at_end_of(TURNING, of[k].scheme, 2, 20),
            b = at_end_of(TURNING, of[k].scheme, 2, 40);
        const double coarse = apart(dal_q(a.s), motion, 3), fine = apart(dal_q(b.s), motion, 3);
        check_close(log2(coarse / fine), of[k].order, 0.2);
        end(&a), end(&b);
    }
    for (size_t k = 0; k < COUNT(of); k++) {
        const setting set[] = {{"scheme", of[k].scheme},
                               {"step", "0.001"},
                               {"until", "1"},
                               {"project-start", "yes"},
                               {0}};
        run           r = begin_text(PASSING, set);
        run_to_end(&r);
        check_close(dal_q(r.s)[0], 0.5, 1e-12);
        end(&r);
    }
}

/* Masses drag a massless end to where nothing balances it any more: of y^2 = x, and on an
 * ellipse, where its angle a has L_aa = 0 at t = 23.64, by the equations for the masses alone. */
static void folds_end_a_run(void **state)
{
    static const char FOLD[] = "system Fold {\n coordinate x, y\n lagrangian x'^2/2 - y^3/3 + x*y\n"
                               " force x: -y - 0.5\n start x = 1, y = 1\n}\n";
    static const char ELLIPSE[] =
        "system Ellipse {\n coordinate x, y, a, b\n"
        " lagrangian (x'^2 + y'^2)/2 - y - (x^2 + y^2)/2 - 2*((x - a)^2 + (y - b)^2) - a/3\n"
        " force x: 0.8*y'\n force y: -0.8*x'\n force b: 0.4*sin(t)\n"
        " holonomic ring: (a/1.2)^2 + (b/0.7)^2 = 1\n"
        " start x = 0.9, y = -0.8, x' = 0.1, y' = 0.2, a = 0.7 free, b = -0.55 free\n}\n";
    static const struct {
        const char *text, *scheme, *step;
        double      end;
    } of[] = {{FOLD, "midpoint", "0.05", 2},
              {FOLD, "gauss(2)", "0.05", 2},
              {ELLIPSE, "midpoint", "0.1", 23.64},
              {ELLIPSE, "gauss(2)", "0.05", 23.64}};
    (void)state;
    for (size_t k = 0; k < COUNT(of); k++) {
        const setting set[] = {{"scheme", of[k].scheme},
                               {"step", of[k].step},
                               {"until", "40"},
                               {"project-start", "yes"},
                               {0}};
        run           r = begin_text(of[k].text, set);
        assert_int_not_equal(dal_run(r.s, NULL), DAL_OK);
        check_close(dal_time(r.s), of[k].end, 0.1);
        bool told = false;
        for (size_t i = 0; i < dal_message_count(r.cx); i++)
            told |= strstr(dal_message_at(r.cx, i).text, "cease to balance") != NULL;
        if (!told) fail_msg("%s, %s", of[k].scheme, of[k].step);
        end(&r);
    }
}

/* Of several directions without inertia, a refusal names the one that it is about. */
static void refusals_name_their_direction(void **state)
{
    static const char TWO[] = "system Two {\n coordinate r, x, y\n"
                              " lagrangian -r^2/2 + x*y' - x^2/2 - y^2/2\n force r: -100*r'\n"
                              " start x = 1, r = 0.5\n}\n";
    (void)state;
    run r = prepared(TWO, "radau(2)", 1, 10);
    assert_int_not_equal(r.status, DAL_OK);
    assert_non_null(strstr(dal_message_at(r.cx, 0).text, "the direction y has no inertia"));
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_an_independent_code),
        cmocka_unit_test(motions_are_those_of_the_reduced_equations),
        cmocka_unit_test(random_systems_have_the_orders_that_are_claimed),
        cmocka_unit_test(steps_are_taken_back),
        cmocka_unit_test(energies_stay),
        cmocka_unit_test(poles_are_passed),
        cmocka_unit_test(kinds_of_directions_stay),
        cmocka_unit_test(starts_at_rest),
        cmocka_unit_test(short_steps_settle),
        cmocka_unit_test(straight_directions_are_a_special_case),
        cmocka_unit_test(hamiltonian_coordinates_are_as_lagrangian_ones),
        cmocka_unit_test(damping_and_states_go_beside),
        cmocka_unit_test(tangents_know_damping_beside),
        cmocka_unit_test(what_no_step_follows_is_refused),
        cmocka_unit_test(resistance_turns),
        cmocka_unit_test(folds_end_a_run),
        cmocka_unit_test(refusals_name_their_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
