/* Steps that follow a pace: the states of independent programs (30 digits or another
 * implementation, and their settings), the closed form of Kepler's motion, which way is chosen,
 * what is refused, and that a run can be paused, resumed, extended and put. */
#include "api_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPLER(e)                                                                                  \
    "system Kepler {\n  parameter e = " e "\n  coordinate x, y\n  let r = sqrt(x^2 + y^2)\n"       \
    "  lagrangian (x'^2 + y'^2)/2 + 1/r\n  output angular = x*y' - y*x'\n"                         \
    "  start x = 1 - e, y' = sqrt((1 + e)/(1 - e))\n}\n"
static const char kepler[] = KEPLER("0.9");

/* Of the Lagrangian step of A1 in the notes, written apart from this program; dtau = 0.05, 100
 * steps. */
static void states_are_those_of_another_program(void **state)
{
    (void)state;
    static const struct {
        const char *scheme;
        double      t, q[2], p[2];
    } of[] = {{"gauss(1)",
               5.004050913322006,
               {-1.3784536946858186, -0.3810023968723697},
               {0.6139398780789058, -0.14652456593147234}},
              {"gauss(2)",
               5.004788944436374,
               {-1.3778449346927066, -0.38290492805201104},
               {0.6142706826208607, -0.14564964298063265}},
              {"gauss(3)",
               5.004788782890957,
               {-1.37784504822405, -0.3829049240768542},
               {0.6142705954927338, -0.14564965696465199}},
              {"lobatto(2)",
               5.000537271942243,
               {-1.3808113469969299, -0.38582703670822655},
               {0.6116989894412548, -0.1447553906152652}},
              {"lobatto(3)",
               5.004788231634448,
               {-1.3778455155758274, -0.38290489951416207},
               {0.6142702677254904, -0.14564970959914367}},
              {"lobatto(4)",
               5.004788782858246,
               {-1.3778450482489388, -0.3829049240606554},
               {0.6142705954751981, -0.14564965697408427}}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const setting set[] = {
            {"scheme", of[k].scheme}, {"step", "0.05"}, {"steps", "100"}, {"pace", "r^1.5"}, {0}};
        run r = begin_text(kepler, set);
        run_to_end(&r);
        assert_true(fabs(dal_time(r.s) - of[k].t) < 1e-11);
        assert_true(apart(dal_q(r.s), of[k].q, 2) < 1e-11);
        assert_true(apart(dal_p(r.s), of[k].p, 2) < 1e-11);
        assert_string_equal(dal_summarise(r.s)->pacing, "canonical");
        end(&r);
    }
}

/* The same from a Hamiltonian, g = r, dtau = 0.2, 100 steps of gauss(3). */
static void a_hamiltonian_is_paced_alike(void **state)
{
    (void)state;
    static const char   text[] = "system Kepler {\n  coordinate x, y\n"
                                 "  hamiltonian (p(x)^2 + p(y)^2)/2 - 1/sqrt(x^2 + y^2)\n"
                                 "  start x = 0.1, p(y) = sqrt(19)\n}\n";
    static const double q[] = {-0.49191800915711259, 0.39794602669123708},
                        p[] = {-1.4428720900764862, 0.2811349012257468};
    const setting set[] = {{"scheme", "gauss(3)"},
                           {"step", "0.2"},
                           {"steps", "100"},
                           {"pace", "sqrt(x^2 + y^2)"},
                           {0}};
    run           r = begin_text(text, set);
    run_to_end(&r);
    assert_true(fabs(dal_time(r.s) - 19.178346767740148) < 3e-13 * 19);
    assert_true(apart(dal_q(r.s), q, 2) < 3e-13);
    assert_true(apart(dal_p(r.s), p, 2) < 3e-12);
    end(&r);
}

/* Forces, moving rods, and an edge that slips: canonical steps on demand, of the same program, with
 * E - E0 in the equations. The sleigh starts where its 17 digits say. dtau = 1/16, 16 steps. */
