/* test_event_parts.c - diode, switch, thyristor, end stop, backlash, ratchet, freewheel and clutch
 * of share/parts, put together in models that are not linear. References are those that
 * event_parts.py computes from equations written by hand; the rectifier's have 30 digits. */
#include "../api_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ELECTRICAL "import \"parts/electrical.dal\"\n"
#define MECHANICAL "import \"parts/mechanical.dal\"\n"
#define ROTATIONAL "import \"parts/rotational.dal\"\n"

static const char RECTIFIER[] =
    ELECTRICAL "system Rectifier { part mains : VoltageSource(V = 10*sin(t))\n"
               " part wire : Resistor(R = 0.5)\n part coil : Inductor(L = 0.1)\n"
               " part diode : Diode\n part store : Capacitor(C = 2)\n part load : Resistor(R = 5)\n"
               " connect wire.q' = mains.q'\n connect coil.q' = mains.q'\n"
               " connect diode.q' = mains.q'\n connect mains.q' = store.q' + load.q'\n"
               " output a = diode.q, b = store.q\n start store.q = 0.5 }\n";
static const char SWITCHED[] =
    ELECTRICAL "system Switched { part mains : VoltageSource(V = 10)\n"
               " part s : Switch(on = if(mod(t, 1) < 0.4, 1, 0))\n"
               " part coil : Inductor(L = 0.5)\n part load : Resistor(R = 2)\n"
               " connect s.q' = mains.q'\n connect coil.q' = s.q'\n connect load.q' = coil.q'\n"
               " output a = coil.q, b = coil.q' }\n";
static const char BUCK[] =
    ELECTRICAL "system Buck { part mains : VoltageSource(V = 10)\n"
               " part wire : Inductor(L = 0.01)\n part s : Switch(on = on)\n part diode : Diode\n"
               " part coil : Inductor(L = 0.5)\n part load : Resistor(R = 2)\n discrete on = 1\n"
               " when mod(t, 1) >= 0.4 { on = 0 }\n when mod(t, 1) < 0.4 { on = 1 }\n"
               " connect s.q' = mains.q'\n connect wire.q' = s.q'\n"
               " connect coil.q' = s.q' + diode.q'\n connect load.q' = coil.q'\n"
               " output a = coil.q, b = s.q }\n";
static const char DIMMER[] =
    ELECTRICAL "system Dimmer { part mains : VoltageSource(V = 10*sin(t))\n"
               " let phase = mod(t, 2*pi)\n"
               " part th : Thyristor(gate = if(phase > 1 and phase < 1.2, 1, 0))\n"
               " part coil : Inductor(L = 0.5)\n part load : Resistor(R = 2)\n"
               " connect th.q' = mains.q'\n connect coil.q' = th.q'\n connect load.q' = coil.q'\n"
               " output a = coil.q, b = coil.q' }\n";
static const char PISTON[] =
    MECHANICAL "system Piston { part mass : Mass(g = 9.81)\n part wall : Wall\n"
               " part spring : CubicSpring(k = 20, beta = 30)\n"
               " part ends : EndStop(from = -0.5, to = 0.3, e = 0.6)\n"
               " connect spring.a = wall.x\n connect spring.b = mass.x\n connect ends.x = mass.x\n"
               " output a = mass.x, b = mass.x'\n start mass.x' = 8 }\n";
static const char PLAY[] =
    ROTATIONAL "system Play { part motor : Rotor\n part play : Backlash(gap = 0.2)\n"
               " part load : Pendulum(g = 3)\n part drag : Bearing(c = 0.1)\n"
               " part drive : TorqueSource(tau = cos(t))\n connect drive.phi = motor.phi\n"
               " connect play.a = motor.phi\n connect play.b = load.phi\n"
               " connect drag.phi = load.phi\n output a = motor.phi, b = load.phi' }\n";
static const char WINCH[] =
    ROTATIONAL "system Winch { part arm : Pendulum(g = 1)\n part ratchet : Ratchet\n"
               " part drive : TorqueSource(tau = 1.5*sin(2*t))\n"
               " connect ratchet.phi = arm.phi\n connect drive.phi = arm.phi\n"
               " output a = arm.phi, b = arm.phi' }\n";
