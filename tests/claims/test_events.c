/* test_events.c - events are found where they are, and steps with events have the order of their
 * scheme. References are closed forms, or computed in 30 digits by codes of their own. */
#include "../api_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The state at T of a model, its coordinates and then their momenta. */
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

static const char BALL[] = "system Ball { parameter g = 9.81, c = 0.05\n coordinate y\n"
                           " lagrangian y'^2/2 - g*y\n force y: -c*y'\n"
                           " contact floor: y >= 0 restitution 0.7\n output N = floor\n"
                           " start y = 1 }\n";
static const char IMPACTS[] =
    "system ImpactOscillator { coordinate x\n lagrangian x'^2/2 - x^2/2 - x^4/4\n"
    " force x: -0.2*x' + 0.8*cos(1.3*t)\n contact wall: 0.5 - x >= 0 restitution 0.8\n"
    " start x' = 1 }\n";
static const char CLOCK[] = "system Clock { coordinate a\n lagrangian a'^2/2 + cos(a)\n"
                            " force a: -0.1*a'\n when tick: a > 0 { a' = sqrt(a'^2 + 0.04) }\n"
                            " start a = -0.4 }\n";
static const char RECTIFIER[] =
    "system Rectifier { parameter L = 0.1, C = 2, R = 5, Rs = 0.5\n coordinate qD, qC\n"
    " lagrangian L/2*qD'^2\n force qD: 10*sin(t) - Rs*qD' - qC/C\n"
    " constraint qC' = qD' - qC/(R*C)\n constraint diode: qD' >= 0\n start qC = 0.5 }\n";
static const char STICK_SLIP[] = "system StickSlip { coordinate x\n lagrangian x'^2/2 - x^2/2\n"
                                 " friction belt: x' = 0.2 limit 1, 0.7\n start x' = 0.2 }\n";
static const char THERMOSTAT[] =
    "system Thermostat { coordinate T\n discrete on = 1\n constraint T' = -(T - 10)/5 + 6*on\n"
    " when T > 21 { on = 0 }\n when T < 19 { on = 1 }\n start T = 15 }\n";
static const char HOPPER[] =
    "system Hopper { parameter g = 9.81, k = 400, c = 1.5, l = 1\n coordinate y\n"
    " discrete stance = 0, rest = 1\n lagrangian y'^2/2 - g*y - stance*k/2*(rest - y)^2\n"
    " force y: -stance*c*y'\n when touchdown: stance == 0 and y < l { stance = 1, rest = l }\n"
    " when thrust: stance == 1 and rest == l and y' > 0 { rest = l + 0.06 }\n"
    " when liftoff: stance == 1 and rest > l and y > rest { stance = 0 }\n start y = 1.3 }\n";
static const char STADIUM[] = "system Stadium { coordinate x, y\n lagrangian (x'^2 + y'^2)/2\n"
                              " contact wall: 1 - sqrt((x - max(-1, min(1, x)))^2 + y^2) >= 0\n"
                              " start x = 0.1, y = 0.05, x' = cos(0.7), y' = sin(0.7) }\n";
static const char CRADLE[] =
    "system Cradle { parameter N = 5, d = 0.1\n coordinate x[N]\n"
    " lagrangian sum(i in 1..N: x[i]'^2/2 - (x[i] - d*(i-1))^2/2)\n"
    " contact c[i in 1..N-1]: x[i+1] - x[i] >= d restitution 1\n start x[1] = -0.5\n"
    " for i in 2..N { start x[i] = d*(i-1) } }\n";

/* References of 30 digits; coarse: a step at which the error is that of the scheme. */
static const struct {
    const char *text;
    double      T, h, q, p, most;
    size_t      events;
    double      first, last;
    double      coarse;
} known[] = {
    {BALL, 2, 0.01, 0.020040491347663344, -0.81610967489892629, 4e-12, 4, 0.45322899953008743,
     1.811722773649082, 0.05},
    {IMPACTS, 12, 0.01, -0.65254347625093116, -0.32992409181275208, 4e-12, 3, 0.45897505355174472,
     9.883009012420913, 0.1},
    {CLOCK, 20, 0.01, -0.14885333429549263, 0.20901403946330106, 3e-12, 3, 1.6395121220004221,
     14.312719040380087, 0.2},
    {STICK_SLIP, 25, 0.01, 0.6094412835890436, 0.2, 2e-11, 7, 0, 0, 0.1},
    {HOPPER, 3, 0.001, 1.9926103001003036, -2.2159282887622299, 1e-10, 9, 0.24730968341474897, 0,
     0.01},
};

