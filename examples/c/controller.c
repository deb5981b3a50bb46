/* controller.c - a controller in the loop: a pendulum balanced upright on a cart, which an input
 * pushes. Between steps the controller reads the state and sets the input; the step itself keeps
 * the geometry of the mechanics. */
#include <dalembert.h>

#include <math.h>

static const char *const text = "system Cart {\n"
                                "  parameter M = 1, m = 0.2, l = 0.5, g = 9.81\n"
                                "  input push = 0\n"
                                "  coordinate x, th\n"
                                "  let X = x + l*sin(th), Y = l*cos(th)\n"
                                "  lagrangian M/2*x'^2 + m/2*(X'^2 + Y'^2) - m*g*Y\n"
                                "  force x: push - 0.1*x'\n"
                                "  start x = 0.4, th = 0.3\n"
                                "}\n"
                                "simulate {\n  scheme = gauss(2)\n  step = 0.01\n  until = 10\n}\n";

/* The linear-quadratic regulator about the top, for costs (1, 1, 0.1, 0.1) and 0.1 of the push. */
static double regulator(const double *q, const double *v)
{
    return 3.162 * q[0] + 38.94 * q[1] + 4.404 * v[0] + 8.366 * v[1];
}

static dal_status control(void *self, dal_sim *s)
{
    double *input = self;
    *input = regulator(dal_q(s), dal_v(s));
    return DAL_OK;
}

int main(void)
{
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    int          fell = 1;
    if (!dal_model_parse(cx, "cart.dal", text, NULL, &m) && !dal_sim_new(m, NULL, &s)) {
        size_t       inputs;
        double      *push = dal_inputs(s, &inputs);
        dal_observer loop = {.step = control, .self = push};
        control(push, s); /* the first step too */
        if (!dal_run(s, &loop)) {
            const double *q = dal_q(s);
            printf("after %g s: x = %.4f, angle %.4f, push %.4f, work %.4f J\n", dal_time(s), q[0],
                   q[1], *push, dal_summarise(s)->work);
            fell = fabs(q[0]) > 0.01 || fabs(q[1]) > 0.01;
        }
    }
    dal_report(cx, stderr, 0);
    dal_sim_free(s), dal_model_free(m), dal_context_free(cx);
    return fell;
}
