/* figures.c - what a figure is drawn of: numbers in a plane; in space vectors, rotations and
 * sizes. */
#include "model/figures.h"
#include "lang/symbols.h"

#include <string.h>

/* One vector is enough to know what was meant. */
bool figure_in_space(const stmt *st)
{
    for (int i = 0; i < st->places; i++)
        if (st->place[i]->shape != SHAPE_NUMBER) return true;
    return false;
}

static ast_shape shape_at(const figure_form *f, int i)
{
    switch (form_place(f, i)) {
    case 'n': return SHAPE_NUMBER;
    case 'v': return SHAPE_VECTOR;
    case 'm': return SHAPE_MATRIX;
    default: return SHAPE_UNKNOWN;
    }
}

/* How many of the places are as this form has them. */
static int agreement(const figure_form *f, const stmt *st)
{
    int i = 0;
    while (i < st->places && shape_at(f, i) == st->place[i]->shape) i++;
    return i;
}

/* Every way to write it: 'draw sphere(a, 0.1)' or 'draw sphere(a, R, 0.1)' */
static const char *how_written(resolver *r, const stmt *st, bool flat)
{
    const char *all = NULL;
    for (const figure_form *f = figure_forms; f->places; f++)
        if (f->kind == st->figure && form_is_flat(f) == flat)
            all = all ? mem_printf(r->l->m, "%s or 'draw %s'", all, f->written)
                      : mem_printf(r->l->m, "type 'draw %s'", f->written);
    return all;
}

static void refuse_count(resolver *r, const stmt *st, const figure_form *f, const char *hint)
{
    const char *word = dal_figure_name(st->figure);
    const int   n = (int)strlen(f->places);
    if (f->more)
        diag_error(r->ds, DAL_INVALID, st->places_at, hint,
                   form_is_flat(f) ? "a %s has two numbers for each of its corners, not %d"
                                   : "a %s has two corners or more, not %d",
                   word, st->places);
    else
        diag_error(r->ds, DAL_INVALID, st->places_at, hint, "a %s%s has %d %s%s, not %d", word,
                   form_is_flat(f) ? "" : " drawn like this", n,
                   form_is_flat(f) ? "number" : "value", n == 1 ? "" : "s", st->places);
}

/* The form that agrees furthest says what is wrong. */
void check_figure(resolver *r, const stmt *st)
{
    const bool         flat = !figure_in_space(st);
    const figure_form *best = NULL;
    int                most = -1;
    for (const figure_form *f = figure_forms; f->places; f++) {
        if (f->kind != st->figure || form_is_flat(f) != flat) continue;
        const int same = agreement(f, st);
        if (same == st->places && form_counts(f, st->places)) return;
        if (same > most) best = f, most = same;
    }
    const char *word = dal_figure_name(st->figure), *hint = how_written(r, st, flat);
    if (!best)
        diag_error(r->ds, DAL_INVALID, st->places_at, how_written(r, st, !flat),
                   flat ? "a %s is drawn in space, of vectors"
                        : "a %s is drawn in a plane, of numbers",
                   word);
    else if (most < st->places && form_place(best, most))
        diag_error(r->ds, DAL_INVALID, st->place[most]->at, hint, "%s, where a %s has %s",
                   shape_phrase(st->place[most]->shape), word, shape_phrase(shape_at(best, most)));
    else refuse_count(r, st, best, hint);
}
