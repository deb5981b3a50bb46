/* marks.c - events on an axis of time: those that would stand on each other share a mark. */
#include "picture/picture.h"

#include <math.h>

mark *marks_of(const sheet *s, const pane *p, range x, int most, int *n)
{
    const dal_plot *of = s->of;
    mark           *out = mem_array(s->m, most + 1, mark);
    int             last = -1;
    *n = 0;
    if (!(p->of->flags & DAL_PANEL_EVENTS)) return out;
    for (size_t i = 0; i < of->events; i++) {
        const double t = of->event[i].t, at = x.log ? log10(t) : t;
        if (!drawable(at) || at < x.least || at > x.most) continue;
        const int bin = (int)fmin((at - x.least) / range_width(x) * most, most - 1);
        if (bin > last) out[(*n)++] = (mark){at, &of->event[i], 0}, last = bin;
        out[*n - 1].count++;
    }
    return out;
}

void add_mark_words(text *out, const mark *m)
{
    text_printf(out, "%s %s, t = %.6g", words_of(m->first->name), words_of(m->first->what),
                m->first->t);
    if (m->count > 1) text_printf(out, ", and %ld more", m->count - 1);
}
