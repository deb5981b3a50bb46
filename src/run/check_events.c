/* check_events.c - which events a run will locate, and how many branches of expressions. */
#include "model/branches.h"
#include "run/check.h"

#include <string.h>

static const char *const kind_word[] = {"contact", "one-sided constraint", "friction", "when",
                                        "stop when"};

/* One without a name is called by its keyword and its place: the keyword is there already. */
static void add_name(const description *d, const model *md, int k)
{
    text called = text_new(d->m);
    model_name(md, MEMBER_EVENT, k, &called);
    const char *words = text_str(&called), *place = strchr(words, '(');
    text_add(d->out, md->event.at[k].member < 0 && place ? place : words);
    text_drop(&called);
}

static void list_kind(const description *d, const model *md, event_kind kind)
{
    enum { SHOWN = 6 };
    int count = 0;
    for (int k = 0; k < md->event.n; k++) {
        if (md->event.at[k].kind != kind) continue;
        if (!count) text_printf(d->out, "  %-12s %s ", "located", kind_word[kind]);
        if (count++ >= SHOWN) continue;
        text_add(d->out, count > 1 ? ", " : "");
        add_name(d, md, k);
    }
    if (count > SHOWN) text_printf(d->out, " and %d more", count - SHOWN);
    if (count) text_add(d->out, "\n");
}

bool check_locates(const description *d, const plan *p)
{
    const model *md = d->of->md;
    const long   count = md ? model_switches(d->m, md) : 0;
    return count && !events_passed(p, d->asked, count);
}

void check_events(const description *d, const plan *p)
{
    const model *md = d->of->md;
    if (!md) return;
    for (int k = 0; k < EVENT_SWITCH; k++) list_kind(d, md, (event_kind)k);
    const long  count = model_switches(d->m, md);
    const char *passed = events_passed(p, d->asked, count);
    if (!count) return;
    text_printf(d->out, "  %-12s %ld term%s with branches of if, abs, sign, min, max, floor or mod",
                passed ? "not located" : "located", count, count == 1 ? "" : "s");
    if (passed && *passed) text_printf(d->out, ", with %s", passed);
    text_add(d->out, "\n");
}
