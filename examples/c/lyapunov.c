/* lyapunov.c - is this motion chaotic? A direction is carried along by the exact tangent of every
 * step, and how it grows is added up: the largest Lyapunov exponent of a star in a galaxy (Henon
 * and Heiles), from two starts of the same energy. */
#include <dalembert.h>

#include <math.h>

static const char *const text =
    "system Star {\n"
    "  parameter E = 0.16, height = 0.1\n"
    "  coordinate x, y\n"
    "  lagrangian (x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3\n"
    "  start y = height, x' = sqrt(2*E - height^2 + 2*height^3/3)\n"
    "}\n"
    "simulate {\n  scheme = gauss(2)\n  step = 0.1\n}\n";

static double exponent(dal_sim *s, long steps)
{
    double d[4] = {1, 0.3, -0.2, 0.1}, next[4], sum = 0;
    for (long k = 0; k < steps; k++) {
        dal_direction along = {.q = d, .p = d + 2};
        double        size = 0;
        if (dal_tangent(s, 1, &along, next) || dal_step(s)) return NAN;
        for (int i = 0; i < 4; i++) size += next[i] * next[i];
        size = sqrt(size);
        for (int i = 0; i < 4; i++) d[i] = next[i] / size;
        sum += log(size);
    }
    return sum / dal_time(s);
}

static double exponent_from(dal_context *cx, const dal_model *m, const char *start)
{
    dal_options *o = dal_options_new(cx);
    dal_sim     *s = NULL;
    double       found = NAN;
    if (!dal_options_set(o, "set", start) && !dal_sim_new(m, o, &s)) found = exponent(s, 20000);
    dal_sim_free(s), dal_options_free(o);
    return found;
}

int main(void)
{
    dal_context *cx = dal_context_new(NULL);
    dal_model   *m = NULL;
    double       calm = NAN, wild = NAN;
    if (!dal_model_parse(cx, "star.dal", text, NULL, &m)) {
        calm = exponent_from(cx, m, "height=0.3");
        wild = exponent_from(cx, m, "height=-0.1");
    }
    printf("largest exponents %.3f and %.3f\n", calm, wild);
    dal_report(cx, stderr, 0);
    dal_model_free(m), dal_context_free(cx);
    return !(calm < 0.01 && wild > 0.03);
}