static void forced_states_are_those_of_another_program(void **state)
{
    (void)state;
    static const char pendulum[] =
        "system Double {\n  coordinate x, y, X, Y\n"
        "  lagrangian (x'^2 + y'^2)/2 + 0.35*(X'^2 + Y'^2) - 3*(y + 0.7*Y) - 0.1*(x^4 + X^4)\n"
        "  force x: -0.3*x'\n  force y: -0.3*y'\n"
        "  force X: -0.3*X'*(1 + Y^2) + 0.27*cos(2*t)\n  force Y: -0.3*Y'\n"
        "  holonomic (x - 0.2*sin(t))^2 + y^2 = 1\n"
        "  holonomic (X - x)^2 + (Y - y)^2 = (0.8 + 0.1*sin(2*t))^2\n"
        "  start x = sin(0.6), y = -cos(0.6), X = sin(0.6) + 0.8*sin(1.1), "
        "Y = -cos(0.6) - 0.8*cos(1.1), x' = 0.7375271592166497, y' = 0.36774211510345534, "
        "X' = 0.535239169127642, Y' = -0.47062604471281416\n}\n";
    static const char sleigh[] =
        "system Sleigh {\n  coordinate x, y, a\n"
        "  lagrangian ((x' - 0.3*sin(a)*a')^2 + (y' + 0.3*cos(a)*a')^2)/2 + 0.1*a'^2 - "
        "1.5*(x + 0.3*cos(a)) - cos(y)/2\n"
        "  force x: -0.2*x'\n  force y: -0.2*y'*(1 + x^2)\n  force a: -0.1*a' + 0.5*cos(2*t)\n"
        "  constraint -sin(a)*x' + cos(a)*y' + 0.1*cos(t)*a' = 0.2 - 0.1*x*sin(t)\n"
        "  start x = 0.1, y = 0.2, a = 0.4, x' = 0.7218627915297885, y' = 0.4848118773130144, "
        "a' = 0.3456530202949543\n}\n";
    static const char by_x[] = "(1 + 0.5*x^2 + 0.2*Y)*(1 + 0.3*sin(t))",
                      by_y[] = "(1 + 0.4*y^2 + 0.3*cos(a))*(1 + 0.3*sin(t))";
    static const struct {
        const char *text, *pace, *scheme;
        size_t      n;
        double      t, q[4], p[4];
    } of[] = {
        {pendulum,
         by_x,
         "gauss(2)",
         4,
         1.0338651368019085,
         {0.41036595429615386, -0.971140171721599, 0.6771432737103454, -1.8180196572369673},
         {-1.0769824842235094, -0.2896287432775626, -0.6657862461889096, -0.10501131259898612}},
        {pendulum,
         by_x,
         "gauss(3)",
         4,
         1.0338650373193992,
         {0.4103661930426731, -0.9711401105865823, 0.6771433769061046, -1.8180196487468785},
         {-1.076980262730569, -0.28962852239064973, -0.6657865961909357, -0.10501180319198472}},
        {sleigh,
         by_y,
         "gauss(2)",
         3,
         1.4309883683314166,
         {0.23927571318915877, 0.8205103544226414, 1.9673942685877428},
         {-0.7187991057707788, 0.6232477226521899, 0.2986314988989984}},
        {sleigh,
         by_y,
         "gauss(3)",
         3,
         1.430988373377484,
         {0.23927547812396788, 0.8205106214559649, 1.967392971805308},
         {-0.7187981660201004, 0.623248049600114, 0.29863159468489486}}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const setting set[] = {{"scheme", of[k].scheme}, {"step", "1/16"},        {"steps", "16"},
                               {"pace", of[k].pace},     {"pacing", "canonical"}, {0}};
        run           r = begin_text(of[k].text, set);
        run_to_end(&r);
        assert_true(fabs(dal_time(r.s) - of[k].t) < 1e-12);
        assert_true(apart(dal_q(r.s), of[k].q, of[k].n) < 1e-12);
        assert_true(apart(dal_p(r.s), of[k].p, of[k].n) < 1e-12);
        end(&r);
    }
}

