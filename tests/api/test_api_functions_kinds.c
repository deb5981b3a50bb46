/* Models made of functions with constraints, inputs and time, and in Hamiltonian coordinates: they
 * move as their text does, and go through a checkpoint. */
#include "twins.h"

/* A knife edge on a slope, driven by an input; velocity constraint. --------------------------- */

static const char *const knife_text = "system Knife {\n"
                                      "  input push = 0\n"
                                      "  coordinate x, y, th\n"
                                      "  lagrangian (x'^2 + y'^2)/2 + th'^2/4 - 0.3*x\n"
                                      "  force th: push*cos(t) - 0.1*th'\n"
                                      "  constraint edge: sin(th)*x' = cos(th)*y' + 0.05*sin(t)\n"
                                      "  start x' = 1, y' = -0, th' = 2\n"
                                      "}\n"
                                      "simulate { columns = x }\n";

static int knife_eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const double *q = at->q, *v = at->v, t = at->t, s = sin(q[2]), c = cos(q[2]);
    const double  lam = at->lam ? at->lam[0] : 0;
    const int    *allowed = self;
    if (want & (unsigned)*allowed) return snprintf(out->why, sizeof out->why, "not allowed"), 1;
    if (want & DAL_WANT_L) out->L = (v[0] * v[0] + v[1] * v[1]) / 2 + v[2] * v[2] / 4 - 0.3 * q[0];
    if (want & DAL_WANT_GRADIENT) {
        out->Lq[0] = -0.3, out->Lq[1] = out->Lq[2] = 0;
        out->Lv[0] = v[0], out->Lv[1] = v[1], out->Lv[2] = v[2] / 2;
    }
    if (want & DAL_WANT_HESSIAN)
        for (int e = 0; e < 9; e++)
            out->Lqq[e] = out->Lqv[e] = 0, out->Lvv[e] = e == 0 || e == 4 ? 1 : e == 8 ? 0.5 : 0;
    if (want & DAL_WANT_FORCE)
        out->f[0] = out->f[1] = 0, out->f[2] = at->input[0] * cos(t) - 0.1 * v[2];
    if (want & DAL_WANT_FORCE_JACOBIAN) {
        memset(out->fq, 0, 9 * sizeof *out->fq), memset(out->fv, 0, 9 * sizeof *out->fv);
        out->fv[8] = -0.1;
    }
    if (want & DAL_WANT_TIME) {
        out->Lt = out->Ltt = 0;
        for (int i = 0; i < 3; i++) out->Lqt[i] = out->Lvt[i] = out->ft[i] = 0;
        out->ft[2] = -at->input[0] * sin(t);
    }
    if (want & DAL_WANT_RELATIONS) {
        out->A[0] = s, out->A[1] = -c, out->A[2] = 0;
        out->e[0] = s * v[0] - c * v[1] - 0.05 * sin(t);
    }
    if (want & DAL_WANT_RELATIONS_JACOBIAN) {
        out->eq[0] = out->eq[1] = 0, out->eq[2] = c * v[0] + s * v[1];
        out->et[0] = -0.05 * cos(t);
        memset(out->curvature, 0, 9 * sizeof *out->curvature);
        out->curvature[2] = lam * c, out->curvature[5] = lam * s;
    }
    return 0;
}

/* Along q, p, time, length and the input; the text differentiates exactly. */
static void same_tangents(const twins *w)
{
    static const double one[] = {1};
    double              matrix[2][36], out[2][3 * 6];
    const dal_direction along[] = {{.t = 1}, {.h = 1}, {.input = one}};
    for (int k = 0; k < 2; k++) {
        if (dal_tangent_matrix(w->s[k], matrix[k]) || dal_tangent(w->s[k], 3, along, out[k]))
            dal_report(w->cx, stderr, 0), fail();
    }
    for (int e = 0; e < 36; e++) check_close(matrix[0][e], matrix[1][e], 2e-9);
    for (int e = 0; e < 18; e++) check_close(out[0][e], out[1][e], 2e-9);
}

static void constraints_time_and_inputs_agree_with_the_text(void **state)
{
    (void)state;
    static const char *const words[] = {"x", "y", "th"}, *const edge[] = {"edge"};
    static const char *const push[] = {"push"};
    static const double      v[] = {1, 0, 2};
    static const char *const schemes[] = {"midpoint", "gauss(2)", "lobatto(4)"};
    static const unsigned    all =
        DAL_WANT_HESSIAN | DAL_WANT_FORCE_JACOBIAN | DAL_WANT_TIME | DAL_WANT_RELATIONS_JACOBIAN;
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            int           forbidden = k ? (int)all : 0;
            dal_callbacks made = {.size = sizeof made,
                                  .name = "Knife",
                                  .coordinates = 3,
                                  .constraints = 1,
                                  .inputs = 1,
                                  .coordinate = words,
                                  .relation = edge,
                                  .input = push,
                                  .v = v,
                                  .missing = k ? all : 0,
                                  .self = &forbidden,
                                  .eval = knife_eval};
            twins         w;
            double        lam[2];
            twins_new(&w, &made, knife_text, schemes[i], "0.05");
            for (int block = 0; block < 10; block++) {
                for (int j = 0; j < 2; j++)
                    assert_int_equal(dal_set_input(w.s[j], "push", sin(block)), DAL_OK);
                twins_step(&w, 10);
            }
            check_below(apart(&w), 2e-13);
            same_tangents(&w);
            for (int j = 0; j < 2; j++)
                assert_int_equal(dal_measure(w.s[j], "edge", &lam[j]), DAL_OK);
            check_close(lam[0], lam[1], k ? 1e-8 : 1e-11);
            twins_free(&w);
        }
}

