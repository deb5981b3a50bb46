/* test_api_scale.c - many parts: tied together they move as the same system written in one sum, and
 * their steps take no memory. */
#include "check.h"
#include "dalembert.h"

#include <stdbool.h>
#include <stdlib.h>

enum { SPRINGS = 20000, STEPS = 10 };

static const char *const tied =
    "system Spring {\n"
    "  parameter k = 1\n"
    "  coordinate a, b\n"
    "  lagrangian (a'^2 + b'^2)/4 - k/2*(b - a)^2 - (b - a)^4/4\n"
    "}\n"
    "system Chain {\n"
    "  parameter N = 20000\n"
    "  part s[k in 1..N] : Spring(k = 1 + k/N)\n"
    "  for k in 1..N-1 { connect s[k].b = s[k+1].a }\n"
    "  for k in 1..N { start s[k].a = 0.5*sin(0.3*k), s[k].a' = cos(0.7*k) }\n"
    "  start s[N].b = 0.5*sin(0.3*(N + 1)), s[N].b' = cos(0.7*(N + 1))\n"
    "}\n";
static const char *const whole =
    "system Chain {\n"
    "  parameter N = 20000\n"
    "  coordinate x[N + 1]\n"
    "  lagrangian sum(k in 2..N: x[k]'^2/2) + x[1]'^2/4 + x[N + 1]'^2/4\n"
    "  lagrangian -sum(k in 1..N: (1 + k/N)/2*(x[k+1] - x[k])^2 + (x[k+1] - x[k])^4/4)\n"
    "  for k in 1..N+1 { start x[k] = 0.5*sin(0.3*k), x[k]' = cos(0.7*k) }\n"
    "}\n";

typedef struct { /* of the allocator */
    long   calls;
    size_t held, most;
} account;

enum { HEAD = 16 }; /* bytes before each block, for its size */

static void *counted(void *self, void *p, size_t size)
{
    account *a = self;
    char    *block = p ? (char *)p - HEAD : NULL;
    a->calls++;
    if (block) a->held -= *(size_t *)(void *)block;
    if (!size) return free(block), NULL;
    block = realloc(block, size + HEAD);
    if (!block) return NULL;
    *(size_t *)(void *)block = size, a->held += size;
    if (a->held > a->most) a->most = a->held;
    return block + HEAD;
}

typedef struct {
    account      bytes;
    dal_context *cx;
    dal_model   *m;
    dal_sim     *s;
} motion;

static void begin(motion *of, const char *text, const char *scheme, const char *summation)
{
    *of = (motion){0};
    of->cx = dal_context_new(&(dal_allocator){counted, &of->bytes});
    dal_options *o = dal_options_new(of->cx);
    assert_int_equal(dal_options_set(o, "scheme", scheme), DAL_OK);
    assert_int_equal(dal_options_set(o, "summation", summation), DAL_OK);
    assert_int_equal(dal_options_set(o, "step", "0.1"), DAL_OK);
    assert_int_equal(dal_options_set(o, "steps", "10"), DAL_OK);
    assert_int_equal(dal_model_parse(of->cx, "chain", text, o, &of->m), DAL_OK);
    assert_int_equal(dal_sim_new(of->m, o, &of->s), DAL_OK);
    dal_options_free(o);
}

static void end(motion *of)
{
    dal_sim_free(of->s), dal_model_free(of->m), dal_context_free(of->cx);
}

static void run(motion *of)
{
    long before = of->bytes.calls;
    for (int k = 0; k < STEPS; k++) assert_int_equal(dal_step(of->s), DAL_OK);
    assert_int_equal(of->bytes.calls, before);
}

static double farthest(motion *parts, motion *one)
{
    const double *q = dal_q(parts->s), *x = dal_q(one->s);
    double        far = 0;
    for (int k = 0; k < SPRINGS; k++) {
        far = fmax(far, fabs(q[2 * k] - x[k]));
        far = fmax(far, fabs(q[2 * k + 1] - x[k + 1]));
    }
    return far;
}

