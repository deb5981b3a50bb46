/* uniform.c - finds the regions of a chain in which every row is the same sum, and what is read
 * in them. */
#include "model/rows/summands.h"

enum { SHORTEST = 2048 }; /* rows of a region that is worth it */

/* Inputs' first numbers and outputs' first rows of run r. */
static const int *numbers_of(const row_loop *l, int r)
{
    return l->t->table.base + (ptrdiff_t)r * l->t->table.width;
}

/* The first row of output y in run r. */
static int row_of(const row_loop *l, int r, int y)
{
    return numbers_of(l, r)[l->t->inputs + l->output[y]];
}

/* The rows to which a run contributes, and those for which it contributes everything it ever
 * does. */
typedef struct {
    int low, high;  /* .. high-1 */
    int from, to;   /* .. to-1   */
} row_span;

static row_span span_of(const row_lanes *w, const row_loop *l, int r)
{
    int first = row_of(l, r, 0), last = first;
    for (int y = 1; y < l->outputs; y++) {
        const int at = row_of(l, r, y);
        first = at < first ? at : first, last = at > last ? at : last;
    }
    const int length = l->t->table.count[r] * l->t->stride,
              margin = 2 * (w->loops->p->halo + SITE_MOST);
    /* near the ends of a run a row may lack a neighbour: a margin is left out */
    return (row_span){first, last + length - l->t->stride + 1, last + margin,
                      first + length - margin};
}

/* Where rows are irregular, by how much that changes from row to row; cut: a region ends or
 * begins. */
static void mark_runs(const row_lanes *w, const row_loop *l, int n, int *change, uint8_t *cut)
{
    for (int r = 0; r < l->t->table.runs; r++) {
        const row_span e = span_of(w, l, r);
        change[e.low]++, change[e.high]--;
        if (l->t->rare || e.from >= e.to || e.from < 0 || e.to > n) continue;
        change[e.from]--, change[e.to]++;
        cut[e.from] = cut[e.to] = 1;
    }
}

typedef vec(row_span) row_spans;

/* Rows where no run begins or ends; stretches that are too short are left out. */
static row_spans regular_rows(mem *m, const row_lanes *w, int n)
{
    int     *change = mem_array(m, n + 1, int), level = 0, from = 0;
    uint8_t *cut = mem_array(m, n + 1, uint8_t);
    row_spans  all = {0};
    for (int l = 0; l < w->loops->loops; l++) mark_runs(w, &w->loops->loop[l], n, change, cut);
    for (int i = 0; i <= n; i++) {
        const bool was = !level;
        level += change[i];
        if (was && (level || cut[i] || i == n) && i - from >= SHORTEST)
            vec_push(m, all, (row_span){.from = from, .to = i});
        if (level || cut[i] || !was) from = level ? i + 1 : i;
    }
    return all;
}

/* The run of a loop that covers rows from .. to-1; -1: none touches them; -2: there are several. */
static int run_over(const row_lanes *w, const row_loop *l, int from, int to)
{
    const run_table *R = &l->t->table;
    int              found = -1;
    for (int r = first_run(R, from); r < R->runs && R->low[r] < to; r++) {
        if (found >= 0) return -2;
        const row_span e = span_of(w, l, r);
        if (e.from > from || e.to < to) return -2;
        found = r;
    }
    return found;
}

/* a / gcd(a, b) * b */
static int least_multiple(int a, int b)
{
    int x = a, y = b;
    while (y) {
        const int rest = x % y;
        x = y, y = rest;
    }
    return a / x * b;
}

/* a mod b in 0 .. b-1, also of negative a. */
static int modulo(int a, int b)
{
    const int rest = a % b;
    return rest < 0 ? rest + b : rest;
}

static int divided_up(int a, int b) /* towards plus infinity */
{
    return (a - modulo(a, b)) / b + (modulo(a, b) != 0);
}

