/* plot_curves.c - from words to curves: which words are results, which columns the others mean,
 * in which panel a curve stands and what it is called there. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_MOST = 6 };

/* Quantities. ---------------------------------------------------------------------------------- */

static const char *const functions[] = {[LESS_FIRST] = "error", [RELATIVE] = "relative"};
enum { READINGS = sizeof functions / sizeof *functions };

/* The name within NAME, error(NAME) or relative(NAME). */
static reading unwrap(const char **name, size_t *length)
{
    for (int i = 1; i < READINGS; i++) {
        size_t n = strlen(functions[i]);
        if (*length < n + 3 || strncmp(*name, functions[i], n)) continue;
        if ((*name)[n] != '(' || (*name)[*length - 1] != ')') continue;
        *name += n + 1, *length -= n + 2;
        return (reading)i;
    }
    return AS_IS;
}

/* A column of that very name comes before a function of one. */
static bool find_quantity(const table *t, const char *name, size_t length, quantity *out)
{
    *out = (quantity){AS_IS, table_find(t, name, length), false};
    if (out->column >= 0) return true;
    out->how = unwrap(&name, &length);
    out->column = table_find(t, name, length);
    return out->column >= 0;
}

/* The energy goes by its letter where it stands more than once: (E − E₀)/|E₀|. */
char *quantity_name(const table *t, quantity q)
{
    const char *name = t->name[q.column], *as = strcmp(name, "energy") ? name : "E";
    if (q.how == AS_IS) return text("%s", name);
    if (q.how == LESS_FIRST) return text(q.size ? "|%s − %s₀|" : "%s − %s₀", as, as);
    return text(q.size ? "|%s − %s₀|/|%s₀|" : "(%s − %s₀)/|%s₀|", as, as, as);
}

const char *quantity_unit(const table *t, quantity q)
{
    return q.how == RELATIVE ? "" : t->unit[q.column];
}

/* The first columns of a table, for a message. */
static char *column_list(const table *t)
{
    enum { MOST = 12 };
    char *all = text("%s", t->name[0]);
    for (int k = 1; k < t->columns && k <= MOST; k++) {
        char *more = text("%s, %s", all, k < MOST ? t->name[k] : "...");
        free(all), all = more;
    }
    return all;
}

static int no_column(const table *t, const char *name, size_t length)
{
    unwrap(&name, &length);
    char       *wrong = text("%.*s", (int)length, name), *all = column_list(t);
    const char *near = nearest(wrong, (const char *const *)t->name, t->columns);
    if (near) complain("%s has no column '%s'; did you mean '%s'?", t->path, wrong, near);
    else complain("%s has no column '%s'; it has %s", t->path, wrong, all);
    free(wrong), free(all);
    return EXIT_WRONG;
}

/* [x:]y; the colon is one at which both sides are quantities. */
static int read_word(const table *t, const char *word, quantity *x, quantity *y)
{
    const char *colon = strchr(word, ':');
    *x = (quantity){AS_IS, 0, false};
    if (find_quantity(t, word, strlen(word), y)) return GO_ON;
    for (const char *c = colon; c; c = strchr(c + 1, ':'))
        if (find_quantity(t, word, (size_t)(c - word), x) &&
            find_quantity(t, c + 1, strlen(c + 1), y))
            return GO_ON;
    if (!colon) return no_column(t, word, strlen(word));
    if (!find_quantity(t, word, (size_t)(colon - word), x))
        return no_column(t, word, (size_t)(colon - word));
    return no_column(t, colon + 1, strlen(colon + 1));
}

/* Panels. -------------------------------------------------------------------------------------- */

/* The panel of that kind with the units of these quantities; a new one stands behind those of its
 * kind. */
static panel *panel_for(figure *f, const table *t, panel_kind kind, quantity x, quantity y)
{
    int at = 0;
    for (; at < f->panels && f->panel[at].kind <= kind; at++) {
        const curve *c = &f->panel[at].curve[0];
        if (f->panel[at].kind == kind &&
            !strcmp(quantity_unit(c->from, c->of_y), quantity_unit(t, y)) &&
            !strcmp(quantity_unit(c->from, c->of_x), quantity_unit(t, x)))
            return &f->panel[at];
    }
    f->panel = need(f->panel, (size_t)f->panels + 1, sizeof *f->panel);
    memmove(f->panel + at + 1, f->panel + at, (size_t)(f->panels++ - at) * sizeof *f->panel);
    f->panel[at] = (panel){.kind = kind};
    return &f->panel[at];
}

static void add_curve(figure *f, table *t, panel_kind kind, quantity x, quantity y)
{
    panel *p = panel_for(f, t, kind, x, y);
    p->curve = need(p->curve, (size_t)p->curves + 1, sizeof *p->curve);
    p->curve[p->curves++] = (curve){.from = t, .of_x = x, .of_y = y};
    t->wanted[x.column] = t->wanted[y.column] = true;
}

static bool has_momentum(const table *t, int k)
{
    char *p = text("p(%s)", t->name[k]);
    bool  has = table_find(t, p, strlen(p)) >= 0;
    free(p);
    return has;
}

static int first_momentum(const table *t)
{
    int k = 1;
    while (k < t->columns && strncmp(t->name[k], "p(", 2)) k++;
    return k;
}

/* Of every result the coordinates, the states (which have no momentum and stand before all momenta)
 * and the error of the energy; all columns of a table without momenta. */
