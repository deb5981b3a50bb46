/* test_mech_papers.c - the examples of the papers on discrete Dirac mechanics, with their own
 * momenta, (+) and (-), forward and backward. */
#include "stepping.h"

#include "constrained.h"
#include "orders.h"
#include "reference_papers.h"

#include "mech/degenerate/degenerate.h"

/* Knife edge (x, y, phi) on an incline: m = 1, J = 1/2, g sin(alpha) = 4.905. */
static const double SLOPE = 4.904999999999999;

static jet knife_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet T = add(times(0.5, add(square(v[0]), square(v[1]))), times(0.25, square(v[2])));
    return add(T, times(SLOPE, q[0]));
}

static jet knife_H(const double *c, jet t, const jet *q, const jet *p)
{
    (void)c, (void)t;
    jet T = add(times(0.5, add(square(p[0]), square(p[1]))), square(p[2]));
    return sub(times(SLOPE, q[0]), T);
}

static void knife_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t;
    e[0] = sub(mul(sine(q[2]), v[0]), mul(cosine(q[2]), v[1]));
}

static jet free_disk_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t, (void)q;
    return add(times(0.5, add(square(v[0]), square(v[1]))),
               add(times(0.25, square(v[2])), times(0.125, square(v[3]))));
}

static void free_disk_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    const double p[] = {1, 0.5, 0.25, 1};
    (void)c;
    disk_W(p, t, q, v, e);
}

/* Circuits: l = 0.75; capacitors 1, 2, 3. */
static jet LC_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet V =
        add(times(0.5, square(q[1])), add(times(0.25, square(q[2])), times(0.5 / 3, square(q[3]))));
    return sub(times(0.375, square(v[0])), V);
}

static void LC_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[2], v[0]);
    e[1] = sub(v[2], add(v[1], v[3]));
}

static jet loop_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    return sub(times(0.375, square(v[0])), times(0.5 / 3, square(q[1])));
}

static void loop_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[0], v[1]);
}

/* (qC, qL, qR), R = 0.1 */
static jet RLC_loop_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    return sub(times(0.375, square(v[1])), times(0.5 / 3, square(q[0])));
}

static void RLC_loop_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)c, (void)t, (void)q;
    f[2] = times(-0.1, v[2]);
}

static void RLC_loop_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[1], v[2]);
    e[1] = sub(v[2], v[0]);
}

/* (qR, qL, qC) in one piece, (qR, qL, qS1, qS2, qC) in parts; R = 1 */
static jet RLC_mono_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    return sub(times(0.375, square(v[1])), times(0.5 / 3, square(q[2])));
}

static jet RLC_parts_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    return sub(times(0.375, square(v[1])), times(0.5 / 3, square(q[4])));
}

static void RLC_force(const double *c, jet t, const jet *q, const jet *v, jet *f)
{
    (void)c, (void)t, (void)q;
    f[0] = times(-1, v[0]);
}

static void RLC_mono_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[0], add(v[1], v[2]));
}

static void RLC_parts_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[0], add(v[1], v[2]));
    e[1] = sub(v[4], v[3]);
    e[2] = sub(v[2], v[3]);
}

/* Wall, mass, mass, mass by unit springs; in parts the second mass and a massless end are tied. */
static jet springs_mono_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet T = times(0.5, add(square(v[0]), add(square(v[1]), square(v[2]))));
    jet V = times(0.5, add(square(q[0]), add(square(sub(q[1], q[0])), square(sub(q[2], q[1])))));
    return sub(T, V);
}

static jet springs_parts_L(const double *c, jet t, const jet *q, const jet *v)
{
    (void)c, (void)t;
    jet T = times(0.5, add(square(v[0]), add(square(v[1]), square(v[3]))));
    jet V = times(0.5, add(square(q[0]), add(square(sub(q[1], q[0])), square(sub(q[3], q[2])))));
    return sub(T, V);
}

static void springs_parts_W(const double *c, jet t, const jet *q, const jet *v, jet *e)
{
    (void)c, (void)t, (void)q;
    e[0] = sub(v[1], v[2]);
}

