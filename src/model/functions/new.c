/* new.c - what a caller gave is checked, copied, and put on the patterns of a system. */
#include "model/functions/functions.h"

#include "base/names.h"

#include <string.h>

enum { FULL_MOST = 30000, COORDINATES_MOST = 50000000 };

/* Checks. -------------------------------------------------------------------------------------- */

/* Always false, so that a check can end with it. */
static bool say(text *why, const char *sentence)
{
    text_add(why, sentence);
    return false;
}

/* Full matrices need n^2 numbers, so they are refused for large n. */
static bool sizes_are_good(const dal_callbacks *c, text *why)
{
    const int full = !c->hessian.start || (!c->force.start && !(c->zero & DAL_F)) ||
                     (!c->curvature.start && c->constraints + c->holonomic);
    if (!c->eval) return say(why, "the callbacks have no eval");
    if (c->coordinates < 1 || c->coordinates > COORDINATES_MOST)
        return say(why, "the callbacks need at least one coordinate");
    if (full && c->coordinates > FULL_MOST)
        return say(why, "a full matrix is for at most 30000 coordinates: give the callbacks "
                        "patterns for hessian, force and curvature");
    if (c->constraints < 0 || c->holonomic < 0 || c->parameters < 0 || c->inputs < 0)
        return say(why, "the callbacks have a number of relations, parameters or inputs below 0");
    const unsigned may =
        DAL_WANT_HESSIAN | DAL_WANT_FORCE_JACOBIAN | DAL_WANT_TIME | DAL_WANT_RELATIONS_JACOBIAN;
    if (c->missing & ~may)
        return say(why, "missing may hold DAL_WANT_HESSIAN, DAL_WANT_FORCE_JACOBIAN, DAL_WANT_TIME "
                        "and DAL_WANT_RELATIONS_JACOBIAN: differences of the others would spoil "
                        "what a step keeps");
    return true;
}

/* Rows in order, columns within bounds. NULL start: a full matrix, which is always good. */
static bool pattern_is_good(const dal_pattern *p, int rows, int columns, const char *what,
                            text *why)
{
    if (!p->start) return true;
    const int count = p->start[rows];
    bool      good = p->start[0] == 0 && (p->column || !count);
    for (int i = 0; i < rows && good; i++) good = p->start[i + 1] >= p->start[i];
    if (!good) {
        text_printf(why,
                    "the pattern '%s' is out of order: start[0] is 0, and start[i] <= start[i+1] "
                    "for its %d rows",
                    what, rows);
        return false;
    }
    for (int e = 0; e < count; e++)
        if (p->column[e] < 0 || p->column[e] >= columns) {
            text_printf(why, "the pattern '%s' has column %d, and there are 0 .. %d", what,
                        p->column[e], columns - 1);
            return false;
        }
    return true;
}

static bool patterns_are_good(const dal_callbacks *c, text *why)
{
    const int n = c->coordinates, rows = c->constraints + c->holonomic;
    return pattern_is_good(&c->hessian, n, n, "hessian", why) &&
           pattern_is_good(&c->force, n, n, "force", why) &&
           pattern_is_good(&c->curvature, n, n, "curvature", why) &&
           pattern_is_good(&c->relations, rows, n, "relations", why);
}

/* Copies. -------------------------------------------------------------------------------------- */

/* Names outlive the caller's strings. */
static const char *const *copied_names(mem *m, const char *const *list, int count)
{
    if (!list) return NULL;
    const char **copy = mem_array(m, count + 1, const char *);
    for (int i = 0; i < count; i++) copy[i] = mem_printf(m, "%s", list[i] ? list[i] : "");
    return copy;
}

/* Names must differ, since a member is found by its name. */
static bool names_are_good(mem *m, const char *const *list, int count, const char *what, text *why)
{
    names seen;
    if (!list) return true;
    names_init(&seen, m);
    for (int i = 0; i < count; i++) {
        if (!*list[i]) {
            text_printf(why, "%s %d has an empty name", what, i + 1);
            return false;
        }
        const int before = seen.count;
        names_intern(&seen, list[i], strlen(list[i]));
        if (seen.count > before) continue;
        text_printf(why, "two of the %ss are called '%s'", what, list[i]);
        return false;
    }
    return true;
}

/* Zeros where nothing was given. */
static double *copied(mem *m, const double *x, int n, double otherwise)
{
    double *copy = mem_array(m, n + 1, double);
    for (int i = 0; i < n; i++) copy[i] = x ? x[i] : otherwise;
    return copy;
}