static void states_and_instants_are_those_of_30_digits(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        size_t           count;
        run              r = made(known[k].text, "gauss(3)", known[k].h, known[k].T);
        const dal_event *e = dal_events(r.s, &count);
        check_close(dal_q(r.s)[0], known[k].q, known[k].most);
        check_close(dal_p(r.s)[0], known[k].p, known[k].most);
        assert_int_equal(count, known[k].events);
        if (known[k].first > 0) check_close(e[0].t, known[k].first, 1e-12);
        if (known[k].last > 0) check_close(e[count - 1].t, known[k].last, 4e-12);
        end(&r);
    }
}

static double error_of(size_t k, const char *scheme, double h)
{
    run          r = made(known[k].text, scheme, h, known[k].T);
    const double error = hypot(dal_q(r.s)[0] - known[k].q, dal_p(r.s)[0] - known[k].p);
    end(&r);
    return error;
}

/* Lengths of partial steps change with h, so single pairs scatter. */
static void steps_with_events_have_the_order_of_their_scheme(void **state)
{
    (void)state;
    static const char *const scheme[] = {"gauss(1)", "gauss(2)", "lobatto(3)", "gauss(3)"};
    static const int         order[] = {2, 4, 4, 6};
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 4; i++) {
            const double coarse = error_of(k, scheme[i], known[k].coarse),
                         fine = error_of(k, scheme[i], known[k].coarse / 8);
            if (fine < 1e-12) continue;
            check_close(log2(coarse / fine) / 3, order[i], 0.45);
        }
}

static void a_diode_blocks_and_conducts(void **state)
{
    (void)state;
    static const double when[] = {0.024940312385208105, 2.4859300206833509, 6.7924853427462842,
                                  8.7089079761632792};
    size_t              count;
    run                 r = made(RECTIFIER, "gauss(3)", 0.01, 12);
    const dal_event    *e = dal_events(r.s, &count);
    check_close(dal_q(r.s)[0], 24.764472979950473, 5e-12);
    check_close(dal_q(r.s)[1], 11.261895051221713, 5e-12);
    assert_int_equal(count, 5); /* it blocks at the start */
    for (size_t i = 0; i < 4; i++) check_close(e[i + 1].t, when[i], 1e-11);
    assert_string_equal(e[1].what, "opens");
    assert_string_equal(e[2].what, "closes");
    end(&r);
}

/* A bridge of four: one diode of those that block follows from the others. The reference has one
 * current, |u| - c across the coil while it flows, by another program to 1e-13. */
static void a_bridge_of_diodes_rectifies(void **state)
{
    (void)state;
    static const char BRIDGE[] =
        "system Bridge { parameter L = 0.1, R = 2\n coordinate q, d[4], c, r\n"
        " lagrangian L/2*q'^2 - c^2/2\n force q: sin(2*t)\n force r: -R*r'\n"
        " constraint q' = d[1]' - d[4]'\n constraint q' = d[2]' - d[3]'\n"
        " constraint d[1]' + d[3]' = c' + r'\n constraint D[i in 1..4]: d[i]' >= 0 }\n";
    static const double blocks[] = {1.29801093168949, 2.85801777576232, 4.52939206802292},
                        conducts[] = {2.23529855844887, 3.45607624337752, 5.18819519010016};
    size_t           count;
    run              r = made(BRIDGE, "gauss(3)", 0.005, 10);
    const dal_event *e = dal_events(r.s, &count);
    check_close(dal_q(r.s)[5], 0.67464187, 1e-8);
    check_close(dal_q(r.s)[1] + dal_q(r.s)[3], dal_q(r.s)[5] + dal_q(r.s)[6], 1e-13);
    for (size_t k = 0; k < 3; k++) { /* pairs: those that conduct first, at the start */
        const dal_event *pair = &e[6 + 4 * k];
        for (size_t i = 0; i < 2; i++) {
            assert_string_equal(pair[i].what, "closes");
            check_close(pair[i].t, blocks[k], 1e-11);
            assert_string_equal(pair[2 + i].what, "opens");
            check_close(pair[2 + i].t, conducts[k], 1e-11);
        }
    }
    end(&r);
}

