/* test_api_velocities.c - Hamiltonian coordinates whose momentum is a constant times their velocity
 * move bit for bit as their Lagrangian twins, by the same steps; others to roundoff. */
#include "api_run.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name, *H, *L;
    bool        same; /* bit for bit */
} pair;

#define CHAIN(energy, start)                                                                       \
    "system Chain {\n  parameter N = 400, m = 3, b = 0.7\n  coordinate x[N]\n  " energy            \
    "\n  for k in 1..N { force x[k]: -0.01*x[k]'\n  start x[k] = 0.3*sin(0.7*k), " start "}\n}\n"
#define LINK "(x[i+1] - x[i])^2/2 + b*(x[i+1] - x[i])^4/4"
#define PLANE(energy) "system Plane {\n  parameter m = 3, w = 2\n  coordinate x, y\n  " energy
#define V "x^4/4 + (x - y)^2/2 + sin(t)*y"
#define AT "\n  start x = 1, p(y) = 2\n}\n"

static const pair pairs[] = {
    {"a chain",
     CHAIN("hamiltonian sum(i in 1..N: p(x[i])^2/(2*m)) + sum(i in 1..N-1: " LINK ")",
           "p(x[k]) = 0.6*cos(0.3*k)"),
     CHAIN("lagrangian sum(i in 1..N: m/2*x[i]'^2) - sum(i in 1..N-1: " LINK ")",
           "p(x[k]) = 0.6*cos(0.3*k)"),
     true},
    {"two momenta in one term", PLANE("hamiltonian (p(x)^2 + 2*p(y)^2)/m + " V AT),
     PLANE("lagrangian m/4*x'^2 + m/8*y'^2 - (" V ")" AT), true},
    {"a mass that may be 0", PLANE("hamiltonian w*p(x)^2/2 + p(y)^2/(2*m) + " V AT),
     PLANE("lagrangian x'^2/(2*w) + m/2*y'^2 - (" V ")" AT), false},
    {"momenta in two places",
     PLANE("hamiltonian p(x)^2/(4*m)\n  hamiltonian p(x)^2/(4*m) + "
           "p(y)^2/2 + " V AT),
     PLANE("lagrangian m/2*x'^2 + y'^2/2 - (" V ")" AT), false},
    {"a magnetic field", PLANE("hamiltonian (p(x) + y)^2/(2*m) + p(y)^2/2 + " V AT),
     PLANE("lagrangian m/2*x'^2 - y*x' + y'^2/2 - (" V ")" AT), false},
    {"a field and resistance",
     PLANE("hamiltonian (p(x) + y)^2/(2*m) + p(y)^2/2 + " V "\n  force x: -0.1*x' - y'" AT),
     PLANE("lagrangian m/2*x'^2 - y*x' + y'^2/2 - (" V ")\n  force x: -0.1*x' - y'" AT), false},
    {"a force of momenta",
     PLANE("hamiltonian p(x)^2/(2*m) + p(y)^2/2 + " V "\n  force y: -0.1*p(x)" AT),
     PLANE("lagrangian m/2*x'^2 + y'^2/2 - (" V ")\n  force y: -0.1*m*x'" AT), false},
    {"a relation",
     PLANE("hamiltonian p(x)^2/(2*m) + p(y)^2/2 + " V "\n  constraint y' = x*x'"
           "\n  start x = 1, p(x) = 3, p(y) = 1\n}\n"),
     PLANE("lagrangian m/2*x'^2 + y'^2/2 - (" V ")\n  constraint y' = x*x'"
           "\n  start x = 1, p(x) = 3, p(y) = 1\n}\n"),
     true},
};

static run run_by(const char *principle, const char *text, const char *scheme, const char *backend)
{
    run r = begin_text(text, (setting[]){{"principle", principle},
                                         {"scheme", scheme},
                                         {"step", "0.05"},
                                         {"steps", "60"},
                                         {"backend", backend},
                                         {0}});
    run_to_end(&r);
    return r;
}

