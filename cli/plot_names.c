/* plot_names.c - what curves and axes are called: as little as tells them apart. Curves of several
 * results go by file, those of one by column; what all curves share stands at the axis. */
#include "plot.h"

#include <stdlib.h>
#include <string.h>

/* The file without folder and suffix. */
static const char *base_of(const char *path, int *length)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    *length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    return base;
}

static char *table_name(const figure *f, const table *t)
{
    int         n, k, same = 0;
    const char *base = base_of(t->path, &n);
    for (int i = 0; i < f->tables; i++) {
        const char *other = base_of(f->table[i].path, &k);
        same += n == k && !strncmp(base, other, (size_t)n);
    }
    return same > 1 ? text("%s", t->path) : text("%.*s", n, base);
}

static char *axis_name(const curve *c, bool of_x)
{
    return quantity_name(c->from, of_x ? c->of_x : c->of_y);
}

/* The different names of an axis, "x, y"; their number in *count. */
static char *join_names(const panel *p, bool of_x, int *count)
{
    char *all = text("");
    *count = 0;
    for (int i = 0; i < p->curves; i++) {
        bool  seen = false;
        char *name = axis_name(&p->curve[i], of_x);
        for (int k = 0; k < i && !seen; k++) {
            char *before = axis_name(&p->curve[k], of_x);
            seen = !strcmp(before, name);
            free(before);
        }
        if (!seen) {
            char *more = text("%s%s%s", all, (*count)++ ? ", " : "", name);
            free(all), all = more;
        }
        free(name);
    }
    return all;
}

/* Behind the names of an axis, the unit that all of them have: "x, y [m]". */
static void add_unit(const panel *p, bool of_x, char **names)
{
    const char *unit = "";
    for (int i = 0; i < p->curves; i++) {
        const curve *c = &p->curve[i];
        const char  *one = quantity_unit(c->from, of_x ? c->of_x : c->of_y);
        if (i && strcmp(one, unit)) return;
        unit = one;
    }
    if (!*unit) return;
    char *more = text(**names ? "%s [%s]" : "%s[%s]", *names, unit);
    free(*names), *names = more;
}

static char *curve_name(const figure *f, const curve *c, bool by_x, bool by_y)
{
    char *x = axis_name(c, true), *y = axis_name(c, false), *file = table_name(f, c->from);
    bool  columns = by_x || by_y, files = f->tables > 1;
    char *name = text("%s%s%s%s%s", files ? file : "", files && columns ? ": " : "", by_x ? x : "",
                      by_x ? ":" : "", columns || !files ? y : "");
    free(x), free(y), free(file);
    return name;
}

void panel_name(figure *f, panel *p)
{
    enum { JOINED_MOST = 3 };
    int xs, ys;
    p->xlabel = join_names(p, true, &xs), p->ylabel = join_names(p, false, &ys);
    for (int i = 0; i < p->curves; i++)
        p->curve[i].label = curve_name(f, &p->curve[i], xs > 1, ys > 1);
    bool legend = ys > 1 && xs == 1; /* it names all there is at this axis */
    if (legend || ys > JOINED_MOST) p->ylabel[0] = 0;
    if (xs > JOINED_MOST) p->xlabel[0] = 0;
    add_unit(p, true, &p->xlabel), add_unit(p, false, &p->ylabel);
}
