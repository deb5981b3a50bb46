/* test_api_dead_points.c - where relations lose rank or come to contradict each other, and where a
 * step ends far from where the steps before it lead: nothing of it goes unnoticed, and what smaller
 * parts of a step can decide is decided. */
#include "api_run.h"
#include "claims/extrapolation.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A coupling rod on two parallel cranks, which can cross where all three are in line. */
#define ROD                                                                                        \
    "system Rod {\n parameter m = 2, J = 0.3, g = 9.81, l = 1, r = 0.5\n coordinate x, y, phi\n"   \
    " lagrangian m/2*(x'^2 + y'^2) + J/2*phi'^2 - m*g*y\n"                                         \
    " holonomic a: x^2 + y^2 = r^2\n"                                                              \
    " holonomic b: (x + l*cos(phi) - l)^2 + (y + l*sin(phi))^2 = r^2\n"                            \
    " start x = 0.3, y = -0.4, "

/* Elbows 1 and 2 about (0, 0) and (2, 0), and the point that both rods hold. */
static const char FIVE[] =
    "system Five {\n parameter g = 9.81\n coordinate x1, y1, x2, y2, x, y\n"
    " lagrangian (x1'^2 + y1'^2 + x2'^2 + y2'^2 + x'^2 + y'^2)/2 - g*(y1 + y2 + y)\n"
    " holonomic a: x1^2 + y1^2 = 1\n holonomic b: (x2 - 2)^2 + y2^2 = 1\n"
    " holonomic c: (x - x1)^2 + (y - y1)^2 = 2.25\n holonomic d: (x - x2)^2 + (y - y2)^2 = 2.25\n"
    " start y1 = 1, x2 = 2, y2 = 1, x = 1, y = 2.118033988749895, x1' = %g, x2' = %g, x' free, "
    "y' free\n}\n";

/* All messages of a run, one after the other. */
static void messages(const run *r, char *out, size_t room)
{
    *out = 0;
    for (size_t k = 0; k < dal_message_count(r->cx); k++) {
        const char *said = dal_message_at(r->cx, k).text;
        strncat(out, said, room - strlen(out) - 1), strncat(out, "\n", room - strlen(out) - 1);
    }
}

static run ended(const char *text, const char *scheme, const char *step, const char *until,
                 const char *backend, char *said, size_t room)
{
    const setting set[] = {
        {"scheme", scheme}, {"step", step}, {"until", until}, {"backend", backend}, {0}};
    run r = begin_text(text, set);
    r.status = dal_run(r.s, NULL);
    messages(&r, said, room);
    return r;
}

/* When the cranks first come to lie in line: th'' = -(g/r) cos(th), th = 0, by small steps of the
 * classical kind. */
static double in_line(double th, double rate)
{
    const double h = 1e-6, c = -9.81 / 0.5;
    double       t = 0;
    for (; th < 0; t += h) {
        const double half = th + h / 2 * rate;
        rate += h * c * cos(half), th = half + h / 2 * rate;
    }
    return t;
}

static void dead_points_are_told_with_time_and_place(void **state)
{
    char said[4000];
    (void)state;
    run r = ended(ROD "x' = 8, y' = 6\n}\n", "gauss(2)", "0.01", "0.5", "vm", said, sizeof said);
    assert_int_equal(r.status, DAL_OK);
    const char *at = strstr(said, "the relations a, b pass a dead point");
    assert_non_null(at);
    double t = -1;
    while (at > said && at[-1] != '\n') at--;
    assert_int_equal(sscanf(at, "t = %lf", &t), 1);
    const double exact = in_line(atan2(-0.4, 0.3), 10 / 0.5);
    assert_true(t <= exact && exact <= t + 0.01);
    assert_non_null(strstr(at, "x = 0.49"));
    end(&r);
    /* it turns back before */
    r = ended(ROD "x' = 0.8, y' = 0.6\n}\n", "gauss(2)", "0.01", "2", "vm", said, sizeof said);
    assert_int_equal(r.status, DAL_OK);
    assert_null(strstr(said, "dead point"));
    end(&r);
}

