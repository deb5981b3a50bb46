/* test_api_networks.c - lattices and networks, whose elimination would fill in: where a step is
 * short compared with their periods no matrix is used at all, and the motion is the same. */
#include "api_run.h"

#include <string.h>

/* Machines on a grid with lines between distant ones, driven and damped. */
static const char POWER[] =
    "system Power {\n"
    "  parameter N = 600, K = 4, D = 0.1\n"
    "  coordinate d[N]\n"
    "  lagrangian sum(i in 1..N: d[i]'^2/2) + sum(i in 1..N-1: K*cos(d[i+1] - d[i]))\n"
    "  lagrangian sum(i in 1..N/4: K*cos(d[4*i] - d[mod(37*i, N) + 1]))\n"
    "  for i in 1..N { force d[i]: 0.3*sin(2*t + i) - D*d[i]' }\n"
    "  start d[1]' = 1\n"
    "}\n";
/* Points far from the origin, hinged on springs: roundoff of positions, not of displacements, is
 * where changes end. From rest, most of them hardly move. */
static const char SHEET[] =
    "system Sheet {\n"
    "  parameter N = 16, k = 100, far = 1000\n"
    "  coordinate x[N][N], y[N][N]\n"
    "  let along[i in 1..N-1][j in 1..N] = sqrt((x[i+1][j] - x[i][j])^2"
    " + (y[i+1][j] - y[i][j])^2)\n"
    "  let aside[i in 1..N][j in 1..N-1] = sqrt((x[i][j+1] - x[i][j])^2"
    " + (y[i][j+1] - y[i][j])^2)\n"
    "  lagrangian sum(i in 1..N, j in 1..N: (x[i][j]'^2 + y[i][j]'^2)/2)\n"
    "  lagrangian -sum(i in 1..N-1, j in 1..N: k/2*(along[i][j] - 1)^2)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N-1: k/2*(aside[i][j] - 1)^2)\n"
    "  for i in 1..N, j in 1..N { start x[i][j] = i + 0.01*sin(i*j), y[i][j] = far + j }\n"
    "}\n";
static const char CUBE[] =
    "system Cube {\n"
    "  parameter N = 7\n"
    "  coordinate u[N][N][N]\n"
    "  lagrangian sum(i in 1..N, j in 1..N, l in 1..N: u[i][j][l]'^2/2 - u[i][j][l]^4/4)\n"
    "  lagrangian -sum(i in 1..N-1, j in 1..N, l in 1..N: (u[i+1][j][l] - u[i][j][l])^2/2)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N-1, l in 1..N: (u[i][j+1][l] - u[i][j][l])^2/2)\n"
    "  lagrangian -sum(i in 1..N, j in 1..N, l in 1..N-1: (u[i][j][l+1] - u[i][j][l])^2/2)\n"
    "  for i in 1..N, j in 1..N, l in 1..N { start u[i][j][l] = sin(i + 2*j + 3*l) }\n"
    "}\n";

static const struct {
    const char *text, *shorter, *longer;
} row[] = {{POWER, "0.05", "0.8"}, {SHEET, "0.01", "0.2"}, {CUBE, "0.05", "0.7"}};
enum { ROWS = sizeof row / sizeof *row, STEPS = 40 };

static run steps_of(const char *text, const char *step, const char *jacobian)
{
    run r = begin_text(text, (setting[]){{"scheme", "midpoint"}, {"step", step}, {"steps", "40"},
                                         {"backend", "vm"}, {"jacobian", jacobian}, {0}});
    run_to_end(&r);
    return r;
}

/* Positions may be a thousand and move by hundredths: forces, and momenta with them, have the
 * roundoff of what is far away. */
static void check_same_motion(const run *a, const run *b)
{
    check_below(apart_relatively(dal_q(a->s), dal_q(b->s), a->n), 1e-12);
    check_below(apart_relatively(dal_p(a->s), dal_p(b->s), a->n), 1e-9);
}

static void short_steps_need_no_matrix(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        run swept = steps_of(row[k].text, row[k].shorter, "auto"),
            newton = steps_of(row[k].text, row[k].shorter, "newton");
        const dal_summary *sum = dal_summarise(swept.s);
        assert_string_equal(sum->solved_by, "fixed point");
        assert_int_equal(sum->newton_iterations, 0);
        check_below(sum->fixed_point_max_sweeps, 16);
        check_same_motion(&swept, &newton);
        end(&swept), end(&newton);
    }
}

static void long_steps_have_one(void **state)
{
    (void)state;
    for (int k = 0; k < ROWS; k++) {
        run either = steps_of(row[k].text, row[k].longer, "auto"),
            newton = steps_of(row[k].text, row[k].longer, "newton");
        assert_in_range(dal_summarise(either.s)->newton_iterations, STEPS, 20 * STEPS);
        check_same_motion(&either, &newton);
        end(&either), end(&newton);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_steps_need_no_matrix),
        cmocka_unit_test(long_steps_have_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