/* A plank comes to rest on three supports, of which one follows from the others: they share. */
static void supports_share_a_weight(void **state)
{
    (void)state;
    static const char *const restitution[] = {"0", "0.5"};
    for (size_t k = 0; k < 2; k++) {
        char   text[400];
        double row[16];
        snprintf(text, sizeof text,
                 "system Plank { coordinate y, a\n lagrangian y'^2/2 + a'^2/6 - 9.81*y\n"
                 " contact s[i in 1..3]: y + (i - 2)*sin(a) >= 0 restitution %s\n"
                 " output N[i in 1..3] = s[i]\n start y = 0.5, a = 0.2, a' = 0.1 }\n",
                 restitution[k]);
        run r = made(text, "gauss(2)", 0.01, 3);
        dal_row(r.s, row); /* t, y, a, p(y), p(a), N[1..3], energy */
        assert_true(fabs(row[1]) < 1e-14 && fabs(row[2]) < 1e-14);
        for (int i = 5; i < 8; i++) check_close(row[i], 3.27, 1e-12);
        end(&r);
    }
}

/* The first 20 impacts by rays of 60 digits; their errors grow about threefold each. */
static void a_billiard_ball_is_where_its_rays_are(void **state)
{
    (void)state;
    static const double when[] = {
        1.4422952865685493, 3.0145916913173378, 5.5942399406549814, 6.651623152946367,
        7.5666480515960936, 8.4816729502458202, 10.623107631585615, 11.302231479615567,
        11.769375934999195, 12.236520390382822, 12.70366484576645,  13.170809301150078,
        13.637953756533706, 14.105098211917333, 17.139374880260525, 18.855359408344338,
        21.454926812519731, 23.216431455428891, 26.671712507285586, 27.887199738311954};
    size_t           count;
    run              r = made(STADIUM, "midpoint", 0.1, ceil(when[19]));
    const dal_event *e = dal_events(r.s, &count);
    double           most = 4e-16;
    assert_true(count >= 20);
    for (size_t k = 0; k < 20; k++, most = fmin(3 * most, 1e-9))
        check_close(e[k].t, when[k], fmax(most, 1e-14));
    end(&r);
}

/* Walls beside a rod, and with an attraction; the angle by another program. */
static void walls_beside_relations_and_forces(void **state)
{
    (void)state;
    static const struct {
        double e, a, da;
    } of[] = {{1, 0.29720317160, -2.25620461350}, {0.6, 0.358739638645, -0.555682944765}};
    for (size_t k = 0; k < 2; k++) {
        char   text[400];
        size_t count;
        snprintf(text, sizeof text,
                 "system Pendulum { coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - 9.81*y\n"
                 " holonomic (x^2 + y^2 - 1)/2 = 0\n contact wall: x >= -0.3 restitution %g\n"
                 " start x = sin(0.8), y = -cos(0.8) }\n",
                 of[k].e);
        run r = made(text, "gauss(3)", 0.01, 3);
        dal_events(r.s, &count);
        assert_int_equal(count, 2);
        check_close(dal_q(r.s)[0], sin(of[k].a), 1e-10);
        check_close(dal_p(r.s)[0], cos(of[k].a) * of[k].da, 1e-10);
        end(&r);
    }
    run r = made(
        "system Wall { coordinate x, y\n lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2 + 0.05)\n"
        " contact wall: x >= -1.2\n start x = 0.4, y' = 2 }\n",
        "gauss(3)", 0.005, 7);
    check_close(dal_q(r.s)[0], 2.1323813307678177, 1e-10);
    check_close(dal_q(r.s)[1], 0.713573682938589, 1e-10);
    check_close(dal_p(r.s)[0], 0.3750989978986242, 1e-10);
    check_close(dal_p(r.s)[1], -0.6164549817055814, 1e-10);
    end(&r);
}

/* Of models with rows that hold at times, and of discrete variables. */
static void modes_have_the_order_of_their_scheme(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double      T, coarse, q;
    } of[] = {{RECTIFIER, 12, 0.1, 24.764472979950473},
              {STICK_SLIP, 25, 0.25, 0.6094412835890436},
              {THERMOSTAT, 12, 0.5, 20.77912287951729},
              {HOPPER, 3, 0.02, 1.9926103001003036}};
    static const char *const scheme[] = {"gauss(1)", "gauss(2)", "gauss(3)"};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (int i = 0; i < 3; i++) {
            double error[3];
            for (int j = 0; j < 3; j++) {
                run r = made(of[k].text, scheme[i], of[k].coarse / (1 << j), of[k].T);
                error[j] = fabs(dal_q(r.s)[0] - of[k].q);
                end(&r);
            }
            const int last = error[2] > 4e-12 ? 2 : 1;
            check_below(fabs(log2(error[0] / error[last]) / last - 2 * (i + 1)), 0.65);
        }
}

