/* test_api_compiled_inputs.c - inputs that follow a file, in compiled steps: interpolated at the
 * points of every step, wherever they occur in a model, they give the results of general steps. */
#include "compiled.h"

#include <stdio.h>

#define TABLE "table_of_a_followed_input.csv"
#define TABLE2 "second_table_of_a_followed_input.csv"

typedef struct {
    const char *model, *scheme, *more; /* more: what else is followed */
} problem;

static const char PENDULUM[] = /* a torque, a stiffness that is pumped, and an input that is held */
    "system Pendulum {\n parameter c = 0.1\n input u, held = 0.3\n coordinate a\n"
    " lagrangian a'^2/2 + (9.81 + u)*cos(a)\n force a: u*held - c*a'\n start a = 0.5\n}\n";

static const char CIRCUIT[] = /* linear; L_w depends on the input too */
    "system Circuit {\n input u, w\n coordinate x, y\n"
    " lagrangian x'^2/2 + 2*y'^2 + x'*y'/3 + u*y' - x^2 - y^2/2 + x*y/5\n"
    " force x: w - x'/9\n start x = 1\n}\n";

static const char CART[] = /* chords are explicit */
    "system Cart {\n input u\n coordinate x, y\n"
    " lagrangian x'^2/2 + y'^2 - x^4/4 - x*y - y^2\n force y: u\n start x = 1\n}\n";

static const char ARM[] = /* inertia that changes, a load that does too */
    "system Arm {\n input u, w\n coordinate a, b, c\n"
    " lagrangian a'^2 + b'^2/2 + c'^2/2 + a'*b'*cos(a - b)/2 + b'*c'*cos(b - c)/3 + cos(a) + "
    "(1 + w)*cos(b) + cos(c)\n force a: u\n force c: -c'/9\n start a = 1, c = 0.4\n}\n";

static const char RAIL[] = /* what is pushed stands on a rail that is moved */
    "system Rail {\n input u, w\n coordinate x, y, z\n"
    " lagrangian (x'^2 + y'^2 + z'^2)/2 - y - z^2\n holonomic rod: x^2 + y^2 = 1\n"
    " constraint wheel: z' = x'/2 + w/9\n force x: u\n start x = 1, y = 0\n}\n";

static const char PHASE[] = "system Phase {\n input u\n coordinate x, y\n"
                            " hamiltonian p(x)^2/2 + p(y)^2*(2 + cos(x))/3 + x^2/2 + y^2 - u*x*y\n"
                            " force y: -y'/9\n start x = 1, p(y) = 0.3\n}\n";

static const char FOLLOWERS[] = /* y has no inertia: every step settles, at the input of its end */
    "system Followers {\n input u\n coordinate x, y\n"
    " lagrangian x'^2/2 - x^2/2 - (x - y)^4/4 - (x - y)^2 - exp(-y)/3 + u*y/5\n"
    " start x = 1, y = 0.7\n}\n";

static const char PREDATORS[] = /* of first order: steps settle at both ends, at the inputs there */
    "system Predators {\n input u\n coordinate x, y\n"
    " lagrangian y*x' + sin(x)*y'/3 + u*x*y'/9 - exp(x) + x - exp(y)/2 + y - u*x/9\n"
    " start x = 0.5, y = 0.2\n}\n";

static const char GYRATOR[] = /* and beside a coordinate with inertia, with what resists */
    "system Gyrator {\n input u\n coordinate a, b\n"
    " lagrangian a'^2/2 + (1 + u/9)*a*b' - b^2/2 - a^2/2 - b^4/4\n force b: -0.3*b'\n"
    " start a = 1, b = 0.2\n}\n";

static const char PARTS[] = /* what is solved has fewer coordinates than what is written */
    "system Mass {\n parameter m = 1\n input f\n coordinate x\n lagrangian m*x'^2/2 - x^4/4\n"
    " force x: f - x'/5\n}\n"
    "system Pair {\n input u\n part a : Mass(f = u)\n part b : Mass(m = 2, f = u^2)\n"
    " connect b.x = 2*a.x\n start a.x = 1\n}\n";

