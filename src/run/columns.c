/* columns.c - which quantities make a row, what they are called, and their values. */
#include "run/simulation.h"

#include <string.h>

enum {
    COLUMNS_MOST = 10000
}; /* above, coordinates and momenta stay out unless they are asked for */
enum { COLUMN_KINDS = COL_INPUT + 1 };

/* Names. --------------------------------------------------------------------------------------- */

/* The unit that the text gives the quantity; a momentum has none. */
static const char *unit_of(const dal_sim *s, column c)
{
    const char *label = NULL;
    if (!s->md || (c.index >= s->sys->n && (c.kind == COL_Q || c.kind == COL_P))) return "";
    if (c.kind == COL_Q) label = model_label(s->md, MEMBER_COORDINATE, c.index);
    if (c.kind == COL_OUTPUT) label = model_label(s->md, MEMBER_OUTPUT, c.index);
    if (c.kind == COL_INPUT) label = model_label(s->md, MEMBER_INPUT, c.index);
    if (c.kind == COL_MULTIPLIER)
        label = model_label(s->md, MEMBER_RELATION, compiled_relation(s->compiled, c.index));
    return label ? label : "";
}

/* R.w of a quaternion, n[1] of a direction; and their momenta, p(R)[1]. They stand behind the n
 * numbers of q and p (turning.h). */
static void name_turning(dal_sim *s, column c, dal_column *out)
{
    const turning *t = s->sys->turns;
    const int      at = c.index - s->sys->n, quaternions = at - TURNING_MATRIX * t->count;
    const bool     of_p = c.kind == COL_P;
    const int      k = of_p               ? at / 3 - t->count
                       : quaternions >= 0 ? quaternions / TURNING_QUATERNION
                                          : at / TURNING_MATRIX;
    text           of = text_new(&s->m);
    model_turning_name(s->md, k, &of);
    const char *word = mem_printf(&s->m, "%s", text_str(&of)), *shown;
    if (of_p) shown = mem_printf(&s->m, "p(%s)[%d]", word, at % 3 + 1);
    else if (quaternions >= 0)
        shown = mem_printf(&s->m, "%s.%c", word, "wxyz"[quaternions % TURNING_QUATERNION]);
    else shown = mem_printf(&s->m, "%s[%d]", word, at % TURNING_MATRIX / 3 + 1);
    text_drop(&of);
    *out = (dal_column){(dal_column_kind)c.kind, shown, of_p ? word : shown, ""};
}

/* Names outlive the call: they are taken from s->m. */
static void name_column(dal_sim *s, column c, dal_column *out)
{
    text        of = text_new(&s->m);
    const char *shown = NULL;
    if (c.index >= s->sys->n && (c.kind == COL_Q || c.kind == COL_P)) {
        name_turning(s, c, out);
        return;
    }
    switch (c.kind) {
    case COL_TIME: text_add(&of, "t"); break;
    case COL_ENERGY: text_add(&of, "energy"); break;
    case COL_H: text_add(&of, "h"); break;
    case COL_DISCRETE_ENERGY: text_add(&of, "discrete_energy"); break;
    case COL_OUTPUT: model_name(s->md, MEMBER_OUTPUT, c.index, &of); break;
    case COL_INPUT: model_name(s->md, MEMBER_INPUT, c.index, &of); break;
    case COL_SYMMETRY: model_name(s->md, MEMBER_SYMMETRY, c.index, &of); break;
    case COL_MULTIPLIER: s->sys->relation_name(s->sys->self, c.index, &of); break;
    default: s->sys->coordinate_name(s->sys->self, c.index, &of); break;
    }
    const char *word = mem_printf(&s->m, "%s", text_str(&of));
    if (c.kind == COL_P) shown = mem_printf(&s->m, "p(%s)", word);
    text_drop(&of);
    *out = (dal_column){(dal_column_kind)c.kind, shown ? shown : word, word, unit_of(s, c)};
}

/* Choosing. ------------------------------------------------------------------------------------ */

typedef vec(column) column_list;

/* All of a kind, in the order of the model. */
static void add(dal_sim *s, column_list *list, column_kind kind, int count)
{
    for (int i = 0; i < count; i++) vec_push(&s->m, *list, (column){kind, i});
}

/* A coordinate, or what is shown of the rotation whose first row it is: of the others, nothing. */
static void add_coordinate(dal_sim *s, column_list *list, column_kind kind, int i)
{
    const turning *t = s->sys->turns;
    const int      n = s->sys->n, k = t ? t->of_row[i] : -1;
    if (k < 0) vec_push(&s->m, *list, (column){kind, i});
    if (k < 0 || t->first[k] != i) return;
    const bool of_p = kind == COL_P, quaternion = !of_p && !t->direction[k];
    for (int j = 0; j < (quaternion ? TURNING_QUATERNION : 3); j++)
        vec_push(&s->m, *list, (column){kind, turning_column(t, n, k, j, of_p)});
}

