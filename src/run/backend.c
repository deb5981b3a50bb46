/* backend.c - virtual machine or native code: which one runs the programs, and what is reported
 * about it.
 *
 * Both give the same bits, so `auto` may choose by whether compilation pays. It considers the
 * number of steps and operations only, never a clock or the contents of the cache. */
#include "run/simulation.h"

typedef struct {
    bound   *of; /* what the stepper evaluates */
    unsigned want[2 * STEP_REQUESTS];
    int      wants;
    double   machine_seconds, compile_seconds;
    double   written; /* operations of a step that is compiled as a whole */
} prospect;

/* Connections as forces have the forces evaluated by other means. */
static prospect look_ahead(dal_sim *s)
{
    step_request asked[STEP_REQUESTS];
    prospect     p = {.of = s->whole ? s->whole->bound : s->bound};
    int          n = stepper_requests(s->st, asked), evaluations = stepper_evaluations(s->st);
    double       ns = 0;
    for (int i = 0; i < n; i++) {
        unsigned apart = s->joint ? WANT_FORCE | WANT_FORCE_JACOBIAN : 0;
        p.want[p.wants] = asked[i].want & ~apart;
        ns += bound_cost(&s->m, p.of, &p.want[p.wants++], 1).machine_ns * asked[i].points;
    }
    if (s->joint)
        p.want[p.wants++] = WANT_GRADIENT | WANT_HESSIAN | WANT_TIME | WANT_FORCE | WANT_RELATIONS |
                            WANT_RELATIONS_JACOBIAN,
        p.want[p.wants++] = WANT_FORCE_JACOBIAN, p.want[p.wants++] = WANT_RELATIONS_JACOBIAN;
    const bound_costs all = bound_cost(&s->m, p.of, p.want, p.wants);
    p.compile_seconds = all.compile_seconds, p.written = all.written;
    p.machine_seconds = s->plan.steps < 0 ? 0 : 1e-9 * ns * evaluations * (double)s->plan.steps;
    return p;
}

static bool repays(const prospect *p)
{
    return 0.7 * p->machine_seconds > p->compile_seconds;
}

/* Whoever asked for native code is told why there is none; others only if they have long to
 * wait. */
static void tell(dal_sim *s, const prospect *p, bool native)
{
    const bool  asked = s->plan.backend == BACKEND_NATIVE;
    const char *why = text_str(&s->why);
    if (!*why) return;
    if (native && asked) diag_warning(s->ds, span_none(), NULL, "%s", why);
    else if (asked)
        diag_warning(s->ds, span_none(), NULL,
                     "the virtual machine runs instead of native code: %s", why);
    else if (!native && p->machine_seconds > 10)
        diag_note(s->ds, span_none(), NULL, "native code would be faster, but %s", why);
    text_clear(&s->why);
}

/* Compiling a whole step takes longer, but also saves four fifths of the stepper's own time.
 * Measured: beyond some 200 operations, each costs compilers 1.5 ms, as it occurs in the residual
 * and the Jacobian. */
bool backend_repays_step(dal_sim *s)
{
    const prospect p = look_ahead(s);
    const double   longer =
        stepper_compile_seconds(s->st) + (p.written > 200 ? 1.5e-3 * (p.written - 200) : 0);
    const double steps = s->plan.steps < 0 ? 0 : (double)s->plan.steps;
    const double own = 1e-9 * stepper_own_ns(s->st) * steps;
    return 0.8 * (p.machine_seconds + own) > longer + p.compile_seconds;
}

bool backend_choose(dal_sim *s)
{
    if (!s->bound || s->plan.backend == BACKEND_VM) return false;
    prospect p = look_ahead(s);
    if (s->plan.backend == BACKEND_AUTO && !repays(&p)) return false;
    bool native = bound_native(&s->m, p.of, p.want, p.wants, &s->why);
    if (native) s->mon.sum.backend = "native";
    tell(s, &p, native);
    return native;
}