/* Everything the struct points to is copied, so that the caller may free it. */
static void copy_given(mem *m, dal_callbacks *c)
{
    const int n = c->coordinates;
    c->name = mem_printf(m, "%s", c->name ? c->name : "callbacks");
    c->coordinate = copied_names(m, c->coordinate, n);
    c->relation = copied_names(m, c->relation, c->constraints + c->holonomic);
    c->parameter = copied_names(m, c->parameter, c->parameters);
    c->input = copied_names(m, c->input, c->inputs);
    c->q = copied(m, c->q, n, 0), c->v = copied(m, c->v, n, 0), c->p = copied(m, c->p, n, 0);
    c->parameter_value = copied(m, c->parameter_value, c->parameters, 0);
    c->input_value = copied(m, c->input_value, c->inputs, 0);
    c->typical_q = copied(m, c->typical_q, n, 1);
    c->typical_v = copied(m, c->typical_v, n, 1);
    if (!(c->typical_t > 0)) c->typical_t = 1;
    if (!c->hamiltonian) return;
    unsigned char *flags = mem_array(m, n, unsigned char);
    memcpy(flags, c->hamiltonian, (size_t)n);
    c->hamiltonian = flags;
}

/* Patterns. ------------------------------------------------------------------------------------ */

/* Entries of a pattern, or of a full matrix if there is none, by rows and sorted by columns. */
static entries entries_new(mem *m, const dal_pattern *p, int rows, int columns, bool none)
{
    entries e = {.count = none ? 0 : p->start ? p->start[rows] : rows * columns};
    e.row = mem_array(m, e.count + 1, int), e.column = mem_array(m, e.count + 1, int);
    for (int i = 0, k = 0; i < rows && !none; i++) {
        const int end = p->start ? p->start[i + 1] : (i + 1) * columns;
        for (int j = 0; k < end; k++, j++) e.row[k] = i, e.column[k] = p->start ? p->column[k] : j;
    }
    e.of_column = mem_array(m, columns + 2, int), e.by_column = mem_array(m, e.count + 1, int);
    for (int k = 0; k < e.count; k++) e.of_column[e.column[k] + 2]++;
    for (int j = 0; j < columns; j++) e.of_column[j + 2] += e.of_column[j + 1];
    for (int k = 0; k < e.count; k++) e.by_column[e.of_column[e.column[k] + 1]++] = k;
    return e;
}

/* K has the entries of all three, their mirror images and the diagonal. */
/* place[] of the entries themselves; mirror images only make K symmetric. */
static pattern union_pattern(mem *m, int n, entries *const of[3])
{
    int count = n, at = 0;
    for (int k = 0; k < 3; k++) count += 2 * of[k]->count;
    int *row = mem_array(m, count, int), *col = mem_array(m, count, int),
        *place = mem_array(m, count, int);
    for (int k = 0; k < 3; k++)
        for (int e = 0; e < of[k]->count; e++) {
            row[at] = of[k]->row[e], col[at++] = of[k]->column[e];
            row[at] = of[k]->column[e], col[at++] = of[k]->row[e];
        }
    for (int i = 0; i < n; i++) row[at] = col[at] = i, at++;
    pattern K = pattern_from_pairs(m, n, n, row, col, count, place);
    at = 0;
    for (int k = 0; k < 3; k++) {
        of[k]->place = mem_array(m, of[k]->count + 1, int);
        for (int e = 0; e < of[k]->count; e++, at += 2) of[k]->place[e] = place[at];
    }
    return K;
}

/* false: an entry is there twice */
static bool check_entries(entries *e, int size, const char *what, uint8_t *seen, text *why)
{
    bool same = e->count == size;
    memset(seen, 0, (size_t)size);
    for (int k = 0; k < e->count; k++) {
        if (seen[e->place[k]]++) {
            text_printf(why, "the pattern '%s' has the entry (%d, %d) twice", what, e->row[k],
                        e->column[k]);
            return false;
        }
        same &= e->place[k] == k;
    }
    if (same) e->place = NULL;
    return true;
}

