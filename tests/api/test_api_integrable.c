/* Which velocity constraints are holonomic in disguise: distributions whose nature is in the
 * textbooks, and random ones made of functions that their leaves keep. */
#include "check.h"
#include "dalembert.h"

#include <stdint.h>
#include <string.h>

typedef struct {
    const char *constraints, *start;
    const char *integrable; /* names, with commas */
} known;

/* x .. w have unit masses; r is an input. */
static const char model[] = "system S {\n"
                            "  coordinate x, y, z, w\n"
                            "  input r = 1\n"
                            "  lagrangian (x'^2 + y'^2 + z'^2 + w'^2)/2\n"
                            "%s"
                            "  start %s\n"
                            "}\n"
                            "simulate {\n  step = 0.01\n  steps = 1\n}\n";

static void names_of(const dal_facts *f, char out[200])
{
    *out = 0;
    for (size_t k = 0; k < f->count; k++)
        for (size_t j = 0;
             !strcmp(f->fact[k].name, "integrable_constraints") && j < f->fact[k].names; j++)
            snprintf(out + strlen(out), 200 - strlen(out), "%s%s", j ? "," : "",
                     f->fact[k].text[j]);
}

static void check_names(const char *constraints, const char *start, const char *expected)
{
    char         text[4000], found[200];
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m;
    dal_facts   *f;
    snprintf(text, sizeof text, model, constraints, start);
    assert_int_equal(dal_model_parse(cx, "test.dal", text, NULL, &m), DAL_OK);
    assert_int_equal(dal_analyse(m, NULL, &f), DAL_OK);
    names_of(f, found);
    if (strcmp(found, expected)) fail_msg("'%s' instead of '%s' for\n%s", found, expected, text);
    dal_facts_free(f), dal_model_free(m), dal_context_free(cx);
}

static void constraints_of_the_textbooks_are_told_apart(void **state)
{
    (void)state;
    static const known all[] = {
        {"  constraint a: x*x' + y*y' = 0\n", "x = 1", "a"},      /* a circle              */
        {"  constraint a: z' = y*x'\n", "x = 1", ""},             /* Heisenberg            */
        {"  constraint a: z' = y^2*x'\n", "x = 1", ""},           /* Martinet, at y = 0    */
        {"  constraint a: y*z' - z*y' = 0\n", "y = 1", "a"},      /* with a factor only    */
        {"  constraint a: sin(z)*x' = cos(z)*y'\n", "x = 1", ""}, /* a skate               */
        {"  constraint a: x' = cos(z)*w'\n  constraint b: y' = sin(z)*w'\n", "z = 0.3", ""},
        {"  constraint a: x' = cos(z)*w'\n  constraint b: y' = sin(z)*w'\n"
         "  constraint c: z' = 0\n",
         "z = 0.3", "a,b,c"}, /* a disk that runs straight */
        {"  constraint a: z' = y*x'\n  constraint b: w' = 2*y*y'\n", "y = 1", "b"},
        {"  constraint a: z' = y*t\n", "y = 1", ""},
        {"  constraint a: z' = y + y'*t\n", "y = 1, z' = 1", "a"}, /* d(z - y*t)            */
        {"  constraint a: z' = y*x'\n  holonomic h: y = x^2\n", "x = 1, y = 1", "a"},
        {"  constraint a: z' = r*x'\n", "x = 1", ""}, /* r changes as it likes */
        {"  constraint a: 1e9*z' = 1e9*y*x'\n", "x = 1e-9", ""},
        {"  constraint a: z' = 1e-10*(y*x' + x*y')\n", "x = 1", "a"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        check_names(all[k].constraints, all[k].start, all[k].integrable);
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* d(a x^2 + b sin(y) + c z w), as text */
static void write_differential(uint64_t *seed, char out[200])
{
    const double a = uniform(seed) + 0.5, b = uniform(seed) + 0.5, c = uniform(seed) + 0.5;
    snprintf(out, 200, "(%.17g*x*x' + %.17g*cos(y)*y' + %.17g*(z*w' + w*z'))", 2 * a, b, c);
}

/* Rows M dg with any M(q) keep g. One that takes a part of y x' besides keeps nothing. */
static void random_leaves_are_found(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < 40; k++) {
        char         one[200], two[200], rows[1500];
        const double m = uniform(&seed), n = uniform(&seed);
        const char  *more = k % 2 ? " + 0.3*y*x'" : "";
        write_differential(&seed, one), write_differential(&seed, two);
        snprintf(
            rows, sizeof rows,
            "  constraint a: %s + %.17g*x*%s%s = 0\n  constraint b: exp(y)*%s - %.17g*w*%s = 0\n",
            one, m, two, more, two, n, one);
        check_names(rows, "x = 1, y = 0.5, z = 1, w = 1.5", k % 2 ? "" : "a,b");
    }
}

/* The function that a row keeps stands beside it. */
static void a_leaf_is_named(void **state)
{
    (void)state;
    static const known all[] = {
        {"  constraint a: x*x' + y*y' = 0\n", "x = 1", "a (0.5*x^2 + 0.5*y^2 is constant)"},
        {"  constraint a: z' = y + y'*t\n", "y = 1, z' = 1", "a (z - y*t is constant)"},
        {"  constraint a: x*y*z' + x*z*y' + y*z*x' = 0\n", "x = 1, y = 1", "a (y*z*x is constant)"},
        {"  constraint a: y*z' - z*y' = 0\n", "y = 1", "in disguise: a\n"},
        {"  constraint a: cos(2*x)*x' = y'*exp(-y)\n", "x = 1",
         "a (exp(-y) + 0.5*sin(2*x) is constant)"},
        {"  constraint a: x' = cos(z)*w'\n  constraint b: z' = 0\n", "z = 1",
         "in disguise: a, b (z is constant)\n"},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char         text[4000], said[4000] = "";
        FILE        *out = tmpfile();
        dal_context *cx = dal_context_new(NULL);
        dal_model   *m;
        snprintf(text, sizeof text, model, all[k].constraints, all[k].start);
        assert_int_equal(dal_model_parse(cx, "test.dal", text, NULL, &m), DAL_OK);
        assert_int_equal(dal_check(m, NULL, out), DAL_OK);
        rewind(out);
        said[fread(said, 1, sizeof said - 1, out)] = 0;
        if (!strstr(said, all[k].integrable)) fail_msg("no '%s' in\n%s", all[k].integrable, said);
        fclose(out), dal_model_free(m), dal_context_free(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_of_the_textbooks_are_told_apart),
        cmocka_unit_test(random_leaves_are_found),
        cmocka_unit_test(a_leaf_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