static const named_problem paper_problems[] = {
    {"knife", {.n = 3, .m = 1, .lambda = knife_L, .velocity = knife_W}, {0}},
    {"knife H", {.n = 3, .m = 1, .lambda = knife_H, .velocity = knife_W, .hamiltonian = true}, {0}},
    {"disk", {.n = 4, .m = 2, .lambda = free_disk_L, .velocity = free_disk_W}, {0}},
    {"LC", {.n = 4, .m = 2, .lambda = LC_L, .velocity = LC_W, .constant_relations = true}, {0}},
    {"loop",
     {.n = 2, .m = 1, .lambda = loop_L, .velocity = loop_W, .constant_relations = true},
     {0}},
    {"RLC loop",
     {.n = 3,
      .m = 2,
      .lambda = RLC_loop_L,
      .force = RLC_loop_force,
      .velocity = RLC_loop_W,
      .constant_relations = true},
     {0}},
    {"RLC mono",
     {.n = 3,
      .m = 1,
      .lambda = RLC_mono_L,
      .force = RLC_force,
      .velocity = RLC_mono_W,
      .constant_relations = true},
     {0}},
    {"RLC parts",
     {.n = 5,
      .m = 3,
      .lambda = RLC_parts_L,
      .force = RLC_force,
      .velocity = RLC_parts_W,
      .constant_relations = true},
     {0}},
    {"springs mono", {.n = 3, .lambda = springs_mono_L}, {0}},
    {"springs parts",
     {.n = 4,
      .m = 1,
      .lambda = springs_parts_L,
      .velocity = springs_parts_W,
      .constant_relations = true},
     {0}},
};

static const problem *paper_problem(const char *name)
{
    for (size_t k = 0; k < COUNT(paper_problems); k++)
        if (!strcmp(paper_problems[k].name, name)) return &paper_problems[k].pb;
    return NULL;
}

static void the_papers_examples_agree_with_the_reference(void **state)
{
    (void)state;
    jet_system s;
    for (size_t k = 0; k < COUNT(paper_rows); k++) {
        const paper_row   *row = &paper_rows[k];
        const problem     *pb = paper_problem(row->system);
        const step_options o = {.retraction = row->how, .momentum = MOMENTUM_PAPERS};
        bench              b;
        bench_open(&b, jet_system_init(&s, pb, NULL, 0), row->scheme, NULL, &o);
        bench_set(&b, 0, row->q0, row->p0);
        double membership = 0;
        for (int j = 0; j < row->steps; j++) {
            bench_run(&b, row->h, 1);
            membership = fmax(membership, stepper_balances(b.st).membership);
        }
        double q = distance(stepper_q(b.st), row->q, pb->n),
               p = distance(stepper_p(b.st), row->p, pb->n);
        if (!(q < 1e-11 && p < 1e-11 && membership < 1e-12))
            print_error("%s %s %d steps: off by %.1e, %.1e; membership %.1e\n", row->system,
                        row->scheme, row->steps, q, p, membership),
                fail();
        bench_close(&b);
    }
}

static void the_minus_form_reports_momenta_after_the_kick(void **state)
{
    (void)state;
    const step_options o = {.principle = DIRAC_MINUS,
                            .retraction = RETRACTION_RIGHT,
                            .momentum = MOMENTUM_PAPERS,
                            .step = 0.01};
    const double       q0[3] = {0}, p0[] = {0, 0, 0.5};
    const double       p1[] = {0.049040190326995636, 0.0009809346013079875, 0.5};
    const double       p499[] = {-1.3381140711830053, 4.523514697704911, 0.49999999999998934};
    const double       q500[] = {2.132611636083111, 12.929219371811065, 4.999999999999938};
    jet_system         s;
    bench              b;
    bench_open(&b, jet_system_init(&s, paper_problem("knife"), NULL, 0), "rectangle(1)", NULL, &o);
    bench_set(&b, 0, q0, p0);
    check_below(distance(stepper_p(b.st), p0, 3), 1e-15);
    bench_run(&b, 0.01, 1);
    double before = stepper_balances(b.st).power;
    check_below(distance(stepper_p(b.st), p1, 3), 1e-14);
    check_close(stepper_balances(b.st).power, before, 1e-16); /* looking ahead leaves no trace */
    bench_run(&b, 0.01, 498);
    check_below(distance(stepper_p(b.st), p499, 3), 1e-11);
    bench_run(&b, 0.01, 1);
    check_below(distance(stepper_q(b.st), q500, 3), 1e-11);
    bench_close(&b);
}

/* Steps of length -h undo steps of length h, whatever the quadrature, in both forms and with
 * any retraction. */
static void backward_steps_undo_forward_ones(void **state)
{
    (void)state;
    static const char   *words[] = {"rectangle(0)", "rectangle(0.3)", "midpoint",
                                    "trapezoid",    "radau(2)",       "lobatto(4)",
                                    "gauss(3)",     "radau_left(3)",  "compose(midpoint, suzuki(4))"};
    const named_problem *pb = problem_named("sleigh");
    const double q0[] = {0.1, 0.2, 0.5}, p0[] = {0.9236541788453123, 0.8122579380354442, 0.441};
    jet_system   s;
    for (size_t k = 0; k < COUNT(words); k++)
        for (int form = 0; form < 4; form++) {
            const step_options o = {.principle = form % 2 ? DIRAC_MINUS : DIRAC_PLUS,
                                    .retraction =
                                        form < 2 || k > 3 ? RETRACTION_MIDPOINT : RETRACTION_LEFT};
            bench              b;
            bench_open(&b, jet_system_init(&s, &pb->pb, pb->c, 8), words[k], NULL, &o);
            bench_set(&b, 0, q0, p0);
            bench_run(&b, 0.05, 20);
            b.t0 = 1, b.k = 0;
            bench_run(&b, -0.05, 20);
            double off = distance(stepper_q(b.st), q0, 3);
            if (!(off < 2e-14)) print_error("%s form %d: %.1e\n", words[k], form, off), fail();
            bench_close(&b);
        }
}

