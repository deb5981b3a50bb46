/* unused_options.c - options that change nothing with this model: who gives one expects something
 * of it. Not so of those that alter the cost alone (solver, jacobian, threads), nor of settings in
 * a file, which may be there for another of its systems. */
#include "run/simulation.h"

#include <string.h>

/* By relations, or along directions without inertia, on which the papers do not project. */
static bool is_held(const dal_sim *s)
{
    return s->sys->m + s->sys->r > 0 || stepper_bound_numbers(s->st) > 0;
}

/* Do joined parts differ by how they are joined? */
static bool is_joined(const dal_sim *s, const subject *of)
{
    if (of->solved[ELIMINATE]) return true;
    for (int a = 0; s->md && a < s->md->relation.n; a++)
        if (s->md->relation.at[a].connection || s->plan.joined == REACTIONS) return true;
    return false;
}

/* Notes only: a run with such an option is a good run. */
void unused_options_note(dal_sim *s, const subject *of, const request *r)
{
    static const source  on = {"--ledger", "yes", 3};
    const dal_system    *sys = s->sys;
    const source *const *set = r->over.setting;
    const struct {
        const char   *name, *usual; /* the value that nobody needs to give; NULL: there is none */
        const source *given;
        bool          matters;
        const char   *why_not;
    } option[] = {
        {"force", NULL, set[SET_FORCE], sys->forced, "there are no forces"},
        {"momentum", "projected", set[SET_MOMENTUM], is_held(s),
         "momenta differ by the reactions of relations, and there are none"},
        {"retraction", "midpoint", set[SET_RETRACTION],
         sys->m > 0 && (!sys->constant_A || sys->rheonomic),
         "no constraint on velocities depends on positions or time"},
        {"interconnection", "eliminate", r->interconnection, is_joined(s, of),
         "nothing is connected"},
        {"ledger", NULL, r->ledger ? &on : NULL, s->md != NULL, "a ledger needs a model's parts"},
    };
    for (size_t k = 0; k < sizeof option / sizeof *option; k++) {
        const source *given = option[k].given;
        const char   *usual = option[k].usual;
        if (!given || option[k].matters || (usual && !strcmp(given->text, usual))) continue;
        diag_note(s->ds, source_span(given), NULL, "%s = %s changes nothing here: %s",
                  option[k].name, given->text, option[k].why_not);
    }
}
