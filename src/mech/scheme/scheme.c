/* scheme.c - from the words of a scheme to its curve, quadratures and claims. theory.md [SCHEME]
 *
 * All that is known of a single scheme stands in schemes.def; here is how its rows are put
 * together, and what is said when they do not fit. */
#include "mech/scheme/scheme.h"

#include "base/names.h"
#include "mech/scheme/compose.h"
#include "mech/scheme/notation.h"
#include "mech/scheme/flow.h"

#include <assert.h>
#include <string.h>

typedef enum { NONE, POINTS, PLACE } argument; /* midpoint, lobatto(s), rectangle(alpha) */

typedef struct {
    const char *word;
    argument    argument;
    bool (*make)(quadrature *r, int s);
    int         s, shift, least, most;
    const char *example;
} rule_row;

static const rule_row rules[] = {
#define RULE(word, argument, make, s, shift, least, most, name, example, ...)                      \
    {word, argument, make, s, shift, least, most, example},
#include "mech/scheme/schemes.def"
};

static const scheme_row rows[] = {
#define RULE(word, argument, make, s, shift, least, most, name, example, order, curve, claims,     \
             cite, title, points, solves, needs)                                                   \
    {name, example, order, curve, title, cite, claims, least, most, points, solves, needs},
#define FORM(word, least, most, name, example, order, curve, claims, cite, title, points, solves,  \
             needs)                                                                                \
    {name, example, order, curve, title, cite, claims, least, most, points, solves, needs},
#include "mech/scheme/schemes.def"
};

/* the words that begin the rows, in their order: the rules first */
static const char *const first_words[] = {
#define RULE(word, ...) word,
#define FORM(word, ...) word,
#include "mech/scheme/schemes.def"
};