static void a_step_without_unique_solution_is_refused_by_its_rank(void **state)
{
    (void)state;
    const double q0[] = {0, 0, 1, 0}, p0[4] = {0};
    jet_system   s;
    bench        b;
    bench_open(&b, jet_system_init(&s, paper_problem("LC"), NULL, 0), "rectangle(0)", NULL, NULL);
    bench_set(&b, 0, q0, p0);
    assert_int_equal(stepper_step(b.st, 0, 0.1, &b.why), DAL_SINGULAR);
    assert_non_null(strstr(text_str(&b.why), "rank 5 of 6"));
    assert_non_null(strstr(text_str(&b.why), "x2"));
    assert_null(strstr(text_str(&b.why), "x1")); /* the inductor is determined */
    check_below(distance(stepper_q(b.st), q0, 4), 0);
    bench_close(&b);
}

static void directions_without_inertia_are_found_and_schemes_judged(void **state)
{
    (void)state;
    static const struct {
        const char *system, *words;
        int         dimension, resistive;
        dal_status  verdict;
    } row[] = {{"LC", "rectangle(0)", 1, 0, DAL_SINGULAR},
               {"LC", "lobatto(3)", 1, 0, DAL_SINGULAR},
               {"LC", "midpoint", 1, 0, DAL_OK},
               {"LC", "gauss(3)", 1, 0, DAL_OK},
               {"RLC mono", "rectangle(0)", 1, 1, DAL_OK},
               {"RLC mono", "midpoint", 1, 1, DAL_OK},
               {"RLC mono", "gauss(4)", 1, 1, DAL_OK},
               {"RLC mono", "lobatto(2)", 1, 1, DAL_INVALID},
               {"RLC mono", "lobatto(5)", 1, 1, DAL_INVALID},
               {"RLC mono", "radau(2)", 1, 1, DAL_SINGULAR},
               {"RLC loop", "lobatto(3)", 0, 0, DAL_OK},
               {"knife", "rectangle(1)", 0, 0, DAL_OK},
               {"springs parts", "lobatto(2)", 0, 0, DAL_OK}};
    const double q[5] = {0.3, 0.2, 0.5, 0.1, 0.4}, v[5] = {0};
    for (size_t k = 0; k < COUNT(row); k++) {
        jet_system s;
        mem        m;
        scheme     sch;
        degeneracy g;
        mem_init(&m, mem_heap_default());
        text        why = text_new(&m);
        dal_system *sys = jet_system_init(&s, paper_problem(row[k].system), NULL, 0);
        assert_int_equal(scheme_parse(&sch, row[k].words, NULL, &why), DAL_OK);
        assert_true(degeneracy_find(&m, sys, 0, q, v, v, &g));
        dal_status verdict = degeneracy_judge(&m, sys, &g, &sch, false, &why);
        if (g.dimension != row[k].dimension || g.resistive != row[k].resistive ||
            verdict != row[k].verdict)
            print_error("%s %s: %d %d %d %s\n", row[k].system, row[k].words, g.dimension,
                        g.resistive, verdict, text_str(&why)),
                fail();
        if (verdict == DAL_INVALID)
            assert_int_equal(degeneracy_judge(&m, sys, &g, &sch, true, &why), DAL_OK);
        mem_free(&m);
    }
}

/* The growing root of R q' = -q/C under lobatto(s), fitted over many steps of h/RC = 0.01 by
 * another code. */
static void lobatto_grows_along_a_resistive_direction_as_the_reference_says(void **state)
{
    (void)state;
    static const double growth[] = {1.010, 1.005, 1.003, 1.003, 1.002};
    for (int s = 2; s <= 6; s++) {
        mem    m;
        scheme sch;
        char   words[16];
        mem_init(&m, mem_heap_default());
        text why = text_new(&m);
        snprintf(words, sizeof words, "lobatto(%d)", s);
        assert_int_equal(scheme_parse(&sch, words, NULL, &why), DAL_OK);
        check_close(degenerate_growth(&m, &sch, true), growth[s - 2], 6e-4);
        mem_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_examples_agree_with_the_reference),
        cmocka_unit_test(the_minus_form_reports_momenta_after_the_kick),
        cmocka_unit_test(backward_steps_undo_forward_ones),
        cmocka_unit_test(a_step_without_unique_solution_is_refused_by_its_rank),
        cmocka_unit_test(directions_without_inertia_are_found_and_schemes_judged),
        cmocka_unit_test(lobatto_grows_along_a_resistive_direction_as_the_reference_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
