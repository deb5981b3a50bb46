/* bundle.c - which combinations of requests get a program, and how a request is served.
 *
 * A combination that the methods request often is one program, so that its common subexpressions
 * are computed once; any other request is composed of these. */
#include "model/shape.h"

#define SINK(name, want, unless, member, space)                                                 \
    [SINK_##name] = {want, unless, space, offsetof(results, member), (space) == ONE},
const sink_row sink_table[SINKS] = {
#include "model/sinks.def"
};
#undef SINK

enum { DYNAMICS = WANT_GRADIENT | WANT_HESSIAN | WANT_FORCE | WANT_FORCE_JACOBIAN };

static const unsigned useful[] = {
    WANT_GRADIENT,                                             /* residual, first what is asked  */
    WANT_GRADIENT | WANT_FORCE,                                /* for most often                 */
    WANT_GRADIENT | WANT_HESSIAN,                              /* Newton's matrix; forces may    */
    DYNAMICS,                                                  /* have their own rule            */
    WANT_L | WANT_GRADIENT,                                    /* energy                         */
    WANT_MOMENTA | WANT_HESSIAN,                               /* velocities at a grid point,    */
    WANT_L | WANT_MOMENTA,                                     /* and energy there               */
    WANT_FORCE | WANT_FORCE_JACOBIAN,
    WANT_L | WANT_GRADIENT | WANT_FORCE | WANT_TIME,           /* time is a variable             */
    WANT_L | DYNAMICS | WANT_TIME,
    WANT_RELATIONS | WANT_RELATIONS_JACOBIAN,                  /* the same for the relations     */
    WANT_RELATIONS | WANT_HOLONOMIC,
    WANT_RELATIONS | WANT_HOLONOMIC | WANT_RELATIONS_JACOBIAN,
    WANT_L, WANT_MOMENTA, WANT_HESSIAN, WANT_FORCE, WANT_FORCE_JACOBIAN, WANT_TIME,
    WANT_RELATIONS, WANT_HOLONOMIC, WANT_RELATIONS_JACOBIAN,   /* and each alone                 */
};
enum { USEFUL = sizeof useful / sizeof *useful };

/* The useful combinations of what is relevant, each once. */
int bundle_choose(unsigned relevant, unsigned wants[BUNDLES_MOST])
{
    int n = 0;
    for (int u = 0; u < USEFUL; u++) {
        unsigned want = useful[u] & relevant;
        bool     known = !want;
        for (int k = 0; k < n && !known; k++) known = wants[k] == want;
        if (!known) wants[n++] = want;
    }
    return n;
}

/* the number of bits set */
static int bits(unsigned x)
{
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}

/* The combination of most bits among those that ask for nothing beyond `left`; -1: none. */
static int largest_within(const unsigned *wants, int n, unsigned left)
{
    int best = -1, most = 0;
    for (int k = 0; k < n; k++) {
        const int asked = wants[k] & ~left ? 0 : bits(wants[k]);
        if (asked > most) best = k, most = asked;
    }
    return best;
}

/* For every request the largest combination that fits, then the largest that fits the rest: no
 * value is computed twice, so adding is correct. */
void bundle_plan(const unsigned *wants, int n, uint32_t plan[WANTS])
{
    unsigned relevant = 0;
    for (int k = 0; k < n; k++) relevant |= wants[k];
    plan[0] = 0;
    for (unsigned want = 1; want < WANTS; want++) {
        const bool     nothing = want & WANT_MOMENTA && !(relevant & WANT_MOMENTA); /* Lww is 0 */
        const unsigned left = want & relevant & ~(nothing ? (unsigned)WANT_HESSIAN : 0u);
        const int      k = left == want ? largest_within(wants, n, want) : -1;
        plan[want] = k < 0 ? plan[left] : UINT32_C(1) << k | plan[want & ~wants[k]];
    }
}
