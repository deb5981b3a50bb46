/* general.c - the engine of every system (mech/stepper/step.c): its programs are interpreted or
 * compiled, with the same bits. */
#include "run/engine_table.h"

/* What the stepper evaluates, by the programs of which system. */
typedef struct {
    bound   *of;
    unsigned want[2 * STEP_REQUESTS];
    int      wants;
} evaluations;

/* Connections as forces have the forces evaluated by other means. */
static evaluations find_evaluations(dal_sim *s, const stepper *st, double *ns, double *calls)
{
    step_request   asked[STEP_REQUESTS];
    evaluations    e = {.of = s->full ? s->full->bound : s->bound};
    const int      n = stepper_requests(st, asked);
    const unsigned apart = s->joint ? WANT_FORCE | WANT_FORCE_JACOBIAN : 0;
    *ns = *calls = 0;
    /* interpreter_ns and call_ns of one evaluation, times points, times evaluations in a step */
    for (int i = 0; i < n; i++) {
        e.want[e.wants] = asked[i].want & ~apart;
        const bound_costs of = bound_cost(&s->m, e.of, &e.want[e.wants++], 1);
        *ns += of.interpreter_ns * asked[i].points, *calls += of.call_ns * asked[i].points;
    }
    *ns *= stepper_evaluations(st), *calls *= stepper_evaluations(st);
    /* what the reactions are computed from, at every point of the forces */
    if (s->joint)
        e.want[e.wants++] = WANT_GRADIENT | WANT_HESSIAN | WANT_TIME | WANT_FORCE | WANT_RELATIONS |
                            WANT_RELATIONS_JACOBIAN,
        e.want[e.wants++] = WANT_FORCE_JACOBIAN, e.want[e.wants++] = WANT_RELATIONS_JACOBIAN;
    return e;
}

/* Into the case: what interpreting costs in a step, and what compiling costs once. */
void programs_cost(dal_sim *s, engine_case *c)
{
    if (!s->bound) return;
    const evaluations e = find_evaluations(s, c->st, &c->program_ns, &c->call_ns);
    const bound_costs all = bound_cost(&s->m, e.of, e.want, e.wants);
    c->program_seconds = all.compile_seconds, c->operations = all.written;
}

/* False: there is no compiled code, and why says so; the interpreters go on. */
bool programs_compile(void *sim, text *why)
{
    dal_sim *s = sim;
    double   ns, calls;
    if (!s->bound) return false;
    const evaluations e = find_evaluations(s, s->st, &ns, &calls);
    return bound_native(&s->m, e.of, e.want, e.wants, why);
}

/* There is nothing that it cannot do. */
bool general_fits(const engine_case *c, text *why)
{
    (void)c, (void)why;
    return true;
}

/* Measured: compiled programs take less than a third of the time. */
engine_cost general_cost(const engine_case *c, bool native)
{
    const double own = stepper_own_ns(c->st) + c->call_ns;
    return native ? (engine_cost){c->program_seconds, 0.3 * c->program_ns + own}
                  : (engine_cost){0, c->program_ns + own};
}

engine_made general_make(const engine_case *c, bool native, text *why)
{
    if (!native || !c->model) return ENGINE_INTERPRETED;
    return c->preview || c->compile_programs(c->programs, why) ? ENGINE_NATIVE : ENGINE_INTERPRETED;
}
