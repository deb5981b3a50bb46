/* The tangent of steps whose length the energy decides, against differences of the step: of (q,
 * p, t, E) at its end, in those at its beginning, in parameters and inputs. */
#include "step_differences.h"

#include "mech/stepper/stepper.h"

enum { NUMBERS = 2 * N_MOST + 2 };

/* Where a run has got to after a few steps, and what decides the next. */
typedef struct {
    double   t, q[N_MOST], p[N_MOST], v[N_MOST], E;
    adaptive kept;
} place;

static const step_options by_energy = {.principle = ENERGY};

static void go(setup *s, double h, int steps, place *to)
{
    const size_t bytes = (size_t)s->sys->n * sizeof(double);
    double       t = s->t;
    stepper_set(s->st, s->t, s->q, s->p, s->v);
    for (int k = 0; k < steps; k++) {
        if (stepper_step(s->st, t, h, &s->why)) fail_msg("%s", text_str(&s->why));
        t += stepper_length(s->st);
    }
    to->t = t, to->kept = *s->st->energy;
    to->E = to->kept.E + (to->kept.E_low + to->kept.shift);
    memcpy(to->q, stepper_q(s->st), bytes), memcpy(to->p, stepper_p(s->st), bytes);
    memcpy(to->v, stepper_v(s->st), bytes);
}

static void put(setup *s, const place *at)
{
    adaptive *a = s->st->energy;
    stepper_set(s->st, at->t, at->q, at->p, at->v);
    a->E = at->E, a->h[0] = at->kept.h[0], a->h[1] = at->kept.h[1], a->sign = at->kept.sign;
    a->held = at->kept.held, a->anew = at->kept.anew, a->noise = at->kept.noise, a->shift = 0,
    a->E_low = 0;
}

static void end_of(setup *s, const place *from, double h, double *end)
{
    const int n = s->sys->n;
    put(s, from);
    if (stepper_step(s->st, from->t, h, &s->why)) fail_msg("%s", text_str(&s->why));
    memcpy(end, stepper_q(s->st), (size_t)n * sizeof *end);
    memcpy(end + n, stepper_p(s->st), (size_t)n * sizeof *end);
    end[2 * n] = from->t + s->st->eq.h;
    end[2 * n + 1] = s->st->energy->E + (s->st->energy->E_low + s->st->energy->shift);
}

/* The end of the step when the k-th of (q, p, t, E, parameters, inputs) is moved. */
static void end_moved(setup *s, const place *from, double h, int k, double by, double *end)
{
    const int    n = s->sys->n, P = s->b.md->parameters;
    place        at = *from;
    double      *to = k < n               ? &at.q[k]
                      : k < 2 * n         ? &at.p[k - n]
                      : k == 2 * n        ? &at.t
                      : k < 2 * n + 2     ? &at.E
                      : k - 2 * n - 2 < P ? &s->b.v.parameter[k - 2 * n - 2]
                                          : &s->b.v.input[k - 2 * n - 2 - P];
    const double before = *to;
    *to += by, refresh(s);
    end_of(s, &at, h, end);
    *to = before, refresh(s);
}

static void difference_of(setup *s, const place *from, double h, int k, double *slope)
{
    static const double weight[] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12}, at[] = {-2, -1, 1, 2};
    const int           N = 2 * s->sys->n + 2;
    const double        step = 7e-6; /* E decides h, and a little of it much */
    double              end[NUMBERS];
    for (int i = 0; i < N; i++) slope[i] = 0;
    for (int j = 0; j < 4; j++) {
        end_moved(s, from, h, k, at[j] * step, end);
        for (int i = 0; i < N; i++) slope[i] += weight[j] * end[i] / step;
    }
}

static step_direction direction_of(const setup *s, int k, double *room)
{
    const int n = s->sys->n, P = s->b.md->parameters;
    memset(room, 0, (2 * N_MOST + OTHERS_MOST) * sizeof *room);
    if (k < n) return room[k] = 1, (step_direction){.q = room};
    if (k < 2 * n) return room[k - n] = 1, (step_direction){.p = room};
    if (k == 2 * n) return (step_direction){.t = 1};
    if (k == 2 * n + 1) return (step_direction){.E = 1};
    if (k - 2 * n - 2 < P) return room[k - 2 * n - 2] = 1, (step_direction){.parameter = room};
    return room[k - 2 * n - 2 - P] = 1, (step_direction){.input = room};
}

/* After `steps` steps; `anew`, `held`: the next one is of that kind. */
static void compare_energy(const char *words, const char *scheme_words, const char *force,
                           bool by_forces, double h, int steps, bool anew, bool held)
{
    setup    s;
    place    at;
    tangent *tg;
    double   room[2 * N_MOST + OTHERS_MOST], got[NUMBERS], want[NUMBERS], worst = 0;
    open_setup(&s, words, scheme_words, force, &by_energy, h, by_forces);
    go(&s, h, steps, &at);
    at.kept.anew = anew, at.kept.held = held;
    if (tangent_new(&s.b.m, s.st, &tg, &s.why)) fail_msg("%s", text_str(&s.why));
    const int N = tangent_width(tg), columns = N + s.b.md->parameters + s.b.md->inputs;
    for (int k = 0; k < columns; k++) {
        step_direction along = direction_of(&s, k, room);
        difference_of(&s, &at, h, k, want);
        put(&s, &at);
        if (tangent_step(tg, at.t, h, 1, &along, got, &s.why)) fail_msg("%s", text_str(&s.why));
        for (int i = 0; i < N; i++) {
            double off = fabs(got[i] - want[i]) / (1 + fabs(want[i]));
            if (!(off <= worst)) worst = off;
            if (!(off <= 1e-7))
                print_error("%s, column %d, row %d: %.12g, by differences %.12g\n", scheme_words, k,
                            i, got[i], want[i]);
        }
    }
    check_below(worst, 1e-7);
    tangent_free(tg);
    close_setup(&s);
}

