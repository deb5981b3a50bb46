/* A Jacobian that is expensive to factor is kept over steps by default, and the motion is the same:
 * grids of masses, whose elimination fills in. */
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

static const char *const links =
    "system Links {\n"
    "  parameter N = 70, g = 9.81\n"
    "  coordinate th[N]\n"
    "  let X[k in 1..N] = sum(j in 1..k: sin(th[j])), Y[k in 1..N] = -sum(j in 1..k: cos(th[j]))\n"
    "  lagrangian sum(k in 1..N: (X[k]'^2 + Y[k]'^2)/2 - g*Y[k])\n"
    "  for k in 1..N { start th[k] = 0.5 }\n"
    "}\n";

/* Crossed bars on top of each other, whose reactions grow where a pair of them lies flat. */
static const char *const scissors =
    "system Bar {\n"
    "  coordinate x, y, a\n"
    "  lagrangian x'^2 + y'^2 + a'^2/12 - 19.62*y\n"
    "  start x free, y free\n"
    "}\n"
    "system Scissors {\n"
    "  parameter N = 3\n"
    "  part up[N] : Bar\n"
    "  part down[N] : Bar\n"
    "  let X[k in 1..N] = up[k].x\n"
    "  holonomic up[1].x = cos(up[1].a)/2\n"
    "  holonomic up[1].y = sin(up[1].a)/2\n"
    "  holonomic down[1].y = sin(down[1].a)/2\n"
    "  for k in 1..N {\n"
    "    holonomic X[k] = down[k].x\n"
    "    holonomic up[k].y = down[k].y\n"
    "  }\n"
    "  for k in 1..N-1 {\n"
    "    holonomic X[k+1] - cos(up[k+1].a)/2 = X[k] + cos(down[k].a)/2\n"
    "    holonomic up[k+1].y - sin(up[k+1].a)/2 = up[k].y + sin(down[k].a)/2\n"
    "    holonomic X[k+1] - cos(down[k+1].a)/2 = X[k] + cos(up[k].a)/2\n"
    "  }\n"
    "  let width = down[1].x - cos(down[1].a)/2\n"
    "  force width: -900 - 40*width'\n"
    "  let top = up[N].y + sin(up[N].a)/2\n"
    "  force top: -196.2\n"
    "  for k in 1..N {\n"
    "    start up[k].a = 0.4\n"
    "    start down[k].a = pi - 0.4\n"
    "  }\n"
    "}\n";

typedef struct {
    dal_context *cx;
    dal_model   *m;
    dal_sim     *s;
} run;

static run run_by(const char *text, const char *step, const char *scheme, const char *solver,
                  const char *jacobian)
{
    run          r = {.cx = dal_context_new(NULL)};
    dal_options *o = dal_options_new(r.cx);
    assert_int_equal(dal_model_parse(r.cx, "grid.dal", text, NULL, &r.m), DAL_OK);
    dal_options_set(o, "scheme", scheme), dal_options_set(o, "solver", solver);
    dal_options_set(o, "step", step), dal_options_set(o, "steps", "300");
    dal_options_set(o, "backend", "vm"), dal_options_set(o, "monitor", "1");
    dal_options_set(o, "jacobian", jacobian);
    assert_int_equal(dal_sim_new(r.m, o, &r.s), DAL_OK);
    assert_int_equal(dal_run(r.s, NULL), DAL_OK);
    dal_options_free(o);
    return r;
}

static run run_of(const char *text, const char *scheme, const char *solver, const char *jacobian)
{
    return run_by(text, "0.1", scheme, solver, jacobian);
}

static void end(run *r)
{
    dal_sim_free(r->s), dal_model_free(r->m), dal_context_free(r->cx);
}

static const struct {
    const char *scheme, *solver, *by;
} rows[] = {{"midpoint", "auto", "fixed point"}, /* the step is short: no matrix is needed */
            {"midpoint", "klu", "broyden"},
            {"gauss(2)", "klu", "broyden"},
            {"lobatto(3)", "band", "broyden"}};

/* Every step goes to roundoff: 1.1e-16 is left of momenta of about 0.1, as with Newton's method. */
static void grids_keep_their_jacobian_and_their_motion(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run kept = run_of(membrane, rows[k].scheme, rows[k].solver, "auto");
        run anew = run_of(membrane, rows[k].scheme, rows[k].solver, "newton");
        assert_string_equal(dal_summarise(kept.s)->solved_by, rows[k].by);
        assert_string_equal(dal_summarise(anew.s)->solved_by, "newton");
        assert_int_equal(dal_summarise(kept.s)->newton_failures, 0);
        check_below(dal_summarise(kept.s)->dirac_residual, 1e-15);
        check_below(dal_summarise(anew.s)->dirac_residual, 1e-15);
        for (size_t i = 0; i < dal_size(kept.s); i++)
            check_close(dal_q(kept.s)[i], dal_q(anew.s)[i], 1e-12);
        end(&kept), end(&anew);
    }
}

/* Of 70 unknowns, and of 140. */
static void dense_systems_keep_theirs(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "gauss(2)"};
    for (int k = 0; k < 2; k++) {
        run kept = run_by(links, "0.01", schemes[k], "auto", "auto");
        run anew = run_by(links, "0.01", schemes[k], "auto", "newton");
        assert_string_equal(dal_summarise(kept.s)->solved_by, "broyden");
        assert_string_equal(dal_summarise(anew.s)->solved_by, "newton");
        assert_int_equal(dal_summarise(kept.s)->newton_failures, 0);
        check_below(dal_summarise(kept.s)->dirac_residual,
                    2 * dal_summarise(anew.s)->dirac_residual);
        for (size_t i = 0; i < dal_size(kept.s); i++)
            check_close(dal_q(kept.s)[i], dal_q(anew.s)[i], 1e-11);
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

/* Positions are known long before reactions are, where relations are nearly dependent; momenta are
 * of the order of 100, and 1 of it was left. */
static void a_kept_jacobian_leaves_no_reaction_behind(void **state)
{
    (void)state;
    static const char *const schemes[] = {"gauss(2)", "lobatto(3)"};
    for (int i = 0; i < 2; i++) {
        run r = run_by(scissors, "0.004", schemes[i], "auto", "broyden");
        assert_string_equal(dal_summarise(r.s)->solved_by, "broyden");
        check_below(dal_summarise(r.s)->dirac_residual, 1e-7);
        end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_keep_their_jacobian_and_their_motion),
        cmocka_unit_test(dense_systems_keep_theirs),
        cmocka_unit_test(chains_make_theirs_anew),
        cmocka_unit_test(a_kept_jacobian_leaves_no_reaction_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
