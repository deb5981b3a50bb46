/* batch_runs.c - runs a program over all instances of its element: blocks are loaded, evaluated,
 * and accumulated.
 *
 * Where instances are pairs, as of bodies that attract each other, one partner stays the same for
 * many instances and the other advances by one. Such runs are found once: along them nothing is
 * looked up, the constant partner receives one sum, and the others are vectors. */
#include "model/bound.h"

#include <string.h>

enum { SHORTEST_RUN = 4 }; /* on average: shorter ones are looked up one by one */

/* Finding runs. -------------------------------------------------------------------------------- */

/* Is place l the same as the one before, or its successor, as for the rest of the run? */
static bool goes_on(const int *at, int l, int begin)
{
    const int step = at[l] - at[l - 1];
    return (step == 0 || step == 1) && (l - begin < 2 || step == at[l - 1] - at[l - 2]);
}

static bool has_runs(const slot *s, int n)
{
    int runs = s->at && n ? 1 : n;
    for (int l = 1, begin = 0; s->at && l < n; l++)
        if (!goes_on(s->at, l, begin)) runs++, begin = l;
    return (double)runs * SHORTEST_RUN <= n;
}

static const slot *load_slot(const derived *d, const batch *b, int v)
{
    return &d->feed.at[b->load[v]].at;
}

/* Does every place of the batch that goes along runs do so at instance l? */
static bool all_go_on(const derived *d, const batch *b, int l, int begin)
{
    for (int v = b->still; v < b->loads; v++)
        if (b->load_runs[v] && !goes_on(load_slot(d, b, v)->at, l, begin)) return false;
    for (int y = 0; y < b->yields; y++)
        if (b->yield_runs[y] && !goes_on(b->yield[y]->to.at, l, begin)) return false;
    return true;
}

static int mark(const derived *d, batch *b)
{
    int marked = 0;
    for (int v = b->still; v < b->loads; v++)
        marked += b->load_runs[v] = has_runs(load_slot(d, b, v), d->instances);
    for (int y = 0; y < b->yields; y++)
        marked += b->yield_runs[y] = has_runs(&b->yield[y]->to, d->instances);
    return marked;
}

void batch_find_runs(mem *m, const derived *d, batch *b)
{
    const int n = d->instances;
    vec(int) end = {0};
    b->load_runs = mem_array(m, b->loads + 1, uint8_t);
    b->yield_runs = mem_array(m, b->yields + 1, uint8_t);
    if (n < 2 * SHORTEST_RUN || !mark(d, b)) return;
    for (int l = 1, begin = 0; l < n; l++)
        if (!all_go_on(d, b, l, begin)) {
            vec_push(m, end, l);
            begin = l;
        }
    vec_push(m, end, n);
    if ((double)end.n * SHORTEST_RUN <= n) b->run_end = end.at, b->runs = end.n;
    else {
        memset(b->load_runs, 0, (size_t)b->loads), memset(b->yield_runs, 0, (size_t)b->yields);
        vec_drop(m, end);
    }
}

/* Running. ------------------------------------------------------------------------------------- */

/* Instances first .. first+count-1; run_end: that of the run with the first of them, NULL: none. */
typedef struct {
    int        first, count;
    const int *run_end;
} block;

static int end_of_run(const block *of, int which)
{
    const int end = of->first + of->count;
    return of->run_end && of->run_end[which] < end ? of->run_end[which] : end;
}