static void a_thermostat_switches(void **state)
{
    (void)state;
    size_t count;
    run    r = made(THERMOSTAT, "gauss(3)", 0.01, 12);
    dal_events(r.s, &count);
    check_close(dal_q(r.s)[0], 20.77912287951729, 1e-12);
    assert_int_equal(count, 16); /* one of them at the start, where it is cold */
    end(&r);
}

/* The ball: 25 bounces, and then a floor that holds it. */
static void bounces_end_in_rest(void **state)
{
    (void)state;
    size_t           count;
    run              r = made(BALL, "gauss(2)", 0.01, 3);
    const dal_event *e = dal_events(r.s, &count);
    assert_true(count > 20 && count < 60);
    assert_string_equal(e[count - 1].what, "closes");
    check_close(e[count - 1].t, 2.5086, 1e-3);
    assert_true(dal_q(r.s)[0] == 0 && dal_p(r.s)[0] == 0);
    double row[8];
    dal_row(r.s, row); /* t, y, p(y), N, energy */
    check_close(row[3], 9.81, 1e-14);
    end(&r);
}

/* y >= 0.1 sin 12 t: leaves where 14.4 sin 12 t = g, lands on the parabola. */
static void a_table_throws_what_rests_on_it(void **state)
{
    (void)state;
    static const char TABLE[] =
        "system Table { coordinate y\n lagrangian y'^2/2 - 9.81*y\n"
        " contact table: y >= 0.1*sin(12*t) restitution 0\n start y = 0, y' = 1.2 }\n";
    static const char *const scheme[] = {"midpoint", "lobatto(2)", "gauss(2)", "gauss(3)"};
    for (size_t i = 0; i < 4; i++) {
        size_t           count;
        run              r = made(TABLE, scheme[i], 0.01, 0.4);
        const dal_event *e = dal_events(r.s, &count);
        assert_int_equal(count, 4); /* it rests, leaves, strikes, rests */
        check_close(e[1].t, asin(9.81 / 14.4) / 12, 1e-14);
        check_close(e[2].t, 0.35169353674408, 1e-13);
        end(&r);
    }
}

/* 20 impacts pass through balls at rest; the exact motion is that of one ball at a time. */
static void a_cradle_passes_an_impact_on(void **state)
{
    (void)state;
    run r = made(CRADLE, "gauss(3)", 0.01, 5);
    check_close(dal_q(r.s)[0], -0.5 * cos(5), 1e-9);
    check_close(dal_p(r.s)[0], 0.5 * sin(5), 1e-9);
    for (int i = 1; i < 5; i++) check_close(dal_q(r.s)[i], 0.1 * i, 1e-14);
    end(&r);
}

/* A row of balls, `gap` apart, of which the first `moving` come with speed 1. */
static const char *row_of_balls(char *text, size_t room, int N, double e, double gap, int moving)
{
    snprintf(text, room,
             "system Row { parameter N = %d\n coordinate x[N]\n"
             " lagrangian sum(i in 1..N: x[i]'^2/2)\n"
             " contact c[i in 1..N-1]: x[i+1] - x[i] >= 1 restitution %g\n"
             " for i in 1..N { start x[i] = (1 + %g)*(i - 1), x[i]' = if(i <= %d, 1, 0) } }\n",
             N, e, gap, moving);
    return text;
}

/* Ten thousand balls: the k-th is struck at gap*k. Of a thousand in touch the last one leaves. */
static void a_shock_passes_through_a_row_of_balls(void **state)
{
    (void)state;
    char   text[500];
    size_t count;
    run    r = made(row_of_balls(text, sizeof text, 10000, 1, 0.01, 1), "midpoint", 0.01, 1.205);
    const dal_event *e = dal_events(r.s, &count);
    assert_true(count >= 120);
    for (size_t k = 0; k < count; k++) check_close(e[k].t, 0.01 * (double)(k + 1), 1e-11);
    end(&r);
    r = made(row_of_balls(text, sizeof text, 1000, 1, 0, 1), "midpoint", 0.1, 1);
    dal_events(r.s, &count);
    assert_int_equal(count, 999);
    for (int i = 0; i < 999; i++) assert_true(fabs(dal_p(r.s)[i]) < 1e-13);
    check_close(dal_q(r.s)[999], 1000, 1e-10);
    end(&r);
}

/* Impacts without end are over where they are slow: momenta are kept, no ball passes another, and a
 * heap comes to rest, with more sets of closed rows than are kept. */