typedef struct {
    const char *model, *scheme, *pacing, *pace, *step;
    long        steps;
    double      error, energy;
} figure;

/* Ten revolutions end where they began. */
static void ten_revolutions(void **state)
{
    (void)state;
    static const figure of[] = {
        {KEPLER("0.9"), "gauss(3)", "canonical", "r^1.5", "0.1", 837, 7e-9, 7e-10},
        {KEPLER("0.9"), "gauss(3)", "canonical", "r^1.5", "0.05", 1674, 1.1e-10, 1.1e-11},
        {KEPLER("0.9"), "gauss(3)", "plain", "r^1.5", "0.1", 837, 8.5e-7, 3.5e-9},
        {KEPLER("0.9"), "gauss(3)", "density", "r^1.5", "0.1", 838, 1.9e-5, 7e-8},
        {KEPLER("0.9"), "gauss(2)", "canonical", "r^1.5", "0.1", 837, 2.6e-5, 1e-5},
        {KEPLER("0.99"), "gauss(3)", "canonical", "r^1.5", "0.1", 1145, 6.5e-9, 1.1e-8},
        {KEPLER("0.99"), "gauss(3)", "canonical", "r^1.5", "0.05", 2290, 7e-11, 1.7e-10}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const setting set[] = {{"scheme", of[k].scheme},
                               {"step", of[k].step},
                               {"until", "20*pi"},
                               {"pace", of[k].pace},
                               {"pacing", of[k].pacing},
                               {"monitor", "1"},
                               {0}};
        run           r = begin_text(of[k].model, set);
        double        q[2] = {dal_q(r.s)[0], dal_q(r.s)[1]};
        run_to_end(&r);
        const dal_summary *sum = dal_summarise(r.s);
        const double       off = hypot(dal_q(r.s)[0] - q[0], dal_q(r.s)[1] - q[1]),
                     energy = fmax(sum->energy.max + 0.5, -0.5 - sum->energy.min) / 0.5;
        if (labs(sum->steps - of[k].steps) > 1 || off > of[k].error || energy > of[k].energy)
            fail_msg("%s %s: %ld steps, %.2e, energy %.2e", of[k].scheme, of[k].pacing, sum->steps,
                     off, energy);
        end(&r);
    }
}

/* The momentum of a symmetry that the pace has too is kept, and not if it has not. */
static void momentum_is_kept_where_the_pace_is_symmetric(void **state)
{
    (void)state;
    static const char *const pace[] = {"r^1.5", "(x^2 + 2*y^2)^0.75"};
    double                   off[2];
    for (int k = 0; k < 2; k++) {
        const setting set[] = {
            {"scheme", "gauss(2)"}, {"step", "0.05"}, {"steps", "400"}, {"pace", pace[k]}, {0}};
        run          r = begin_text(kepler, set);
        const double before = measure(&r, "angular");
        off[k] = 0;
        for (int i = 0; i < 400; i++) {
            must(&r, dal_step(r.s));
            off[k] = fmax(off[k], fabs(measure(&r, "angular") - before));
        }
        end(&r);
    }
    if (!(off[0] < 1e-13 && off[1] > 1e-8)) fail_msg("%.2e %.2e", off[0], off[1]);
}

/* There and back again, by the same steps. */
static void steps_are_reversible(void **state)
{
    (void)state;
    const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.1"},     {"steps", "60"},
                           {"pace", "r^1.5"},      {"pacing", "plain"}, {0}};
    run           r = begin_text(kepler, set);
    double        q[2] = {dal_q(r.s)[0], dal_q(r.s)[1]};
    run_to_end(&r);
    double back[2] = {dal_q(r.s)[0], dal_q(r.s)[1]}, p[2] = {-dal_p(r.s)[0], -dal_p(r.s)[1]};
    must(&r, dal_set_state(r.s, dal_time(r.s), back, NULL, p));
    must(&r, dal_advance(r.s, 60));
    assert_true(apart(q, dal_q(r.s), 2) < 1e-12);
    end(&r);
}

