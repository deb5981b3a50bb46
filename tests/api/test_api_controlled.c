/* test_api_controlled.c - sources that are controlled by a current elsewhere, so that forces by
 * velocities are not mutual: gauss(s) has its order along directions without inertia, and what no
 * scheme can take is refused. */
#include "check.h"
#include "dalembert.h"

#include <string.h>

/* A capacitor at a source, and a coil that is pushed by its current: a velocity that only follows
 * from a balance. */
static const char *const pushed = "system Pushed {\n"
                                  "  coordinate s, c, r, l\n"
                                  "  lagrangian l'^2/2 - c^2 - c^4/4\n"
                                  "  force s: sin(t)^2\n"
                                  "  force r: -r'\n"
                                  "  force l: c'/2\n"
                                  "  constraint s' = c' + r' + l'\n"
                                  "}\n";

/* Capacitors in parallel, and a source whose voltage is the current of one of them: what makes the
 * force moves along other directions than the force. */
static const char *const remote = "system Remote {\n"
                                  "  coordinate a, b, c, s, l\n"
                                  "  lagrangian l'^2/2 - 0.8*a^2 - 0.7*b^2 - b^4/4 - 0.9*c^2\n"
                                  "  force s: sin(t)^2 - c'/2\n"
                                  "  constraint a' = b'\n"
                                  "  constraint s' = a' + c' + l'\n"
                                  "}\n";

/* The same with a gyrator to a second coil. */
static const char *const both =
    "system Both {\n"
    "  coordinate a, b, c, s, l, m\n"
    "  lagrangian l'^2/2 + m'^2/3 - 0.8*a^2 - 0.7*b^2 - b^4/4 - 0.9*c^2 + (l'*m - l*m')/2\n"
    "  force s: sin(t)^2 - c'/2\n"
    "  constraint a' = b'\n"
    "  constraint s' = a' + c' + l' + m'\n"
    "}\n";

/* The current of a capacitor that a source holds is the voltage of another that nothing else holds.
 */
static const char *const undecided = "system Undecided {\n"
                                     "  coordinate l, a, b, s\n"
                                     "  lagrangian l'^2/2 - a^2/2 - b^2/2\n"
                                     "  force s: sin(t)^2\n"
                                     "  force a: b'/2\n"
                                     "  constraint l' = a' + b' - s'\n"
                                     "}\n";

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
} setup;

static void begin(setup *s, const char *text)
{
    *s = (setup){.cx = dal_context_new(NULL)};
    s->o = dal_options_new(s->cx);
    dal_options_set(s->o, "until", "1");
    if (dal_model_parse(s->cx, "test.dal", text, s->o, &s->m)) dal_report(s->cx, stderr, 0);
    assert_non_null(s->m);
}

static void end(setup *s)
{
    dal_model_free(s->m), dal_options_free(s->o), dal_context_free(s->cx);
}

static void gauss_has_its_order_beside_controlled_sources(void **state)
{
    (void)state;
    const char *const circuits[] = {pushed, remote, both};
    for (size_t k = 0; k < sizeof circuits / sizeof *circuits; k++) {
        setup            s;
        dal_convergence *c = NULL;
        begin(&s, circuits[k]);
        if (dal_converge(s.m, s.o, "gauss(1..3)", "8..64", &c)) dal_report(s.cx, stderr, 0);
        assert_non_null(c);
        for (size_t i = 0; i < c->schemes; i++) {
            assert_int_equal(c->scheme[i].claimed, 2 * (int)(i + 1));
            assert_int_equal(c->scheme[i].missed, 0);
        }
        dal_convergence_free(c);
        end(&s);
    }
}

/* The balance along y is x' = y, which is p(x) = 0, whatever y is. */
static const char gauge[] = "system Gauge {\n"
                            "  coordinate x, y\n"
                            "  lagrangian (x' - y)^2/2 - x^2/2\n"
                            "  start x = 1\n"
                            "}\n"
                            "simulate {\n  until = 1\n}\n";

static void check_undecided(const char *text)
{
    setup    s;
    dal_sim *sim = NULL;
    begin(&s, text);
    dal_options_set(s.o, "step", "0.1");
    assert_int_equal(dal_sim_new(s.m, s.o, &sim), DAL_INVALID);
    assert_non_null(strstr(dal_message_at(s.cx, 0).text,
                           "the time derivative of another force balance determines it"));
    dal_options_set(s.o, "insist", "yes");
    assert_int_equal(dal_sim_new(s.m, s.o, &sim), DAL_OK);
    assert_int_equal(dal_run(sim, NULL), DAL_OK);
    assert_int_equal(dal_summarise(sim)->order, 0);
    dal_sim_free(sim);
    end(&s);
}

static void what_only_a_rate_decides_is_refused(void **state)
{
    (void)state;
    check_undecided(undecided);
    check_undecided(gauge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gauss_has_its_order_beside_controlled_sources),
        cmocka_unit_test(what_only_a_rate_decides_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
