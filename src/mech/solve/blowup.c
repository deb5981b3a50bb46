/* blowup.c - does the motion blow up in finite time? The last steps show it: each is longer than
 * the one before by a ratio that does not decrease, or one exceeds all bounds. So it is before a
 * place where forces cease to balance. */
#include "mech/solve/newton.h"

#include <math.h>

enum { RATIOS = 3 };

/* A fall from rest has decreasing ratios 3, 5/3, 7/5, ...; exponential growth is caught where it is
 * too fast for the step. */
static bool grows(const history *p, int k, double q)
{
    static const double LEAST = 1.2, PART = 0.05, ROUNDOFF = 1e-3;
    static const double BEYOND = 1e6;
    double              later = HUGE_VAL, ratio = 0;
    if (!(fabs(p->y[0][k]) >= PART * fabs(q))) return false;
    if (fabs(p->y[0][k]) > BEYOND * fabs(p->y[RATIOS][k])) return p->y[RATIOS][k] != 0;
    for (int j = 0; j < RATIOS; j++, later = ratio) {
        ratio = p->y[j][k] / p->y[j + 1][k];
        if (!(ratio > 1 && ratio <= later * (1 + ROUNDOFF)) || (j == 0 && ratio < LEAST))
            return false;
    }
    return true;
}

/* No entry of L_ww is in its row: forces along it balance. */
static bool is_balanced(const dal_system *sys, int i)
{
    const uint8_t *present = sys->present[F_LWW];
    for (int e = sys->K.start[i]; e < sys->K.start[i + 1] && sys->varies[F_LWW]; e++)
        if (!present || present[e]) return false;
    return !sys->hamiltonian || !sys->hamiltonian[i];
}

/* Of the coordinates that grow, the one with the largest last increment Z^d is named. */
bool blowup_explain(const equations *eq, const history *before, text *why)
{
    const int n = eq->n, end = (eq->d - 1) * n;
    int       most = -1;
    if (!before || eq->shot || before->count <= RATIOS || before->most < HISTORY_MOST) return false;
    for (int i = 0; i < n; i++)
        if (grows(before, end + i, eq->q[i]) &&
            (most < 0 || fabs(before->y[0][end + i]) > fabs(before->y[0][end + most])))
            most = i;
    if (most < 0) return false;
    text_add(why, "; ");
    say_coordinate(eq->sys, most, why);
    text_printf(
        why,
        " diverges: its last increments were %.3g, %.3g and %.3g, and it is %.6g now; use a "
        "smaller step, which follows the motion further; if it goes to infinity in finite "
        "time%s, no step passes that time",
        before->y[2][end + most], before->y[1][end + most], before->y[0][end + most], eq->q[most],
        is_balanced(eq->sys, most) ? ", or the forces along it cease to balance" : "");
    return true;
}