static void the_way_is_chosen(void **state)
{
    (void)state;
    static const struct {
        const char *rest, *scheme, *pace, *way;
    } of[] = {{"", "gauss(2)", "1 + x^2", "canonical"},
              {"*(1 + 0.1*cos(t))", "gauss(2)", "1 + x^2", "canonical"},
              {"*(1 + 0.1*cos(t))", "lobatto(3)", "1 + x^2", "density"},
              {"", "gauss(2)", "1 + x^2 + x'^2", "density"},
              {"", "shooting(rk4) with gauss(2)", "1 + x^2", "density"},
              {"\n  force x: -x'", "gauss(2)", "1 + x^2", "density"},
              {"\n  constraint x' = y*y'", "gauss(2)", "1 + x^2", "density"},
              {"\n  holonomic x^2 + y^2 = 1", "gauss(2)", "1 + x^2", "canonical"}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char          text[400];
        const setting set[] = {
            {"scheme", of[k].scheme}, {"step", "0.1"}, {"until", "1"}, {"pace", of[k].pace}, {0}};
        snprintf(text, sizeof text, "%s%s\n  start x = 1\n}\n",
                 "system A {\n  coordinate x, y\n  lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2)/2",
                 of[k].rest);
        run r = begin_text(text, set);
        run_to_end(&r);
        assert_string_equal(dal_summarise(r.s)->pacing, of[k].way);
        assert_true(dal_time(r.s) == 1);
        end(&r);
    }
}

/* `check` says which way will be taken, and why not the canonical one. */
static void check_tells_the_way(void **state)
{
    (void)state;
    static const struct {
        const char *rest, *pacing, *said;
    } of[] = {{"", NULL, "pacing       canonical, symplectic"},
              {"\n  force x: -x'", NULL, "pacing       density, not canonical: forces do work"},
              {"", "plain", "pacing       plain, as it was asked for"}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char          text[400], said[4000] = "";
        const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.1"},          {"until", "1"},
                               {"pace", "1 + x^2"},    {"pacing", of[k].pacing}, {0}};
        snprintf(text, sizeof text,
                 "system A {\n  coordinate x\n  lagrangian x'^2/2 - x^4%s\n  start x = 1\n}\n",
                 of[k].rest);
        run   r = begin_text(text, set);
        FILE *out = tmpfile();
        must(&r, dal_check(r.m, r.o, out));
        rewind(out);
        said[fread(said, 1, sizeof said - 1, out)] = 0;
        fclose(out);
        assert_non_null(strstr(said, of[k].said));
        assert_non_null(strstr(said, "pace         1 + x^2, the first step is 0.2 long"));
        assert_non_null(strstr(said, "one step of 0.2 from the start"));
        end(&r);
    }
}

static dal_status count_row(void *rows, dal_sim *s)
{
    (void)s;
    ++*(int *)rows;
    return DAL_OK;
}

/* The end is one of the times that are asked for: it has one row. */
static void the_end_is_recorded_once(void **state)
{
    (void)state;
    static const char *const until[] = {"7", "7.5"}, *const pacing[] = {"canonical", "density"};
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            const setting set[] = {{"scheme", "gauss(2)"},
                                   {"step", "0.1"},
                                   {"until", until[a]},
                                   {"record", "times 1"},
                                   {"pace", "1 + x^2"},
                                   {"pacing", pacing[b]},
                                   {0}};
            run           r = begin_text("system A {\n  coordinate x\n  lagrangian x'^2/2 - x^4\n"
                                                   "  start x = 1\n}\n",
                                         set);
            int           rows = 0;
            must(&r, dal_run(r.s, &(dal_observer){.row = count_row, .self = &rows}));
            assert_int_equal(rows, 8 + a);
            end(&r);
        }
}