static void compare(const char *scheme, const char *summation, bool is_explicit)
{
    motion parts, one;
    begin(&parts, tied, scheme, summation), begin(&one, whole, scheme, summation);
    double start = farthest(&parts, &one);
    assert_true(start == 0);
    run(&parts), run(&one);
    assert_int_equal(dal_summarise(parts.s)->is_explicit, is_explicit);
    assert_int_equal(dal_summarise(one.s)->is_explicit, is_explicit);
    double far = farthest(&parts, &one);
    if (!(far < 2e-14)) fail_msg("%s, %s: parts are %g from the whole", scheme, summation, far);
    end(&parts), end(&one);
}

static void tied_parts_move_as_one_sum_in_explicit_steps(void **state)
{
    (void)state;
    compare("trapezoid", "compensated", true);
    compare("trapezoid", "plain", true);
    compare("compose(trapezoid, suzuki(4))", "compensated", true);
}

static void tied_parts_move_as_one_sum_in_implicit_steps(void **state)
{
    (void)state;
    compare("midpoint", "compensated", false);
    compare("lobatto(3)", "compensated", false);
}

/* 64-bit numbers and pointers are meant; a part has a parameter of its own here, and a start of its
 * velocity */
static void a_part_takes_little_memory(void **state)
{
    (void)state;
    static const char *const schemes[] = {"midpoint", "trapezoid"};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        motion parts;
        begin(&parts, tied, schemes[k], "compensated");
        size_t each = parts.bytes.most / SPRINGS;
        if (each > 1350) fail_msg("%s: %zu bytes a part at the most", schemes[k], each);
        end(&parts);
    }
}

/* what is monitored is evaluated on demand, and must not disturb the steps */
static void looking_at_explicit_steps_does_not_change_them(void **state)
{
    (void)state;
    motion watched, alone;
    begin(&watched, tied, "trapezoid", "compensated"),
        begin(&alone, tied, "trapezoid", "compensated");
    assert_int_equal(dal_run(watched.s, NULL), DAL_OK);
    run(&alone);
    for (int i = 0; i < 2 * SPRINGS; i++) assert_true(dal_q(watched.s)[i] == dal_q(alone.s)[i]);
    assert_true(dal_summarise(watched.s)->power_error < 1e-10);
    assert_true(dal_summarise(watched.s)->dirac_residual < 1e-13);
    end(&watched), end(&alone);
}

/* Terms that each hold the one before it, of more than 256 coordinates: as one term they take some
 * 10^5 entries, by themselves some 10^7. The step is the one of F_i = -cos x_i sum_{k >= i} S_k,
 * S_k = sum_{j <= k} sin x_j. */
static void nested_sums_take_the_memory_of_their_entries(void **state)
{
    (void)state;
    enum { N = 260 };
    static const char *const nested =
        "system Sums {\n parameter N = 260\n coordinate x[N]\n"
        " lagrangian sum(k in 1..N: x[k]'^2/2) - sum(k in 1..N: sum(j in 1..k: sin(x[j]))^2/2)\n"
        " for k in 1..N { start x[k] = 0.01*sin(k) }\n}\n";
    const double h = 0.1;
    double       x[2][N], F[2][N], S[N];
    motion       of;
    begin(&of, nested, "trapezoid", "compensated");
    assert_true(of.bytes.most < 200000000);
    assert_int_equal(dal_step(of.s), DAL_OK);
    for (int at = 0; at < 2; at++) {
        double sum = 0;
        for (int i = 0; i < N; i++) {
            x[at][i] = at ? x[0][i] + h * h / 2 * F[0][i] : 0.01 * sin(i + 1);
            S[i] = (i ? S[i - 1] : 0) + sin(x[at][i]);
        }
        for (int i = N; i-- > 0;) sum += S[i], F[at][i] = -cos(x[at][i]) * sum;
    }
    for (int i = 0; i < N; i++) {
        check_close(dal_q(of.s)[i], x[1][i], 1e-13);
        check_close(dal_p(of.s)[i], h / 2 * (F[0][i] + F[1][i]), 1e-12);
    }
    end(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tied_parts_move_as_one_sum_in_explicit_steps),
        cmocka_unit_test(tied_parts_move_as_one_sum_in_implicit_steps),
        cmocka_unit_test(a_part_takes_little_memory),
        cmocka_unit_test(nested_sums_take_the_memory_of_their_entries),
        cmocka_unit_test(looking_at_explicit_steps_does_not_change_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