static void impacts_without_end_come_to_one(void **state)
{
    (void)state;
    char   text[500];
    double p = 0;
    run    r = made(row_of_balls(text, sizeof text, 40, 0.8, 0.01, 10), "midpoint", 0.01, 0.5);
    for (int i = 0; i < 40; i++) p += dal_p(r.s)[i];
    for (int i = 0; i < 39; i++) assert_true(dal_q(r.s)[i + 1] - dal_q(r.s)[i] > 1 - 1e-9);
    check_close(p, 10, 1e-11);
    end(&r);
    r = made("system Heap { parameter N = 36\n coordinate x[N]\n"
             " lagrangian sum(i in 1..N: x[i]'^2/2 - 10*x[i])\n"
             " contact floor: x[1] >= 0 restitution 0\n"
             " contact c[i in 1..N-1]: x[i+1] - x[i] >= 1 restitution 0\n"
             " for i in 1..N { start x[i] = 1.01*(i - 1) + 0.01 } }\n",
             "midpoint", 0.01, 1);
    for (int i = 0; i < 36; i++) check_close(dal_q(r.s)[i], i, 1e-13);
    for (int i = 0; i < 36; i++) check_close(dal_p(r.s)[i], 0, 1e-13);
    end(&r);
}

static void elastic_impacts_keep_the_energy(void **state)
{
    (void)state;
    size_t             count;
    run                r = made(STADIUM, "midpoint", 0.1, 22500);
    const dal_event   *e = dal_events(r.s, &count);
    const dal_summary *sum = dal_summarise(r.s);
    check_close(e[0].t, 1.4422952865685493, 1e-14);
    assert_true(count >= 10000);
    assert_true(sum->energy.max - sum->energy.min <= 1e-14);
    end(&r);
}

/* Up and down a slope, with N = g cos a: both in closed form. */
static void a_contact_rubs(void **state)
{
    (void)state;
    static const char BLOCK[] =
        "system Block { parameter a = 0.3, mu = 0.2\n coordinate x, y\n"
        " lagrangian (x'^2 + y'^2)/2 + 9.81*(sin(a)*x - cos(a)*y)\n"
        " contact floor: y >= 0 restitution 0.5 friction mu along x\n start x' = -1 }\n";
    const double up = 9.81 * (sin(0.3) + 0.2 * cos(0.3)), down = 9.81 * (sin(0.3) - 0.2 * cos(0.3)),
                 t = 2 - 1 / up;
    run r = made(BLOCK, "gauss(2)", 0.01, 2);
    check_close(dal_q(r.s)[0], -0.5 / up + down * t * t / 2, 1e-13);
    check_close(dal_p(r.s)[0], down * t, 1e-13);
    end(&r);
}

/* A disc, mu = 0.3, e = 0.8: it sticks, or slides. */
static void an_impact_rubs(void **state)
{
    (void)state;
    static const struct {
        const char *speed;
        double      after[3];
    } of[] = {{"1", {2.0 / 3, 1.6, -2.0 / 3}}, {"5", {3.92, 1.6, -2.16}}};
    for (size_t k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "system Disc { coordinate x, y, a\n lagrangian (x'^2 + y'^2)/2 + a'^2/4\n"
                 " let s = x + a\n contact floor: y >= 0 restitution 0.8 friction 0.3 along s\n"
                 " start y = 1, y' = -2, x' = %s }\n",
                 of[k].speed);
        run r = made(text, "midpoint", 0.1, 1);
        check_close(dal_v(r.s)[0], of[k].after[0], 1e-13);
        check_close(dal_v(r.s)[1], of[k].after[1], 1e-13);
        check_close(dal_v(r.s)[2], of[k].after[2], 1e-13);
        end(&r);
    }
}

/* A quartic kinetic energy: the elastic law is that of the energy. */
static void elastic_impacts_of_any_kinetic_energy_keep_it(void **state)
{
    (void)state;
    run    r = made("system Quartic { coordinate x, y\n"
                       " lagrangian (x'^2 + y'^2)/2 + (x'^2 + 2*y'^2)^2/4\n"
                       " contact wall: x + 0.7*y >= 0\n start x = 1, x' = -0.6, y' = 0.5 }\n",
                    "gauss(2)", 0.1, 5);
    size_t count;
    dal_events(r.s, &count);
    const dal_summary *sum = dal_summarise(r.s);
    assert_int_equal(count, 1);
    check_close(sum->energy.last, sum->energy.first, 1e-14);
    end(&r);
}

