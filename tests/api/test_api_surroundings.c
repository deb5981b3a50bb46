/* Whatever a program has made of its process, the motion is the same: another decimal point,
 * another rounding mode. */
#include "api_run.h"
#include "native.h"

#include <fenv.h>
#include <locale.h>
#include <string.h>

/* with numbers that need digits behind the point, in text, options and the tables of the scheme */
static const char *const coupled =
    "system Pair {\n"
    "  parameter m = 1.5, k = 4\n"
    "  coordinate x, y\n"
    "  lagrangian m/2*(x'^2 + y'^2) - k/4*x^4 - 0.25*sin(x*y) - y^2\n"
    "  start x = 1.25\n"
    "}\n"
    "simulate {\n"
    "  step = 0.0125\n"
    "  until = 10.5\n"
    "}\n";

static run pair(const char *backend, const char *scheme)
{
    const setting set[] = {{"backend", backend}, {"scheme", scheme}, {"set", "k=4.25"}, {0}};
    run           r = begin_text(coupled, set);
    run_to_end(&r);
    assert_int_equal(dal_message_count(r.cx), 0);
    return r;
}

static const char *const backends[] = {"vm", "native"};
static const char *const schemes[] = {"midpoint", "gauss(3)"};
enum { WAYS = 4 };

static void all_ways(double q[WAYS])
{
    for (int k = 0; k < WAYS; k++) {
        run r = pair(backends[k / 2], schemes[k % 2]);
        q[k] = dal_q(r.s)[0];
        end(&r);
    }
}

static void other_rounding_changes_no_bit(void **state)
{
    (void)state;
    const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    double    usual[WAYS], then[WAYS];
    all_ways(usual);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(fesetround(modes[k]), 0);
        all_ways(then);
        const int left = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(left, modes[k]);
        assert_memory_equal(then, usual, sizeof usual);
    }
}

/* A locale with a comma: one of the machine, or one that is made here. */
static bool with_comma(const char *folder)
{
    char command[200];
    if (setlocale(LC_ALL, "de_DE.UTF-8")) return true;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
             folder);
    if (system(command) == -1) return false;
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, "de_DE.UTF-8") && *localeconv()->decimal_point == ',';
}

static int remove_locale(const char *folder)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* First with the comma: what was compiled in another locale would serve. */
static void same_with_a_comma(const char *exported)
{
    double       q[WAYS], usual[WAYS];
    dal_exported out;
    all_ways(q);
    run r = pair("vm", "gauss(3)");
    must(&r, dal_export(r.s, "pair", 0, &out));
    assert_int_equal(dal_sim_extend(r.s, "until", "0.5", NULL), DAL_INVALID);
    setlocale(LC_ALL, "C");
    all_ways(usual);
    assert_memory_equal(q, usual, WAYS * sizeof *q);
    assert_string_equal(out.source, exported);
    assert_non_null(strstr(dal_message_at(r.cx, 0).text, "t = 10.5 already"));
    end(&r);
}

static void a_decimal_comma_changes_no_bit_and_no_text(void **state)
{
    (void)state;
    char         folder[] = "/tmp/dalembert-locale-XXXXXX";
    dal_exported out;
    assert_non_null(mkdtemp(folder));
    run r = pair("vm", "gauss(3)");
    must(&r, dal_export(r.s, "pair", 0, &out));
    const bool comma = with_comma(folder);
    if (comma) same_with_a_comma(out.source);
    end(&r);
    assert_int_equal(remove_locale(folder), 0);
    if (!comma) skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decimal_comma_changes_no_bit_and_no_text),
        cmocka_unit_test(other_rounding_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, open_own_cache, remove_own_cache);
}