static const char CAR[] =
    ROTATIONAL "system Car { part engine : Rotor(J = 2)\n part wheels : Rotor(J = 5)\n"
               " part drive : TorqueSource(tau = 1)\n"
               " part drag : TorqueSource(tau = -0.2*wheels.phi' - wheels.phi'^3/100)\n"
               " part clutch : Clutch(stick = 3, slip = 2, press = if(t < 15, 1, 0.1))\n"
               " connect drive.phi = engine.phi\n connect drag.phi = wheels.phi\n"
               " connect clutch.a = engine.phi\n connect clutch.b = wheels.phi\n"
               " output a = wheels.phi, b = engine.phi'\n start engine.phi' = 10 }\n";
static const char BICYCLE[] =
    ROTATIONAL "system Bicycle { part crank : Rotor\n part wheel : Rotor(J = 2)\n"
               " part feet : TorqueSource(tau = 3*sin(t))\n part hub : Freewheel\n"
               " part drag : TorqueSource(tau = -0.3*wheel.phi' - wheel.phi'^3/10)\n"
               " connect feet.phi = crank.phi\n connect drag.phi = wheel.phi\n"
               " connect hub.a = crank.phi\n connect hub.b = wheel.phi\n"
               " output a = wheel.phi, b = crank.phi' }\n";

/* The instants of the events of one part, by what they did. */
static const struct {
    const char *text;
    double      T, a, b, most;
    const char *event, *what;
    double      at[4]; /* 0: no more are looked at */
} known[] = {
    {RECTIFIER,
     12,
     24.764472979950473,
     11.261895051221713,
     1e-11,
     "diode.blocks",
     "opens",
     {0.024940312385208105, 6.7924853427462842}},
    {SWITCHED,
     3.2,
     3.319968023978473,
     2.753355179413894,
     1e-11,
     "s.gap",
     "closes",
     {0.400199645857936, 1.40019964585794, 2.40019964585794}},
    {BUCK,
     3.2,
     6.205088323476668,
     3.471821855946321,
     1e-11,
     "diode.blocks",
     "closes",
     {0, 1.00035857830566, 2.00036521253899, 3.00036533545643}},
    {DIMMER,
     20,
     22.81920444014741,
     1.994987021509981,
     1e-10,
     "th.quenches",
     "fires",
     {3.38631613529502, 9.66950144247461, 15.9526867496542}},
    {PISTON,
     2,
     -0.1430807424527574,
     -0.08818099585448322,
     1e-10,
     "ends.low",
     "hits",
     {0.189189726527022, 0.891186483870676, 1.61169729428222}},
    {PLAY,
     12,
     -2.33627724650647,
     0.8257530423553441,
     1e-10,
     "play.behind",
     "opens",
     {2.42349326495393, 8.94143351923765}},
    {WINCH,
     8,
     1.781876009063467,
     0,
     1e-11,
     "ratchet.pawl",
     "opens",
     {3.49694513361665, 6.64803805816253}},
    {CAR,
     20,
     50.46722681180105,
     5.573723978983244,
     1e-10,
     "clutch.plates",
     "closes",
     {12.7302796687363}},
    {BICYCLE,
     10,
     8.833512856263026,
     0.3157169592926863,
     1e-10,
     "hub.drive",
     "opens",
     {3.27567787336097, 9.47292302120453}},
};

static run made(size_t k, const char *scheme, const char *step)
{
    char          until[40];
    const setting set[] = {{"scheme", scheme}, {"step", step}, {"until", until}, {0}};
    snprintf(until, sizeof until, "%.17g", known[k].T);
    run r = begin_text(known[k].text, set);
    run_to_end(&r);
    return r;
}

static void check_instants(const run *r, size_t k)
{
    size_t           count, found = 0;
    const dal_event *e = dal_events(r->s, &count);
    for (size_t i = 0; i < count && found < 4; i++) {
        if (strcmp(e[i].name, known[k].event) != 0 || strcmp(e[i].what, known[k].what) != 0)
            continue;
        check_close(e[i].t, known[k].at[found], 1e-10);
        found++;
    }
    assert_true(found == 4 || known[k].at[found] == 0);
    assert_true(found > 0);
}

static void parts_do_what_their_equations_say(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        run r = made(k, "gauss(3)", "0.01");
        if (!(fabs(measure(&r, "a") - known[k].a) < known[k].most &&
              fabs(measure(&r, "b") - known[k].b) < known[k].most))
            fail_msg("%zu: %.17g, %.17g", k, measure(&r, "a"), measure(&r, "b"));
        check_instants(&r, k);
        end(&r);
    }
}