static const problem every[] = {
    {PENDULUM, "midpoint", NULL},
    {PENDULUM, "trapezoid", NULL},
    {PENDULUM, "gauss(2)", NULL},
    {PENDULUM, "lobatto(4)", NULL},
    {PENDULUM, "compose(midpoint, yoshida(4))", NULL},
    {CIRCUIT, "midpoint", "w=" TABLE2},
    {CIRCUIT, "gauss(3)", "w=" TABLE2},
    {CART, "trapezoid", NULL},
    {CART, "compose(trapezoid, yoshida(6))", NULL},
    {CART, "gauss(4)", NULL},
    {ARM, "gauss(3)", "w=" TABLE2},
    {ARM, "lobatto(3)", "w=" TABLE2},
    {ARM, "midpoint", NULL},
    {RAIL, "midpoint", "w=" TABLE2},
    {RAIL, "gauss(2)", "w=" TABLE2},
    {RAIL, "gauss(3)", "w=" TABLE2},
    {PHASE, "midpoint", NULL},
    {PHASE, "gauss(2)", NULL},
    {FOLLOWERS, "gauss(2)", NULL},
    {FOLLOWERS, "compose(gauss(2), yoshida(6))", NULL},
    {PREDATORS, "midpoint", NULL},
    {PREDATORS, "gauss(3)", NULL},
    {PREDATORS, "compose(midpoint, yoshida(4))", NULL},
    {GYRATOR, "gauss(2)", NULL},
    {PARTS, "gauss(2)", NULL},
};
enum { PROBLEMS = sizeof every / sizeof *every };

/* Times that are no multiples of a step; the run begins before them and ends after them. */
static int write_tables(void **state)
{
    FILE *a = fopen(TABLE, "w"), *b = fopen(TABLE2, "w");
    (void)state;
    assert_non_null(a), assert_non_null(b);
    for (int k = 0; k < 40; k++) {
        fprintf(a, "%.17g,%.17g\n", 0.31 + 0.0617 * k, sin(1.7 * k));
        fprintf(b, "%.17g,%.17g\n", 0.07 + 0.0913 * k, cos(2.3 * k) / 2);
    }
    return fclose(a) || fclose(b);
}

static int remove_tables(void **state)
{
    (void)state;
    return remove(TABLE) || remove(TABLE2);
}

static run open_text(const problem *p, const char *backend, const char *until)
{
    const setting set[] = {
        {"backend", backend},  {"scheme", p->scheme}, {"step", "0.05"},         {"until", until},
        {"input", "u=" TABLE}, {"input", p->more},    {"project-start", "yes"}, {0}};
    return begin_text(p->model, set);
}

static void must_be_fused(const run *r, const problem *p)
{
    compiler_was_content(r, p->scheme);
    if (!dal_summarise(r->s)->is_fused)
        print_error("%s %s is not compiled\n", p->model, p->scheme), fail();
}

static void steps_lead_where_general_ones_do(const char *until, int every_so_many)
{
    for (int k = 0; k < PROBLEMS; k += every_so_many) {
        const problem *p = &every[k];
        run            a = open_text(p, "vm", until), b = open_text(p, "native", until);
        double         far = 0;
        must_be_fused(&b, p);
        for (int i = 1; i <= 60; i++) {
            must(&a, dal_step(a.s)), must(&b, dal_step(b.s));
            far = fmax(
                far,
                fmax(apart(dal_q(a.s), dal_q(b.s), a.n), apart(dal_p(a.s), dal_p(b.s), a.n)) / i);
        }
        if (!(far < 20 * DBL_EPSILON))
            print_error("%d, %s: %.1e apart a step\n", k, p->scheme, far), fail();
        const double work = dal_summarise(a.s)->work, other = dal_summarise(b.s)->work;
        check_below(fabs(work - other), 1e-13 * fmax(1, fabs(work)));
        end(&a), end(&b);
    }
}

static void forward_it_agrees_with_general_steps(void **state)
{
    (void)state;
    steps_lead_where_general_ones_do("3", 1);
}

static void backward_it_agrees_with_general_steps(void **state)
{
    (void)state;
    steps_lead_where_general_ones_do("-3", 3);
}

static void must_be_the_same(const run *a, const run *b, int k)
{
    const size_t bytes = a->n * sizeof(double);
    if (memcmp(dal_q(a->s), dal_q(b->s), bytes) || memcmp(dal_p(a->s), dal_p(b->s), bytes))
        print_error("%d, %s: other bits\n", k, every[k].scheme), fail();
}

