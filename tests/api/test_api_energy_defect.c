/* Energy that nothing accounts for is warned of, whatever forces, time, inputs and moving relations
 * do, and by whichever engine; energy that they put in, and errors that stay bounded, are not. What
 * a motion is like is known from closed forms, or from a Runge-Kutta method written here. */
#include "api_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An independent motion. ----------------------------------------------------------------------- */

enum { MOST = 2 };

typedef struct {
    int    n;
    double q[MOST], v[MOST];
    void (*acceleration)(double t, const double *q, const double *v, double *a);
    double (*energy)(double t, const double *q, const double *v);
} motion;

/* The classical method of Runge and Kutta, of order 4. */
static double true_energy(const motion *of, double until, long steps)
{
    double       y[2 * MOST], x[2 * MOST], k[4][2 * MOST], t = 0;
    const double h = until / (double)steps, at[] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < of->n; i++) y[i] = of->q[i], y[of->n + i] = of->v[i];
    for (long step = 0; step < steps; step++, t = h * (double)step) {
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 2 * of->n; i++) x[i] = y[i] + (s ? at[s] * h * k[s - 1][i] : 0);
            for (int i = 0; i < of->n; i++) k[s][i] = x[of->n + i];
            of->acceleration(t + at[s] * h, x, x + of->n, k[s] + of->n);
        }
        for (int i = 0; i < 2 * of->n; i++)
            y[i] += h * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) / 6;
    }
    return of->energy(until, y, y + of->n);
}

static void spring(double t, const double *q, const double *v, double *a)
{
    (void)v;
    a[0] = -q[0] + 0.1 * sin(t);
}

static void stiff(double t, const double *q, const double *v, double *a)
{
    (void)v;
    a[0] = -1e6 * q[0] + 0.1 * sin(t);
}

static void resonant(double t, const double *q, const double *v, double *a)
{
    (void)v;
    a[0] = -q[0] + sin(t);
}

static void growing(double t, const double *q, const double *v, double *a)
{
    (void)t;
    a[0] = -q[0] + 0.1 * v[0];
}

static void pumped(double t, const double *q, const double *v, double *a)
{
    (void)v;
    a[0] = -(1 + 0.3 * cos(2 * t)) * q[0];
}

static void steady(double t, const double *q, const double *v, double *a)
{
    (void)v;
    a[0] = -(1 + 0.3 * cos(0.7 * t)) * q[0];
}

static void driven(double t, const double *q, const double *v, double *a)
{
    a[0] = -sin(q[0]) - 0.5 * v[0] + 1.15 * cos(2 * t / 3);
}

static void switched(double t, const double *q, const double *v, double *a)
{
    (void)v;
    a[0] = -q[0] + (sin(t) > 0 ? 1 : -1);
}

/* the pivot goes up and down, y = 0.1 sin(5 t) */
static void shaken(double t, const double *q, const double *v, double *a)
{
    (void)v;
    a[0] = -(9.81 - 2.5 * sin(5 * t)) * sin(q[0]);
}

static void comet(double t, const double *q, const double *v, double *a)
{
    const double r = hypot(q[0], q[1]);
    (void)v;
    a[0] = -q[0] / (r * r * r) + 0.001 * sin(t), a[1] = -q[1] / (r * r * r);
}

static double of_spring(double t, const double *q, const double *v)
{
    (void)t;
    return (v[0] * v[0] + q[0] * q[0]) / 2;
}

static double of_stiff(double t, const double *q, const double *v)
{
    (void)t;
    return (v[0] * v[0] + 1e6 * q[0] * q[0]) / 2;
}

static double of_pumped(double t, const double *q, const double *v)
{
    return (v[0] * v[0] + (1 + 0.3 * cos(2 * t)) * q[0] * q[0]) / 2;
}

static double of_steady(double t, const double *q, const double *v)
{
    return (v[0] * v[0] + (1 + 0.3 * cos(0.7 * t)) * q[0] * q[0]) / 2;
}

static double of_pendulum(double t, const double *q, const double *v)
{
    (void)t;
    return v[0] * v[0] / 2 - cos(q[0]);
}

