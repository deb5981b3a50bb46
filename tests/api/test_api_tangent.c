/* The tangent of a step: against an independent implementation, seen through ties, of models made
 * of functions, and where there is none. */
#include "reference_tangent.h"
#include "tangent_run.h"

static const char *const disk =
    "system Disk {\n"
    "  parameter m = 1, I = 0.5, J = 0.25, R = 1, k = 1\n"
    "  coordinate x, y, th, phi\n"
    "  lagrangian m*(x'^2 + y'^2)/2 + I*th'^2/2 + J*phi'^2/2 - k*(x^2 + 2*y^2)/2 - sin(th)/2\n"
    "  lagrangian cos(phi)/2\n"
    "  constraint x' = R*cos(phi)*th'\n"
    "  constraint y' = R*sin(phi)*th'\n"
    "  start x = 0.3, y = -0.2, th = 0.1, phi = 0.4, th' = 1, phi' = 0.7\n"
    "  start x' = cos(0.4), y' = sin(0.4)\n"
    "}\n";

static void tangents_agree_with_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tangents / sizeof *tangents; i++) {
        const tangent_reference *r = &tangents[i];
        double                   M[4 * 4], one[4][4] = {{0}}, out[4];
        run                      b = open_model(plane, r->scheme, 0.2);
        start(&b);
        for (int j = 0; j < 4; j++) {
            one[j][j] = 1;
            tangent_along(&b, &(dal_direction){.parameter = one[j]}, out);
            for (int a = 0; a < 4; a++) check_close(out[a], r->parameter[a][j], 1e-13);
        }
        stop(&b);
        dal_options_set(b.o, "set", "c=0");
        start(&b);
        tangent_matrix(&b, M);
        for (int a = 0; a < 16; a++) check_close(M[a], r->state[a / 4][a % 4], 1e-13);
        end(&b);
    }
}

static void tangents_of_a_rolling_disk_agree_with_the_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tangents / sizeof *tangents; i++) {
        double M[8 * 8];
        if (tangents[i].disk[0][0] == 0) continue;
        run b = open_model(disk, tangents[i].scheme, 0.1);
        start(&b);
        tangent_matrix(&b, M);
        for (int a = 0; a < 64; a++) check_close(M[a], tangents[i].disk[a / 8][a % 8], 1e-13);
        end(&b);
    }
}

/* Two parts, tied: the eliminated system and the one that keeps its ties have the same tangent, in
 * the coordinates of the model, and on the tie it is that of one mass. */
static void ties_that_are_taken_out_are_seen_through(void **state)
{
    (void)state;
    static const char *const tied =
        "system Tied {\n  parameter k = 2\n  coordinate x, y\n"
        "  lagrangian x'^2/2 + y'^2 - k*x^2/2 - y^4/4\n"
        "  connect x = 2*y\n  start y = 0.5, x = 1, x' = 0.4, y' = 0.2\n}\n";
    static const char *const one = "system One {\n  parameter k = 2\n  coordinate y\n"
                                   "  lagrangian 3*y'^2 - 2*k*y^2 - y^4/4\n"
                                   "  start y = 0.5, y' = 0.2\n}\n";
    static const char *const how[] = {"eliminate", "multipliers"};
    const double             dk = 1;
    double                   want[2], wanted_k[2], D[4];
    run                      a = open_model(one, "gauss(2)", 0.1);
    start(&a);
    tangent_matrix(&a, D);
    tangent_along(&a, &(dal_direction){.parameter = &dk}, wanted_k);
    want[0] = D[0] + 3 * D[1], want[1] = D[2] + 3 * D[3];
    end(&a);
    for (size_t i = 0; i < 2;
         i++) { /* dy = 1, dx = 2; dp_x = 2 * dv = 1, dp_y = 2 dv = 1, dp = 3 */
        const double dq[] = {2, 1}, dp[] = {1, 1};
        double       out[4];
        run          b = open_model(tied, "gauss(2)", 0.1);
        dal_options_set(b.o, "interconnection", how[i]);
        start(&b);
        tangent_along(&b, &(dal_direction){.q = dq, .p = dp}, out);
        check_close(out[1], want[0], 1e-14);
        check_close(out[0], 2 * out[1], 1e-14);
        check_close(2 * out[2] + out[3], want[1], 1e-14);
        check_close(out[2], out[3], 1e-14); /* p_x = x' = 2 y', p_y = 2 y' */
        tangent_along(&b, &(dal_direction){.parameter = &dk}, out);
        check_close(out[1], wanted_k[0], 1e-14);
        check_close(2 * out[2] + out[3], wanted_k[1], 1e-14);
        end(&b);
    }
}

