/* findings.c - what a study found, beside what was printed. */
#include "reproduce.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* Texts are copied; study_free frees them. */
static finding *add(study *s, const char *what, const char *printed, verdict v)
{
    s->finding = need(s->finding, (size_t)s->findings + 1, sizeof *s->finding);
    finding *f = &s->finding[s->findings++];
    *f = (finding){.what = text("%s", what), .printed = text("%s", printed), .verdict = v};
    return f;
}

static char *formatted(const char *format, va_list args)
{
    char room[256];
    vsnprintf(room, sizeof room, format, args);
    return text("%s", room);
}

/* The printed number as it stands; ours agrees within `tolerance`, which is half a unit of the
 * last printed digit, or what the study says of it. */
void found_number(study *s, const char *what, const char *printed, double ours, double tolerance)
{
    bool     same = fabs(ours - strtod(printed, NULL)) <= tolerance * (1 + 1e-9);
    finding *f = add(s, what, printed, same ? AGREES : DIFFERS);
    f->ours = text("%.5g", ours), f->rule = "to its digits";
}

/* What the paper says of a figure in words, and the rule by which ours is held to it. */
void found_claim(study *s, const char *what, const char *printed, const char *rule, bool holds,
                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    finding *f = add(s, what, printed, holds ? AGREES : DIFFERS);
    f->ours = formatted(format, args), f->rule = rule;
    va_end(args);
}

/* The contrary of what the paper says, with a reason. */
void found_contrary(study *s, const char *what, const char *printed, const char *note,
                    const char *format, ...)
{
    va_list args;
    va_start(args, format);
    finding *f = add(s, what, printed, DISAGREES);
    f->ours = formatted(format, args), f->note = note;
    va_end(args);
}

/* A number of ours that cannot be held to a printed one, or has none beside it (""). */
void found_explained(study *s, const char *what, const char *printed, const char *note,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    finding *f = add(s, what, printed, EXPLAINED);
    f->ours = formatted(format, args), f->note = note;
    va_end(args);
}
