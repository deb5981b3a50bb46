/* revalue.c - the numbers of a run once more, with other numbers in the place of some: what is to
 * be varied is read and resolved once, as "NAME=1", and then only its value is exchanged. */
#include "lang/values.h"

#include <string.h>

/* what language_vary keeps between two evaluations */
typedef struct {
    lang *l;
    diags unheard; /* of the texts, which can be read at all if one of them was used before */
    vec(override) set, begin;
    ast **value; /* of each name */
} reading;

/* The number in "NAME=1", whose value is exchanged later; NULL: the name cannot be read. */
static ast *read_name(world *w, reading *r, const varying *of, int i)
{
    const char  *words = mem_printf(of->m, "%s=1", of->name[i].text);
    const source s = {of->name[i].file, words, strlen(words)};
    const int    before = of->start[i] ? w->begin.n : w->set.n;
    overrides_read(w, r->l, &s, 1, of->start[i]);
    if (of->start[i]) return w->begin.n > before ? w->begin.at[before].value : NULL;
    return w->set.n > before ? w->set.at[before].value : NULL;
}

/* Overrides that do not change are read along, in the same world. */
static reading *read_names(const model *md, const varying *of)
{
    reading *r = mem_array(of->m, 1, reading);
    world    w;
    diags_init(&r->unheard, of->m);
    r->l = world_again(&w, md, of->over, &r->unheard, of->m);
    overrides_read(&w, r->l, of->over->start, of->over->starts, true);
    r->value = mem_array(of->m, of->count + 1, ast *);
    for (int i = 0; i < of->count; i++) r->value[i] = read_name(&w, r, of, i);
    memcpy(&r->set, &w.set, sizeof r->set), memcpy(&r->begin, &w.begin, sizeof r->begin);
    return r;
}

/* The first call reads the names, later ones only exchange numbers. DAL_INVALID too if a name
 * cannot be read. */
dal_status language_vary(const model *md, varying *of, diags *ds, mem *m, values *out)
{
    const int before = ds->errors;
    world     w;
    if (!of->read) of->read = read_names(md, of);
    reading *r = of->read;
    if (r->unheard.errors) return DAL_INVALID;
    for (int i = 0; i < of->count; i++) r->value[i]->number = of->number[i];
    world_begin(&w, r->l, md, ds, m);
    memcpy(&w.set, &r->set, sizeof w.set), memcpy(&w.begin, &r->begin, sizeof w.begin);
    *out = (values){0};
    evaluate_numbers(&w, r->l, of->over, out);
    diags_sort(ds);
    return ds->errors > before ? DAL_INVALID : DAL_OK;
}