/* A connected system is paced as the same written at once. */
static void ties_are_eliminated(void **state)
{
    (void)state;
    static const char
        whole[] =
            "system W {\n  coordinate x\n  lagrangian 3*x'^2/2 - x^2/2 - x^4/4\n  start x = 1\n}\n",
        parts[] = "system M {\n  parameter m = 1\n  coordinate x\n  lagrangian m*x'^2/2\n}\n"
                  "system W {\n  part a : M\n  part b : M(m = 2)\n  connect a.x = b.x\n"
                  "  lagrangian -a.x^2/2 - b.x^4/4\n  start a.x = 1, b.x = 1\n}\n";
    static const char *const way[] = {"canonical", "plain", "density"};
    for (int k = 0; k < 3; k++) {
        setting set[] = {{"scheme", "gauss(2)"},  {"step", "0.1"},    {"until", "5"},
                         {"pace", "1/(1 + x^2)"}, {"pacing", way[k]}, {0}};
        run     a = begin_text(whole, set);
        set[3].value = "1/(1 + a.x*b.x)";
        run b = begin_text(parts, set);
        run_to_end(&a), run_to_end(&b);
        assert_int_equal(dal_summarise(a.s)->steps, dal_summarise(b.s)->steps);
        assert_true(fabs(dal_q(a.s)[0] - dal_q(b.s)[1]) < 1e-13);
        assert_true(fabs(2 * dal_p(a.s)[0] / 3 - dal_p(b.s)[1]) < 1e-13);
        end(&a), end(&b);
    }
}

/* At a checkpoint in the middle, to the same bits; and to a later end, as if it had been so from
 * the beginning. */
static void runs_are_resumed_and_extended(void **state)
{
    (void)state;
    static const char *const way[] = {"canonical", "plain", "density"};
    for (int k = 0; k < 3; k++) {
        setting set[] = {{"scheme", "gauss(2)"},
                         {"step", "0.1"},
                         {"until", "7"},
                         {"pace", "r^1.5"},
                         {"pacing", way[k]},
                         {"record", "times 0.37"},
                         {0}};
        run     a = begin_text(kepler, set), b = begin_text(kepler, set);
        run_to_end(&a);
        must(&b, dal_advance(b.s, 40));
        const void     *bytes;
        size_t          length;
        dal_checkpoint *c;
        must(&b, dal_sim_save_to_memory(b.s, &bytes, &length));
        must(&b, dal_checkpoint_parse(b.cx, bytes, length, &c));
        dal_sim_free(b.s), dal_model_free(b.m), b.s = NULL, b.m = NULL;
        must(&b, dal_checkpoint_resume(c, &b.m, &b.s));
        dal_checkpoint_free(c);
        run_to_end(&b);
        assert_memory_equal(dal_q(a.s), dal_q(b.s), 2 * sizeof(double));
        assert_memory_equal(dal_p(a.s), dal_p(b.s), 2 * sizeof(double));
        set[2].value = "9";
        run d = begin_text(kepler, set);
        run_to_end(&d);
        must(&a, dal_sim_extend(a.s, "until", "9", NULL));
        run_to_end(&a);
        assert_true(dal_time(a.s) == 9);
        assert_memory_equal(dal_q(a.s), dal_q(d.s), 2 * sizeof(double));
        end(&a), end(&b), end(&d);
    }
}

/* A state that is put may have another energy, a parameter change it: the steps that follow are
 * those of a run that begins there, and a checkpoint has them, too. */
static void another_energy_is_kept(void **state)
{
    (void)state;
    static const char *const way[] = {"canonical", "plain", "density"};
    for (int k = 0; k < 3; k++) {
        const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.1"},    {"until", "3"},
                               {"pace", "r^1.5"},      {"pacing", way[k]}, {0}};
        const double  q[2] = {0.7, 0.2}, p[2] = {0.1, 1.3};
        run           a = begin_text(kepler, set),
            b = begin_text("system Kepler {\n  coordinate x, y\n  let r = sqrt(x^2 + y^2)\n"
                           "  lagrangian (x'^2 + y'^2)/2 + 1/r\n"
                           "  start x = 0.7, y = 0.2, x' = 0.1, y' = 1.3\n}\n",
                           set);
        run_to_end(&a); /* what it shows at its end is no state of its steps */
        must(&a, dal_set_state(a.s, 0, q, NULL, p));
        must(&a, dal_advance(a.s, 10)), must(&b, dal_advance(b.s, 10));
        assert_memory_equal(dal_q(a.s), dal_q(b.s), 2 * sizeof(double));
        run_to_end(&b);
        check_goes_on_to(&a, &b);
        end(&a), end(&b);
    }
}