/* Four sums side by side, which need not wait for each other. */
static double sum_of(const double *x, int n)
{
    double sum[4] = {0};
    int    l = 0;
    for (; l + 4 <= n; l += 4)
        for (int k = 0; k < 4; k++) sum[k] += x[l + k];
    for (; l < n; l++) sum[0] += x[l];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static bool stays(const int *at, int l, int end)
{
    return end == l + 1 || at[l + 1] == at[l];
}

/*     out[at[l]] += from[l], along runs */
static void add_runs(const int *at, const block *of, const double *restrict from, double *out)
{
    for (int l = of->first, which = 0, end; l < of->first + of->count; l = end, which++) {
        double *restrict to = out + at[l];
        end = end_of_run(of, which);
        const int n = end - l;
        if (stays(at, l, end)) *to += sum_of(from, n);
        else
            for (int k = 0; k < n; k++) to[k] += from[k];
        from += n;
    }
}

static void load_runs(const int *at, const block *of, const double *from, double *restrict reg)
{
    for (int l = of->first, which = 0, end; l < of->first + of->count; l = end, which++) {
        const double *restrict x = from + at[l];
        end = end_of_run(of, which);
        const int n = end - l;
        if (stays(at, l, end))
            for (int k = 0; k < n; k++) reg[k] = *x;
        else
            for (int k = 0; k < n; k++) reg[k] = x[k];
        reg += n;
    }
}

static void add_block(const slot *to, const double *from, int first, int count, double *out)
{
    if (to->at) {
        for (int l = 0; l < count; l++) out[to->at[first + l]] += from[l];
    } else if (to->stride == 1) {
        double *at = out + to->base + first;
        for (int l = 0; l < count; l++) at[l] += from[l];
    } else if (to->stride) {
        for (int l = 0; l < count; l++) out[to->base + (first + l) * to->stride] += from[l];
    } else {
        out[to->base] += sum_of(from, count);
    }
}

static void load_block(const slot *s, const double *from, int first, int count, double *reg)
{
    if (s->at)
        for (int l = 0; l < count; l++) reg[l] = from[s->at[first + l]];
    else if (s->stride == 1) memcpy(reg, from + s->base + first, (size_t)count * sizeof *reg);
    else
        for (int l = 0; l < count; l++) reg[l] = from[s->base + (first + l) * s->stride];
}

static void load_moving(const derived *d, const batch *b, const block *of, const sources *from,
                        double *reg)
{
    for (int v = b->still; v < b->loads; v++) {
        const feed   *f = &d->feed.at[b->load[v]];
        const double *x = from->of[f->from];
        double       *to = reg + b->load[v] * KERNEL_BLOCK;
        if (b->load_runs[v]) load_runs(f->at.at, of, x, to);
        else load_block(&f->at, x, of->first, of->count, to);
    }
}

static void add_yields(const batch *b, const block *of, const double *reg, char *out)
{
    for (int y = 0; y < b->yields; y++) {
        const slot   *to = &b->yield[y]->to;
        const double *x = reg + b->k->out[y] * KERNEL_BLOCK;
        double       *array = sink_array(out, b->yield[y]->into);
        if (!array) continue;
        if (b->yield_runs[y]) add_runs(to->at, of, x, array);
        else add_block(to, x, of->first, of->count, array);
    }
}

/* Is there room for anything that it yields? */
static bool is_awaited(const batch *b, char *out)
{
    for (int y = 0; y < b->yields; y++)
        if (sink_array(out, b->yield[y]->into)) return true;
    return false;
}

/* The run in which an instance is, by bisection. */
static const int *run_with(const batch *b, int instance)
{
    int low = 0, high = b->runs - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (b->run_end[middle] <= instance) low = middle + 1;
        else high = middle;
    }
    return b->run_end ? b->run_end + low : NULL;
}

/* Runs a program over a range of instances, block by block, and adds what it yields. */
void batch_run_as(const derived *d, const batch *b, instance_range these, kernel_lanes *code,
                  double *reg, const sources *from, char *out)
{
    const int all = these.end - these.first, most = all < KERNEL_BLOCK ? all : KERNEL_BLOCK;
    block     of = {these.first, most, run_with(b, these.first)};
    if (!most || !is_awaited(b, out)) return;
    for (int v = 0; v < b->still; v++) {
        const feed *f = &d->feed.at[b->load[v]];
        load_block(&(slot){.base = slot_index(&f->at, 0)}, from->of[f->from], 0, most,
                   reg + b->load[v] * KERNEL_BLOCK);
    }
    for (; of.first < these.end; of.first += KERNEL_BLOCK) {
        of.count = these.end - of.first < KERNEL_BLOCK ? these.end - of.first : KERNEL_BLOCK;
        while (of.run_end && *of.run_end <= of.first) of.run_end++;
        load_moving(d, b, &of, from, reg);
        if (code) code(reg, of.count);
        else kernel_run_batch(b->k, reg, of.count);
        add_yields(b, &of, reg, out);
    }
}
