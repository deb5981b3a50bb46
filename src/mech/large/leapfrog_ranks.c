/* leapfrog_ranks.c - explicit steps whose rows are shared among ranks.
 *
 * A rank makes the steps of its rows and, for some steps, also those of rows beside them: with each
 * step `halo` fewer at either end. Then its neighbours send these rows as they are. The terms of a
 * row are summed where it is, whatever rank that is, so that no bit depends on their number. When
 * somebody looks at the state, all ranks have all of it.
 *
 *     step 2    . . . . 2 2 2 2 2 2 2 . . . .        rows of a rank between the bars:
 *     step 1    . . 1 1 1 1|1 1 1|1 1 1 1 . .        after two steps they are right,
 *     before    0 0 0 0 0 0|0 0 0|0 0 0 0 0 0        and the dots come from its neighbours */
#include "mech/large/leapfrog_inside.h"

#include <stdio.h>
#include <string.h>

enum { BESIDE = RANK_WORKS, OF_ALL }; /* messages: rows beside others, and of all rows */
enum { CARRIED = 5 };

void rank_range(const leapfrog *l, int rank, int *from, int *to)
{
    thread_pool_range(l->n, ROWS_TILE, rank, l->mine->of->count, from, to);
}

/* As many steps as cost an eighth of its rows in all; none is left where rows are few. */
bool leapfrog_share(leapfrog *l, mem *m, ranks *of, int halo, int most)
{
    rank_rows *w = l->mine = mem_array(m, 1, rank_rows);
    const int  least = l->n / ROWS_TILE / of->count * ROWS_TILE, enough = least / (8 * halo);
    *w = (rank_rows){.of = of, .steps = enough < most ? enough : most};
    if (!w->steps) return false;
    w->margin = (w->steps * halo + ROWS_TILE - 1) / ROWS_TILE * ROWS_TILE;
    w->message = mem_array(m, CARRIED * w->margin + 1, double);
    rank_range(l, of->rank, &w->own, &w->end);
    w->from = of->rank ? w->own - w->margin : 0;
    w->to = of->rank + 1 < of->count ? w->end + w->margin : l->n;
    return true;
}

/* Nobody can go on without this rank. */
static void lose(rank_rows *w, int rank, const char *why)
{
    if (w->is_lost) return;
    w->is_lost = true, w->lost = (rank_stand){.rank = rank};
    snprintf(w->lost.why, sizeof w->lost.why, "%s", why);
}

static void send(rank_rows *w, int to, int kind, const double *x, int count)
{
    if (w->is_lost) return;
    if (w->of->ended[to]) lose(w, to, "it has left");
    else if (!w->of->by->send(to, kind, x, (size_t)count * sizeof *x))
        lose(w, w->of->rank, "out of memory");
}

static void take(rank_rows *w, int whose, int kind, double *x, int count)
{
    int    sent;
    size_t n;
    if (w->is_lost) return;
    if (w->of->ended[whose]) lose(w, whose, "it has left");
    else if (!ranks_next(w->of, whose, &sent, &n, &w->lost)) w->is_lost = true;
    else if (sent != kind || n != (size_t)count * sizeof *x) lose(w, whose, "it is elsewhere");
    else w->of->by->take(whose, x);
}

/* q, p, kicks, and what is carried beside them. */
static int carried(const leapfrog *l, double *all[CARRIED])
{
    const leapfrog_pass *x = &l->x;
    all[0] = x->q, all[1] = x->p, all[2] = x->kick, all[3] = x->q_low, all[4] = x->p_low;
    return l->plain ? 3 : CARRIED;
}

/* A margin's rows in one message, after the number of steps that led to them. */
static void send_margin(leapfrog *l, int to, int from)
{
    rank_rows *w = l->mine;
    double    *x[CARRIED], *at = w->message;
    const int  count = carried(l, x);
    *at++ = (double)l->now;
    for (int k = 0; k < count; k++, at += w->margin)
        memcpy(at, x[k] + from, (size_t)w->margin * sizeof *at);
    send(w, to, BESIDE, w->message, 1 + count * w->margin);
}

static void take_margin(leapfrog *l, int whose, int from)
{
    rank_rows *w = l->mine;
    double    *x[CARRIED], *at = w->message;
    const int  count = carried(l, x);
    take(w, whose, BESIDE, at, 1 + count * w->margin);
    if (!w->is_lost && *at != (double)l->now) lose(w, whose, "it is at another step");
    if (w->is_lost) return;
    at++;
    for (int k = 0; k < count; k++, at += w->margin)
        memcpy(x[k] + from, at, (size_t)w->margin * sizeof *at);
}

void leapfrog_exchange(leapfrog *l)
{
    const rank_rows *w = l->mine;
    const int        before = w->of->rank - 1, behind = w->of->rank + 1;
    const bool       has_before = before >= 0, has_behind = behind < w->of->count;
    if (has_before) send_margin(l, before, w->own);
    if (has_behind) send_margin(l, behind, w->end - w->margin);
    if (has_before) take_margin(l, before, w->from);
    if (has_behind) take_margin(l, behind, w->end);
}

/* What each rank has of some numbers, one for `each` rows, goes to all. */
void leapfrog_gather(leapfrog *l, double *x, int each)
{
    rank_rows *w = l->mine;
    const int  count = w->of->count, rank = w->of->rank, own = w->own / each,
              end = (w->end + each - 1) / each;
    for (int r = 0; r < count; r++)
        if (r != rank) send(w, r, OF_ALL, x + own, end - own);
    for (int r = 0; r < count; r++) {
        int from, to;
        rank_range(l, r, &from, &to);
        from /= each, to = (to + each - 1) / each;
        if (r != rank) take(w, r, OF_ALL, x + from, to - from);
    }
}