static run run_of(const char *text, const char *scheme, const char *backend)
{
    return run_by("dirac+", text, scheme, backend);
}

static void twins_move_alike(void **state)
{
    static const char *const schemes[] = {"midpoint", "trapezoid", "gauss(2)", "rectangle(0)"};
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
            const pair *p = &pairs[k];
            run         H = run_of(p->H, schemes[s], "vm"), L = run_of(p->L, schemes[s], "vm");
            double      far = states_apart(&H, &L);
            if (!(far <= (p->same ? 0 : 1e-12)))
                print_error("%s, %s: %.1e\n", p->name, schemes[s], far), fail();
            if (p->same)
                assert_string_equal(dal_summarise(H.s)->solved_by, dal_summarise(L.s)->solved_by);
            end(&H), end(&L);
        }
}

/* A chain is a chain whichever way it is written, and its explicit steps solve nothing. */
static void chains_are_found(void **state)
{
    (void)state;
    run r = run_of(pairs[0].H, "midpoint", "vm");
    assert_string_equal(dal_summarise(r.s)->solver, "tridiagonal");
    end(&r);
    r = run_of(pairs[0].H, "trapezoid", "vm");
    assert_string_equal(dal_summarise(r.s)->solved_by, "explicit");
    end(&r);
}

/* What asks for velocities or accelerations takes them. */
static void methods_of_velocities_take_them(void **state)
{
    static const char *const schemes[] = {"shooting(rk4) with gauss(2)",
                                          "shooting(taylor(4)) with gauss(2)"};
    (void)state;
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++) {
        run H = run_of(pairs[1].H, schemes[s], "vm"), L = run_of(pairs[1].L, schemes[s], "vm");
        assert_true(states_apart(&H, &L) == 0);
        end(&H), end(&L);
    }
}

/* So does the energy principle, whose lengths of steps follow from energies that are added up in
 * another order: they are known to 1e-10 or so. */
static void the_energy_principle_takes_them(void **state)
{
    static const char H[] = "system W {\n  parameter m = 1.3\n  coordinate q, r\n  hamiltonian "
                            "p(q)^2/(2*m) + p(r)^2/2 + (q^4 - q^2)/2 + r^2*(1 + q)\n  force q: "
                            "-0.01*q'\n  start q = 0.9, p(q) = 0.1, r = 0.2\n}\n";
    static const char L[] = "system W {\n  parameter m = 1.3\n  coordinate q, r\n  lagrangian "
                            "m*q'^2/2 + r'^2/2 - (q^4 - q^2)/2 - r^2*(1 + q)\n  force q: "
                            "-0.01*q'\n  start q = 0.9, p(q) = 0.1, r = 0.2\n}\n";
    (void)state;
    run a = run_by("energy", H, "midpoint", "vm"), b = run_by("energy", L, "midpoint", "vm");
    check_close(dal_time(a.s), dal_time(b.s), 1e-10);
    check_below(states_apart(&a, &b), 1e-10);
    end(&a), end(&b);
}

/* What was written is what is shown. */
static void views_keep_momenta(void **state)
{
    run   r = with_settings(NULL);
    char  text[4096] = "";
    FILE *out = tmpfile();
    (void)state;
    must(&r, dal_model_parse(r.cx, "test.dal", pairs[1].H, r.o, &r.m));
    must(&r, dal_show(r.m, r.o, "equations", out));
    rewind(out);
    assert_true(fread(text, 1, sizeof text - 1, out) > 0);
    fclose(out);
    assert_non_null(strstr(text, "d/dt p(x)"));
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_move_alike),
        cmocka_unit_test(chains_are_found),
        cmocka_unit_test(methods_of_velocities_take_them),
        cmocka_unit_test(the_energy_principle_takes_them),
        cmocka_unit_test(views_keep_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