static const struct {
    const char *elsewhere, *here;
} aliases[] = {
#define ALIAS(elsewhere, here) {elsewhere, here},
#include "mech/scheme/schemes.def"
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

const scheme_row *scheme_rows(int *count)
{
    return *count = COUNT(rows), rows;
}

/* Finding rules, and saying what is wrong with them. ------------------------------------------ */

static const rule_row *find_rule(const char *called)
{
    for (int i = 0; i < COUNT(rules); i++)
        if (strcmp(rules[i].word, called) == 0) return &rules[i];
    return NULL;
}

/* the row that was meant, if one is near: a rule, or any row where a whole scheme may stand */
static const scheme_row *nearest(const char *called, bool whole_scheme)
{
    int         count = whole_scheme ? COUNT(rows) : COUNT(rules);
    const char *near = name_nearest(called, first_words, count);
    for (int i = 0; near && i < count; i++)
        if (first_words[i] == near) return &rows[i];
    return NULL;
}

/* What it is called here, if the name is known from elsewhere; else the nearest name, or all of
 * them. */
static dal_status unknown(const char *called, bool whole_scheme, text *why)
{
    const scheme_row *near = nearest(called, whole_scheme);
    text_printf(why, "there is no %s '%s'. ", whole_scheme ? "scheme" : "quadrature", called);
    for (int i = 0; i < COUNT(aliases); i++)
        if (strcmp(aliases[i].elsewhere, called) == 0) {
            text_printf(why, "The method of that name is %s here.", aliases[i].here);
            return DAL_INVALID;
        }
    if (near) {
        text_printf(why, "Did you mean %s?", near->example);
        return DAL_INVALID;
    }
    text_add(why, "There are ");
    for (int i = 0; i < COUNT(rules); i++)
        text_printf(why, "%s%s", i == 0 ? "" : i + 1 < COUNT(rules) ? ", " : " and ", rows[i].name);
    text_add(why, ".");
    return DAL_INVALID;
}

/* the one number that a word has as its option, if it has just that */
static bool one_number(const word *w, double *x)
{
    if (w->options != 1 || *w->option[0]->name) return false;
    *x = w->option[0]->number;
    return true;
}

static dal_status wrong_argument(const rule_row *row, const word *w, text *why)
{
    text_add(why, "'"), word_print(w, why), text_add(why, "' is not a rule: ");
    if (row->argument == NONE) text_printf(why, "%s takes no argument. ", row->word);
    else if (row->argument == PLACE) text_printf(why, "%s takes a place from 0 to 1. ", row->word);
    else
        text_printf(why, "%s takes a number of points, %d to %d. ", row->word, row->least,
                    row->most);
    text_printf(why, "Write %s.", row->example);
    return DAL_INVALID;
}

/* Is x an integer in that range? */
static bool whole(double x, int least, int most)
{
    return x >= least && x <= most && x == (int)x;
}

/* A rule that is named by a word, and its row. */
typedef struct {
    quadrature      points;
    const rule_row *row;
    char            title[48];
} rule;

static void set_title(char *out, size_t room, text *t)
{
    assert(t->n < room);
    (void)room;
    memcpy(out, text_str(t), t->n + 1);
    text_drop(t);
}

/* A fixed rule is titled as its family: midpoint as gauss(1). */
static void title_rule(rule *r, double x, mem *m)
{
    text            t = text_new(m);
    const rule_row *row = r->row;
    for (int i = 0; row->argument == NONE && i < COUNT(rules); i++)
        if (rules[i].make == row->make && rules[i].argument == POINTS) row = &rules[i];
    text_printf(&t, "%s(", row->word), text_number(&t, x), text_add(&t, ")");
    set_title(r->title, sizeof r->title, &t);
}

/* x: the number of points, or the place, whether it is written or implied by the word. */
static bool argument_fits(const rule_row *row, const word *w, double *x)
{
    if (row->argument == NONE) return *x = row->s, w->options == 0;
    if (!one_number(w, x)) return false;
    return row->argument == PLACE ? *x >= 0 && *x <= 1 : whole(*x, row->least, row->most);
}

static dal_status read_rule(rule *r, const word *w, bool whole_scheme, text *why)
{
    double x = 0;
    r->row = find_rule(w->name);
    if (!r->row) return unknown(w->name, whole_scheme, why);
    if (!argument_fits(r->row, w, &x)) return wrong_argument(r->row, w, why);
    if (r->row->argument == PLACE && x == 0.5) r->row = find_rule("midpoint"), x = 1; /* the same */
    if (r->row->argument == PLACE) quadrature_rectangle(&r->points, x);
    else r->row->make(&r->points, (int)x);
    title_rule(r, x, why->m);
    return DAL_OK;
}

/* Curves. ------------------------------------------------------------------------------------- */

static dal_status read_degree(scheme *s, const word *w, text *why)
{
    double d;
    if (!one_number(w, &d) || !whole(d, 1, DEGREE_MOST)) {
        text_add(why, "'"), word_print(w, why);
        text_printf(why,
                    "' is not a scheme: polynomial takes a degree, 1 to %d. Write "
                    "polynomial(2) with lobatto(3).",
                    DEGREE_MOST);
        return DAL_INVALID;
    }
    s->curve = CURVE_POLYNOMIAL, s->degree = (int)d;
    return DAL_OK;
}

/* The velocities at fewer than d points do not determine a curve of degree d: L_vv is then singular
 * in the unknowns of a step.                                                  theory.md [SCHEME] */
static dal_status enough_points(const scheme *s, const rule *r, text *why)
{
    if (s->rule.s >= s->degree) return DAL_OK;
    text_printf(why,
                "%s has %d point%s, too few to determine a curve of degree %d. Take a rule of at "
                "least %d points, as polynomial(%d) with gauss(%d), or polynomial(%d) with %s.",
                r->title, s->rule.s, s->rule.s == 1 ? "" : "s", s->degree, s->degree, s->degree,
                s->degree, s->rule.s, r->title);
    return DAL_INVALID;
}

/* the row of the map that a word names, -1 if there is none; *p becomes its order */
static int find_map(const word *w, int *p)
{
    int                 count;
    double              degree;
    const one_step_map *map = one_step_maps(&count);
    for (int i = 0; i < count; i++) {
        if (w->with || strcmp(map[i].word, w->name) != 0) continue;
        bool fits = map[i].stages ? w->options == 0
                                  : one_number(w, &degree) && whole(degree, 1, TAYLOR_MOST);
        if (!fits) return -1;
        return *p = map[i].stages ? map[i].order : (int)degree, i;
    }
    return -1;
}

static dal_status no_map(const word *w, text *why)
{
    int                 count;
    const one_step_map *map = one_step_maps(&count);
    text_add(why, "'"), word_print(w, why);
    text_printf(why,
                "' is not a scheme: shooting takes a map, taylor(p) with p from 1 to "
                "%d",
                TAYLOR_MOST);
    for (int i = 0; i < count; i++)
        if (map[i].stages) text_printf(why, "%s%s", i + 1 < count ? ", " : " or ", map[i].word);
    text_add(why, ". Write shooting(taylor(4)) with simpson.");
    return DAL_INVALID;
}

/* shooting(taylor(p)), shooting(rk4). The velocity of taylor is that of its curve, which therefore
 * has an order more to give: its ends are fixed, so that the first error of v integrates to
 * nothing. theory.md [SHOOTING] */
static dal_status read_map(scheme *s, const word *w, int *curve_order, text *why)
{
    s->map = w->options == 1 ? find_map(w->option[0], &s->map_order) : -1;
    if (s->map < 0) return no_map(w, why);
    text t = text_new(why->m);
    word_print(w->option[0], &t);
    set_title(s->shooting, sizeof s->shooting, &t);
    s->curve = CURVE_SHOOTING;
    *curve_order = strcmp(w->option[0]->name, "taylor") == 0 ? s->map_order + 1 : s->map_order;
    return DAL_OK;
}

static bool is_curve(const char *called)
{
    return strcmp(called, "polynomial") == 0 || strcmp(called, "shooting") == 0;
}

/* Schemes. ------------------------------------------------------------------------------------ */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The force rule: another one, or the same as that of L. */
static dal_status read_force(scheme *s, const rule *own, const word *w, text *why)
{
    rule r = *own;
    if (w && (w->with || is_curve(w->name) || strcmp(w->name, "compose") == 0)) {
        text_add(why, "'"), word_print(w, why);
        text_add(why, "' is not a quadrature. A force rule is a quadrature alone, on the "
                      "curve of the scheme. Write trapezoid, or gauss(2).");
        return DAL_INVALID;
    }
    dal_status status = w ? read_rule(&r, w, false, why) : DAL_OK;
    s->force = r.points;
    memcpy(s->force_title, r.title, sizeof r.title);
    /* the same points and weights count as one rule, however they were written */
    s->own_force_rule = s->force.s != s->rule.s ||
                        memcmp(s->force.c, s->rule.c, sizeof s->rule.c) != 0 ||
                        memcmp(s->force.b, s->rule.b, sizeof s->rule.b) != 0;
    return status;
}

/* The title says curve and rule; the name is what a user types when the rule implies the curve. */
static void title_scheme(scheme *s, const rule *r, mem *m)
{
    text t = text_new(m);
    bool implied = s->curve == CURVE_POLYNOMIAL && s->degree == s->rule.s + r->row->shift;
    if (s->curve == CURVE_POLYNOMIAL)
        text_printf(&t, "polynomial(%d) with %s", s->degree, r->title);
    else text_printf(&t, "shooting(%s) with %s", s->shooting, r->title);
    set_title(s->title, sizeof s->title, &t);
    text_add(&t, implied ? r->title : s->title);
    for (int i = 0; implied && s->degree == 1 && i < COUNT(rules); i++) /* midpoint, not gauss(1) */
        if (rules[i].argument == NONE && rules[i].make == r->row->make && rules[i].s == s->rule.s)
            text_clear(&t), text_add(&t, rules[i].word);
    set_title(s->name, sizeof s->name, &t);
}

/* What a rule of order r for the forces leaves of the order: along the inner functions of a curve
 * of degree d their quadrature is less exact, and the forces see that curve.   theory.md [FORCE] */
static int forced_order(const scheme *s, bool symmetric)
{
    const int r = s->force.order, inside = 2 * (r - s->degree + 1);
    if (s->curve != CURVE_POLYNOMIAL) return r;
    return least(r, inside > 0 ? inside : symmetric ? 2 : 1);
}

/*     order = min(that of the curve, of the rule for L, what the rule for f leaves)
 * Every step from a discrete Lagrangian is symplectic, and symmetric if both rules are. */
static void claim(scheme *s, int curve_order)
{
    bool symmetric = s->curve == CURVE_POLYNOMIAL && s->rule.symmetric && s->force.symmetric;
    s->order = least(curve_order, least(s->rule.order, forced_order(s, symmetric)));
    s->claims = CLAIM_SYMPLECTIC | (symmetric ? CLAIM_SYMMETRIC : 0u);
    s->substeps = 1, s->gamma[0] = 1;
}

static dal_status lonely_curve(const word *w, text *why)
{
    double d = 2;
    bool   polynomial = one_number(w, &d) && whole(d, 1, DEGREE_MOST);
    text_add(why, "'"), word_print(w, why);
    text_add(why, "' is a curve, and a scheme is a curve with a quadrature. Write ");
    if (polynomial) text_printf(why, "polynomial(%d) with gauss(%d).", (int)d, (int)d);
    else text_add(why, "shooting(rk4) with simpson, or polynomial(2) with gauss(2).");
    return DAL_INVALID;
}

static dal_status stray_with(const word *w, const rule_row *alone, text *why)
{
    text_printf(why,
                "'%s' is not a curve, so it cannot stand before 'with'. Write '%s' "
                "alone, or 'polynomial(1) with ",
                w->name, alone->example);
    word_print(w->with, why);
    text_add(why, "'.");
    return DAL_INVALID;
}

/* A curve with a rule, or a rule alone, which implies its curve. */
static dal_status read_single(scheme *s, const word *w, const word *force, text *why)
{
    rule            r = {0};
    int             curve_order = 0;
    bool            curve = is_curve(w->name);
    dal_status      status;
    const rule_row *alone = find_rule(w->name);
    if (curve && !w->with) return lonely_curve(w, why);
    if (w->with && !curve && alone) return stray_with(w, alone, why);
    status = read_rule(&r, curve ? w->with : w, !curve, why);
    if (status) return status;
    s->rule = r.points;
    /* a rule alone implies the degree; else the words before `with` say it */
    if (!curve) s->degree = r.points.s + r.row->shift;
    else if (*w->name == 's') status = read_map(s, w, &curve_order, why);
    else status = read_degree(s, w, why);
    if (!status && s->curve == CURVE_POLYNOMIAL) {
        curve_order = 2 * s->degree;
        status = enough_points(s, &r, why);
    }
    if (!status) status = read_force(s, &r, force, why);
    if (status) return status;
    claim(s, curve_order), title_scheme(s, &r, why->m);
    return DAL_OK;
}

static dal_status read_scheme(scheme *s, const word *w, const word *force, text *why);

/* compose(SCHEME, NAME(k)), whose first option may be a composition, too. */
static dal_status read_composition(scheme *s, const word *w, const word *force, text *why)
{
    double k;
    if (w->with || w->options != 2 || !*w->option[0]->name || w->option[1]->with ||
        !one_number(w->option[1], &k)) {
        text_add(why, "'"), word_print(w, why);
        text_add(why, "' is not a composition: compose takes a scheme and a composition "
                      "with its order. Write compose(midpoint, suzuki(4)).");
        return DAL_INVALID;
    }
    dal_status status = read_scheme(s, w->option[0], force, why);
    if (!status) status = compose(s, s->name, w->option[1]->name, k, why);
    if (status) return status;
    text t = text_new(why->m);
    text_printf(&t, "compose(%s, %s(%d))", s->name, w->option[1]->name, s->order);
    set_title(s->title, sizeof s->title, &t);
    memcpy(s->name, s->title, sizeof s->name);
    return DAL_OK;
}

static const scheme_row *row_of(const char *called)
{
    for (int i = 0; i < COUNT(rows); i++)
        if (strcmp(first_words[i], called) == 0) return &rows[i];
    return NULL;
}

/* damped(s): the curve and the points of gauss(s). Forces have functions of their own, no points. */
static dal_status read_damped(scheme *s, const scheme_row *row, const word *w, const word *force,
                              text *why)
{
    double x = 0;
    word   gauss = *w;
    memcpy(gauss.name, "gauss", sizeof "gauss");
    if (w->with || !one_number(w, &x) || !whole(x, row->least, row->most)) {
        text_add(why, "'"), word_print(w, why);
        text_printf(why, "' is not a scheme: damped takes a number of points, %d to %d. Write %s.",
                    row->least, row->most, row->example);
        return DAL_INVALID;
    }
    dal_status status = read_single(s, &gauss, force, why);
    if (status) return status;
    if (s->own_force_rule) {
        text_printf(why, "damped(%d) takes forces at its own points; leave 'force = %s' out.",
                    s->degree, s->force_title);
        return DAL_INVALID;
    }
    text t = text_new(why->m);
    text_printf(&t, "damped(%d)", s->degree);
    set_title(s->title, sizeof s->title, &t);
    memcpy(s->name, s->title, sizeof s->name);
    s->damps = true, s->order -= 1, s->claims = CLAIM_SYMPLECTIC | CLAIM_DAMPS;
    return DAL_OK;
}

static dal_status read_scheme(scheme *s, const word *w, const word *force, text *why)
{
    if (strcmp(w->name, "compose") == 0) return read_composition(s, w, force, why);
    const scheme_row *row = strcmp(w->name, "damped") == 0 ? row_of(w->name) : NULL;
    return row ? read_damped(s, row, w, force, why) : read_single(s, w, force, why);
}

dal_status scheme_parse(scheme *out, const char *what, const char *force, text *why)
{
    words ws, force_ws;
    word *of_force = NULL, *w = words_read(&ws, what, why);
    *out = (scheme){0};
    if (!w) return DAL_SYNTAX;
    if (force && !(of_force = words_read(&force_ws, force, why))) return DAL_SYNTAX;
    return read_scheme(out, w, of_force, why);
}
