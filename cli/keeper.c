/* keeper.c - when checkpoints are due, and writing them. */
#include "keeper.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char EVERY[] = "60s";

int keeper_flags(flag_row *out)
{
    out[0] =
        (flag_row){"checkpoint", 0, "FILE", "keep a checkpoint in FILE, for 'dalembert resume'"};
    out[1] = (flag_row){"checkpoint-every", 0, "60s|N",
                        "how often: seconds (s), minutes (min), hours (h), or a number of steps"};
    return 2;
}

/* "60s", "5min", "2h" or "1000" */
static bool read_cadence(keeper *k, const char *words)
{
    static const struct {
        const char *unit;
        double      seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    char  *end;
    double number = strtod(words, &end);
    k->cadence = words, k->seconds = 0, k->steps = 0;
    if (!isdigit((unsigned char)words[0]) || !(number > 0) || !isfinite(number)) return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].unit)) k->seconds = number * units[i].seconds;
    if (!*end && number == floor(number) && number < 1e15) k->steps = (long)number;
    return k->seconds > 0 || k->steps > 0;
}

int keeper_read(keeper *k, const arguments *a, const char *path, const char *cadence)
{
    const char *asked = own_value(a, "checkpoint"), *every = own_value(a, "checkpoint-every");
    *k = (keeper){.path = asked ? asked : path};
    if (asked && !*asked) return complain("--checkpoint needs the name of a file");
    if (every && !k->path) return complain("--checkpoint-every needs --checkpoint FILE");
    if (every && !read_cadence(k, every))
        return complain("--checkpoint-every %s: a time with its unit, as 60s or 5min, or a number "
                        "of steps, as 1000",
                        every);
    if (!every && !read_cadence(k, cadence ? cadence : EVERY))
        return complain("%s does not say how often it is to be written; give --checkpoint-every",
                        path);
    return GO_ON;
}

bool keeper_due_by_steps(const keeper *k, long step)
{
    return k->path && k->steps && step - k->last_step >= k->steps;
}

bool keeper_due_by_clock(const keeper *k, double now)
{
    return k->path && k->seconds > 0 && now - k->last >= k->seconds;
}

dal_status keeper_save(keeper *k, dal_sim *s, double now)
{
    k->last = now, k->last_step = dal_steps(s);
    dal_status bad = dal_sim_note(s, "checkpoint every", k->cadence);
    return bad ? bad : dal_sim_save(s, k->path);
}