/* The energy that a run loses is what the forces of the model itself take. */
static void work_is_that_of_the_model(void **state)
{
    (void)state;
    static const char        text[] = "system Damped {\n  coordinate x, y\n"
                                      "  lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^4 + x*y/3\n"
                                      "  force x: -0.3*x'\n  force y: -0.2*y'*x^2\n"
                                      "  start x = 2, y = 0.3, y' = 1\n}\n";
    static const char *const way[] = {"plain", "density"}, *const by[] = {
                                                               "gauss(3)", "lobatto(4)",
                                                               "compose(gauss(2), yoshida(6))"};
    for (int k = 0; k < 6; k++) {
        const setting set[] = {{"scheme", by[k / 2]},   {"step", "0.02"},       {"until", "12"},
                               {"pace", "1/(1 + x^2)"}, {"pacing", way[k % 2]}, {0}};
        run           r = begin_text(text, set);
        must(&r, dal_advance(r.s, 600));
        const dal_summary *sum = dal_summarise(r.s);
        const double       left = measure(&r, "energy") - sum->energy.first - sum->work;
        if (!(sum->work < -5 && fabs(left) < 1e-8)) fail_msg("%s: %.1e", by[k / 2], left);
        run_to_end(&r);
        assert_int_equal(dal_message_count(r.cx), 0);
        end(&r);
    }
}

/* Members of a sweep are those runs. */
static dal_status keep_member(void *self, const dal_member *m)
{
    double *x = self;
    x[m->index] = m->status ? (double)NAN : m->value[2]; /* e, t, x, ... */
    return DAL_OK;
}

static void members_are_runs(void **state)
{
    (void)state;
    static const char *const e[] = {"e=0.5", "e=0.9"};
    double                   x[2] = {NAN, NAN};
    setting                  set[] = {
                         {"scheme", "gauss(2)"}, {"step", "0.1"}, {"until", "3"}, {"pace", "r^1.5"}, {0}, {0}};
    run        all = with_settings(set);
    dal_sweep *w = NULL;
    must(&all, dal_model_parse(all.cx, "test.dal", kepler, all.o, &all.m));
    must(&all, dal_sweep_new(all.m, all.o, &w));
    must(&all, dal_sweep_set(w, "grid", "e=0.5,0.9"));
    must(&all, dal_sweep_run(w, &(dal_sweep_observer){.member = keep_member, .self = x}));
    for (int k = 0; k < 2; k++) {
        set[4] = (setting){"set", e[k]};
        run r = begin_text(kepler, set);
        run_to_end(&r);
        assert_true(dal_q(r.s)[0] == x[k]);
        end(&r);
    }
    dal_sweep_free(w);
    end(&all);
}

/* A run that was ended and goes on has the rows of one that was not. */
typedef struct {
    double t[400];
    int    n;
} row_times;

static dal_status note_row(void *self, dal_sim *s)
{
    row_times *x = self;
    assert_true(x->n < 400);
    x->t[x->n++] = dal_time(s);
    return DAL_OK;
}