static void many_steps_in_a_call_are_those_one_by_one(void **state)
{
    (void)state;
    for (int k = 0; k < PROBLEMS; k++) {
        run a = open_text(&every[k], "native", "3"), b = open_text(&every[k], "native", "3");
        must(&a, dal_advance(a.s, 60));
        for (int i = 0; i < 60; i++) must(&b, dal_step(b.s));
        must_be_the_same(&a, &b, k);
        end(&a), end(&b);
    }
}

/* u is the table's whatever a caller puts there; the other input is the caller's. */
static void inputs_beside_it_are_set_between_steps(void **state)
{
    run a = open_text(&every[2], "vm", "3"), b = open_text(&every[2], "native", "3");
    (void)state;
    for (int i = 0; i < 60; i++) {
        must(&a, dal_set_input(a.s, "held", sin(i))), must(&b, dal_set_input(b.s, "held", sin(i)));
        must(&b, dal_set_input(b.s, "u", 1e6));
        must(&a, dal_step(a.s)), must(&b, dal_step(b.s));
        check_below(states_apart(&a, &b), 20 * (i + 1) * DBL_EPSILON);
    }
    end(&a), end(&b);
}

/* A compiled step that is not made, here for a start far from where it was predicted, is made in
 * general; the next ones are compiled again, at the times that they have got to. */
static void steps_go_on_after_the_state_was_put(void **state)
{
    run          a = open_text(&every[2], "vm", "3"), b = open_text(&every[2], "native", "3");
    const double q = 2.5, v = 30;
    (void)state;
    for (int i = 0; i < 40; i++) {
        must(&a, dal_step(a.s)), must(&b, dal_step(b.s));
        if (i != 20) continue;
        must(&a, dal_set_state(a.s, dal_time(a.s) + 0.4, &q, &v, NULL));
        must(&b, dal_set_state(b.s, dal_time(b.s) + 0.4, &q, &v, NULL));
    }
    check_below(states_apart(&a, &b), 800 * DBL_EPSILON);
    end(&a), end(&b);
}

/* The energy is without a value from where the table passes -9.81 on: both say so alike. */
static void what_fails_fails_as_in_general(void **state)
{
    static const problem root = {"system Root {\n input u\n coordinate x\n lagrangian x'^2/2 - "
                                 "x^2/2 - sqrt(u + 0.8)*x^4\n start x = 1\n}\n",
                                 "gauss(2)", NULL};
    run                  a = open_text(&root, "vm", "3"), b = open_text(&root, "native", "3");
    (void)state;
    must_be_fused(&b, &root);
    const dal_status bad = dal_run(a.s, NULL);
    assert_int_not_equal(bad, DAL_OK);
    assert_int_equal(dal_run(b.s, NULL), bad);
    assert_int_equal(dal_steps(a.s), dal_steps(b.s));
    assert_string_equal(dal_summarise(a.s)->error, dal_summarise(b.s)->error);
    end(&a), end(&b);
}

static run taken_up(const run *of)
{
    run             r = {.cx = dal_context_new(NULL)};
    dal_checkpoint *c = NULL;
    const void     *saved;
    size_t          length;
    must(of, dal_sim_save_to_memory(of->s, &saved, &length));
    must(&r, dal_checkpoint_parse(r.cx, saved, length, &c));
    must(&r, dal_checkpoint_resume(c, &r.m, &r.s));
    dal_checkpoint_free(c);
    return r;
}

static void a_checkpoint_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < PROBLEMS; k++) {
        run a = open_text(&every[k], "native", "3");
        must(&a, dal_advance(a.s, 23));
        run b = taken_up(&a);
        must_be_fused(&b, &every[k]);
        must(&a, dal_advance(a.s, 37)), must(&b, dal_advance(b.s, 37));
        must_be_the_same(&a, &b, k);
        end(&a), end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_it_agrees_with_general_steps),
        cmocka_unit_test(backward_it_agrees_with_general_steps),
        cmocka_unit_test(many_steps_in_a_call_are_those_one_by_one),
        cmocka_unit_test(inputs_beside_it_are_set_between_steps),
        cmocka_unit_test(steps_go_on_after_the_state_was_put),
        cmocka_unit_test(what_fails_fails_as_in_general),
        cmocka_unit_test(a_checkpoint_goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, write_tables, remove_tables);
}
