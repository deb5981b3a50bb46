/* members.c - grids and draws are read from their texts, and every name is tried in the model
 * before anything runs. */
#include "run/members.h"

#include "base/digits.h"
#include "run/plan.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { VALUES_MOST = 1000000 }; /* of one grid */

typedef struct { /* a text that is being read */
    members      *ms;
    const source *of;
    const char   *at;
} cursor;

static void skip_blanks(cursor *c)
{
    while (isspace((unsigned char)*c->at)) c->at++;
}

static bool accept(cursor *c, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(c);
    if (strncmp(c->at, word, n)) return false;
    c->at += n;
    return true;
}

/* The message is at the piece of the list, up to its comma. */
static dal_status wrong(const cursor *c, const char *from, const char *hint, const char *what)
{
    size_t n = strcspn(from, ",");
    int    start = (int)(from - c->of->text);
    return diag_error(c->ms->ds, DAL_INVALID, (span){c->of, start, start + (int)(n ? n : 1)}, hint,
                      "%s", what);
}

/* Letters, digits, signs and a point, but not the two points of a range. */
static bool accept_number(cursor *c, double *out)
{
    char   digits[64];
    size_t n = 0;
    skip_blanks(c);
    while (c->at[n] && n + 1 < sizeof digits &&
           (isalnum((unsigned char)c->at[n]) || strchr("+-.", c->at[n])) &&
           strncmp(c->at + n, "..", 2))
        n++;
    memcpy(digits, c->at, n), digits[n] = 0;
    if (!n || !text_is_number(digits, out)) return false;
    c->at += n;
    return true;
}

/* The name before '='; the cursor stands behind it. */
static dal_status open_axis(cursor *c, axis_kind kind, axis *out, const char *hint)
{
    const char *from = c->of->text + strspn(c->of->text, " \t"), *equals = strchr(from, '='),
               *to = equals;
    while (to && to > from && isspace((unsigned char)to[-1])) to--;
    if (!to || to == from)
        return diag_error(c->ms->ds, DAL_INVALID, source_span(c->of), hint,
                          "a name and '=' are needed before the values");
    const int start = (int)(from - c->of->text);
    *out = (axis){.kind = kind,
                  .of = c->of,
                  .at = {c->of, start, start + (int)(to - from)},
                  .name = mem_printf(c->ms->m, "%.*s", (int)(to - from), from)};
    c->at = equals + 1;
    return DAL_OK;
}

/* Grids. --------------------------------------------------------------------------------------- */

static const char *const GRID_HINT = "as k=1..10/19, k=0.01..100/9 log, k=1, 2, 5";

/* n values from a to b, both among them, evenly or in equal ratios */
static dal_status add_range(cursor *c, axis *x, const char *from, double a, double b, double n,
                            bool log)
{
    if (n != floor(n) || n < 1 || n > VALUES_MOST)
        return wrong(c, from, GRID_HINT,
                     "a range has a whole number of values, from 1 to a million");
    if (n == 1 && a != b)
        return wrong(c, from, GRID_HINT, "a range of one value must have equal ends");
    if (log && !(a * b > 0))
        return wrong(c, from, NULL, "a logarithmic range needs ends of the same sign, and no 0");
    for (int k = 0; k < n; k++) {
        double s = n > 1 ? k / (n - 1) : 0, value = log ? a * pow(b / a, s) : a + (b - a) * s;
        vec_push(c->ms->m, x->value, k && k == n - 1 ? b : value);
    }
    return DAL_OK;
}