/* L and f with everything: q, v, t, parameters and an input. */
static const char *const plane =
    "system Plane {\n"
    "  parameter m = 1.3, B = 0.4, k = 2, c = 0.05\n"
    "  input u = 0.2\n"
    "  coordinate x, y\n"
    "  lagrangian (1 + y^2 + 0.1*sin(t))*x'^2/2 + m*y'^2/2 + B*x*(x*y' - y*x')\n"
    "  lagrangian -x^4/4 - k*(1 + 0.2*cos(t))*y^2/2 - x*y + u*x\n"
    "  force x: -c*(1 + y^2)*x' + u^2*cos(t)/5\n"
    "  force y: -c*y' + c*cos(3*t)\n"
    "  start x = 0.6, y = -0.3, x' = 0.5, y' = 0.8\n"
    "}\n";

static const char *const oscillator = "system Oscillator {\n  parameter k = 2\n  coordinate q\n  "
                                      "lagrangian q'^2/2 - k*q^2/2 - q^4/4\n"
                                      "  start q = 0.7, q' = 0.3\n}\n";

static const char *const tied =
    "system Mass {\n  parameter m = 1, k = 1\n  coordinate x\n  lagrangian m/2*(1 + "
    "0.2*sin(x))*x'^2 - k*x^2/2 - x^4/4\n"
    "  force x: -0.05*x' + 0.1*cos(t)\n}\n"
    "system Tied {\n  part a : Mass\n  part b : Mass(m = 2, k = 0.5)\n  connect a.x = 2*b.x\n"
    "  start a.x = 1, b.x' = 0.3\n}\n";

static void tangents_of_the_energy_principle_are_exact(void **state)
{
    (void)state;
    compare_energy(oscillator, "midpoint", NULL, false, 0.2, 3, false, false);
    compare_energy(oscillator, "gauss(2)", NULL, false, 0.4, 3, false, false);
    compare_energy(plane, "midpoint", NULL, false, 0.2, 3, false, false);
    compare_energy(plane, "gauss(2)", NULL, false, 0.5, 2, false, false);
    compare_energy(plane, "gauss(2)", "gauss(3)", false, 0.5, 2, false, false);
    compare_energy(tied, "midpoint", NULL, true, 0.2, 3, false, false);
}

static void steps_of_given_length_pass_their_energy_on(void **state)
{
    (void)state;
    compare_energy(plane, "midpoint", NULL, false, 0.2, 0, false, false); /* the first */
    compare_energy(plane, "midpoint", NULL, false, 0.2, 3, true, false);  /* begins anew */
    compare_energy(plane, "midpoint", NULL, false, 0.2, 3, false, true);  /* is held */
}

/* Autonomous and conservative: (t, -E) and (q, p) are the coordinates of an extended phase
 * space, in which the step has a generating function: sum dq^dp - dt^dE is kept. */
static void the_form_of_extended_phase_space_is_kept(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "gauss(2)"};
    static const char *const pair =
        "system Pair {\n  coordinate a, b\n"
        "  lagrangian a'^2/2 + (1 + a^2/9)*b'^2/2 + a*b'/3 - a^2/2 - a^4/4 - b^2 - a*b/3\n"
        "  start a = 1, b = -0.4, b' = 0.7\n}\n";
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        setup    s;
        place    at;
        tangent *tg;
        double   out[6][6], worst = 0, size = 0;
        open_setup(&s, pair, schemes[k], NULL, &by_energy, 0.2 + 0.2 * (double)k, false);
        go(&s, s.h, 3, &at);
        if (tangent_new(&s.b.m, s.st, &tg, &s.why)) fail_msg("%s", text_str(&s.why));
        for (int c = 0; c < 6; c++) {
            double         room[2 * N_MOST + OTHERS_MOST];
            step_direction along = direction_of(&s, c, room);
            put(&s, &at);
            if (tangent_step(tg, at.t, s.h, 1, &along, out[c], &s.why))
                fail_msg("%s", text_str(&s.why));
            for (int i = 0; i < 6; i++) size = fmax(size, fabs(out[c][i]));
        }
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++) {
                const double *x = out[a], *y = out[b];
                double        form = -(x[4] * y[5] - x[5] * y[4]);
                double want = (b == a + 2 && a < 2) - (a == b + 2 && b < 2) - (a == 4 && b == 5) +
                              (a == 5 && b == 4);
                for (int i = 0; i < 2; i++) form += x[i] * y[2 + i] - x[2 + i] * y[i];
                worst = fmax(worst, fabs(form - want));
            }
        check_below(worst, 1e-12 * fmax(1, size * size / 100));
        tangent_free(tg);
        close_setup(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_of_the_energy_principle_are_exact),
        cmocka_unit_test(steps_of_given_length_pass_their_energy_on),
        cmocka_unit_test(the_form_of_extended_phase_space_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
