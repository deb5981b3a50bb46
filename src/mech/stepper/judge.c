/* judge.c - how a scheme behaves along directions without inertia, found by running it on the
 * smallest system that has one; and why a scheme is refused. */
#include "mech/degenerate/degenerate.h"

#include "mech/stepper/step.h"

#include <math.h>

/* A factor per step; what is above it is growth, and not rounding. */
static const double GROWS = 1 + 1e-6;

/* The smallest degenerate system: L = -q^2/2, f = -R q'. --------------------------------------- */

/* self: the resistance R. */
static int mode_eval(void *self, unsigned want, int count, const sys_point *at, sys_values *out)
{
    const double R = *(const double *)self;
    for (int k = 0; k < count; k++) {
        if (want & WANT_GRADIENT) out[k].Lq[0] = -at[k].q[0], out[k].Lw[0] = 0;
        if (want & WANT_HESSIAN) {
            out[k].on_K[F_LQQ][0] = -1;
            out[k].on_K[F_LQW][0] = out[k].on_K[F_LWW][0] = 0;
        }
        if (want & WANT_FORCE) out[k].f[0] = -R * at[k].w[0];
        if (want & WANT_FORCE_JACOBIAN) out[k].on_K[F_FQ][0] = 0, out[k].on_K[F_FW][0] = -R;
    }
    return 0;
}

/* The eigenvalue of largest modulus of the step (q,p) -> (q,p), from its columns. */
static double spectral_radius(double a[2][2])
{
    double half = (a[0][0] + a[1][1]) / 2, det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    double square = half * half - det;
    return square >= 0 ? fabs(half) + sqrt(square) : sqrt(det);
}

/* The step is linear, so its matrix has the images of (q, p) = (1, 0) and (0, 1) as columns. h =
 * 0.01 with R = 1 and C = 1 is a hundredth of the time constant. */
double degenerate_growth(mem *m, const scheme *sch, bool resistive)
{
    double        R = resistive;
    int           start[] = {0, 1}, column[] = {0}, none[] = {0}, self[] = {0};
    const uint8_t yes[] = {1}, no[] = {0};
    dal_system    mode = {.n = 1,
                          .K = {1, 1, start, column},
                          .transpose = self,
                          .A = {0, 1, none, NULL},
                          .forced = true,
                          .self = &R,
                          .eval = mode_eval,
                          .present = {yes, no, no, no, resistive ? yes : no, no},
                          .varies = {FIELD_CONSTANT, FIELD_ZERO, FIELD_ZERO, FIELD_ZERO,
                                  resistive ? FIELD_CONSTANT : FIELD_ZERO, FIELD_ZERO}};
    step_options  o = {0};
    stepper      *st = NULL;
    text          why = text_new(m);
    double        map[2][2], growth = -1;
    bool          good = !stepper_new(m, &mode, sch, &o, &st, &why);
    for (int k = 0; k < 2 && good; k++) {
        const double q = k == 0, p = k == 1;
        stepper_set(st, 0, &q, &p, NULL);
        good = !stepper_step(st, 0, 0.01, &why);
        map[0][k] = stepper_q(st)[0], map[1][k] = stepper_p(st)[0];
    }
    if (good) growth = spectral_radius(map);
    stepper_free(st);
    text_drop(&why);
    return growth;
}

/* Directions in words. ------------------------------------------------------------------------ */

/* The size of the DIRECTION_TERMS-th largest coefficient of u. */
static double least_printed(const double *u, int n)
{
    double top[DIRECTION_TERMS] = {0};
    for (int i = 0; i < n; i++) {
        double size = fabs(u[i]);
        for (int k = 0; k < DIRECTION_TERMS; k++)
            if (size > top[k]) {
                const double other = top[k];
                top[k] = size, size = other;
            }
    }
    return top[DIRECTION_TERMS - 1];
}

static void print_coordinate(const dal_system *sys, int i, bool momenta, text *out)
{
    if (momenta) text_add(out, "p(");
    if (sys->coordinate_name) sys->coordinate_name(sys->self, i, out);
    else text_printf(out, "coordinate %d", i + 1);
    if (momenta) text_add(out, ")");
}

static const double SMALL = 1e-4, ROUND = 5e-4; /* 1 of three digits */

/* "x[1] + x[2] + ... + x[16]", of many that are alike; false: they are not. */
static bool print_sum(const dal_system *sys, const double *u, double largest, bool momenta,
                      text *out)
{
    int count = 0, last = -1;
    for (int i = 0; i < sys->n; i++) {
        if (fabs(u[i] / largest) <= SMALL) continue;
        if (fabs(u[i] / largest - 1) > ROUND) return false;
        last = i, count++;
    }
    if (count <= DIRECTION_TERMS) return false;
    for (int i = 0, shown = 0; shown < 2; i++)
        if (fabs(u[i] / largest) > SMALL)
            print_coordinate(sys, i, momenta, out), text_add(out, " + "), shown++;
    text_add(out, "... + ");
    print_coordinate(sys, last, momenta, out);
    text_printf(out, " (%d in all)", count);
    return true;
}