/* NUMBER, or A..B/N with `log` behind it, or A..B of whole numbers */
static dal_status read_piece(cursor *c, axis *x)
{
    double a, b, n;
    skip_blanks(c);
    const char *from = c->at;
    if (!accept_number(c, &a)) return wrong(c, from, GRID_HINT, "a number is missing here");
    if (!accept(c, "..")) {
        vec_push(c->ms->m, x->value, a);
        return DAL_OK;
    }
    if (!accept_number(c, &b)) return wrong(c, from, GRID_HINT, "the range has no end");
    if (accept(c, "/")) {
        if (!accept_number(c, &n))
            return wrong(c, from, GRID_HINT, "the number of values is missing behind '/'");
        return add_range(c, x, from, a, b, n, accept(c, "log"));
    }
    if (a != floor(a) || b != floor(b) || a > b)
        return wrong(c, from, GRID_HINT,
                     "how many values? Only a range of whole numbers, upward, can do without '/'");
    return add_range(c, x, from, a, b, b - a + 1, false);
}

/* One more axis; its values are numbers, so nothing is evaluated. */
dal_status members_grid(members *ms, const source *of)
{
    cursor     c = {ms, of, of->text};
    axis       x;
    dal_status bad = open_axis(&c, AXIS_GRID, &x, GRID_HINT);
    while (!bad) {
        bad = read_piece(&c, &x);
        if (bad || !accept(&c, ",")) break;
    }
    skip_blanks(&c);
    if (!bad && *c.at) bad = wrong(&c, c.at, GRID_HINT, "this does not belong to a grid");
    if (!bad && x.value.n > VALUES_MOST)
        bad = wrong(&c, of->text, NULL, "more than a million values are too many");
    if (!bad) vec_push(ms->m, ms->axes, x);
    return bad;
}

/* Random draws. -------------------------------------------------------------------------------- */

static const char *const RANDOM_HINT = "as x=normal(0, 1), k=uniform(1, 2), m=lognormal(0, 0.5)";

/* Two numbers in brackets; low <= high, and no negative spread. */
static dal_status read_distribution(cursor *c, axis *x)
{
    skip_blanks(c);
    const char *from = c->at;
    int         d = 0;
    while (d < DISTRIBUTIONS && !accept(c, distribution_table[d].name)) d++;
    if (d == DISTRIBUTIONS)
        return wrong(c, from, RANDOM_HINT, "there are uniform, normal and lognormal");
    x->d = (distribution)d;
    bool fine = accept(c, "(") && accept_number(c, &x->a) && accept(c, ",") &&
                accept_number(c, &x->b) && accept(c, ")");
    skip_blanks(c);
    if (!fine || *c->at)
        return wrong(c, from, distribution_table[d].usage,
                     "a distribution has two numbers in brackets");
    if (x->d == UNIFORM ? x->a > x->b : x->b < 0)
        return wrong(c, from, distribution_table[d].usage,
                     x->d == UNIFORM ? "the lower end is above the upper one"
                                     : "a spread is not negative");
    return DAL_OK;
}

dal_status members_random(members *ms, const source *of)
{
    cursor     c = {ms, of, of->text};
    axis       x;
    dal_status bad = open_axis(&c, AXIS_RANDOM, &x, RANDOM_HINT);
    if (!bad) bad = read_distribution(&c, &x);
    if (!bad) vec_push(ms->m, ms->axes, x);
    return bad;
}

/* Numbers of texts are doubles, so whole ones are exact up to 2^53. */
static dal_status read_whole(members *ms, const source *of, double least, double most, double *out)
{
    if (text_is_number(of->text, out) && *out == floor(*out) && *out >= least && *out <= most)
        return DAL_OK;
    return diag_error(ms->ds, DAL_INVALID, source_span(of), NULL,
                      "a whole number from %.0f to %.0f is needed here", least, most);
}

dal_status members_draws(members *ms, const source *of)
{
    double     n;
    dal_status bad = read_whole(ms, of, 1, MEMBERS_MOST, &n);
    if (!bad) ms->draws = (long)n;
    return bad;
}

dal_status members_seed(members *ms, const source *of)
{
    double     n;
    dal_status bad = read_whole(ms, of, 0, 0x1p53, &n);
    if (!bad) ms->seed = (uint64_t)n;
    return bad;
}

