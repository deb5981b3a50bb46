/* check_pace.c - which pace will be followed and how, why not canonically, and how long the first
 * step will be. */
#include "run/check.h"

#include <math.h>

dal_status check_pace(const description *d, double *h)
{
    dal_sim         *s;
    const dal_status bad = describe_simulation(d, &s);
    if (bad) return bad;
    const char *why_not = s->pace->why_not;
    *h = copysign(s->pace->length, *h);
    text_printf(d->out, "  %-12s %s, the first step is %.4g long\n  %-12s %s", "pace",
                s->plan.pace.words, fabs(s->pace->length), "pacing", pace_word(s));
    if (s->plan.pacing != PACING_BEST) text_add(d->out, ", as it was asked for");
    else if (why_not) text_printf(d->out, ", not canonical: %s", why_not);
    else text_add(d->out, ", symplectic");
    text_add(d->out, "\n");
    return DAL_OK;
}