/* State, parameters and inputs of functions go through a checkpoint, to the same bits. */
static void a_checkpoint_of_functions_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    static const double      v[] = {1, 0, 2};
    int                      forbidden = 0;
    dal_callbacks            made = {.size = sizeof made,
                                     .coordinates = 3,
                                     .constraints = 1,
                                     .inputs = 1,
                                     .parameters = 1,
                                     .v = v,
                                     .self = &forbidden,
                                     .eval = knife_eval};
    static const char *const kinds[] = {"newton", "broyden"};
    for (int k = 0; k < 2; k++) {
        dal_context    *cx = dal_context_new(NULL);
        dal_options    *o = dal_options_new(cx);
        dal_model      *m = NULL;
        dal_sim        *s[2] = {NULL, NULL};
        dal_checkpoint *c = NULL;
        const void     *bytes;
        size_t          length;
        double          parameter;
        dal_options_set(o, "step", "0.05"), dal_options_set(o, "jacobian", kinds[k]);
        assert_int_equal(dal_model_from_callbacks(cx, &made, &m), DAL_OK);
        for (int j = 0; j < 2; j++) assert_int_equal(dal_sim_new(m, o, &s[j]), DAL_OK);
        assert_int_equal(dal_set_input(s[0], "input1", 0.7), DAL_OK);
        assert_int_equal(dal_set_parameter(s[0], "parameter1", 5), DAL_OK);
        for (int i = 0; i < 20; i++) assert_int_equal(dal_step(s[0]), DAL_OK);
        assert_int_equal(dal_sim_save_to_memory(s[0], &bytes, &length), DAL_OK);
        assert_int_equal(dal_checkpoint_parse(cx, bytes, length, &c), DAL_OK);
        assert_int_equal(dal_sim_restore(s[1], c), DAL_OK);
        assert_int_equal(dal_parameter(s[1], "parameter1", &parameter), DAL_OK);
        check_close(parameter, 5, 0);
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 2; j++) assert_int_equal(dal_step(s[j]), DAL_OK);
        assert_memory_equal(dal_q(s[0]), dal_q(s[1]), 3 * sizeof(double));
        dal_checkpoint_free(c);
        for (int j = 0; j < 2; j++) dal_sim_free(s[j]);
        dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    }
}

/* A Hamiltonian that does not separate: H = (1 + q^2) p^2/2 - cos q, with damping -c p. ------- */

static int phase_eval(void *self, unsigned want, const dal_point *at, dal_evaluation *out)
{
    const double q = at->q[0], p = at->p[0], c = 0.1;
    (void)self;
    if (want & DAL_WANT_L) out->L = cos(q) - (1 + q * q) * p * p / 2;
    if (want & DAL_WANT_GRADIENT) out->Lq[0] = -q * p * p - sin(q), out->Lv[0] = -(1 + q * q) * p;
    if (want & DAL_WANT_HESSIAN)
        out->Lqq[0] = -p * p - cos(q), out->Lqv[0] = -2 * q * p, out->Lvv[0] = -(1 + q * q);
    if (want & DAL_WANT_FORCE) out->f[0] = -c * p;
    if (want & DAL_WANT_FORCE_JACOBIAN) out->fq[0] = 0, out->fv[0] = -c;
    return 0;
}

static void hamiltonian_coordinates_of_functions_are_those_of_the_text(void **state)
{
    (void)state;
    static const unsigned char flags[] = {1};
    static const double        q[] = {0.4}, p[] = {0.9};
    static const char *const   schemes[] = {"midpoint", "gauss(2)", "rectangle(0)"};
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            dal_callbacks made = {.size = sizeof made,
                                  .coordinates = 1,
                                  .hamiltonian = flags,
                                  .q = q,
                                  .p = p,
                                  .autonomous = 1,
                                  .missing = k ? DAL_WANT_HESSIAN | DAL_WANT_FORCE_JACOBIAN : 0,
                                  .eval = phase_eval};
            twins         w;
            twins_new(&w, &made,
                      "system P {\n  coordinate q\n  hamiltonian (1 + q^2)*p(q)^2/2 - cos(q)\n"
                      "  force q: -0.1*p(q)\n  start q = 0.4, p(q) = 0.9\n}\n",
                      schemes[i], "0.05");
            twins_step(&w, 100);
            check_below(apart(&w), 2e-13);
            twins_free(&w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constraints_time_and_inputs_agree_with_the_text),
        cmocka_unit_test(a_checkpoint_of_functions_goes_on_to_the_same_bits),
        cmocka_unit_test(hamiltonian_coordinates_of_functions_are_those_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
