/* test_pace_structure.c - what steps that follow a pace keep: turned around they lead back to where
 * they began, each way of pacing, and canonical ones keep the symplectic form of (q, t) and their
 * momenta, which plain ones do not. */
#include "check.h"
#include "dalembert.h"
#include "mech/stepper/stepper.h"
#include "run/simulation.h"

#include <stdio.h>

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    dal_sim     *s;
} run;

static void must(const run *r, dal_status done)
{
    if (done) dal_report(r->cx, stderr, 0);
    assert_int_equal(done, DAL_OK);
}

static run begin(const char *model_text, const char *words, const char *step, const char *g,
                 const char *way)
{
    run               r = {.cx = dal_context_new(NULL)};
    const char *const set[][2] = {
        {"scheme", words}, {"step", step}, {"steps", "1000"}, {"pace", g}, {"pacing", way}};
    r.o = dal_options_new(r.cx);
    for (size_t k = 0; k < sizeof set / sizeof *set; k++)
        must(&r, dal_options_set(r.o, set[k][0], set[k][1]));
    must(&r, dal_model_parse(r.cx, "test.dal", model_text, r.o, &r.m));
    must(&r, dal_sim_new(r.m, r.o, &r.s));
    return r;
}

static void end(const run *r)
{
    dal_sim_free(r->s), dal_model_free(r->m), dal_options_free(r->o), dal_context_free(r->cx);
}

/* There and back. ------------------------------------------------------------------------------ */

static const char bowl[] =
    "system Bowl {\n  coordinate x, y\n"
    "  lagrangian (1 + y^2)*x'^2/2 + y'^2/2 - (x^2 + y^2)/2 - x^4/4 + x*y/3\n"
    "  start x = 0.7, y = 0.2, x' = 0.3, y' = -0.4\n}\n";

static double way_back(const char *words, const char *way, int steps)
{
    run    r = begin(bowl, words, "0.15", "(1 + x^2 + y^2/2)/2", way);
    double from[4], turned[2], off = 0;
    for (int i = 0; i < 2; i++) from[i] = dal_q(r.s)[i], from[2 + i] = -dal_p(r.s)[i];
    must(&r, dal_advance(r.s, steps));
    const double there[2] = {dal_q(r.s)[0], dal_q(r.s)[1]};
    for (int i = 0; i < 2; i++) turned[i] = -dal_p(r.s)[i];
    must(&r, dal_set_state(r.s, 0, there, NULL, turned));
    must(&r, dal_advance(r.s, steps));
    for (int i = 0; i < 2; i++)
        off = fmax(off, fmax(fabs(from[i] - dal_q(r.s)[i]), fabs(from[2 + i] - dal_p(r.s)[i])));
    end(&r);
    return off;
}

