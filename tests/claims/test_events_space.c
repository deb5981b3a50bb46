/* test_events_space.c - contacts of bodies in space, with friction in two directions, against
 * closed forms and against the impulse of rigid bodies, computed here. */
#include "../api_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static run made(const char *text, const char *scheme, double h, double T)
{
    char          number[2][40];
    const setting set[] = {{"scheme", scheme}, {"step", number[0]}, {"until", number[1]}, {0}};
    snprintf(number[0], sizeof number[0], "%.17g", h);
    snprintf(number[1], sizeof number[1], "%.17g", T);
    run r = begin_text(text, set);
    run_to_end(&r);
    return r;
}

/* Component k, from 1, of a vector that is named. */
static double component(const run *r, const char *of, int k)
{
    char what[80];
    snprintf(what, sizeof what, "%s[%d]", of, k);
    return measure(r, what);
}

static void take(const run *r, const char *of, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = component(r, of, k + 1);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Balls. --------------------------------------------------------------------------------------- */

#define BALL                                                                                        \
    "system Throw { parameter m = 2, r = 0.5, g = 9.81, mu = 0.3\n coordinate x[3], R : rotation\n" \
    " let slip = x' + cross(spin(R), [0, 0, -r])\n"                                                 \
    " lagrangian m/2*dot(x', x') + m*r^2/5*dot(spin(R), spin(R)) - m*g*x[3]\n output s = slip, v = x', w = spin(R)\n"

/* It slides for T = 2 |s|/(7 mu g) with the constant acceleration -mu g s/|s|, on a parabola, and
 * rolls. Spins: back, and sideways. */
static void a_ball_slides_on_a_parabola_and_rolls(void **state)
{
    (void)state;
    static const char *const along[] = {"slip", "slip[1], slip[2]",
                                        "0.6*slip[1] + 0.8*slip[2], 0.6*slip[2] - 0.8*slip[1]"};
    static const char *const scheme[] = {"gauss(1)", "gauss(2)", "lobatto(3)"};
    const double mu = 0.3, g = 9.81, r = 0.5, v[2] = {3, 0}, w[3] = {1, 4, 2}, end_at = 2;
    const double s[2] = {v[0] - r * w[1], v[1] + r * w[0]}, speed = hypot(s[0], s[1]),
                 T = 2 * speed / (7 * mu * g);
    for (size_t k = 0; k < 3; k++) {
        char text[900];
        snprintf(text, sizeof text,
                 BALL " contact floor: x[3] >= r restitution 0 friction mu along %s\n"
                      " start x = [0, 0, r], x' = [3, 0, 0], spin(R) = [1, 4, 2] }\n",
                 along[k]);
        run              thrown = made(text, scheme[k], 0.01, end_at);
        size_t           count;
        const dal_event *e = dal_events(thrown.s, &count);
        assert_int_equal(count, 2); /* the floor holds it, and then friction does */
        check_close(e[1].t, T, 1e-13);
        for (int i = 0; i < 2; i++) {
            const double by = mu * g * s[i] / speed, rolls = v[i] - by * T;
            check_close(component(&thrown, "v", i + 1), rolls, 1e-13);
            check_close(component(&thrown, "x", i + 1),
                        v[i] * T - by * T * T / 2 + rolls * (end_at - T), 1e-12);
            check_close(component(&thrown, "s", i + 1), 0, 1e-14);
        }
        check_close(component(&thrown, "w", 3), w[2], 1e-13);
        end(&thrown);
    }
}

/* Backspin: v = 5/7 v0 - 2/7 r w0 comes back. */
static void a_ball_with_backspin_returns(void **state)
{
    (void)state;
    run r = made(BALL " contact floor: x[3] >= r restitution 0 friction mu along slip\n"
                      " start x = [0, 0, r], x' = [1, 0, 0], spin(R) = [0, -20, 0] }\n",
                 "gauss(2)", 0.01, 3);
    check_close(component(&r, "v", 1), 5.0 / 7 - 2.0 / 7 * 0.5 * 20, 1e-13);
    end(&r);
}

/* J_n = (1 + e) m |v_n|; it holds if the impulse -2/7 m s lies in the cone, else slides with
 * -mu J_n s/|s|. */
static void a_ball_strikes_obliquely(void **state)
{
    (void)state;
    const double m = 2, r = 0.5, e = 0.7, fall = 2, v[3] = {1.5, -0.8, -fall}, w[3] = {3, 5, -2};
    const double s[2] = {v[0] - r * w[1], v[1] + r * w[0]}, speed = hypot(s[0], s[1]);
    for (int holds = 0; holds < 2; holds++) {
        const double mu = holds ? 0.4 : 0.02, Jn = (1 + e) * m * fall;
        double       J[3] = {0, 0, Jn}, arm[3] = {0, 0, -r}, turn[3];
        assert_true((2.0 / 7 * m * speed <= mu * Jn) == holds);
        for (int i = 0; i < 2; i++) J[i] = holds ? -2.0 / 7 * m * s[i] : -mu * Jn * s[i] / speed;
        cross(arm, J, turn);
        char text[900], friction[40];
        snprintf(text, sizeof text, "%s",
                 BALL " contact floor: x[3] >= r restitution 0.7 friction mu along slip\n"
                      " start x = [0, 0, 1.5], x' = [1.5, -0.8, -2], spin(R) = [3, 5, -2] }\n");
        snprintf(friction, sizeof friction, "mu=%g", mu);
        const setting set[] = {{"step", "0.03"}, {"until", "0.6"},  {"scheme", "gauss(2)"},
                               {"set", "g=0"},   {"set", friction}, {0}};
        run           thrown = begin_text(text, set);
        run_to_end(&thrown);
        for (int i = 0; i < 3; i++) {
            check_close(component(&thrown, "v", i + 1), v[i] + J[i] / m, 1e-14);
            check_close(component(&thrown, "w", i + 1), w[i] + turn[i] / (0.4 * m * r * r), 1e-13);
        }
        end(&thrown);
    }
}

/* Equal balls exchange what they have along the line of centres; without friction spins stay. */
static void balls_exchange_velocities_along_their_centres(void **state)
{
    (void)state;
    static const char TWO[] =
        "import \"parts/contacts.dal\"\n"
        "system Two { part a : Ball(r = 0.5, m = 2)\n part b : Ball(r = 0.5, m = 2)\n"
        " part c : BallOnBall(a = a, b = b, ra = 0.5, rb = 0.5)\n output va = a.x', vb = b.x', wa = spin(a.R)\n"
        " start a.x' = [2, 0, 0], b.x = [3, 0.3, 0.2], spin(a.R) = [1, 2, 3] }\n";
    const double     across = 0.3 * 0.3 + 0.2 * 0.2, n[3] = {sqrt(1 - across), 0.3, 0.2};
    run              r = made(TWO, "gauss(2)", 0.01, 3);
    size_t           count;
    const dal_event *e = dal_events(r.s, &count);
    assert_int_equal(count, 1);
    check_close(e[0].t, (3 - n[0]) / 2, 1e-13);
    for (int i = 0; i < 3; i++) {
        check_close(component(&r, "vb", i + 1), 2 * n[0] * n[i], 1e-12);
        check_close(component(&r, "va", i + 1), (i ? 0 : 2) - 2 * n[0] * n[i], 1e-12);
        check_close(component(&r, "wa", i + 1), i + 1, 1e-13);
    }
    end(&r);
}

/* Slopes. -------------------------------------------------------------------------------------- */

/* Across a slope a, with mu = k tan a: the direction turns down, v = v0 u^k/sin(phi) with
 * u = tan(phi/2), and after T = v0 k/(g sin a (k^2 - 1)) it rests at (X, Y), in closed form. */
static double slope_error(double h, double *when)
{
    static const char SLOPE[] =
        "system Slope { parameter g = 9.81, a = 0.4, k = 1.5\n coordinate x, y, z\n"
        " lagrangian (x'^2 + y'^2 + z'^2)/2 + g*sin(a)*y - g*cos(a)*z\n"
        " contact floor: z >= 0 friction k*tan(a) along x, y\n start x' = 2 }\n";
    const double k = 1.5, v = 2, g = 9.81 * sin(0.4), T = v * k / (g * (k * k - 1)),
                 X = v * v / (2 * g) * (1 / (2 * k - 1) + 1 / (2 * k + 1)),
                 Y = v * v / (4 * g) * (1 / (2 * k - 2) - 1 / (2 * k + 2));
    size_t           count;
    run              r = made(SLOPE, "gauss(2)", h, 0.8);
    const dal_event *e = dal_events(r.s, &count);
    *when = fabs(e[count - 1].t - T);
    assert_true(measure(&r, "p(x)") == 0 && measure(&r, "p(y)") == 0);
    const double off = hypot(measure(&r, "x") - X, measure(&r, "y") - Y);
    end(&r);
    return off;
}

static void a_slip_that_turns_has_order_two(void **state)
{
    (void)state;
    double       when[2];
    const double coarse = slope_error(0.02, &when[0]), fine = slope_error(0.0025, &when[1]);
    check_close(log2(coarse / fine) / 3, 2, 0.1);
    assert_true(fine < 2e-6 && when[1] < 1e-5);
}

/* A force (F sin 1.3 t)(cos t, sin t) tears it off where F sin 1.3 t = mu g, from rest, again and
 * again; whatever the step. */
static void what_rests_is_torn_off(void **state)
{
    (void)state;
    static const char *const along[] = {"x, y", "[x, y, z]"};
    const double             tears = asin(0.3 * 9.81 / 4) / 1.3, every = acos(-1) / 1.3;
    for (int i = 0; i < 8; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "system S { coordinate x, y, z\n lagrangian (x'^2 + y'^2 + z'^2)/2 - 9.81*z\n"
                 " force x: 4*sin(1.3*t)*cos(t)\n force y: 4*sin(1.3*t)*sin(t)\n"
                 " contact floor: z >= 0 friction 0.3 along %s\n start x = 0 }\n",
                 along[i % 2]);
        size_t           count;
        int              opened = 0;
        run              r = made(text, "gauss(2)", 0.009 + 0.0037 * i, 10);
        const dal_event *e = dal_events(r.s, &count);
        for (size_t k = 0; k < count; k++)
            if (!strcmp(e[k].what, "slips")) check_close(e[k].t, tears + every * opened++, 1e-12);
        assert_int_equal(opened, 4);
        end(&r);
    }
}