/* The rows of A of the five-bar linkage, and A'v. */
static void five_relations(const real *q, const real *v, real A[4][6], real rate[4])
{
    static const int other[4] = {-1, -1, 0, 2}; /* coordinates of the far end; -1: it rests */
    memset(A, 0, 4 * sizeof *A);
    for (int a = 0; a < 4; a++) {
        const int  own = a == 0 ? 0 : a == 1 ? 2 : 4;
        const real rest[2] = {a == 1 ? 2 : 0, 0};
        rate[a] = 0;
        for (int i = 0; i < 2; i++) {
            const int  to = other[a];
            const real d = q[own + i] - (to < 0 ? rest[i] : q[to + i]);
            const real w = v[own + i] - (to < 0 ? 0 : v[to + i]);
            A[a][own + i] = d, rate[a] += w * w;
            if (to >= 0) A[a][to + i] = -d;
        }
    }
}

/* x of A A^T x = b by Gauss and Jordan; the determinant. */
static real five_solve(real A[4][6], real *b)
{
    real S[4][4], det = 1;
    for (int a = 0; a < 4; a++)
        for (int c = 0; c < 4; c++) {
            S[a][c] = 0;
            for (int j = 0; j < 6; j++) S[a][c] += A[a][j] * A[c][j];
        }
    for (int k = 0; k < 4; k++) {
        det *= S[k][k], b[k] /= S[k][k];
        for (int c = 3; c >= k; c--) S[k][c] /= S[k][k];
        for (int a = 0; a < 4; a++) {
            if (a == k) continue;
            const real l = S[a][k];
            b[a] -= l * b[k];
            for (int c = k; c < 4; c++) S[a][c] -= l * S[k][c];
        }
    }
    return det;
}

/* v' = F - A^T x,   A A^T x = A F + A'v: all masses are 1. */
static void five_rates(const void *self, real t, const real *y, real *dy)
{
    const real *v = y + 6;
    real        A[4][6], x[4];
    (void)self, (void)t;
    five_relations(y, v, A, x);
    for (int a = 0; a < 4; a++)
        for (int j = 1; j < 6; j += 2) x[a] -= 9.81L * A[a][j];
    five_solve(A, x);
    for (int j = 0; j < 6; j++) {
        dy[j] = v[j], dy[6 + j] = j % 2 ? -9.81L : 0;
        for (int a = 0; a < 4; a++) dy[6 + j] -= A[a][j] * x[a];
    }
}

typedef struct {
    double u, v;             /* speeds of the elbows at the start         */
    double end[6], range[6]; /* positions at t = 3; how far they went     */
    double t, at[6];         /* when the bars were nearest to one line    */
} five_motion;

static void make_five(five_motion *m)
{
    enum { STEPS = 3000 };
    const real rise = sqrtl(1.25L), u = m->u, v = m->v;
    real       y[12] = {0, 1, 2, 1, 1, 1 + rise, u, 0, v, 0, (u + v) / 2, (u - v) / 2 / rise};
    real       least = HUGE_VALL, low[6], high[6];
    memcpy(low, y, sizeof low), memcpy(high, y, sizeof high);
    for (int k = 0; k < STEPS; k++) {
        real       A[4][6], rate[4];
        const real t = 3.0L * k / STEPS;
        five_relations(y, y + 6, A, rate);
        const real det = five_solve(A, rate);
        if (det < least) {
            least = det, m->t = (double)t;
            for (int j = 0; j < 6; j++) m->at[j] = (double)y[j];
        }
        extrapolated_step(five_rates, NULL, 12, t, 3.0L / STEPS, y);
        for (int j = 0; j < 6; j++) low[j] = fminl(low[j], y[j]), high[j] = fmaxl(high[j], y[j]);
    }
    for (int j = 0; j < 6; j++) m->end[j] = (double)y[j], m->range[j] = (double)(high[j] - low[j]);
}