/* Instances that a site adds, those before it that its rows still need, and how far they read. */
static void find_history(row_lanes *w, lane_term *t)
{
    const row_term *of = t->of->t;
    const int       S = of->stride;
    int             last = 0;
    for (int y = 0; y < t->of->outputs; y++) {
        /* first: the least instance k with phase + out[y] + k S >= 0, a row of this site */
        const int first = divided_up(-t->phase - t->out[y], S);
        if (!y || first < t->first) t->first = first;
        if (!y || first > last) last = first;
    }
    t->history = last - t->first;
    for (int j = 0; j < of->inputs; j++) {
        if (!is_coordinate(of->input[j].from)) continue;
        const int ahead = t->phase + t->in[j] + last * S - S + 1,
                  back = -(t->phase + t->in[j] + t->first * S);
        if (ahead > w->ahead) w->ahead = ahead;
        if (back > w->back) w->back = back;
    }
}

/* Inputs of all terms are numbered through, those that stay apart from those that move. */
static void number_inputs(row_lanes *w, lane_term *t)
{
    t->still = w->stills, t->moving = w->movings;
    for (int j = 0; j < t->of->t->inputs; j++) {
        const row_input *in = &t->of->t->input[j];
        if (is_coordinate(in->from)) continue;
        if (in->stride) w->movings++;
        else w->stills++;
    }
}

/* Places relative to the first row of output 0, so that they are the same at every site. */
static void add_term(mem *m, row_lanes *w, int number, int r)
{
    lane_term      *t = &w->term[w->terms++];
    const row_loop *l = &w->loops->loop[number];
    const int      *at = numbers_of(l, r), base = row_of(l, r, 0);
    *t = (lane_term){.of = l, .number = number, .in = mem_array(m, l->t->inputs + 1, int),
                     .out = mem_array(m, l->outputs, int), .phase = base};
    for (int j = 0; j < l->t->inputs; j++) t->in[j] = at[j] - base;
    for (int y = 0; y < l->outputs; y++) t->out[y] = row_of(l, r, y) - base;
    w->site = least_multiple(w->site, l->t->stride);
}

/* The terms over rows from .. to-1 are the pattern. False: there is none. */
static bool take_pattern(mem *m, row_lanes *w, const row_span *e)
{
    w->term = mem_array(m, w->loops->loops, lane_term), w->site = 1;
    for (int l = 0; l < w->loops->loops; l++) {
        const int found = run_over(w, &w->loops->loop[l], e->from, e->to);
        if (found == -2) return false;
        if (found >= 0) add_term(m, w, l, found);
        if (w->site > SITE_MOST) return false;
    }
    for (int k = w->terms - 1; k >= 0; k--) { /* the first one begins a site */
        lane_term *t = &w->term[k];
        t->phase = modulo(t->phase - w->term[0].phase, t->of->t->stride);
        t->per_site = w->site / t->of->t->stride;
        find_history(w, t);
    }
    for (int k = 0; k < w->terms; k++) number_inputs(w, &w->term[k]);
    return w->terms > 0;
}

/* Has run r of the term the same phase, inputs and outputs relative to its row? */
static bool has_pattern(const lane_term *t, int r, int from)
{
    const row_term *of = t->of->t;
    const int      *at = numbers_of(t->of, r), base = row_of(t->of, r, 0);
    if (modulo(base - from, of->stride) != t->phase) return false;
    for (int j = 0; j < of->inputs; j++)
        if (is_coordinate(of->input[j].from) && at[j] - base != t->in[j]) return false;
    for (int y = 0; y < t->of->outputs; y++)
        if (row_of(t->of, r, y) - base != t->out[y]) return false;
    return true;
}

/* Rows from .. to-1 as a region, if they have the pattern. */
static void add_region(mem *m, row_lanes *w, const row_span *e)
{
    lane_region r = {e->from, e->to, mem_array(m, w->terms, int)};
    int         known = 0;
    for (int l = 0; l < w->loops->loops; l++) {
        const int  found = run_over(w, &w->loops->loop[l], e->from, e->to);
        const bool expected = known < w->terms && w->term[known].number == l;
        if ((found >= 0) != expected || found == -2) return;
        if (expected) r.run[known++] = found;
    }
    r.from += modulo(row_of(w->term[0].of, r.run[0], 0) - r.from, w->site);
    r.to -= modulo(r.to - r.from, w->site);
    for (int k = 0; k < w->terms; k++)
        if (!has_pattern(&w->term[k], r.run[k], r.from)) return;
    if (r.to - r.from >= SHORTEST) vec_push(m, w->region, r);
}