/* Boxes. --------------------------------------------------------------------------------------- */

#define BOX                                                                                        \
    "system Box { parameter m = 2, J[3] = [0.1, 0.3, 0.35], g = 9.81, e = 1, mu = 0\n"             \
    " coordinate x[3], R : rotation\n let W = bodyspin(R)\n output v = x', w = spin(R)\n"          \
    " let at(a, b, c) = x + R*[0.5*a, 0.3*b, 0.2*c]\n"                                             \
    " lagrangian m/2*dot(x', x') + dot(W, diag(J)*W)/2 - m*g*x[3]\n"                               \
    " contact k[i in 1..2][j in 1..2][l in 1..2]: at(2*i - 3, 2*j - 3, 2*l - 3)[3] >= 0"           \
    " restitution e friction mu along at(2*i - 3, 2*j - 3, 2*l - 3)\n"

typedef struct {
    double arm[3];     /* of the corner that strikes, in space axes  */
    double v[3], w[3]; /* of the body after the impact             */
    double P[3], L[3]; /* momenta that it has gained               */
} impact;

/* R = rotation([1, 2, 0.5], 0.7) by Rodrigues, of a vector or back. */
static void turn(const double a[3], double sign, double out[3])
{
    const double size = sqrt(5.25), n[3] = {1 / size, 2 / size, 0.5 / size}, angle = 0.7 * sign;
    double       na[3];
    cross(n, a, na);
    for (int i = 0; i < 3; i++)
        out[i] = a[i] * cos(angle) + na[i] * sin(angle) + n[i] * dot(n, a) * (1 - cos(angle));
}