/* L = v^2/2 - k q^2/2, by a function */
static int spring(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const double k = at->parameter[0];
    (void)self;
    if (want & DAL_WANT_L) out->L = at->v[0] * at->v[0] / 2 - k * at->q[0] * at->q[0] / 2;
    if (want & DAL_WANT_GRADIENT) out->Lq[0] = -k * at->q[0], out->Lv[0] = at->v[0];
    if (want & DAL_WANT_HESSIAN) out->Lqq[0] = -k, out->Lqv[0] = 0, out->Lvv[0] = 1;
    return 0;
}

/*     D = (1 - a, h; -h k, 1 - a)/(1 + a), a = h^2 k/4 */
static void functions_have_tangents_too(void **state)
{
    (void)state;
    const double  q = 1, k = 3, h = 0.2, a = h * h * k / 4, one = 1;
    const double  want[] = {(1 - a) / (1 + a), h / (1 + a), -h * k / (1 + a), (1 - a) / (1 + a)};
    double        D[4], out[2];
    dal_callbacks c = {.size = sizeof c,
                       .coordinates = 1,
                       .parameters = 1,
                       .q = &q,
                       .parameter_value = &k,
                       .autonomous = 1,
                       .zero = DAL_F,
                       .eval = spring};
    run b = with_settings((const setting[]){{"scheme", "midpoint"}, {"step", "0.2"}, {0}});
    assert_int_equal(dal_model_from_callbacks(b.cx, &c, &b.m), DAL_OK);
    start(&b);
    tangent_matrix(&b, D);
    for (int i = 0; i < 4; i++) check_close(D[i], want[i], 1e-15);
    tangent_along(&b, &(dal_direction){.parameter = &one}, out); /* by differences, but for J */
    check_close(out[0], -2 * (h * h / 4) / ((1 + a) * (1 + a)), 1e-9);
    check_close(out[1], -h / (1 + a) + h * k * (h * h / 4) / ((1 + a) * (1 + a)), 1e-9);
    end(&b);
}

static void what_has_no_tangent_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *model, *principle, *until;
        dal_status  status;
    } row[] = {
        {disk, "dirac-", "5", DAL_INVALID}, {disk, "dirac+", "-5", DAL_INVALID},
        {disk, "dirac+", "5", DAL_OK},      {disk, "dirac-", "-5", DAL_OK},
        {plane, "dirac-", "5", DAL_OK}, /* without relations there are no kicks */
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double D[64];
        run    b = open_model(row[i].model, "midpoint", 0.1);
        dal_options_set(b.o, "momentum", "papers"), dal_options_set(b.o, "until", row[i].until);
        dal_options_set(b.o, "principle", row[i].principle);
        start(&b);
        assert_int_equal(dal_tangent_matrix(b.s, D), row[i].status);
        if (row[i].status)
            assert_non_null(strstr(dal_message_at(b.cx, 0).text, "depends on the next step"));
        assert_int_equal(dal_step(b.s), DAL_OK); /* and nothing else is lost */
        end(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_agree_with_the_reference),
        cmocka_unit_test(tangents_of_a_rolling_disk_agree_with_the_reference),
        cmocka_unit_test(ties_that_are_taken_out_are_seen_through),
        cmocka_unit_test(functions_have_tangents_too),
        cmocka_unit_test(what_has_no_tangent_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
