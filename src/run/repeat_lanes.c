/* repeat_lanes.c - members of a block make their first steps and some behind the last ones again,
 * with their step and with half of it, all at once; whom this leaves in doubt is run alone, and
 * judged there.                                                             theory.md [ACCURACY] */
#include "mech/stepper/stepper.h"
#include "run/ensemble.h"

#include <math.h>
#include <string.h>

enum { STATES = 8 }; /* that are compared in a part */

void repeat_lanes_init(mem *m, const ensemble *e, lane_block *b)
{
    if (e->first->mon.accurate.least) lane_block_repeats(m, b, STATES);
}

void repeat_lanes_begin(lane_block *b)
{
    lane_repetition *of = &b->again;
    if (!of->met) return;
    lane_block_save(b, &of->start);
    for (int i = 0; i < b->n * b->lanes; i++)
        of->least[i] = of->most[i] = b->s.q[i], of->action[i] = 0;
    memset(of->error, 0, sizeof of->error);
}

void repeat_lanes_sample(lane_block *b)
{
    lane_repetition *of = &b->again;
    for (int i = 0; of->met && i < b->n * b->lanes; i++)
        of->least[i] = fmin(of->least[i], b->s.q[i]), of->most[i] = fmax(of->most[i], b->s.q[i]);
}

/* Steps up to number k, as long as a lane is in use. */
static void go_to(const ensemble *e, lane_block *b, long k)
{
    while (b->s.k < k && lane_block_fill(b)) e->block(&b->s, k - b->s.k);
}

/* From the state of the copy, with steps of h; past solutions were those of `shorter` times it. */
static void begin_part(lane_block *b, const lane_copy *from, double t, double h, double shorter)
{
    const int past = b->substeps * HISTORY_MOST * b->unknowns * b->lanes;
    lane_block_restore(b, from);
    b->s.from = t, b->s.h = h, b->s.k = 0;
    for (int i = 0; i < past && shorter != 1; i++) b->s.history[i] *= shorter;
}

static void meet(lane_block *b, int state)
{
    lane_repetition *of = &b->again;
    const int        all = b->n * b->lanes;
    const double    *before = state ? of->met + (state - 1) * all : NULL;
    double          *here = of->met + state * all;
    memcpy(here, b->s.q, (size_t)all * sizeof *here);
    for (int i = 0; before && i < all; i++)
        of->action[i] += fabs(b->s.p[i] * (here[i] - before[i]));
    repeat_lanes_sample(b);
}

/* Of the amplitude, in one lane. */
static double apart(const lane_block *b, int state, int lane)
{
    const lane_repetition *of = &b->again;
    double                 most = 0, strongest = 0;
    for (int j = 0; j < b->n; j++) strongest = fmax(strongest, of->action[j * b->lanes + lane]);
    for (int j = 0; j < b->n; j++) {
        const int    i = j * b->lanes + lane;
        const double met = of->met[state * b->n * b->lanes + i];
        most = fmax(most, apart_of(met - b->s.q[i], of->least[i], of->most[i],
                                   strongest > 0 ? of->action[i] / strongest : 0));
    }
    return most;
}

/* A lane that is lost on the way is in doubt. */
static void repeat_from(const ensemble *e, lane_block *b, const lane_copy *from, double t, double h,
                        long length)
{
    lane_repetition *of = &b->again;
    const int        states = length < STATES ? (int)length : STATES, r = e->first->mon.sum.order;
    double           off[LANES_MOST][STATES];
    for (int parts = 1; parts <= 2; parts++) {
        begin_part(b, from, t, h / parts, 1.0 / parts);
        for (int i = 0; i < states; i++) {
            go_to(e, b, parts * (length * (i + 1) / states));
            if (parts == 1) meet(b, i);
            for (int l = 0; l < b->lanes && parts == 2; l++)
                off[l][i] = b->s.on[l] ? apart(b, i, l) / (1 - pow(2, -fmax(r, 1))) : HUGE_VAL;
        }
    }
    const double times = (double)(b->until + 1) / (double)length;
    for (int l = 0; l < b->lanes; l++)
        if (from->on[l]) of->error[l] = fmax(of->error[l], error_continued(off[l], states, times));
}

void repeat_lanes_judge(const ensemble *e, lane_block *b)
{
    enum { OF_RUN = 120, LEAST = 4 };
    lane_repetition *of = &b->again;
    const double     from = b->s.from, h = b->s.h;
    const long       share = b->until / OF_RUN, length = share < LEAST ? LEAST : share;
    roughness *const rough = b->s.rough;
    if (!of->met || length > b->until) return;
    lane_block_save(b, &of->end);
    b->s.rough = NULL;
    repeat_from(e, b, &of->start, from + (double)of->start.k * h, h, length);
    repeat_from(e, b, &of->end, from + (double)of->end.k * h, h, length);
    lane_block_restore(b, &of->end);
    b->s.rough = rough, b->s.from = from, b->s.h = h;
}