/* Of half its range, at the end. */
static double five_error(const five_motion *m, const double *q)
{
    double most = 0;
    for (int j = 0; j < 6; j++) most = fmax(most, 2 * fabs(q[j] - m->end[j]) / m->range[j]);
    return most;
}

/* The time, to a few steps, and the position; nothing moves faster than by 7. */
static bool names_flat_place(const five_motion *m, const char *said, double h)
{
    const char *at = strstr(said, "the relations a, b, c, d pass a dead point");
    double      t = -1, q[6] = {0};
    if (!at) return false;
    while (at > said && at[-1] != '\n') at--;
    assert_int_equal(sscanf(at, "t = %lf", &t), 1);
    at = strstr(at, "at x1");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "at x1 = %lf, y1 = %lf, x2 = %lf, y2 = %lf, x = %lf, y = %lf", q,
                            q + 1, q + 2, q + 3, q + 4, q + 5),
                     6);
    if (!(fabs(t - m->t) <= 3 * h)) fail_msg("h = %g: t is %g: %s", h, m->t, said);
    for (int j = 0; j < 6; j++) assert_true(fabs(q[j] - m->at[j]) < 7 * (fabs(t - m->t) + h));
    return true;
}

/* All bars come within hundredths of one line. Whatever ends elsewhere says so; what does not
 * resolve the place names it. */
static void a_flat_five_bar_linkage_is_told(void **state)
{
    static const char *const scheme[] = {"trapezoid", "midpoint", "lobatto(3)", "gauss(2)",
                                         "gauss(3)"};
    static const char *const step[] = {"0.001", "0.002", "0.005", "0.01", "0.02", "0.05"};
    five_motion              motion[] = {{.u = 1, .v = 0.7}, {.u = 0.8, .v = 0.7}};
    int                      named = 0, right = 0;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char model[1000], said[4000];
        make_five(&motion[i]);
        snprintf(model, sizeof model, FIVE, motion[i].u, motion[i].v);
        for (size_t k = 0; k < 5 * 6; k++) {
            const char  *with = scheme[k / 6], *h = step[k % 6];
            run          r = ended(model, with, h, "3", "vm", said, sizeof said);
            const double error = r.status ? 0 : five_error(&motion[i], dal_q(r.s));
            if (error > 0.5 && !strstr(said, "off by about") && !strstr(said, "dead point") &&
                !strstr(said, "does not resolve"))
                fail_msg("%s, %s: off by %g, and it says: %s", with, h, error, said);
            if (r.status)
                assert_true(strstr(said, "dead point") || strstr(said, "taut rope") ||
                            strstr(said, "diverges") || strstr(said, "smaller step"));
            else named += names_flat_place(&motion[i], said, strtod(h, NULL));
            right += !r.status && error < 0.1;
            end(&r);
        }
    }
    assert_true(named >= 4 && right >= 10);
}

/* b says the same as a until a bump comes, of 1e-9 of its terms from t = 2.4 on. */
static void contradictions_end_the_run(void **state)
{
    static const char LATER[] =
        "system S {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2\n holonomic a: x = sin(t)\n"
        " holonomic b: 2*x = 2*sin(t) + 1e-3*exp(-40*(t - 3)^2)\n start x' = 1, y' = 1\n}\n";
    char said[4000];
    (void)state;
    run r = ended(LATER, "gauss(2)", "0.01", "5", "auto", said, sizeof said);
    assert_int_equal(r.status, DAL_DIVERGED);
    assert_non_null(strstr(said, "contradicts the relations from which it followed"));
    assert_true(dal_time(r.s) > 2.3 && dal_time(r.s) < 2.5);
    check_close(dal_q(r.s)[0], sin(dal_time(r.s)), 1e-7);
    check_close(dal_q(r.s)[1], dal_time(r.s), 1e-12);
    end(&r);
}