/* I^-1 a = R diag(1/J) R^T a */
static void spin_of(const double a[3], double out[3])
{
    static const double J[3] = {0.1, 0.3, 0.35};
    double              body[3];
    turn(a, -1, body);
    for (int i = 0; i < 3; i++) body[i] /= J[i];
    turn(body, 1, out);
}

/* Falls without spin and weight with the velocity (0.9, -0.4, -1) onto its lowest corner. */
static impact struck(const char *e, const char *mu, double *energy)
{
    const double  before[3] = {0.9, -0.4, -1};
    const setting set[] = {{"step", "0.01"},
                           {"until", "0.51"},
                           {"scheme", "gauss(2)"},
                           {"set", "g=0"},
                           {"set", e},
                           {"set", mu},
                           {0}};
    impact        out;
    size_t        count;
    run           r = begin_text(
                  BOX " start x = [0, 0, 1], x' = [0.9, -0.4, -1], R = rotation([1, 2, 0.5], 0.7) }\n", set);
    run_to_end(&r);
    const dal_event *of = dal_events(r.s, &count);
    assert_int_equal(count, 1);
    out.arm[2] = HUGE_VAL;
    for (int k = 0; k < 8; k++) {
        const double c[3] = {k & 1 ? 0.5 : -0.5, k & 2 ? 0.3 : -0.3, k & 4 ? 0.2 : -0.2};
        double       arm[3];
        turn(c, 1, arm);
        if (arm[2] < out.arm[2]) memcpy(out.arm, arm, sizeof arm);
    }
    check_close(of[0].t, 1 + out.arm[2], 1e-13);
    *energy = of[0].energy;
    take(&r, "v", out.v), take(&r, "p(R)", out.L);
    for (int i = 0; i < 3; i++) out.P[i] = 2 * (out.v[i] - before[i]);
    spin_of(out.L, out.w);
    double moment[3];
    cross(out.arm, out.P, moment);
    for (int i = 0; i < 3; i++) check_close(out.L[i], moment[i], 1e-13);
    end(&r);
    return out;
}

