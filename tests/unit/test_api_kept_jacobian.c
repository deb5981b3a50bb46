/* A Jacobian that is dear to factor is kept over steps without being asked, and the motion is the
 * same: grids of masses, whose elimination fills in. */
#include "check.h"
#include "dalembert.h"

#include <string.h>

static const char *const membrane =
    "system Membrane {\n"
    "  parameter N = 16, b = 2\n"
    "  coordinate u[N][N]\n"
    "  for i in 1..N, j in 1..N { lagrangian u[i][j]'^2/2 }\n"
    "  for i in 1..N-1, j in 1..N {\n"
    "    lagrangian -((u[i+1][j] - u[i][j])^2/2 + b/4*(u[i+1][j] - u[i][j])^4)\n"
    "  }\n"
    "  for i in 1..N, j in 1..N-1 {\n"
    "    lagrangian -((u[i][j+1] - u[i][j])^2/2 + b/4*(u[i][j+1] - u[i][j])^4)\n"
    "  }\n"
    "  for i in 1..N { constraint u[i][1]' = 0 }\n"
    "  for i in 1..N, j in 2..N { start u[i][j] = 0.5*sin(pi*j/N)*cos(pi*i/N) }\n"
    "}\n";

static const char *const chain =
    "system Chain {\n"
    "  parameter N = 100\n"
    "  coordinate u[N]\n"
    "  lagrangian sum(i in 1..N: u[i]'^2/2) - sum(i in 2..N: (u[i] - u[i-1])^4)\n"
    "  for i in 1..N { start u[i] = sin(i) }\n"
    "}\n";

typedef struct {
    dal_context *cx;
    dal_model   *m;
    dal_sim     *s;
} run;

static run run_of(const char *text, const char *scheme, const char *solver, const char *jacobian)
{
    run          r = {.cx = dal_context_new(NULL)};
    dal_options *o = dal_options_new(r.cx);
    assert_int_equal(dal_model_parse(r.cx, "grid.dal", text, NULL, &r.m), DAL_OK);
    dal_options_set(o, "scheme", scheme), dal_options_set(o, "solver", solver);
    dal_options_set(o, "step", "0.1"), dal_options_set(o, "steps", "300");
    dal_options_set(o, "backend", "vm"), dal_options_set(o, "monitor", "1");
    dal_options_set(o, "jacobian", jacobian);
    assert_int_equal(dal_sim_new(r.m, o, &r.s), DAL_OK);
    assert_int_equal(dal_run(r.s, NULL), DAL_OK);
    dal_options_free(o);
    return r;
}

static void end(run *r)
{
    dal_sim_free(r->s), dal_model_free(r->m), dal_context_free(r->cx);
}

static const struct {
    const char *scheme, *solver;
} rows[] = {
    {"midpoint", "auto"}, {"midpoint", "klu"}, {"gauss(2)", "klu"}, {"lobatto(3)", "band"}};

/* Every step goes to roundoff: 1.1e-16 is left of momenta of about 0.1, as with Newton's method. */
static void grids_keep_their_jacobian_and_their_motion(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run kept = run_of(membrane, rows[k].scheme, rows[k].solver, "auto");
        run anew = run_of(membrane, rows[k].scheme, rows[k].solver, "newton");
        assert_string_equal(dal_summarise(kept.s)->solved_by, "broyden");
        assert_string_equal(dal_summarise(anew.s)->solved_by, "newton");
        assert_int_equal(dal_summarise(kept.s)->newton_failures, 0);
        check_below(dal_summarise(kept.s)->dirac_residual, 1e-15);
        check_below(dal_summarise(anew.s)->dirac_residual, 1e-15);
        for (size_t i = 0; i < dal_size(kept.s); i++)
            check_close(dal_q(kept.s)[i], dal_q(anew.s)[i], 1e-12);
        end(&kept), end(&anew);
    }
}

static void chains_make_theirs_anew(void **state)
{
    (void)state;
    run r = run_of(chain, "midpoint", "auto", "auto");
    assert_string_equal(dal_summarise(r.s)->solved_by, "newton");
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_keep_their_jacobian_and_their_motion),
        cmocka_unit_test(chains_make_theirs_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