/* Of states there are no momenta. */
static void add_coordinates(dal_sim *s, column_list *list, column_kind kind, int count)
{
    for (int i = 0; i < count; i++)
        if (kind == COL_Q || !s->sys->state || !s->sys->state[i]) add_coordinate(s, list, kind, i);
}

int columns_of_positions(dal_sim *s, const char *const **titles, const int **at)
{
    column_list list = {0};
    add_coordinates(s, &list, COL_Q, s->sys->n);
    const char **title = mem_array(&s->m, list.n, const char *);
    int         *place = mem_array(&s->m, list.n, int);
    for (int k = 0; k < list.n; k++) {
        dal_column named;
        name_column(s, list.at[k], &named);
        title[k] = named.name, place[k] = list.at[k].index;
    }
    *titles = title, *at = place;
    return list.n;
}

/* Reactions of relations with a name; others have no name to be asked for. */
static void add_multipliers(dal_sim *s, column_list *list)
{
    for (int a = 0; s->md && a < s->md->relations; a++)
        if (s->md->relation.at[a].member >= 0)
            vec_push(&s->m, *list, (column){COL_MULTIPLIER, compiled_row(s->compiled, a)});
}

/* Inputs that follow a file; the others are constants of the run, as parameters are. */
static void add_followed(dal_sim *s, column_list *list)
{
    for (int i = 0; i < s->follow.n; i++)
        vec_push(&s->m, *list, (column){COL_INPUT, s->follow.at[i].input});
}

/* Everything that fits; of very large systems no coordinates and momenta, with a warning. */
static void choose_all(dal_sim *s, column_list *list)
{
    int n = s->sys->n, outputs = s->md ? s->md->outputs : 0,
        symmetries = s->md ? s->md->symmetries : 0;
    int relations = s->md ? s->md->relations : 0;
    if (2 * (long)n + outputs + symmetries + relations > COLUMNS_MOST) {
        diag_warning(
            s->ds, span_none(), "columns = x, p(x), part, ... in simulate, or --columns",
            "the coordinates and momenta are not recorded: there are %d of each; 'columns' "
            "chooses some",
            n);
        n = 0;
    }
    add_coordinates(s, list, COL_Q, n), add_coordinates(s, list, COL_P, n);
    add(s, list, COL_OUTPUT, outputs), add(s, list, COL_ENERGY, 1);
    add(s, list, COL_SYMMETRY, symmetries), add_multipliers(s, list);
    if (s->plan.method.principle == ENERGY)
        add(s, list, COL_H, 1), add(s, list, COL_DISCRETE_ENERGY, 1);
    add_followed(s, list);
}

/* What is asked for as it is shown: rows of rotations as their quaternions, multipliers by their
 * row. */
static void add_asked(dal_sim *s, column_list *list, column c)
{
    const bool of_row = (c.kind == COL_Q || c.kind == COL_P) && c.index < s->sys->n;
    if (c.kind == COL_MULTIPLIER) c.index = compiled_row(s->compiled, c.index);
    if (of_row) add_coordinate(s, list, c.kind, c.index);
    else if (c.kind != COL_TIME) vec_push(&s->m, *list, c);
}

/* what the model or the caller lists, each once */
static void choose_listed(dal_sim *s, column_list *list)
{
    column_list all = {0};
    size_t      width = 1;
    for (int i = 0; i < s->val.columns; i++) add_asked(s, &all, s->val.column[i]);
    /* taken[kind * width + index]: was it listed before? */
    for (int i = 0; i < all.n; i++)
        if ((size_t)all.at[i].index >= width) width = (size_t)all.at[i].index + 1;
    uint8_t *taken = mem_resize(&s->m, NULL, COLUMN_KINDS * width);
    memset(taken, 0, COLUMN_KINDS * width);
    for (int i = 0; i < all.n; i++) {
        uint8_t *seen = &taken[(size_t)all.at[i].kind * width + (size_t)all.at[i].index];
        if (!*seen) vec_push(&s->m, *list, all.at[i]);
        *seen = 1;
    }
    mem_drop(&s->m, taken);
    vec_drop(&s->m, all);
}

