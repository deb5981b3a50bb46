/* Checkpoints: a run that was saved and taken up again ends with the same bits, in all that it
 * writes and all that it would save, for every model of the tree and every family of methods. */
#include "check.h"
#include "dalembert.h"
#include "folder.h"
#include "run/simulation.h"

#include <stdlib.h>
#include <string.h>

enum { HALF = 13, WHOLE = 2 * HALF + 3 };

/* "key=value" with ';' between them, besides what the models say themselves. */
static const char *const methods[] = {
    "",
    "scheme=trapezoid",
    "scheme=trapezoid;summation=plain",
    "scheme=rectangle(0)",
    "scheme=compose(trapezoid, yoshida(4));momentum=papers",
    "scheme=compose(midpoint, yoshida(4))",
    "scheme=gauss(2);force=trapezoid",
    "scheme=lobatto(3);ledger=yes",
    "scheme=shooting(rk4) with gauss(2)",
    "scheme=midpoint;principle=dirac-;momentum=papers",
    "scheme=midpoint;retraction=left;momentum=papers",
    "scheme=gauss(1);principle=energy",
    "scheme=gauss(2);principle=energy;on-breakdown=fixed",
    "scheme=gauss(2);principle=energy;on-breakdown=reset",
    "scheme=lobatto(3);principle=energy;on-breakdown=reset",
    "scheme=midpoint;interconnection=multipliers;solver=klu",
    "scheme=midpoint;interconnection=forces",
    "scheme=lobatto(3);solver=klu",
    "scheme=gauss(2);solver=klu;principle=energy",
    "scheme=radau(2);columns=energy",
};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct {
    dal_context *cx;
    dal_model   *m;
    dal_sim     *s;
    double      *row;
    size_t       rows, room, columns;
    long         stop; /* step from which on it is saved, once; -1: never */
    long         saved_at;
    const void  *saved;
    size_t       length;
} trial;

static dal_status take_row(void *self, dal_sim *s)
{
    trial *t = self;
    dal_columns(s, &t->columns);
    if ((t->rows + 1) * t->columns > t->room) {
        t->room = 2 * (t->rows + 1) * t->columns;
        t->row = realloc(t->row, t->room * sizeof *t->row);
        assert_non_null(t->row);
    }
    dal_row(s, t->row + t->rows++ * t->columns);
    return DAL_OK;
}

static dal_status after_step(void *self, dal_sim *s)
{
    trial *t = self;
    if (t->stop < 0 || dal_steps(s) < t->stop) return DAL_OK;
    t->stop = -1, t->saved_at = dal_steps(s);
    return dal_sim_save_to_memory(s, &t->saved, &t->length);
}

static dal_status run(trial *t)
{
    return dal_run(t->s, &(dal_observer){.row = take_row, .step = after_step, .self = t});
}

static void set_all(dal_options *o, const char *list)
{
    char words[256], *next = words;
    snprintf(words, sizeof words, "%s", list);
    while (next && *next) {
        char *key = next, *equals = strchr(key, '=');
        next = strchr(key, ';');
        if (next) *next++ = 0;
        *equals = 0;
        assert_int_equal(dal_options_set(o, key, equals + 1), DAL_OK);
    }
}

static bool begin(trial *t, const char *path, const char *list, const char *step, int whole)
{
    t->cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(t->cx);
    set_all(o, list);
    char steps[16];
    snprintf(steps, sizeof steps, "%d", whole);
    dal_options_set(o, "steps", steps), dal_options_set(o, "record", "4");
    dal_options_set(o, "monitor", "3");
    if (!dal_options_get(o, "backend")) dal_options_set(o, "backend", "vm");
    if (step) dal_options_set(o, "step", step);
    bool fine = !dal_model_load(t->cx, path, o, &t->m) && !dal_sim_new(t->m, o, &t->s);
    dal_options_free(o);
    return fine;
}

static void finish(trial *t)
{
    dal_sim_free(t->s), dal_model_free(t->m), dal_context_free(t->cx);
    free(t->row);
    *t = (trial){.stop = HALF};
}

/* What it would save at the end, without the times it took. */
static const void *last_words(trial *t, size_t *length)
{
    const void *bytes;
    t->s->mon.sum.run_seconds = t->s->mon.sum.record_seconds = 0;
    assert_int_equal(dal_sim_save_to_memory(t->s, &bytes, length), DAL_OK);
    return bytes;
}

static bool same_bytes(const void *a, const void *b, size_t n)
{
    return !n || !memcmp(a, b, n);
}

/* What stands before the first difference: the last name there is that of the field. */
static const char *first_difference(const char *a, const char *b, size_t n)
{
    static char told[121];
    size_t      at = 0, k = 0;
    while (at < n && a[at] == b[at]) at++;
    for (size_t from = at > 120 ? at - 120 : 0; from < at; from++)
        if (a[from] >= ' ') told[k++] = a[from];
    told[k] = 0;
    return told;
}