static void a_later_end_has_the_same_rows(void **state)
{
    (void)state;
    setting set[] = {
        {"scheme", "gauss(2)"}, {"step", "0.1"}, {"until", "6"}, {"pace", "r^1.5"}, {0}};
    row_times a = {.n = 0}, b = {.n = 0};
    run       r = begin_text(kepler, set);
    int       spare = 0;
    must(&r, dal_run(r.s, &(dal_observer){.row = note_row, .self = &a}));
    assert_true(a.t[a.n - 1] == 6);
    const void     *bytes;
    size_t          length;
    dal_checkpoint *c;
    must(&r, dal_sim_save_to_memory(r.s, &bytes, &length));
    must(&r, dal_checkpoint_parse(r.cx, bytes, length, &c));
    dal_sim_free(r.s), dal_model_free(r.m), r.s = NULL, r.m = NULL;
    must(&r, dal_checkpoint_resume(c, &r.m, &r.s));
    dal_checkpoint_free(c);
    must(&r, dal_sim_extend(r.s, "until", "9", &spare));
    assert_int_equal(spare, 1);
    a.n--;
    must(&r, dal_run(r.s, &(dal_observer){.row = note_row, .self = &a}));
    end(&r);
    set[2].value = "9";
    r = begin_text(kepler, set);
    must(&r, dal_run(r.s, &(dal_observer){.row = note_row, .self = &b}));
    end(&r);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.t, b.t, (size_t)a.n * sizeof *a.t);
}