/* A wall that comes nearer: v = 1.6, and the energy grows by 0.78. A knife edge keeps its row. */
static void impacts_of_moving_walls_and_beside_relations(void **state)
{
    (void)state;
    size_t           count;
    run              r = made("system Wall { coordinate x\n lagrangian x'^2/2\n"
                                           " contact wall: x >= 0.3*t\n start x = 1.3, x' = -1 }\n",
                              "midpoint", 0.1, 2);
    const dal_event *e = dal_events(r.s, &count);
    assert_int_equal(count, 1);
    check_close(e[0].t, 1, 1e-14);
    check_close(e[0].energy, 0.78, 1e-14);
    check_close(dal_v(r.s)[0], 1.6, 1e-14);
    end(&r);
    r = made("system Edge { coordinate x, y, a\n lagrangian (x'^2 + y'^2)/2 + 0.2*a'^2\n"
             " constraint x'*sin(a) = y'*cos(a)\n contact wall: x <= 1\n"
             " start a = 0.4, x' = cos(0.4), y' = sin(0.4), a' = 0.3 }\n",
             "gauss(2)", 0.05, 3);
    const dal_summary *sum = dal_summarise(r.s);
    dal_events(r.s, &count);
    assert_true(count >= 1);
    check_close(sum->energy.last, sum->energy.first, 1e-13);
    assert_true(sum->constraint_residual < 1e-13);
    end(&r);
}

/* x'' = -x for x > 0, -4x for x < 0: the motion in closed form. */
static void branches_are_left_where_they_meet(void **state)
{
    (void)state;
    static const char *const bent[] = {"lagrangian x'^2/2 - if(x < 0, 4, 1)*x^2/2",
                                       "lagrangian x'^2/2 - max(x, 0)^2/2 - 2*min(x, 0)^2",
                                       "lagrangian x'^2/2 - (5 - 3*sign(x))*x^2/4",
                                       "lagrangian x'^2/2 - (5*x^2 - 3*x*abs(x))/4"};
    static const char *const scheme[] = {"gauss(1)", "gauss(2)", "gauss(3)"};
    const double             pi = acos(-1);
    for (size_t k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) {
            char   text[200];
            double error[2];
            snprintf(text, sizeof text, "system Bent { coordinate x\n %s\n start x = 1 }\n",
                     bent[k]);
            for (int j = 0; j < 2; j++) {
                run r = made(text, scheme[i], j ? 0.03125 : 0.125, 5);
                error[j] = hypot(dal_q(r.s)[0] - sin(5 - pi), dal_p(r.s)[0] - cos(5 - pi));
                end(&r);
            }
            check_close(log2(error[0] / error[1]) / 2, 2 * (i + 1), 0.3);
        }
}

/* floor and mod count: a force that steps with time and with the state. */
static void branches_that_count(void **state)
{
    (void)state;
    run r = made(
        "system Steps { coordinate x\n lagrangian x'^2/2\n force x: floor(2*t) + mod(t, 0.3)\n}\n",
        "gauss(2)", 0.1, 1.15);
    /* x'' = floor(2t) + t - 0.3 floor(t/0.3) */
    double x = 0;
    for (int k = 1; k <= 2; k++) x += pow(1.2 - 0.5 * k, 2) / 2;
    x += pow(1.2, 3) / 6;
    for (int k = 1; k <= 3; k++) x -= 0.3 * pow(1.2 - 0.3 * k, 2) / 2;
    check_close(dal_q(r.s)[0], x, 1e-13); /* the run ends with the step that reaches 1.15 */
    end(&r);
}

/* Twice within a step: a condition that holds no longer and again, a branch there and back. */
static void events_come_and_go_within_a_step(void **state)
{
    (void)state;
    size_t           count;
    run              r = made("system Count { coordinate x\n discrete n = 0\n lagrangian x'^2/2\n"
                                           " when sin(8*t) > 0.9 { n = n + 1 }\n}\n",
                              "gauss(2)", 0.5, 10);
    const dal_event *e = dal_events(r.s, &count);
    assert_int_equal(count, 13);
    for (size_t k = 0; k < count; k++)
        check_close(e[k].t, (asin(0.9) + 2 * acos(-1) * (double)k) / 8, 1e-13);
    end(&r);
    /* a force of 50 for 0.02 */
    r = made("system Pulse { coordinate x\n lagrangian x'^2/2\n"
             " force x: if(abs(t - 1.03) < 0.01, 50, 0)\n}\n",
             "gauss(2)", 0.1, 2);
    check_close(dal_p(r.s)[0], 1, 1e-12);
    check_close(dal_q(r.s)[0], 0.97, 1e-12);
    end(&r);
    /* x = t^2/2 - 1.1 t + 0.6 is below 0.003 for a while: there the force is 3 */
    r = made("system Dip { coordinate x\n lagrangian x'^2/2 + x\n"
             " force x: if(x < 0.003, 2, 0)\n start x = 0.6, x' = -1.1 }\n",
             "gauss(2)", 2.2, 2.2);
    const double u = sqrt(1.21 - 2 * 0.597), /* speed where it comes in, and goes out */
        inside = 2 * u / 3, out = 1.1 - u, left = 2.2 - out - inside;
    check_close(dal_v(r.s)[0], u + left, 1e-12);
    check_close(dal_q(r.s)[0], 0.003 + u * left + left * left / 2, 1e-12);
    end(&r);
}