/* lam = -(1 + e) v_n/(1/m + (c x n).I^-1 (c x n)) */
static void a_corner_strikes_elastically(void **state)
{
    (void)state;
    double       energy, lever[3], spin[3];
    const double n[3] = {0, 0, 1};
    const impact at = struck("e=1", "mu=0", &energy);
    cross(at.arm, n, lever);
    spin_of(lever, spin);
    check_close(at.P[2], 2 / (1 / 2.0 + dot(lever, spin)), 1e-13);
    check_close(at.P[0], 0, 1e-15);
    check_close(at.P[1], 0, 1e-15);
    check_close(at.L[2], 0, 1e-15); /* about the normal */
    check_close(energy, 0, 1e-13);
}

/* On the edge of the cone against the slip after the impact; or within it, without slip. */
static void a_corner_strikes_with_friction(void **state)
{
    (void)state;
    static const double mu[] = {0.1, 0.3, 3};
    int                 held = 0, slid = 0;
    for (size_t k = 0; k < 3; k++) {
        char   word[20];
        double energy, turned[3], slip[3];
        snprintf(word, sizeof word, "mu=%g", mu[k]);
        const impact at = struck("e=0.5", word, &energy);
        cross(at.w, at.arm, turned);
        for (int i = 0; i < 3; i++) slip[i] = at.v[i] + turned[i];
        const double along = hypot(at.P[0], at.P[1]), speed = hypot(slip[0], slip[1]);
        check_close(slip[2], 0.5, 1e-13);
        assert_true(energy < 0);
        if (speed < 1e-12) {
            held++;
            assert_true(along <= mu[k] * at.P[2]);
            continue;
        }
        slid++;
        check_close(along, mu[k] * at.P[2], 1e-13);
        check_close(at.P[0] * slip[0] + at.P[1] * slip[1], -along * speed, 1e-13);
    }
    assert_true(held && slid);
}