static void find_stretches(dal_sim *s)
{
    s->stretch.at = mem_array(&s->m, s->columns, column_stretch);
    for (int i = 0; i < s->columns; i++) {
        const column c = s->column[i];
        s->stretch.energy |= c.kind == COL_ENERGY;
        column_stretch *last = s->stretch.at + s->stretch.n - 1;
        if (s->stretch.n && c.kind == last->first.kind &&
            c.index == last->first.index + last->count)
            last->count++;
        else s->stretch.at[s->stretch.n++] = (column_stretch){c, i, 1};
    }
}

/* Time is always the first column, whether it was asked for or not. */
dal_status columns_choose(dal_sim *s)
{
    column_list list = {0};
    add(s, &list, COL_TIME, 1);
    if (s->val.columns_given) choose_listed(s, &list);
    else choose_all(s, &list);
    s->columns = list.n, s->column = list.at;
    s->shown = mem_array(&s->m, list.n, dal_column);
    s->row = mem_array(&s->m, list.n, double);
    find_stretches(s);
    for (int i = 0; i < list.n; i++) {
        const bool adaptive = list.at[i].kind == COL_H || list.at[i].kind == COL_DISCRETE_ENERGY;
        const bool length = list.at[i].kind == COL_H && s->plan.pace.given;
        if (adaptive && !length && s->plan.method.principle != ENERGY)
            return diag_error(
                s->ds, DAL_INVALID, span_none(), NULL,
                "the columns h and discrete_energy exist with principle = energy, and h with a pace");
        name_column(s, list.at[i], &s->shown[i]);
    }
    return DAL_OK;
}

/* By name. ------------------------------------------------------------------------------------- */

/* -1 of functions_find is no column. */
static bool found_in_functions(dal_sim *s, member_kind kind, const char *path, int *index)
{
    *index = functions_find(s->made, &s->m, kind, path);
    return *index >= 0;
}

static bool find_coordinate(dal_sim *s, const char *path, int *index)
{
    if (s->made) return found_in_functions(s, MEMBER_COORDINATE, path, index);
    return model_find(s->md, path, MEMBER_COORDINATE, index);
}

/* R.w, n[1], p(R)[1] */
static bool find_turning(dal_sim *s, const char *what, column *out)
{
    column_list list = {0};
    bool        found = false;
    add_coordinates(s, &list, COL_Q, s->sys->n), add_coordinates(s, &list, COL_P, s->sys->n);
    for (int i = 0; i < list.n && !found; i++) {
        dal_column named;
        if (list.at[i].index < s->sys->n) continue;
        name_turning(s, list.at[i], &named);
        found = !strcmp(named.name, what);
        if (found) *out = list.at[i];
    }
    vec_drop(&s->m, list);
    return found;
}

/* What is not in the row can be asked for too; false: there is nothing of that name. */
bool column_find(dal_sim *s, const char *what, column *out)
{
    static const struct {
        member_kind member;
        column_kind column;
    } kinds[] = {{MEMBER_OUTPUT, COL_OUTPUT},
                 {MEMBER_INPUT, COL_INPUT},
                 {MEMBER_SYMMETRY, COL_SYMMETRY},
                 {MEMBER_RELATION, COL_MULTIPLIER}};
    size_t n = strlen(what);
    *out = (column){COL_ENERGY, 0};
    if (!strcmp(what, "energy")) return true;
    out->kind = COL_TIME;
    if (!strcmp(what, "t")) return true;
    const bool energy = s->plan.method.principle == ENERGY;
    out->kind = COL_H;
    if (energy && !strcmp(what, "h")) return true;
    out->kind = COL_DISCRETE_ENERGY;
    if (energy && !strcmp(what, "discrete_energy")) return true;
    if (s->sys->turns && find_turning(s, what, out)) return true;
    out->kind = COL_Q;
    if (find_coordinate(s, what, &out->index)) return true;
    out->kind = COL_P;
    if (n > 3 && !strncmp(what, "p(", 2) && what[n - 1] == ')') {
        char *inner = mem_resize(&s->m, NULL, n);
        memcpy(inner, what + 2, n - 3), inner[n - 3] = 0;
        bool found = find_coordinate(s, inner, &out->index);
        mem_drop(&s->m, inner);
        if (found) return true;
    }
    out->kind = COL_MULTIPLIER;
    if (s->made && found_in_functions(s, MEMBER_RELATION, what, &out->index)) return true;
    for (size_t i = 0; s->md && i < sizeof kinds / sizeof *kinds; i++) {
        out->kind = kinds[i].column;
        if (!model_find(s->md, what, kinds[i].member, &out->index)) continue;
        if (out->kind == COL_INPUT && s->md->bound[out->index]) return false;
        if (out->kind == COL_MULTIPLIER) out->index = compiled_row(s->compiled, out->index);
        return true;
    }
    return false;
}