/* in the coordinates x = sin q, y = 0.1 sin(5 t) - cos q of the model */
static double of_shaken(double t, const double *q, const double *v)
{
    const double vx = v[0] * cos(q[0]), vy = 0.5 * cos(5 * t) + v[0] * sin(q[0]);
    return (vx * vx + vy * vy) / 2 + 9.81 * (0.1 * sin(5 * t) - cos(q[0]));
}

static double of_comet(double t, const double *q, const double *v)
{
    (void)t;
    return (v[0] * v[0] + v[1] * v[1]) / 2 - 1 / hypot(q[0], q[1]);
}

/* Runs. ---------------------------------------------------------------------------------------- */

typedef struct {
    const char *model, *scheme, *step, *until;
    motion      of;   /* n = 0: its energy at the end is known */
    double      size; /* of its energies */
    double      exact;
} trial;

#define OSCILLATOR(rate, force, x, v)                                                              \
    "system A {\n coordinate x\n lagrangian x'^2/2 - " rate "*x^2/2\n" force " start x = " x       \
    ", x' = " v "\n}\n"
#define COMET(potential, force, v)                                                                 \
    "system A {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)" potential      \
    "\n" force " start x = 1, y' = " v "\n}\n"
#define PUMPED(rate)                                                                               \
    "system A {\n coordinate x\n lagrangian x'^2/2 - " rate "*x^2/2\n start x = 1\n}\n"
#define SHAKEN                                                                                     \
    "system A {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - 9.81*y\n"                         \
    " holonomic x^2 + (y - 0.1*sin(5*t))^2 = 1\n"                                                  \
    " start x = 0.6, y = -0.8, x' = 0, y' = 0.5\n}\n"
#define PENDULUM(force)                                                                            \
    "system A {\n coordinate x\n lagrangian x'^2/2 + cos(x)\n" force " start x = 0.2\n}\n"

#define CHAIN(length)                                                                              \
    "system A {\n parameter N = " length "\n coordinate x[N]\n"                                    \
    " lagrangian sum(k in 1..N: x[k]'^2/2) - sum(k in 1..N-1: 500*(x[k+1] - x[k])^2)\n"            \
    " force x[1]: 1e-3*sin(t)\n start x[7] = 1\n}\n"

typedef struct {
    double     last, most;
    int        warned, unresolved;
    dal_status status;
} outcome;

static outcome run_of(const trial *t, const char *backend)
{
    const setting set[] = {
        {"scheme", t->scheme}, {"step", t->step}, {"until", t->until}, {"backend", backend}, {0}};
    run                r = begin_text(t->model, set);
    outcome            out = {.status = dal_run(r.s, NULL)};
    const dal_summary *sum = dal_summarise(r.s);
    out.last = sum->energy.last, out.most = sum->energy.max;
    for (size_t i = 0; i < dal_message_count(r.cx); i++) {
        const char *text = dal_message_at(r.cx, i).text;
        out.warned += strstr(text, "the energy changed by") != NULL;
        out.unresolved += strstr(text, "does not resolve the motion") != NULL;
    }
    end(&r);
    return out;
}

static double truth(const trial *t)
{
    return t->of.n ? true_energy(&t->of, atof(t->until), 400000) : t->exact;
}

static const char *const backends[] = {"vm", "native"};