/* States at requested times lie between steps of any length. */
static dal_status compare(void *self, dal_sim *s)
{
    double *most = self, e = 0.9, t = dal_time(s), E = t < 3 ? 3 : t;
    for (int k = 0; k < 200; k++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    *most = fmax(*most, hypot(dal_q(s)[0] - cos(E) + e, dal_q(s)[1] - sqrt(1 - e * e) * sin(E)));
    return DAL_OK;
}

static void times_are_those_asked_for(void **state)
{
    (void)state;
    static const char *const way[] = {"canonical", "density"};
    static const double      most[] = {1e-8, 1e-5};
    for (int k = 0; k < 2; k++) {
        const setting      set[] = {{"scheme", "gauss(3)"},
                                    {"step", "0.05"},
                                    {"until", "6"},
                                    {"pace", "r^1.5"},
                                    {"pacing", way[k]},
                                    {"record", "times 0.3"},
                                    {0}};
        run                r = begin_text(kepler, set);
        double             off = 0;
        const dal_observer o = {.row = compare, .self = &off};
        must(&r, dal_run(r.s, &o));
        assert_true(off < most[k]);
        end(&r);
    }
}

/* Where the orbit leads to g = 0, which no step of tau would pass: said with the place, the time
 * and the pace, and what was recorded till then stays. A pace that turns before goes on. */
static void a_pace_that_ends(void **state)
{
    (void)state;
    static const char *const        way[] = {"canonical", "plain", "density"},
                             *const by[] = {"gauss(2)", "lobatto(3)",
                                            "compose(midpoint, yoshida(4))"},
                             *const step[] = {"0.01", "0.05", "0.2"};
    static const char               text[] = "simulate {\n  pace = 0.4 + x\n}\n" KEPLER("0.5");
    for (int k = 0; k < 27; k++) {
        setting     set[] = {{"scheme", by[k / 3 % 3]},
                             {"step", step[k / 9]},
                             {"until", "10"},
                             {"pacing", way[k % 3]},
                             {0},
                             {0}};
        row_times   rows = {.n = 0};
        run         r = begin_text(text, set);
        dal_message said = {0};
        assert_int_equal(dal_run(r.s, &(dal_observer){.row = note_row, .self = &rows}),
                         DAL_DIVERGED);
        for (size_t i = 0; i < dal_message_count(r.cx); i++)
            if (dal_message_at(r.cx, i).severity == DAL_ERROR) said = dal_message_at(r.cx, i);
        assert_true(strstr(said.text, "the pace goes to 0") && strstr(said.text, "at t = 0."));
        assert_int_equal(said.line, 2), assert_int_equal(said.column, 10);
        assert_true(rows.n == dal_steps(r.s) + 1 && dal_time(r.s) > 0.7 && dal_time(r.s) < 0.974);
        end(&r);
        if (k >= 18) continue;
        set[4] = (setting){"pace", "1.6 + x"};
        r = begin_text(text, set);
        run_to_end(&r);
        end(&r);
    }
}

static void refused(const char *model, const char *pace, const char *key, const char *value,
                    const char *words)
{
    const setting set[] = {{"scheme", "gauss(2)"}, {"step", "0.1"}, {"until", "3"},
                           {"pace", pace},         {key, value},    {0}};
    run           r = with_settings(set);
    int           found = 0;
    r.status = try_text(&r, model);
    if (!r.status) r.status = dal_run(r.s, NULL);
    if (!r.status) fail_msg("%s, %s: not refused", pace, words);
    for (size_t i = 0; i < dal_message_count(r.cx); i++)
        found |= strstr(dal_message_at(r.cx, i).text, words) != NULL;
    if (!found) dal_report(r.cx, stderr, 0);
    if (!found) fail_msg("%s: %s", pace, words);
    end(&r);
}

static void what_is_no_pace(void **state)
{
    (void)state;
    static const char driven[] =
        "system A {\n  coordinate x\n  input u = 1\n  lagrangian x'^2/2 + u*x\n}\n";
    refused(kepler, "x - 1", NULL, NULL, "must be positive and finite");
    refused(kepler, "0.4 - t", NULL, NULL, "the pace goes to 0");
    refused(kepler, "1 - 2*t", "pacing", "density", "the pace goes to 0");
    refused(kepler, "1/y", NULL, NULL, "must be positive and finite");
    refused(kepler, "q", NULL, NULL, "unknown name 'q'");
    refused(driven, "u", NULL, NULL, "an input cannot be used");
    refused(kepler, "r", "principle", "energy", "there is no pace");
    refused(kepler, "r", "momentum", "papers", "there is no pace");
    refused(kepler, "r", "lyapunov", "1", "lyapunov");
    refused(kepler, "r", "ledger", "yes", "ledger");
    refused(kepler, "1 + x'^2", "pacing", "canonical", "the pace holds velocities");
    refused(kepler, NULL, "pacing", "density", "none is given");
    refused(driven, "1 + x^2", "pacing", "canonical", "inputs may change the energy");
}

/* A spring pendulum whose pace follows the spring. */
static void fast_vibrations_are_warned_of(void **state)
{
    (void)state;
    static const char text[] =
        "system Spring {\n  coordinate x, y\n  let r = sqrt(x^2 + y^2)\n"
        "  lagrangian (x'^2 + y'^2)/2 - 500*(r - 1)^2 - y\n  start x = 1.05\n}\n";
    const setting set[] = {{"scheme", "gauss(3)"},
                           {"step", "0.05"},
                           {"until", "2"},
                           {"pace", "1/sqrt(1 + 0.01*1e6*(r - 1)^2)"},
                           {0}};
    run           r = begin_text(text, set);
    int           warned = 0;
    dal_run(r.s, NULL);
    for (size_t i = 0; i < dal_message_count(r.cx); i++)
        warned |= strstr(dal_message_at(r.cx, i).text, "follows a vibration") != NULL;
    assert_true(warned);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_are_those_of_another_program),
        cmocka_unit_test(a_hamiltonian_is_paced_alike),
        cmocka_unit_test(forced_states_are_those_of_another_program),
        cmocka_unit_test(ten_revolutions),
        cmocka_unit_test(momentum_is_kept_where_the_pace_is_symmetric),
        cmocka_unit_test(steps_are_reversible),
        cmocka_unit_test(the_way_is_chosen),
        cmocka_unit_test(check_tells_the_way),
        cmocka_unit_test(the_end_is_recorded_once),
        cmocka_unit_test(ties_are_eliminated),
        cmocka_unit_test(runs_are_resumed_and_extended),
        cmocka_unit_test(another_energy_is_kept),
        cmocka_unit_test(work_is_that_of_the_model),
        cmocka_unit_test(members_are_runs),
        cmocka_unit_test(a_later_end_has_the_same_rows),
        cmocka_unit_test(times_are_those_asked_for),
        cmocka_unit_test(what_is_no_pace),
        cmocka_unit_test(a_pace_that_ends),
        cmocka_unit_test(fast_vibrations_are_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