/* Settling. ------------------------------------------------------------------------------------ */

/*     count = rows of the table * values of all grids * draws */
static dal_status count_members(members *ms)
{
    double all = ms->rows ? (double)ms->rows : 1;
    bool   random = false;
    for (int i = 0; i < ms->axes.n; i++) {
        axis *x = &ms->axes.at[i];
        random |= x->kind == AXIS_RANDOM;
        if (x->kind == AXIS_GRID) all *= x->value.n;
        if (x->kind == AXIS_RANDOM) x->key = random_key(ms->seed, x->name);
    }
    if (!ms->axes.n)
        return diag_error(ms->ds, DAL_INVALID, span_none(),
                          "--grid \"k=1..10/19\", --random \"x=normal(0, 1)\", --from-csv FILE",
                          "nothing is swept: name parameters or starts and their values");
    if (random && !ms->draws && all == 1)
        return diag_error(ms->ds, DAL_INVALID, span_none(), "--members 1000",
                          "how many members are to be drawn?");
    if (!random && ms->draws)
        return diag_error(ms->ds, DAL_INVALID, span_none(), "--random \"x=normal(0, 1)\"",
                          "a number of members is for random draws, and nothing is drawn");
    if (!ms->draws) ms->draws = 1;
    all *= (double)ms->draws;
    if (all > MEMBERS_MOST)
        return diag_error(ms->ds, DAL_INVALID, span_none(), NULL,
                          "%.0f members are too many: the most is %d", all, MEMBERS_MOST);
    ms->count = (long)all;
    return DAL_OK;
}

/* Rows of one table have the same columns, so sizes stay. */
static dal_status refuse_structural(members *ms, int i, const model *md)
{
    const axis *x = &ms->axes.at[i];
    int         index;
    if (!model_find(md, x->name, MEMBER_PARAMETER, &index) || !md->structural[index]) return DAL_OK;
    return diag_error(
        ms->ds, DAL_INVALID, x->at, "sweep once for each value, with --set",
        "sizes depend on '%s', and the columns of the table with them: it cannot be swept",
        x->name);
}

/* A swept name must have no other value, be it from another axis or from the overrides. */
static dal_status named_twice(members *ms, int i, const overrides *over)
{
    const axis   *x = &ms->axes.at[i];
    const size_t  n = strlen(x->name);
    const source *given[] = {over->set, over->start};
    const int     count[] = {over->sets, over->starts};
    for (int k = 0; k < i; k++)
        if (!strcmp(x->name, ms->axes.at[k].name))
            return diag_error(ms->ds, DAL_INVALID, x->at, NULL, "'%s' is swept twice", x->name);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < count[s]; k++) {
            const char *words = given[s][k].text + strspn(given[s][k].text, " \t");
            if (!strncmp(words, x->name, n) && words[n + strspn(words + n, " \t")] == '=')
                return diag_error(ms->ds, DAL_INVALID, x->at, NULL,
                                  "'%s' is swept, and %s gives it a value too", x->name,
                                  given[s][k].file);
        }
    return DAL_OK;
}

/* Would the model take it, as a parameter or as a start? */
static bool taken(members *ms, const model *md, const overrides *over, int i, diags *ds, mem *m)
{
    members one = {.m = m, .ds = ds, .draws = 1, .rows = ms->rows, .seed = ms->seed};
    values  v;
    vec_push(m, one.axes, ms->axes.at[i]);
    overrides with = members_overrides(&one, over, 0, m);
    return !md->by->evaluate(md, &with, ds, m, &v);
}