static void runaways_are_warned_of(void **state)
{
    (void)state;
    static const motion stiff_one = {1, {1}, {0}, stiff, of_stiff},
                        soft_one = {1, {1}, {0}, spring, of_spring},
                        ejected = {2, {1, 0}, {0, 0.3}, comet, of_comet};
    const trial all[] = {
        {OSCILLATOR("1e6", " force x: 0.1*sin(t)\n", "1", "0"), "trapezoid", "0.003", "0.3",
         stiff_one, 5e5, 0},
        {OSCILLATOR("1e6", " force x: 0.1*sin(t)\n", "1", "0"), "trapezoid", "0.003", "0.06",
         stiff_one, 5e5, 0},
        {OSCILLATOR("1", " force x: 0.1*sin(t)\n", "1", "0"), "trapezoid", "2.01", "400", soft_one,
         50, 0},
        {OSCILLATOR("1", " force x: 0.1*sin(t)\n", "1", "0"), "trapezoid", "2.001", "600", soft_one,
         50, 0},
        {OSCILLATOR("1", " force x: 0.1*sin(t)\n", "1", "0"), "compose(trapezoid, yoshida(4))", "2",
         "200", soft_one, 50, 0},
        {OSCILLATOR("1", " force x: 0.1*sin(t)\n", "1", "0"), "shooting(taylor(2)) with gauss(2)",
         "4", "400", soft_one, 50, 0},
        {COMET("", " force x: 0.001*sin(t)\n", "0.3"), "trapezoid", "0.1", "30", ejected, 0.5, 0},
        {COMET(" + 0.001*sin(t)*x", "", "0.3"), "trapezoid", "0.1", "30", ejected, 0.5, 0},
        /* an energy that cannot grow, and one that is conserved but for a thousandth */
        {"system A {\n coordinate x\n lagrangian x'^2/2\n force x: -300*x' + 0.1*cos(t)\n start x' = 1\n}\n",
         "radau(2)",
         "0.05",
         "1",
         {0},
         1,
         0},
        {PUMPED("(1 + 1e-3*cos(t))*1e6"), "trapezoid", "0.003", "0.3", {0}, 1e6, 5e5},
        {"system A {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - 5e5*(x - y)^2\n"
         " constraint y' = cos(t)\n start x = 1, x' = 1, y' = 1\n}\n",
         "trapezoid",
         "0.003",
         "0.3",
         {0},
         1e6,
         5e5},
        {"system A {\n coordinate x\n hamiltonian p(x)^2/2 + 5e5*x^2 - 0.1*x*sin(t)\n start x = 1\n}\n",
         "trapezoid",
         "0.003",
         "0.3",
         {0},
         1e6,
         5e5},
        /* rows: explicit steps, and of a chain */
        {CHAIN("600"), "trapezoid", "0.07", "7", {0}, 1e4, 1000},
        {CHAIN("600"), "compose(trapezoid, yoshida(4))", "0.07", "1.4", {0}, 1e4, 1000},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double E = truth(&all[i]);
        for (int b = 0; b < 2; b++) {
            const outcome o = run_of(&all[i], backends[b]);
            assert_int_equal(o.status, DAL_OK);
            assert_true(fabs(o.last - E) > all[i].size);
            assert_int_equal(o.warned, 1);
        }
    }
}

/* Past the centre again and again: where the energy is at the end is a matter of last bits, and
 * whether it or the steps there are complained of. */
static void passages_are_warned_of(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++) {
        char start[32], model[256];
        snprintf(start, sizeof start, "0.30000000%d", k);
        snprintf(model, sizeof model, COMET("", " force x: 0.001*sin(t)\n", "%s"), start);
        const trial t = {.model = model, .scheme = "trapezoid", .step = "0.01", .until = "100"};
        for (int b = 0; b < 2; b++) {
            const outcome o = run_of(&t, backends[b]);
            assert_int_equal(o.status, DAL_OK);
            assert_true(o.warned + o.unresolved > 0);
        }
    }
}