/* Patterns of K and A. An entry given twice is an error, named in `why`. */
static bool make_patterns(mem *m, functions *fs, text *why)
{
    const dal_callbacks *c = &fs->given;
    dal_system          *sys = &fs->sys;
    const int            n = sys->n, rows = sys->m + sys->r;
    fs->hessian = entries_new(m, &c->hessian, n, n, false);
    fs->force = entries_new(m, &c->force, n, n, !sys->forced);
    fs->curvature = entries_new(m, &c->curvature, n, n, rows == 0);
    fs->relations = entries_new(m, &c->relations, rows, n, false);
    const pattern K =
        union_pattern(m, n, (entries *const[]){&fs->hessian, &fs->force, &fs->curvature});
    fs->relations.place = mem_array(m, fs->relations.count + 1, int);
    const pattern A = pattern_from_pairs(m, rows, n, fs->relations.row, fs->relations.column,
                                         fs->relations.count, fs->relations.place);
    const int     on_K = pattern_count(&K), on_A = pattern_count(&A);
    uint8_t      *seen = mem_array(m, (on_K > on_A ? on_K : on_A) + 1, uint8_t);
    sys->K = K, sys->A = A;
    return check_entries(&fs->hessian, on_K, "hessian", seen, why) &&
           check_entries(&fs->force, on_K, "force", seen, why) &&
           check_entries(&fs->curvature, on_K, "curvature", seen, why) &&
           check_entries(&fs->relations, on_A, "relations", seen, why);
}

/* Where a field may be non-zero: at the caller's entries, unless it is declared 0. */
static const uint8_t *presence(mem *m, const entries *e, int size, bool zero)
{
    uint8_t *present = mem_array(m, size + 1, uint8_t);
    for (int k = 0; k < e->count && !zero; k++) present[e->place ? e->place[k] : k] = 1;
    return present;
}

/* What the caller declared constant or zero holds for the whole run; curvature is 0 where A is
 * constant. */
static void describe_fields(mem *m, functions *fs)
{
    static const unsigned bits[F_DQ] = {
        [F_LQQ] = DAL_LQQ, [F_LQW] = DAL_LQV, [F_LWW] = DAL_LVV, [F_FQ] = DAL_FQ, [F_FW] = DAL_FV};
    const entries *on[F_DQ] = {&fs->hessian, &fs->hessian, &fs->hessian,
                               &fs->force,   &fs->force,   &fs->curvature};
    dal_system    *sys = &fs->sys;
    const int      K = pattern_count(&sys->K);
    int           *transpose = mem_array(m, K, int);
    for (int i = 0; i < sys->n; i++)
        for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++)
            transpose[k] = pattern_find(&sys->K, sys->K.column[k], i);
    sys->transpose = transpose;
    for (int k = 0; k < F_DQ; k++) {
        bool zero = on[k]->count == 0 || fs->given.zero & bits[k];
        if (k == F_CURV) zero |= (fs->given.constant & DAL_A) != 0;
        sys->present[k] = presence(m, on[k], K, zero);
        sys->varies[k] = zero                           ? FIELD_ZERO
                         : fs->given.constant & bits[k] ? FIELD_CONSTANT
                                                        : FIELD_VARIES;
    }
    sys->constant_A = fs->given.constant & DAL_A;
}

/* Groups of columns for those derivatives that are missing. */
static void colour(mem *m, functions *fs)
{
    const unsigned missing = fs->given.missing;
    const entries  none = {.of_column = mem_array(m, fs->sys.n + 2, int)};
    const bool     hessian = missing & DAL_WANT_HESSIAN, force = missing & DAL_WANT_FORCE_JACOBIAN;
    if (hessian || force)
        fs->motion = colour_columns(m, fs->sys.n, hessian ? &fs->hessian : &none,
                                    force ? &fs->force : &none);
    if (missing & DAL_WANT_RELATIONS_JACOBIAN)
        fs->relation = colour_columns(m, fs->sys.n, &fs->curvature, &fs->relations);
}

/* The struct carries its size, so that programs built for another version are noticed. */
functions *functions_new(mem *m, const dal_callbacks *given, text *why)
{
    functions *fs = mem_array(m, 1, functions);
    if (given->size != sizeof *given)
        return say(why, "the callbacks need size = sizeof(dal_callbacks)"), NULL;
    if (!sizes_are_good(given, why) || !patterns_are_good(given, why)) return NULL;
    fs->given = *given;
    copy_given(m, &fs->given);
    const dal_callbacks *c = &fs->given;
    fs->sys = (dal_system){.n = c->coordinates,
                           .m = c->constraints,
                           .r = c->holonomic,
                           .hamiltonian = c->hamiltonian,
                           .autonomous = c->autonomous,
                           .timed = !c->autonomous,
                           .forced = !(c->zero & DAL_F),
                           .rheonomic = c->constraints + c->holonomic > 0};
    if (!names_are_good(m, c->coordinate, c->coordinates, "coordinate", why) ||
        !names_are_good(m, c->relation, c->constraints + c->holonomic, "relation", why) ||
        !names_are_good(m, c->parameter, c->parameters, "parameter", why) ||
        !names_are_good(m, c->input, c->inputs, "input", why) || !make_patterns(m, fs, why))
        return NULL;
    describe_fields(m, fs);
    colour(m, fs);
    return fs;
}
