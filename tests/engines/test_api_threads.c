/* One model, many threads: each with a context of its own, all to the same bits as one after the
 * other. Under the thread sanitizer this is where shared state would show. */
#include "check.h"
#include "dalembert.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, RUNS = 6, COORDINATES = 5 };

/* Ties, relations, outputs, inputs and parameters: all that a model shares is in use. */
static const char *const text = "system Arm {\n"
                                "  parameter m = 1, g = 9.81, c = 0.1\n"
                                "  input u = 0\n"
                                "  coordinate a, b, x, y, w\n"
                                "  lagrangian m/2*(x'^2 + y'^2) + a'^2/2 + b'^2/2 - m*g*y\n"
                                "  force a: u - c*a'\n"
                                "  holonomic reach: x = cos(a) + cos(b)\n"
                                "  holonomic height: y = sin(a) + sin(b)\n"
                                "  connect w = 2*a\n"
                                "  output power = u*a'\n"
                                "  start a = 0.3, b = 0.9, x free, y free, w free\n"
                                "}\n"
                                "simulate {\n"
                                "  scheme = lobatto(3)\n"
                                "  step = 0.01\n"
                                "  steps = 60\n"
                                "}\n";

typedef struct {
    const dal_model *m;
    int              first;
    double (*end)[2 * COORDINATES];
    int failed;
} worker;

static int run_one(dal_context *cx, const dal_model *m, int i, double *end)
{
    char         start[32], name[16];
    dal_options *o = dal_options_new(cx);
    dal_sim     *s = NULL;
    double       power;
    snprintf(start, sizeof start, "a=%g", 0.3 + 0.01 * i);
    int bad = dal_options_set(o, "start", start) || dal_options_set(o, "set", "c=0.2") ||
              dal_sim_new(m, o, &s) || dal_set_input(s, "u", 0.1 * i) || dal_run(s, NULL) ||
              dal_measure(s, "power", &power) || dal_set_parameter(s, "m", 2) || dal_step(s);
    for (int k = 0; k < COORDINATES && !bad; k++) {
        end[k] = dal_q(s)[k], end[COORDINATES + k] = dal_p(s)[k];
        bad |= dal_model_name(m, DAL_COORDINATES, (size_t)k, name, sizeof name) != 1;
    }
    dal_sim_free(s), dal_options_free(o);
    return bad;
}

static void *work(void *self)
{
    worker      *w = self;
    dal_context *cx = dal_context_new(NULL);
    for (int i = w->first; i < THREADS * RUNS && !w->failed; i += THREADS)
        w->failed = run_one(cx, w->m, i, w->end[i]);
    if (w->failed) dal_report(cx, stderr, 0);
    dal_context_free(cx);
    return NULL;
}

static void threads_share_a_model_and_get_the_bits_of_one(void **state)
{
    (void)state;
    static double end[THREADS * RUNS][2 * COORDINATES], alone[2 * COORDINATES];
    dal_context  *cx = dal_context_new(NULL);
    dal_model    *m = NULL;
    pthread_t     thread[THREADS];
    worker        w[THREADS];
    if (dal_model_parse(cx, "arm.dal", text, NULL, &m)) dal_report(cx, stderr, 0);
    assert_non_null(m);
    for (int k = 0; k < THREADS; k++) {
        w[k] = (worker){m, k, end, 0};
        assert_int_equal(pthread_create(&thread[k], NULL, work, &w[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
    for (int k = 0; k < THREADS; k++) assert_int_equal(w[k].failed, 0);
    for (int i = 0; i < THREADS * RUNS; i++) {
        assert_int_equal(run_one(cx, m, i, alone), 0);
        assert_memory_equal(alone, end[i], sizeof alone);
    }
    dal_model_free(m), dal_context_free(cx);
}

/* Messages of one thread do not show in another's context. */
static void *fail_here(void *self)
{
    const dal_model *m = self;
    dal_context     *cx = dal_context_new(NULL);
    dal_options     *o = dal_options_new(cx);
    dal_sim         *s = NULL;
    dal_options_set(o, "set", "nothing=1");
    size_t bad = dal_sim_new(m, o, &s) == DAL_INVALID ? dal_message_count(cx) : 0;
    dal_options_free(o), dal_context_free(cx);
    return bad == 1 ? NULL : self;
}

static void messages_stay_in_their_thread(void **state)
{
    (void)state;
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = NULL;
    pthread_t    thread[THREADS];
    void        *wrong = NULL;
    assert_int_equal(dal_model_parse(cx, "arm.dal", text, NULL, &m), DAL_OK);
    for (int k = 0; k < THREADS; k++) pthread_create(&thread[k], NULL, fail_here, m);
    for (int k = 0; k < THREADS; k++) {
        void *got;
        pthread_join(thread[k], &got);
        if (got) wrong = got;
    }
    assert_null(wrong);
    assert_int_equal(dal_message_count(cx), 0);
    dal_model_free(m), dal_context_free(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_a_model_and_get_the_bits_of_one),
        cmocka_unit_test(messages_stay_in_their_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