/* What a parameter and a start are told alike is told once, with what either could be instead. */
static bool tell_both(members *ms, span at, const diags *parameter, const diags *start)
{
    if (parameter->list.n != 1 || start->list.n != 1) return false;
    const diag *a = parameter->list.at, *b = start->list.at;
    if (strcmp(a->message, b->message) || !a->hint || !b->hint) return false;
    const bool close[] = {!strncmp(a->hint, "did you", 7), !strncmp(b->hint, "did you", 7)};
    diag_error(ms->ds, DAL_INVALID, at,
               close[0] || !strcmp(a->hint, b->hint) ? mem_printf(ms->ds->m, "%s", a->hint)
               : close[1] ? mem_printf(ms->ds->m, "%s", b->hint)
                          : mem_printf(ms->ds->m, "%s; %s, for starts", a->hint, b->hint),
               "%s", a->message);
    return true;
}

/* A name is a parameter if the model takes it for one, else a start; if it is neither, the message
 * is that of both or of a parameter, unless it can only be a start. */
static dal_status find_role(members *ms, const model *md, const overrides *over, int i)
{
    axis      *x = &ms->axes.at[i];
    mem       *m = mem_child(ms->m);
    diags      unheard[2];
    size_t     n = strlen(x->name);
    const bool moves = x->name[n - 1] == '\'' || !strncmp(x->name, "p(", 2);
    bool       found = false, told = false;
    for (int start = 0; start < 2 && !found; start++) {
        diags_init(&unheard[start], m);
        x->start = start;
        found = taken(ms, md, over, i, &unheard[start], m);
    }
    if (!found && !moves) told = tell_both(ms, x->at, &unheard[0], &unheard[1]);
    x->start = found ? x->start : moves;
    mem_free(m);
    if (found) return DAL_OK;
    if (!told) taken(ms, md, over, i, ms->ds, ms->ds->m);
    return DAL_INVALID;
}

/* After this the members are numbered 0 .. count-1. On failure it may be mended and settled
 * again. */
dal_status members_settle(members *ms, const model *md, const overrides *over)
{
    const long said = ms->draws;
    dal_status bad = count_members(ms);
    for (int i = 0; i < ms->axes.n && !bad; i++) {
        bad = named_twice(ms, i, over);
        if (!bad) bad = refuse_structural(ms, i, md);
        if (!bad) bad = find_role(ms, md, over, i);
    }
    if (bad) ms->draws = said; /* it may be mended, and settled again */
    return bad;
}

/* Values. -------------------------------------------------------------------------------------- */

/* who = ((grid_1 ... grid_n) rows + row) draws + draw; a random axis takes number `who` of its
 * stream. */
double members_value(const members *ms, int axis_index, long who)
{
    const axis *x = &ms->axes.at[axis_index];
    if (x->kind == AXIS_RANDOM)
        return random_quantile(x->d, x->a, x->b, random_uniform(x->key, (uint64_t)who));
    long at = who / ms->draws;
    if (x->kind == AXIS_TABLE) return x->value.at[at % ms->rows];
    if (ms->rows) at /= ms->rows;
    for (int i = ms->axes.n - 1; i > axis_index; i--)
        if (ms->axes.at[i].kind == AXIS_GRID) at /= ms->axes.at[i].value.n;
    return x->value.at[at % x->value.n];
}

/* Numbers become texts with as many digits as they need, so nothing is lost on the way. */
static const source *joined(const members *ms, const source *given, int *count, bool start,
                            long who, mem *m)
{
    source *all = mem_array(m, *count + ms->axes.n, source);
    for (int k = 0; k < *count; k++) all[k] = given[k];
    for (int i = 0; i < ms->axes.n; i++) {
        const axis *x = &ms->axes.at[i];
        char        digits[NUMBER_ROOM];
        if (x->start != start) continue;
        digits_print(digits, members_value(ms, i, who));
        const char *words = mem_printf(m, "%s=%s", x->name, digits);
        all[(*count)++] = (source){x->of->file, words, strlen(words)};
    }
    return all;
}

overrides members_overrides(const members *ms, const overrides *over, long who, mem *m)
{
    overrides all = *over;
    all.set = joined(ms, over->set, &all.sets, false, who, m);
    all.start = joined(ms, over->start, &all.starts, true, who, m);
    return all;
}