/* A bead on a circle, at speed 1, is struck once: an impulse of 2 along its way, within a fifth of
 * a step, at the point where midpoint takes the force. Taken as one step, the speed would be 12. */
static void what_is_far_off_is_made_in_smaller_parts(void **state)
{
    static const char STRUCK[] =
        "system Struck {\n parameter w = 0.002, I = 2\n coordinate x, y\n"
        " lagrangian (x'^2 + y'^2)/2\n holonomic circle: x^2 + y^2 = 1\n"
        " let F = I/(w*sqrt(pi))*exp(-((t - 1.01)/w)^2)\n force x: -y*F\n force y: x*F\n"
        " start x = 1, y' = 1\n}\n";
    static const char *const backend[] = {"vm", "native"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        char said[4000];
        run  r = ended(STRUCK, "midpoint", "0.02", "1.4", backend[k], said, sizeof said);
        assert_int_equal(r.status, DAL_OK);
        const double speed = hypot(dal_v(r.s)[0], dal_v(r.s)[1]);
        if (!(fabs(speed - 3) < 0.02)) fail_msg("%s: speed %g", backend[k], speed);
        end(&r);
    }
}

/* With the skate's direction th = t and its speed u = -2 (x - z) cos t - y sin t, for it has no
 * mass, the motion is x' = u cos t, y' = u sin t, z'' = 2 (x - z); here by Runge and Kutta. */
static void skate_rates(double t, const double s[4], double out[4])
{
    const double u = -2 * (s[0] - s[2]) * cos(t) - s[1] * sin(t);
    out[0] = u * cos(t), out[1] = u * sin(t), out[2] = s[3], out[3] = 2 * (s[0] - s[2]);
}

static double skate_x(double until)
{
    enum { STEPS = 20000 };
    double       s[4] = {0.3, 0.2, 0, 1}, k[4][4], at[4];
    const double h = until / STEPS;
    for (int i = 0; i < STEPS; i++) {
        for (int stage = 0; stage < 4; stage++) {
            const double c = stage == 0 ? 0 : stage == 3 ? h : h / 2;
            for (int j = 0; j < 4; j++) at[j] = s[j] + (stage ? c * k[stage - 1][j] : 0);
            skate_rates(i * h + c, at, k[stage]);
        }
        for (int j = 0; j < 4; j++) s[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    return s[0];
}

/* A skate without mass on springs, also at steps that are as long as a turn: no momentum is left
 * where there can be none, and the error falls with the square of the step. */
static void a_skate_without_mass_has_no_momentum(void **state)
{
    static const char SKATE[] =
        "system Skate {\n coordinate x, y, th, z\n"
        " lagrangian th'^2/2 + z'^2/2 - (x - z)^2 - y^2/2\n"
        " constraint e: sin(th)*x' = cos(th)*y'\n force x: -x'\n force y: -y'\n"
        " start th' = 1, x = 0.3, y = 0.2, z' = 1\n}\n";
    static const char *const step[] = {"1", "0.1", "0.05"};
    double                   error[3];
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        char said[4000];
        run  r = ended(SKATE, "midpoint", step[k], "10", "auto", said, sizeof said);
        assert_int_equal(r.status, DAL_OK);
        assert_true(dal_summarise(r.s)->momentum_defect < 1e-12);
        error[k] = fabs(dal_q(r.s)[0] - skate_x(10));
        end(&r);
    }
    assert_true(error[0] < 0.25);
    check_close(log2(error[1] / error[2]), 2, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead_points_are_told_with_time_and_place),
        cmocka_unit_test(a_flat_five_bar_linkage_is_told),
        cmocka_unit_test(contradictions_end_the_run),
        cmocka_unit_test(what_is_far_off_is_made_in_smaller_parts),
        cmocka_unit_test(a_skate_without_mass_has_no_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