/* Corner after corner, with weight: the energy, and what no impulse turns. */
static void a_box_bounces_on_its_corners(void **state)
{
    (void)state;
    const setting set[] = {{"step", "0.005"}, {"until", "3"}, {"scheme", "gauss(3)"}, {0}};
    run           r = begin_text(
                  BOX
                  " start x = [0, 0, 1], R = rotation([1, 2, 0.5], 0.7), bodyspin(R) = [0.4, -0.3, 1.5] }\n",
                  set);
    size_t       count;
    const double about = component(&r, "p(R)", 3);
    run_to_end(&r);
    dal_events(r.s, &count);
    assert_true(count > 8);
    const dal_summary *sum = dal_summarise(r.s);
    assert_true(sum->energy.max - sum->energy.min <= 1e-12 * fabs(sum->energy.max));
    check_close(component(&r, "p(R)", 3), about, 1e-13);
    end(&r);
}

/* Four corners hold what three would: it rests, and they share its weight. */
static void a_box_rests_on_its_corners(void **state)
{
    (void)state;
    static const char *const friction[] = {"mu=0", "mu=0.3"};
    for (int k = 0; k < 2; k++) {
        const setting set[] = {{"step", "0.01"}, {"until", "2"},       {"scheme", "gauss(2)"},
                               {"set", "e=0.4"}, {"set", friction[k]}, {0}};
        run           r = begin_text(
                      BOX " output N = sum(i in 1..2, j in 1..2: k[i][j][1])\n start x = [0, 0, 0.5] }\n",
                      set);
        run_to_end(&r);
        check_close(component(&r, "x", 3), 0.2, 1e-14);
        check_close(measure(&r, "N"), 2 * 9.81, 1e-12);
        for (int i = 1; i <= 3; i++) {
            check_close(component(&r, "v", i), 0, 1e-14);
            check_close(component(&r, "w", i), 0, 1e-13);
        }
        end(&r);
    }
}

/* A die that is thrown lies on a face, at the energy of its height, and turns no more. */
static void a_die_comes_to_rest(void **state)
{
    (void)state;
    static const char DIE[] =
        "import \"parts/contacts.dal\"\n"
        "system Die { part die : Body(m = 1, g = 9.81, J = [1/6, 1/6, 1/6])\n"
        " part floor : BoxOnPlane(a = die, friction = 0.4)\n output v = die.x', w = spin(die.R)\n"
        " start die.x = [0, 0, 2], die.x' = [1, 0.3, 0], die.R = rotation([1, 2, 0.5], 0.7), bodyspin(die.R) = [1, -3, 2.5] }\n";
    run r = made(DIE, "gauss(2)", 0.01, 3);
    check_close(component(&r, "die.x", 3), 0.5, 1e-12);
    for (int i = 1; i <= 3; i++) {
        check_close(component(&r, "v", i), 0, 1e-13);
        check_close(component(&r, "w", i), 0, 1e-13);
    }
    end(&r);
}

/* Directions, Hamiltonians, conditions. -------------------------------------------------------- */

static void a_rod_bounces_on_its_ends(void **state)
{
    (void)state;
    run r = made(
        "import \"parts/bodies.dal\"\n"
        "system Falls { part rod : ThinRod\n contact a: rod.A[3] >= 0\n contact b: rod.B[3] >= 0\n"
        " start rod.x = [0, 0, 1], rod.n = [0.6, 0, 0.8], rod.n' = [0, 1, 0] }\n",
        "gauss(3)", 0.005, 2);
    size_t             count;
    const dal_summary *sum = dal_summarise(r.s);
    dal_events(r.s, &count);
    assert_true(count > 3);
    assert_true(sum->energy.max - sum->energy.min <= 1e-10);
    end(&r);
}