void direction_print(const dal_system *sys, const double *u, bool momenta, text *out)
{
    const double        least = least_printed(u, sys->n);
    double              largest = 0;
    bool                first = true;
    int                 printed = 0, left = 0;
    for (int i = 0; i < sys->n; i++)
        if (fabs(u[i]) > fabs(largest) * (1 + SMALL)) largest = u[i];
    if (print_sum(sys, u, largest, momenta, out)) return;
    for (int i = 0; i < sys->n; i++) {
        double c = u[i] / largest, size = fabs(c);
        if (!(size > SMALL)) continue;
        if (fabs(u[i]) < least * (1 - SMALL) || printed == DIRECTION_TERMS) {
            left++;
            continue;
        }
        printed++;
        text_add(out, c < 0 ? (first ? "-" : " - ") : (first ? "" : " + "));
        if (fabs(size - 1) > ROUND) text_printf(out, "%.3g*", size);
        print_coordinate(sys, i, momenta, out);
        first = false;
    }
    if (left) text_printf(out, " and %d more", left);
}

/* Coordinates have names of their own, directions are written as sums of them. */
void degeneracy_print(const dal_system *sys, const degeneracy *g, int u, text *why)
{
    if (!g->massless) direction_print(sys, g->U + u * sys->n, false, why);
    else if (sys->coordinate_name) sys->coordinate_name(sys->self, g->massless[u], why);
    else text_printf(why, "coordinate %d", g->massless[u] + 1);
}

/* Judging. ------------------------------------------------------------------------------------- */

/* Balances that contain velocities are equations between positions and momenta; only Gauss points
 * transmit them to the end of the step. */
static bool hands_on(const scheme *sch)
{
    return sch->rule.s == sch->degree && sch->rule.order == 2 * sch->degree && !sch->own_force_rule;
}

static void say_direction(const dal_system *sys, const degeneracy *g, int u, text *why)
{
    text_add(why, "the direction ");
    degeneracy_print(sys, g, u, why);
}

/* Is there a direction along which the scheme loses its order? Then `why` says so. */
static bool loses_order(const dal_system *sys, const degeneracy *g, const scheme *sch, text *why)
{
    if (g->loose) {
        say_direction(sys, g, g->resistive, why);
        text_add(why, " has no inertia, and only the time derivative of another force "
                      "balance determines it: every scheme loses its order along it; give "
                      "it inertia, stiffness or resistance; if it is a multiplier, write "
                      "its equation as a relation instead (holonomic ... = 0)");
    } else if (g->coupled && !hands_on(sch)) {
        say_direction(sys, g, g->resistive, why);
        text_printf(why,
                    " has no inertia, and the forces along it depend on other "
                    "velocities; %s does not keep them in balance; use gauss(s)",
                    sch->title);
    } else if (g->first_order && !hands_on(sch)) {
        say_direction(sys, g, g->first_order - 1, why);
        text_printf(why,
                    " has no inertia, and L is linear in its velocity: its momentum is a "
                    "function of the position, and %s drifts away from that; use gauss(s)",
                    sch->title);
    } else {
        return false;
    }
    return true;
}

/* Along directions with resistance, or along those with stiffness alone. */
static dal_status judge_growth(mem *m, const dal_system *sys, const degeneracy *g,
                               const scheme *sch, bool resistive, bool insist, text *why)
{
    const double growth = degenerate_growth(m, sch, resistive);
    const bool   own = sch->own_force_rule && sys->forced && resistive;
    if (growth >= 0 && (insist || (growth <= GROWS && !own))) return DAL_OK;
    say_direction(sys, g, resistive ? 0 : g->resistive + g->coupled, why);
    text_add(why, " has no inertia and no relation fixes it; ");
    if (growth < 0) text_printf(why, "%s makes its equations singular; use gauss(s)", sch->title);
    else if (own)
        text_add(why, "a separate quadrature for the forces lowers the order along it; "
                      "leave that out");
    else
        text_printf(why, "with %s errors along it grow by a factor of %.4g in %s", sch->title,
                    growth,
                    resistive ? "a hundredth of its time constant, however small the step; use "
                                "gauss(s), and a 'state' if it is stiff"
                              : "every step; use gauss(s)");
    return growth < 0 ? DAL_SINGULAR : DAL_INVALID;
}

/* Resistive and stiff directions are judged apart: a scheme may be unstable along the one kind
 * and singular along the other. */
dal_status degeneracy_judge(mem *m, const dal_system *sys, const degeneracy *g, const scheme *sch,
                            bool insist, text *why)
{
    dal_status bad = DAL_OK;
    if (!g->dimension) return DAL_OK;
    if (!insist && loses_order(sys, g, sch, why)) return DAL_INVALID;
    if (g->resistive) bad = judge_growth(m, sys, g, sch, true, insist, why);
    if (!bad && g->resistive + g->coupled < g->dimension)
        bad = judge_growth(m, sys, g, sch, false, insist, why);
    return bad;
}
