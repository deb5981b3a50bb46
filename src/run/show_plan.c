/* show_plan.c - which engine would make the steps of a run, what it would cost, and why it is not
 * one of the others. */
#include "run/describe.h"
#include "run/engine_table.h"

/* In the unit in which it has one to three digits before the point. */
static void print_time(text *out, double seconds)
{
    static const struct {
        double      of;
        const char *word;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    int k = 0;
    while (k < 3 && seconds < units[k].of) k++;
    text_printf(out, "%.3g %s", seconds / units[k].of, units[k].word);
}

/* Without a known end only a step and its compilation are named. */
static void print_cost(text *out, engine_cost cost, double steps)
{
    text_add(out, "about ");
    print_time(out, 1e-9 * cost.ns);
    text_add(out, " a step");
    if (cost.seconds > 0)
        text_add(out, " and "), print_time(out, cost.seconds), text_add(out, " to compile it");
    if (!(steps > 0)) return;
    text_printf(out, "; %g steps: ", steps);
    print_time(out, engine_total(cost, steps));
}

/* "general, interpreted"; an engine that has no other way is just named. */
static void print_name(text *out, const engine *e, bool native)
{
    text_add(out, e->name);
    if (e->interpreted) text_printf(out, native ? ", compiled" : ", interpreted");
}

/* The engine that was not chosen, or the other way to run the one that was. */
static void print_other(text *out, const dal_sim *s, engine_name k, bool native, bool first)
{
    const engine *e = &engines[k];
    const char   *why = text_str(&s->engine.why[k]);
    text_add(out, first ? "others      " : "            ");
    if (*why) {
        text_printf(out, "%s: %s\n", e->name, why);
        return;
    }
    print_name(out, e, native);
    text_add(out, ": ");
    print_cost(out, e->cost(&s->engine.of, native), s->engine.of.steps);
    text_add(out, "\n");
}

/* One that is tried later, or costs more, was not asked whether it fits. */
static void ask(dal_sim *s, engine_name k)
{
    const engine *e = &engines[k];
    text         *why = &s->engine.why[k];
    if (k == s->engine.name || why->n) return;
    if (e->fits(&s->engine.of, why)) e->make(&s->engine.of, true, why);
    if (!why->n && !e->interpreted && s->plan.backend == BACKEND_VM)
        text_add(why, "it would have to be compiled");
}

/* The chosen engine, and then each other one with its cost or the reason against it. */
static void print_choice(const description *d, dal_sim *s)
{
    const engine_choice *by = &s->engine;
    const engine        *e = &engines[by->name];
    bool                 first = true;
    text_add(d->out, "engine      ");
    print_name(d->out, e, by->native);
    text_printf(d->out, ": %s\ncost        ", e->purpose);
    print_cost(d->out, e->cost(&by->of, by->native), by->of.steps);
    text_add(d->out, "\n");
    if (by->name == GENERAL && !stepper_explicit(s->st)) {
        text_add(d->out, "solver      ");
        stepper_print_solver(s->st, d->out);
        text_add(d->out, "\n");
    }
    if (by->of.threads > 1) text_printf(d->out, "threads     %d\n", by->of.threads);
    for (engine_name k = 0; k < ENGINES; k++) {
        if (k == by->name && !e->interpreted) continue;
        ask(s, k);
        print_other(d->out, s, k,
                    k == by->name ? !by->native : engine_is_native(s, &engines[k], &by->of), first);
        first = false;
    }
}

static void end_preview(void *sim)
{
    simulation_end(sim);
}

dal_status describe_simulation(const description *d, dal_sim **out)
{
    dal_sim *s = *out = mem_array(d->m, 1, dal_sim);
    mem_init(&s->m, d->m->heap);
    s->m.guard = d->m->guard, s->ds = d->ds, s->engine.preview = true;
    mem_at_end(d->m, end_preview, s);
    return simulation_start(s, d->of, d->asked);
}

dal_status show_plan(const description *d)
{
    dal_sim   *s;
    dal_status bad = describe_simulation(d, &s);
    if (!bad) print_choice(d, s);
    return bad;
}