/* Dry friction written with sign: it holds where it is caught. */
static void branches_that_meet_hold(void **state)
{
    (void)state;
    static const char written[] = "system S { coordinate x\n lagrangian x'^2/2 - x^2/2\n"
                                  " force x: 0.2*sin(2*t)\n friction f: x' = 0 limit 0.3\n"
                                  " start x = 2 }\n",
                      sign[] = "system S { coordinate x\n lagrangian x'^2/2 - x^2/2\n"
                               " force x: 0.2*sin(2*t) - 0.3*sign(x')\n start x = 2 }\n";
    run    r = made(written, "gauss(3)", 0.02, 20);
    double off[2], exact = dal_q(r.s)[0];
    end(&r);
    for (int j = 0; j < 2; j++) {
        r = made(sign, "gauss(2)", j ? 0.0125 : 0.1, 20);
        off[j] = fabs(dal_q(r.s)[0] - exact);
        end(&r);
    }
    assert_true(off[0] < 1e-3 && off[1] < 1e-5);
}

static void a_run_stops_when_it_is_told_to(void **state)
{
    (void)state;
    run r = made("system S { coordinate y\n lagrangian y'^2/2 - 9.81*y\n stop when y < 0\n"
                 " start y = 1 }\n",
                 "gauss(2)", 0.01, 5);
    check_close(dal_time(r.s), sqrt(2 / 9.81), 1e-14);
    check_close(dal_q(r.s)[0], 0, 1e-14);
    end(&r);
}

/* What cannot be is told before the run, or where it happens. */
static void bad_events_end_in_words(void **state)
{
    (void)state;
    static const char *const refused[][2] = {
        {"contact y >= 1", "violated at the start"},
        {"parameter e = 2\n contact y >= 0 restitution e",
         "the restitution of contact (test.dal:4) is 2"},
        {"friction f: y' = 0 limit 1, 2", "f slips with 2, more than the 1 that it holds"},
        {"contact y >= 0 restitution 0/(y - 0.5)", "is no number"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "system S { coordinate y\n lagrangian y'^2/2 - 9.81*y\n %s\n start y = 0.5 }\n",
                 refused[k][0]);
        const setting set[] = {{"step", "0.01"}, {"until", "1"}, {0}};
        run           r = with_settings(set);
        assert_int_not_equal(try_text(&r, text), DAL_OK);
        assert_non_null(strstr(dal_message_at(r.cx, 0).text, refused[k][1]));
        end(&r);
    }
    const setting set[] = {{"step", "0.01"}, {"until", "1"}, {0}};
    run           r = with_settings(set);
    const char   *forever = "system S { coordinate y\n lagrangian y'^2/2\n discrete n = 0\n"
                            " when n == 0 { n = 1 }\n when n == 1 { n = 0 }\n start y = 1 }\n";
    assert_int_not_equal(try_text(&r, forever), DAL_OK);
    assert_non_null(strstr(dal_message_at(r.cx, 0).text, "for ever"));
    end(&r);
}

/* Reactions and inequalities are in the equations; what friction does is told by its own words. */
static void statements_of_events_are_shown(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "d/dt (y') = reaction(floor) - 9.81\n",
        "d/dt (x') = stick(floor) + reaction(pawl) + reaction(belt) - 0.5*direction(belt)\n"
        "    - reaction(floor)*n*direction(floor)\n",
        "y >= 0   with multiplier reaction(floor) >= 0, one of them 0\n",
        "x' + 4 >= 0   with multiplier reaction(pawl) >= 0, one of them 0\n",
        "x' - 1 = 0   where it holds, with multiplier reaction(belt)\n",
        "x' = 0   where it holds, with multiplier stick(floor)\n"};
    const setting set[] = {{"step", "0.01"}, {"until", "1"}, {0}};
    size_t        count;
    run           r = begin_text("system S { coordinate x, y\n discrete n = 0.3\n"
                                           " lagrangian (x'^2 + y'^2)/2 - 9.81*y\n"
                                           " contact floor: y >= 0 restitution 0 friction n along x\n"
                                           " constraint pawl: x' >= -4\n friction belt: x' = 1 limit 0.5\n"
                                           " when y > 1 { n = 0.4 }\n start y = 0.1 }\n",
                                 set);
    run_to_end(&r);
    char  all[2000] = "";
    FILE *out = tmpfile();
    must(&r, dal_show(r.m, r.o, "equations", out));
    rewind(out);
    assert_true(fread(all, 1, sizeof all - 1, out) > 0);
    fclose(out);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (!strstr(all, lines[k])) fail_msg("%s is not in\n%s", lines[k], all);
    const dal_event *e = dal_events(r.s, &count);
    assert_string_equal(e[count - 1].what, "sticks");
    end(&r);
}