/* Of the nonlinear ones: end stop, backlash, clutch, freewheel. */
static void steps_keep_their_order(void **state)
{
    (void)state;
    for (size_t k = 4; k < sizeof known / sizeof *known; k++) {
        run          coarse = made(k, "gauss(2)", "0.1"), fine = made(k, "gauss(2)", "0.0125");
        const double e = hypot(measure(&coarse, "a") - known[k].a,
                               measure(&coarse, "b") - known[k].b),
                     f = hypot(measure(&fine, "a") - known[k].a, measure(&fine, "b") - known[k].b);
        if (!(log2(e / f) / 3 > 3.5)) fail_msg("%zu: %.2e, %.2e", k, e, f);
        end(&coarse), end(&fine);
    }
}

/* Three masses between walls, in parts and arrays: everything happens at thirds and quarters, much
 * of it at the same instant. */
static void names_are_paths_and_coincidences_are_sorted_out(void **state)
{
    (void)state;
    static const char text[] =
        MECHANICAL "system Cell { parameter w = 1\n part mass : Mass\n"
                   " contact wall: mass.x <= w restitution 0.5\n discrete n = 0, m[2] = [0, 0]\n"
                   " when half[i in 1..2]: mass.x > w*i/3 { m[i] = m[i] + 1 }\n"
                   " when back: mass.x < 0 { n = n + 1, mass.x' = 1 } }\n"
                   "system Top { part first : Cell\n part cell[2] : Cell(w = 2)\n"
                   " when far: cell[2].mass.x > 1.5 { cell[1].n = 5, cell[1].mass.x' = -3 }\n"
                   " start first.mass.x' = 1, cell[1].mass.x' = 1, cell[2].mass.x' = 2 }\n";
    static const struct {
        double      t;
        const char *name;
    } what[] = {
        {1. / 3, "first.half[1]"},   {1. / 3, "cell[2].half[1]"}, {2. / 3, "first.half[2]"},
        {2. / 3, "cell[1].half[1]"}, {2. / 3, "cell[2].half[2]"}, {0.75, "far"},
        {1, "cell[2].wall"},         {1, "first.wall"},           {1, "cell[1].back"},
        {5. / 3, "cell[1].half[1]"}, {7. / 3, "cell[1].half[2]"}, {3, "first.back"},
        {3, "cell[2].back"},         {3, "cell[1].wall"},         {10. / 3, "first.half[1]"},
        {11. / 3, "first.half[2]"},  {11. / 3, "cell[2].half[1]"}};
    const size_t  known_events = sizeof what / sizeof *what;
    const setting set[] = {{"scheme", "midpoint"}, {"step", "0.05"}, {"until", "4"}, {0}};
    size_t        count;
    run           r = begin_text(text, set);
    run_to_end(&r);
    const dal_event *e = dal_events(r.s, &count);
    assert_int_equal(count, known_events);
    for (size_t i = 0; i < count; i++) {
        int found = 0;
        check_close(e[i].t, what[i].t, 1e-13);
        for (size_t k = 0; k < known_events; k++)
            found |= fabs(what[k].t - e[i].t) < 1e-13 && !strcmp(what[k].name, e[i].name);
        if (!found) fail_msg("%s at %.17g", e[i].name, e[i].t);
    }
    end(&r);
}

/* A ball at rest on a floor is thrown: y = 3 s - g s^2/2, s since then. */
static void a_reset_leaves_a_contact_that_holds(void **state)
{
    (void)state;
    static const char text[] = "system Ball { coordinate y\n lagrangian y'^2/2 - 9.81*y\n"
                               " contact floor: y >= 0 restitution 0.3\n"
                               " when hop: t > 2 { y' = 3 }\n start y = 0.1 }\n";
    const setting     set[] = {{"scheme", "gauss(2)"}, {"step", "0.01"}, {"until", "2.3"}, {0}};
    size_t            count;
    run               r = begin_text(text, set);
    run_to_end(&r);
    const dal_event *e = dal_events(r.s, &count);
    check_close(dal_q(r.s)[0], 3 * 0.3 - 9.81 * 0.045, 1e-13);
    assert_string_equal(e[count - 2].name, "floor");
    assert_string_equal(e[count - 2].what, "opens");
    check_close(e[count - 1].energy, 4.5, 1e-13);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_do_what_their_equations_say),
        cmocka_unit_test(steps_keep_their_order),
        cmocka_unit_test(names_are_paths_and_coincidences_are_sorted_out),
        cmocka_unit_test(a_reset_leaves_a_contact_that_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