static bool goes_on(const trial *of, dal_status ended, const char *path, const char *list)
{
    trial           t = {.cx = dal_context_new(NULL), .stop = -1};
    dal_checkpoint *c = NULL;
    assert_int_equal(dal_checkpoint_parse(t.cx, of->saved, of->length, &c), DAL_OK);
    dal_status bad = dal_checkpoint_resume(c, &t.m, &t.s);
    if (bad) dal_report(t.cx, stderr, 0);
    assert_int_equal(bad, DAL_OK);
    dal_checkpoint_free(c);
    assert_int_equal(dal_steps(t.s), of->saved_at);
    bool same = run(&t) == ended && t.rows <= of->rows;
    same = same && same_bytes(of->row + (of->rows - t.rows) * of->columns, t.row,
                              t.rows * t.columns * sizeof *t.row);
    if (!same) print_error("%s (%s): the rows differ\n", path, list);
    trial       first = *of;
    size_t      n, k;
    const char *a = last_words(&first, &n), *b = last_words(&t, &k);
    if (same && (n != k || memcmp(a, b, n)))
        same = false, print_error("%s (%s): saved otherwise near %s\n", path, list,
                                  first_difference(a, b, n < k ? n : k));
    finish(&t);
    return same;
}

/* 1: the same bits; 0: others; -1: the method does not take the model */
static int try_at(const char *path, const char *list, int stop, int whole)
{
    trial t = {.stop = stop};
    int   result = -1;
    bool  fine = begin(&t, path, list, NULL, whole);
    if (!fine) finish(&t), fine = begin(&t, path, list, "0.01", whole); /* some name no step */
    if (fine) {
        dal_status  ended = run(&t);
        const void *bytes = t.saved;
        if (bytes) {
            void *copy = malloc(t.length);
            assert_non_null(copy);
            memcpy(copy, bytes, t.length);
            t.saved = copy;
            result = goes_on(&t, ended, path, list);
            free(copy);
        }
    }
    finish(&t);
    return result;
}

static int try(const char *path, const char *list)
{
    return try_at(path, list, HALF, WHOLE);
}

static void try_folder(const char *folder, int *tried, int *wrong, int *ran_at_all)
{
    const models all = models_of(folder);
    for (int i = 0; i < all.n; i++) {
        int ran = 0;
        for (int k = 0; k < METHODS; k++) {
            int same = try(all.path[i], methods[k]);
            *tried += same >= 0, *wrong += same == 0, ran += same >= 0;
        }
        *ran_at_all += ran > 0;
    }
}

static void every_model_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    int tried = 0, wrong = 0, ran = 0;
    try_folder(TEST_DATA "/../examples", &tried, &wrong, &ran);
    try_folder(TEST_DATA "/../examples/papers", &tried, &wrong, &ran);
    try_folder(TEST_DATA "/../examples/time", &tried, &wrong, &ran);
    try_folder(TEST_DATA "/models", &tried, &wrong, &ran);
    try_folder(TEST_DATA "/dirac", &tried, &wrong, &ran);
    try_folder(TEST_DATA "/connected", &tried, &wrong, &ran);
    print_message("%d models, %d runs taken up again\n", ran, tried);
    assert_int_equal(wrong, 0);
    assert_true(ran > 85 && tried > 1200);
}

/* Where contacts, diodes and friction hold, the steps are those of a mode. */
static void what_rests_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    static const struct {
        const char *model;
        int         stop[3];
    } of[] = {{"bouncing_ball", {120, 249, 260}}, {"stick_slip", {7, 60, 200}},
              {"rectifier", {2, 300, 800}},       {"hopper", {60, 240, 500}},
              {"dice", {150, 400, 700}},          {"backspin", {30, 60, 120}},
              {"cradle", {90, 170, 300}}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int k = 0; k < 3; k++) {
            char path[400];
            snprintf(path, sizeof path, TEST_DATA "/../examples/time/%s.dal", of[i].model);
            if (try_at(path, "", of[i].stop[k], of[i].stop[k] + 400) != 1)
                fail_msg("%s at step %d", path, of[i].stop[k]);
        }
}

/* Compiled engines make many steps in a call, and it is saved where such a call happens to end. */
static void compiled_steps_go_on_with_the_same_bits(void **state)
{
    static const char *const of[] = {"pendulum", "van_der_pol", "cartesian_pendulum",
                                     "papers/energy_well", "papers/energy_forced"};
    static const char *const by[] = {"backend=native", "backend=native;scheme=trapezoid",
                                     "backend=native;scheme=compose(midpoint, yoshida(4))"};
    int                      tried = 0;
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
            char path[512];
            snprintf(path, sizeof path, "%s/../examples/%s.dal", TEST_DATA, of[i]);
            int same = try(path, by[k]);
            assert_int_not_equal(same, 0);
            tried += same == 1;
        }
    print_message("%d runs by compiled steps\n", tried);
    assert_true(tried > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_goes_on_with_the_same_bits),
        cmocka_unit_test(what_rests_goes_on_with_the_same_bits),
        cmocka_unit_test(compiled_steps_go_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