/* The longest regular stretch sets the pattern; others belong to it if they have the same one.
 * NULL if that covers less than three quarters of the rows. */
const row_lanes *row_lanes_new(mem *m, const row_plan *p, unsigned wanted, int n)
{
    row_lanes    *w = mem_array(m, 1, row_lanes);
    mem          *brief = mem_child(m);
    const row_span *longest = NULL;
    int           covered = 0;
    row_loops *loops = mem_array(m, 1, row_loops);
    *loops = row_loops_new(m, p, wanted), w->loops = loops;
    const row_spans all = regular_rows(brief, w, n);
    for (int k = 0; k < all.n; k++)
        if (!longest || all.at[k].to - all.at[k].from > longest->to - longest->from)
            longest = &all.at[k];
    const bool found = longest && take_pattern(m, w, longest);
    for (int k = 0; found && k < all.n; k++) add_region(m, w, &all.at[k]);
    for (int k = 0; k < w->region.n; k++) covered += w->region.at[k].to - w->region.at[k].from;
    mem_free(brief);
    return covered >= n - n / 4 ? w : NULL;
}

bool row_lanes_give(const row_lanes *w, row_source s)
{
    for (int k = 0; k < w->terms; k++) {
        const row_loop *l = w->term[k].of;
        for (int y = 0; y < l->outputs; y++)
            if (l->t->output[l->output[y]].source == s) return true;
    }
    return false;
}

/* What is read. -------------------------------------------------------------------------------- */

/* Time is one number, the others are arrays. */
static const double *array_of(const row_reads *s, feed_kind from)
{
    if (from == FROM_TIME) return &s->t;
    return from == FROM_DATA ? s->data : from == FROM_INPUT ? s->input : s->parameter;
}

/* One for each stride of the stretch, and those before it. */
static int instances_of(const lane_term *t, int length)
{
    return length / t->of->t->stride + t->history;
}

/* The term to which this moving input belongs is the last that begins at or before it. */
int row_lanes_instances(const row_lanes *w, int moving, int length)
{
    int k = w->terms - 1;
    while (k > 0 && w->term[k].moving > moving) k--;
    return instances_of(&w->term[k], length);
}

void row_lanes_read(const row_lanes *w, const row_reads *s, int r, int from, int length, int l,
                    double *still, double *const *moving)
{
    for (int k = 0; k < w->terms; k++) {
        const lane_term *t = &w->term[k];
        const row_term  *of = t->of->t;
        const int        found = w->region.at[r].run[k], *at = numbers_of(t->of, found),
                  count = instances_of(t, length);
        /* first: the instance of the run that gives the first row of the stretch */
        const int first = (from + t->phase - row_of(t->of, found, 0)) / of->stride + t->first;
        int              a = t->still, b = t->moving;
        for (int j = 0; j < of->inputs; j++) {
            const row_input *in = &of->input[j];
            if (is_coordinate(in->from)) continue;
            const double *x = array_of(s, in->from) + (in->from == FROM_TIME ? 0 : at[j]);
            if (!in->stride) {
                still[a++] = *x;
                continue;
            }
            double *to = moving[b++];
            for (int i = 0; i < count; i++)
                to[i * ROW_LANES + l] = x[(ptrdiff_t)(first + i) * in->stride];
        }
    }
}

/* The time alone; the other numbers of still[] stay. */
void row_lanes_read_time(const row_lanes *w, double t, double *still)
{
    for (int k = 0; k < w->terms; k++) {
        const row_term *of = w->term[k].of->t;
        int             a = w->term[k].still;
        for (int j = 0; j < of->inputs; j++) {
            const row_input *in = &of->input[j];
            if (is_coordinate(in->from) || in->stride) continue;
            if (in->from == FROM_TIME) still[a] = t;
            a++;
        }
    }
}