static void turned_around_they_lead_back(void **state)
{
    (void)state;
    static const char *const        way[] = {"canonical", "plain", "density"},
                             *const words[] = {"midpoint",
                                               "gauss(2)",
                                               "gauss(3)",
                                               "trapezoid",
                                               "lobatto(3)",
                                               "lobatto(4)",
                                               "polynomial(2) with gauss(3)",
                                               "compose(midpoint, yoshida(4))"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        for (int i = 0; i < 3; i++) {
            const double one = way_back(words[k], way[i], 1), many = way_back(words[k], way[i], 40);
            if (one > 1e-14 || many > 1e-13)
                fail_msg("%s, %s: %.1e, %.1e", words[k], way[i], one, many);
        }
    assert_true(way_back("radau(2)", "canonical", 1) > 1e-5);
}

/* The symplectic form. ------------------------------------------------------------------------- */

enum { N = 2, STATE = 2 * N + 1, ENDS = 2 * N + 2 }; /* q, p, t, and p(t) */

static double momentum_of_time(const run *r, double energy)
{
    const pace    *p = r->s->pace;
    const stepper *st = p->run->st;
    return p->clock && p->how == PACING_CANONICAL ? st->p[N] + st->p_low[N] : -energy;
}

/* From u = (q, p, t) with p(t) = -E: both ends of a step. */
static void make_step(const run *r, const double *u, double *first, double *last)
{
    must(r, dal_set_state(r->s, u[2 * N], u, NULL, u + N));
    const double energy = reading_energy(r->s);
    for (int i = 0; i < STATE; i++) first[i] = u[i];
    first[STATE] = momentum_of_time(r, energy);
    must(r, dal_step(r->s));
    for (int i = 0; i < N; i++) last[i] = dal_q(r->s)[i], last[N + i] = dal_p(r->s)[i];
    last[2 * N] = dal_time(r->s), last[STATE] = momentum_of_time(r, energy);
}

/* Differences of order 8. */
static void slopes(const run *r, const double *u, int of, double *first, double *last)
{
    static const double c[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, d = 0.01;
    for (int j = 0; j < ENDS; j++) first[j] = last[j] = 0;
    for (int k = -4; k <= 4; k++) {
        double at[STATE], from[ENDS], to[ENDS];
        if (!k) continue;
        for (int j = 0; j < STATE; j++) at[j] = u[j] + (j == of ? k * d : 0);
        make_step(r, at, from, to);
        const double weight = (k < 0 ? -c[-k - 1] : c[k - 1]) / d;
        for (int j = 0; j < ENDS; j++) first[j] += weight * from[j], last[j] += weight * to[j];
    }
}

/*     dq ^ dp + dt ^ dp(t) */
static double form(const double *a, const double *b)
{
    double sum = a[2 * N] * b[STATE] - b[2 * N] * a[STATE];
    for (int i = 0; i < N; i++) sum += a[i] * b[N + i] - b[i] * a[N + i];
    return sum;
}

/* By how much a step changes the form, on the surface p(t) = -E. */
static double defect(const char *rest, const char *words, const char *way)
{
    char model_text[400], g[60];
    snprintf(model_text, sizeof model_text,
             "system Two {\n  coordinate x, y\n  lagrangian (1 + y^2)*x'^2/2 + y'^2/2 + "
             "0.4*x^2*y' - (x^2 + y^2)/2*%s - x^4/4\n  start x = 0.7, y = 0.2\n}\n",
             rest);
    snprintf(g, sizeof g, "(1 + x^2 + y^2/2)*%s/2", rest);
    run                 r = begin(model_text, words, "0.3", g, way);
    static const double u[STATE] = {0.7, 0.2, 0.3, -0.4, 0.5};
    double              first[STATE][ENDS], last[STATE][ENDS], most = 0;
    for (int i = 0; i < STATE; i++) slopes(&r, u, i, first[i], last[i]);
    for (int i = 0; i < STATE; i++)
        for (int j = 0; j < i; j++)
            most = fmax(most, fabs(form(last[i], last[j]) - form(first[i], first[j])));
    end(&r);
    return most;
}

static void canonical_steps_are_symplectic(void **state)
{
    (void)state;
    static const char *const words[] = {"midpoint",
                                        "gauss(2)",
                                        "gauss(3)",
                                        "trapezoid",
                                        "lobatto(3)",
                                        "lobatto(4)",
                                        "radau(2)",
                                        "polynomial(2) with gauss(3)",
                                        "compose(midpoint, yoshida(4))"};
    static const char        moving[] = "(1 + 0.3*sin(t))";
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const double off = defect("1", words[k], "canonical");
        if (!(off < 1e-12)) fail_msg("%s: %.1e", words[k], off);
    }
    for (int k = 0; k < 3; k++) {
        const double off = defect(moving, words[k], "canonical");
        if (!(off < 1e-12)) fail_msg("%s, moving: %.1e", words[k], off);
    }
    assert_true(defect("1", "midpoint", "plain") > 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(turned_around_they_lead_back),
                                       cmocka_unit_test(canonical_steps_are_symplectic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