/* What forces, time and relations put in, and what they take away. */
static void energy_that_is_accounted_for_is_not(void **state)
{
    (void)state;
    static const motion soft = {1, {1}, {0}, spring, of_spring},
                        rest = {1, {0}, {0}, resonant, of_spring},
                        negative = {1, {1}, {0}, growing, of_spring},
                        parametric = {1, {1}, {0}, pumped, of_pumped},
                        stable = {1, {1}, {0}, steady, of_steady},
                        chaotic = {1, {0.2}, {0}, driven, of_pendulum},
                        square = {1, {0}, {0}, switched, of_spring},
                        pivot = {1, {0.643501108793284}, {0}, shaken, of_shaken},
                        orbit = {2, {1, 0}, {0, 0.9}, comet, of_comet};
    const trial all[] = {
        {OSCILLATOR("1", " force x: 0.1*sin(t)\n", "1", "0"), "trapezoid", "0.05", "60", soft, 5,
         0},
        {OSCILLATOR("1", " force x: sin(t)\n", "0", "0"), "trapezoid", "0.05", "60", rest, 400, 0},
        {OSCILLATOR("1", " force x: sin(t)\n", "0", "0"), "gauss(2)", "0.3", "60", rest, 400, 0},
        {OSCILLATOR("1", " force x: 0.1*x'\n", "1", "0"), "trapezoid", "0.02", "60", negative, 200,
         0},
        {OSCILLATOR("1", " force x: 0.1*x'\n", "1", "0"), "radau(2)", "0.1", "60", negative, 200,
         0},
        {PUMPED("(1 + 0.3*cos(2*t))"), "trapezoid", "0.02", "60", parametric, 5e3, 0},
        {PUMPED("(1 + 0.3*cos(2*t))"), "gauss(3)", "0.5", "60", parametric, 5e3, 0},
        {PUMPED("(1 + 0.3*cos(2*t))"), "trapezoid", "0.005", "150", parametric, 5e9, 0},
        {PUMPED("(1 + 0.3*cos(0.7*t))"), "trapezoid", "0.02", "60", stable, 1, 0},
        {PENDULUM(" force x: -0.5*x' + 1.15*cos(2*t/3)\n"), "midpoint", "0.01", "20", chaotic, 3,
         0},
        {OSCILLATOR("1", " force x: if(sin(t) > 0, 1, -1)\n", "0", "0"), "trapezoid", "0.01", "40",
         square, 800, 0},
        {SHAKEN, "midpoint", "0.005", "5", pivot, 10, 0},
        {SHAKEN, "gauss(2)", "0.02", "5", pivot, 10, 0},
        {SHAKEN, "trapezoid", "0.005", "5", pivot, 10, 0},
        {COMET("", " force x: 0.001*sin(t)\n", "0.9"), "trapezoid", "0.02", "30", orbit, 0.5, 0},
        {OSCILLATOR("1", " force x: -100*x'\n", "1", "0"), "gauss(2)", "0.1", "1000", {0}, 1, 0},
        {"system A {\n coordinate x, y, z\n force x: 10*(y - x) - x'\n force y: x*(28 - z) - y - y'\n"
         " force z: x*y - 8/3*z - z'\n start x = 1, y = 1, z = 1\n}\n",
         "gauss(2)",
         "0.01",
         "20",
         {0},
         1e-12,
         0},
        {"system A {\n coordinate z\n force z: -z - z'\n start z = 1\n}\n",
         "gauss(1)",
         "0.05",
         "20",
         {0},
         1e-12,
         0},
        /* light that falls into a black hole, and a comet that never returns */
        {"system A {\n coordinate w, r\n lagrangian (-(1 - 2/r)*w'^2 + r'^2/(1 - 2/r))/2\n"
         " start r = 10, w' = 1, r' = -0.8\n}\n",
         "gauss(2)",
         "0.05",
         "3",
         {0},
         1e-9,
         0},
        {COMET("", "", "sqrt(2)"), "midpoint", "0.05", "20", {0}, 0.02, 0},
        {CHAIN("600"), "trapezoid", "0.02", "10", {0}, 1e3, 1000},
        {CHAIN("600"), "midpoint", "0.02", "10", {0}, 1e3, 1000},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double E = truth(&all[i]);
        for (int b = 0; b < 2; b++) {
            const outcome o = run_of(&all[i], backends[b]);
            assert_int_equal(o.status, DAL_OK);
            check_close(o.last, E, 0.2 * all[i].size);
            assert_int_equal(o.warned, 0);
        }
    }
}

/* The trapezoidal rule keeps v^2/2 + (1 - (h w)^2/4) (w x)^2/2 up to h w = 2: energies vary by the
 * factor 1/(1 - (h w)^2/4), and return. */