static int add_default(figure *f, table *t)
{
    const quantity time = {AS_IS, 0, false};
    const int      energy = table_find(t, "energy", 6), momenta = first_momentum(t);
    int            found[] = {[SERIES] = 0, [STATES] = 0};
    for (int pass = 0; pass < 2 && !found[SERIES] && !found[STATES]; pass++)
        for (int k = 1; k < t->columns; k++) {
            const bool       any = pass || momenta == t->columns || has_momentum(t, k);
            const panel_kind kind = any ? SERIES : STATES;
            if (k == energy || found[kind] == DEFAULT_MOST || (!any && k >= momenta)) continue;
            add_curve(f, t, kind, time, (quantity){AS_IS, k, false});
            found[kind]++;
        }
    if (energy > 0) add_curve(f, t, ERRORS, time, (quantity){LESS_FIRST, energy, false});
    if (found[SERIES] || found[STATES] || energy > 0) return GO_ON;
    return complain("%s has the column '%s' only; there is nothing to draw over it", t->path,
                    t->name[0]);
}

static panel_kind kind_of(quantity x, quantity y)
{
    return y.how != AS_IS ? ERRORS : x.column == 0 ? SERIES : PORTRAITS;
}

static int add_words(figure *f, const char *const *word, int words)
{
    for (int i = 0; i < words; i++)
        for (int k = 0; k < f->tables; k++) {
            quantity x, y;
            int      code = read_word(&f->table[k], word[i], &x, &y);
            if (code != GO_ON) return code;
            add_curve(f, &f->table[k], kind_of(x, y), x, y);
        }
    return GO_ON;
}

/* Points. -------------------------------------------------------------------------------------- */

static int points_of(const table *t, quantity q, double **out)
{
    const double *cell = t->cell[q.column];
    double        first = 0, unit = 1;
    long          i = 0;
    while (q.how != AS_IS && i < t->rows && !isfinite(cell[i])) i++;
    if (q.how != AS_IS && i < t->rows) first = cell[i];
    if (q.how == RELATIVE) unit = fabs(first);
    if (unit == 0)
        return complain("relative(%s) of %s: the first value is 0; error(%s) does not divide by it",
                        t->name[q.column], t->path, t->name[q.column]);
    *out = need(NULL, (size_t)t->rows, sizeof **out);
    for (i = 0; i < t->rows; i++) (*out)[i] = q.how == AS_IS ? cell[i] : (cell[i] - first) / unit;
    return GO_ON;
}

/* On a logarithmic axis an error counts without its sign. */
static void take_sizes(double *value, long n, quantity q)
{
    for (long i = 0; i < n && q.size && q.how != AS_IS; i++) value[i] = fabs(value[i]);
}

static int fill_panel(const figure *f, panel *p)
{
    for (int i = 0; i < p->curves; i++) {
        curve *c = &p->curve[i];
        int    code = points_of(c->from, c->of_x, &c->x);
        if (code == GO_ON) code = points_of(c->from, c->of_y, &c->y);
        if (code != GO_ON) return code;
        c->of_x.size = f->log_x, c->of_y.size = f->log_y;
        take_sizes(c->x, c->from->rows, c->of_x), take_sizes(c->y, c->from->rows, c->of_y);
    }
    return GO_ON;
}

/* The figure. ---------------------------------------------------------------------------------- */

/* Files that happen to lie around do not change what a word means. */
static bool is_result(const char *word)
{
    static const char *const suffixes[] = {".csv", ".dat", ".txt"};
    const char              *dot = strrchr(word, '.');
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(dot, suffixes[i])) return true;
    return table_has_suffix(word) || strchr(word, '/') || !strcmp(word, "-");
}

static int open_tables(figure *f, const char *const *word, int words, const char **other,
                       int *others)
{
    f->table = need(NULL, (size_t)words, sizeof *f->table);
    for (int i = 0; i < words; i++) {
        if (i && !is_result(word[i])) {
            other[(*others)++] = word[i];
            continue;
        }
        int code = table_open(&f->table[f->tables++], word[i]);
        if (code != GO_ON) return code;
    }
    return GO_ON;
}

static int fill_panels(figure *f)
{
    int code = GO_ON;
    for (int i = 0; i < f->panels && code == GO_ON; i++) {
        code = fill_panel(f, &f->panel[i]);
        if (code == GO_ON) panel_name(f, &f->panel[i]);
    }
    return code;
}

int figure_of(figure *f, table *t)
{
    f->table = t, f->tables = 1, f->borrowed = true;
    const int code = add_default(f, t);
    return code == GO_ON ? fill_panels(f) : code;
}

int figure_read(figure *f, const char *const *word, int words)
{
    const char *other[WORDS_MOST];
    int         others = 0;
    int         code = open_tables(f, word, words, other, &others);
    for (int k = 0; k < f->tables && code == GO_ON && f->model; k++)
        table_add_units(&f->table[k], f->model);
    if (code == GO_ON) code = add_words(f, other, others);
    for (int k = 0; k < f->tables && code == GO_ON && !others; k++)
        code = add_default(f, &f->table[k]);
    for (int k = 0; k < f->tables && code == GO_ON; k++) code = table_read(&f->table[k]);
    return code == GO_ON ? fill_panels(f) : code;
}

static void panel_free(panel *p)
{
    for (int i = 0; i < p->curves; i++)
        free(p->curve[i].label), free(p->curve[i].x), free(p->curve[i].y);
    free(p->curve), free(p->xlabel), free(p->ylabel);
}

void figure_free(figure *f)
{
    for (int i = 0; i < f->panels; i++) panel_free(&f->panel[i]);
    free(f->panel);
    if (f->borrowed) return;
    for (int k = 0; k < f->tables; k++) table_free(&f->table[k]);
    free(f->table);
}