/* Each search within a step has its bound, and all of them together have one: what was before is
 * kept. */
static void a_step_that_never_ends_ends_in_words(void **state)
{
    (void)state;
    const setting set[] = {{"step", "1"}, {"steps", "3"}, {"scheme", "gauss(2)"}, {0}};
    run           r = with_settings(set);
    const char   *busy = "system Busy { coordinate x\n lagrangian (x'^2 - x^2)/2\n discrete n = 0\n"
                         " when a[k in 1..12]: sin(300*t + k) > 0 { n = n + 1 }\n"
                         " when b[k in 1..40]: sin((600 + 13*k)*t)^2 + 1e-7 < 0 { n = n + 1 }\n"
                         " start x = 1 }\n";
    must(&r, try_text(&r, busy));
    assert_int_not_equal(dal_run(r.s, NULL), DAL_OK);
    assert_non_null(strstr(dal_message_at(r.cx, 0).text, "132500 solves within one step"));
    check_close(dal_q(r.s)[0], cos(dal_time(r.s)), 1e-3);
    end(&r);
}

/* What would pass over events is refused in words; members of sweeps are runs. */
static void what_does_not_go_with_events_is_refused(void **state)
{
    (void)state;
    static const setting with[][4] = {
        {{"step", "0.01"}, {"until", "1"}, {"ledger", "yes"}},
        {{"step", "0.01"}, {"until", "1"}, {"lyapunov", "1"}},
        {{"step", "0.01"}, {"until", "1"}, {"record", "times 0.1"}},
        {{"step", "0.01"}, {"until", "-1"}},
        {{"step", "0.01"}, {"until", "1"}, {"pace", "1 + y^2"}},
    };
    for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
        run r = with_settings(with[k]);
        assert_int_not_equal(try_text(&r, BALL), DAL_OK);
        assert_non_null(strstr(dal_message_at(r.cx, 0).text, "events are not located with"));
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_and_instants_are_those_of_30_digits),
        cmocka_unit_test(steps_with_events_have_the_order_of_their_scheme),
        cmocka_unit_test(a_diode_blocks_and_conducts),
        cmocka_unit_test(a_bridge_of_diodes_rectifies),
        cmocka_unit_test(supports_share_a_weight),
        cmocka_unit_test(a_billiard_ball_is_where_its_rays_are),
        cmocka_unit_test(walls_beside_relations_and_forces),
        cmocka_unit_test(modes_have_the_order_of_their_scheme),
        cmocka_unit_test(a_thermostat_switches),
        cmocka_unit_test(bounces_end_in_rest),
        cmocka_unit_test(a_table_throws_what_rests_on_it),
        cmocka_unit_test(a_cradle_passes_an_impact_on),
        cmocka_unit_test(a_shock_passes_through_a_row_of_balls),
        cmocka_unit_test(impacts_without_end_come_to_one),
        cmocka_unit_test(elastic_impacts_keep_the_energy),
        cmocka_unit_test(a_contact_rubs),
        cmocka_unit_test(an_impact_rubs),
        cmocka_unit_test(elastic_impacts_of_any_kinetic_energy_keep_it),
        cmocka_unit_test(impacts_of_moving_walls_and_beside_relations),
        cmocka_unit_test(branches_are_left_where_they_meet),
        cmocka_unit_test(branches_that_count),
        cmocka_unit_test(events_come_and_go_within_a_step),
        cmocka_unit_test(branches_that_meet_hold),
        cmocka_unit_test(a_run_stops_when_it_is_told_to),
        cmocka_unit_test(bad_events_end_in_words),
        cmocka_unit_test(statements_of_events_are_shown),
        cmocka_unit_test(a_step_that_never_ends_ends_in_words),
        cmocka_unit_test(what_does_not_go_with_events_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