static void errors_that_stay_bounded_are_not(void **state)
{
    (void)state;
    static const char *const steps[] = {"1.9", "1.99", "1.999"};
    static const char *const ends[] = {"60", "190", "600", "6000"};
    static const char *const models[] = {
        OSCILLATOR("1", "", "1", "0"),
        OSCILLATOR("1", "", "0", "1"),
        OSCILLATOR("1", "", "0.7", "0.7"),
        OSCILLATOR("1", " force x: 0.1*sin(0.3*t)\n", "1", "0"),
        OSCILLATOR("1", " force x: 0.1*sin(t)\n", "0", "1"),
        OSCILLATOR("1", " force x: -0.01*x'\n", "0", "1"),
        PUMPED("(1 + 1e-4*cos(t))"),
    };
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (int h = 0; h < 3; h++)
            for (int e = h == 2; e < 4; e++) {
                const trial   t = {.model = models[m], "trapezoid", steps[h], ends[e]};
                const double  rest = 1 - pow(atof(steps[h]), 2) / 4;
                const outcome o = run_of(&t, "vm");
                if (m < 3) assert_true(o.most <= 0.5 / rest * (1 + 1e-9));
                assert_int_equal(o.warned, 0);
            }
}

/* A chain whose fastest oscillation is at 2: all modes at once, whose energies settle a third below
 * the first. */
static void chains_near_their_limit_are_not(void **state)
{
    (void)state;
    static const char *const chain =
        "system A {\n parameter N = 100\n coordinate x[N]\n"
        " lagrangian sum(k in 1..N: x[k]'^2/2) - sum(k in 1..N-1: (x[k+1] - x[k])^2/2) - x[1]^2/2"
        " - x[N]^2/2\n for k in 1..N { start x[k] = sin(12.9898*k*k) }\n}\n";
    static const char *const steps[] = {"0.95", "0.99"};
    for (int h = 0; h < 2; h++) {
        const trial   t = {.model = chain, "trapezoid", steps[h], "3000"};
        const outcome o = run_of(&t, "vm");
        assert_int_equal(o.status, DAL_OK);
        assert_int_equal(o.warned, 0);
    }
}

/* An input in L: what a caller changes between steps is work, what a file says is a function of
 * time. A mass on a spring whose stiffness is doubled at x = 1, v = 0 gains as much as it had. */
static void inputs_are_accounted_for(void **state)
{
    (void)state;
    static const char *const model = "system A {\n coordinate x\n input k = 1\n"
                                     " lagrangian x'^2/2 - k*x^2/2\n start x = 1\n}\n";
    const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.05"}, {"steps", "800"}, {0}};
    run           r = begin_text(model, set);
    for (int i = 0; i < 200; i++) {
        must(&r, dal_set_input(r.s, "k", i % 40 < 20 ? 4 : 1));
        must(&r, dal_advance(r.s, 2));
    }
    run_to_end(&r);
    assert_true(dal_summarise(r.s)->energy.last > 1);
    assert_int_equal(dal_message_count(r.cx), 0);
    end(&r);
    FILE *f = fopen("stiffness_of_a_test.csv", "w");
    assert_non_null(f);
    fputs("t,k\n0,1\n10,4\n20,1\n30,4\n40,4\n", f);
    fclose(f);
    const setting follow[] = {{"scheme", "gauss(2)"},
                              {"step", "0.05"},
                              {"until", "40"},
                              {"input", "k=stiffness_of_a_test.csv"},
                              {0}};
    r = begin_text(model, follow);
    run_to_end(&r);
    assert_int_equal(dal_message_count(r.cx), 0);
    /* slowly compared with the oscillation: E/w stays */
    check_close(dal_summarise(r.s)->energy.last, 1, 0.1);
    end(&r);
    remove("stiffness_of_a_test.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runaways_are_warned_of),
        cmocka_unit_test(passages_are_warned_of),
        cmocka_unit_test(energy_that_is_accounted_for_is_not),
        cmocka_unit_test(errors_that_stay_bounded_are_not),
        cmocka_unit_test(chains_near_their_limit_are_not),
        cmocka_unit_test(inputs_are_accounted_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