/* The momentum of a Hamiltonian body takes the same impulse as its Lagrangian twin. */
static void a_hamiltonian_body_is_struck_as_its_twin(void **state)
{
    (void)state;
    static const char *const law[] = {
        "lagrangian dot(x', x') + dot(bodyspin(R), diag(J)*bodyspin(R))/2 - 2*9.81*x[3]\n",
        "hamiltonian dot(p(x), p(x))/4 + dot(inv(R)*p(R), inv(diag(J))*(inv(R)*p(R)))/2 + 2*9.81*x[3]\n"};
    double P[2][3];
    for (int k = 0; k < 2; k++) {
        char text[700];
        snprintf(text, sizeof text,
                 "system S { parameter J[3] = [0.1, 0.3, 0.35]\n coordinate x[3], R : rotation\n %s"
                 " contact x[3] + (R*[0.5, 0.3, -0.2])[3] >= 0\n"
                 " start x = [0, 0, 1], R = rotation([1, 2, 0.5], 0.7), p(R) = [0.1, 0.2, 0.3] }\n",
                 law[k]);
        run r = made(text, "gauss(3)", 0.01, 1);
        take(&r, "p(R)", P[k]);
        end(&r);
    }
    for (int i = 0; i < 3; i++) check_close(P[1][i], P[0][i], 1e-9);
}

/* R[3][3] = cos w t is above 0.9 for a short time within a step. */
static void conditions_of_rotations_are_found_within_a_step(void **state)
{
    (void)state;
    run r = made(
        "system S { coordinate R : rotation\n lagrangian dot(spin(R), spin(R))/2\n"
        " stop when R[3][3] > 0.9\n start R = rotation([1, 0, 0], 0.8), spin(R) = [2, 0, 0] }\n",
        "gauss(2)", 1, 5);
    check_close(dal_time(r.s), (2 * acos(-1) - 0.8 - acos(0.9)) / 2, 1e-13);
    end(&r);
}

/* Words. --------------------------------------------------------------------------------------- */

static void bad_friction_ends_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *along, *says;
        int         line, column;
    } bad[] = {
        {"friction 0.3 along c", "this moves with no coordinate", 4, 43},
        {"friction 0.3 along x, y, z", "two directions at most", 4, 49},
        {"friction -0.3 along x", "the friction is negative", 4, 33},
        {"friction k along x", "the friction of floor is -1", 4, 0},
        {"friction 0.3 along x'^2", "not linear in the velocities", 4, 43},
        {"friction 0.3 along [x, y, z], y", "a vector", 4, 43},
        {"friction 0.3 along 0*[x', y', z']", "the normal of this contact is not found", 4, 43}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char          text[400];
        const setting set[] = {{"step", "0.01"}, {"until", "1"}, {0}};
        run           r = with_settings(set);
        snprintf(
            text, sizeof text,
            "system S { coordinate x, y, z\n parameter c = 1, k = -1\n"
            " lagrangian (x'^2 + y'^2 + z'^2)/2 - 9.81*c*z + k*x\n contact floor: z >= 0 %s\n start z = 1 }\n",
            bad[k].along);
        assert_int_not_equal(try_text(&r, text), DAL_OK);
        const dal_message said = dal_message_at(r.cx, 0);
        assert_non_null(strstr(said.text, bad[k].says));
        assert_int_equal(said.line, bad[k].line);
        if (bad[k].column) assert_int_equal(said.column, bad[k].column);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_slides_on_a_parabola_and_rolls),
        cmocka_unit_test(a_ball_with_backspin_returns),
        cmocka_unit_test(a_ball_strikes_obliquely),
        cmocka_unit_test(balls_exchange_velocities_along_their_centres),
        cmocka_unit_test(a_slip_that_turns_has_order_two),
        cmocka_unit_test(what_rests_is_torn_off),
        cmocka_unit_test(a_corner_strikes_elastically),
        cmocka_unit_test(a_corner_strikes_with_friction),
        cmocka_unit_test(a_box_bounces_on_its_corners),
        cmocka_unit_test(a_box_rests_on_its_corners),
        cmocka_unit_test(a_die_comes_to_rest),
        cmocka_unit_test(a_rod_bounces_on_its_ends),
        cmocka_unit_test(a_hamiltonian_body_is_struck_as_its_twin),
        cmocka_unit_test(conditions_of_rotations_are_found_within_a_step),
        cmocka_unit_test(bad_friction_ends_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
