/* repeat_lanes.c - members of a block make parts of their run again, with their step and with half
 * of it, all at once: short ones, and those that these leave in doubt longer ones.
 *                                                                             theory.md [ACCURACY]
 */
#include "mech/stepper/stepper.h"
#include "run/ensemble.h"

#include <math.h>
#include <string.h>

enum { STATES = 16 }; /* that are compared in a part */

void repeat_lanes_init(mem *m, const ensemble *e, lane_block *b)
{
    if (e->first->mon.accurate.least) lane_block_repeats(m, b, STATES);
}

static void find_nothing(lane_repetition *of, int l)
{
    for (int k = 0; k < REPEATED_PARTS; k++)
        of->found[l][k] = (part_error){.most = -1, .length = 1};
}

void repeat_lanes_begin(lane_block *b)
{
    lane_repetition *of = &b->again;
    for (int l = 0; l < b->lanes; l++) find_nothing(of, l), of->lost[l] = false;
    if (!of->met) return;
    lane_block_save(b, &of->part[PART_START]), of->part[PART_MIDDLE].k = -1;
    for (int i = 0; i < b->n * b->lanes; i++)
        of->least[i] = of->most[i] = b->s.q[i], of->action[i] = 0;
}

static void widen(lane_block *b)
{
    lane_repetition *of = &b->again;
    for (int i = 0; i < b->n * b->lanes; i++)
        of->least[i] = fmin(of->least[i], b->s.q[i]), of->most[i] = fmax(of->most[i], b->s.q[i]);
}

void repeat_lanes_sample(lane_block *b)
{
    lane_copy *middle = &b->again.part[PART_MIDDLE];
    if (!b->again.met) return;
    widen(b);
    if (middle->k < 0 && b->s.k >= middle_of(b->until + 1)) lane_block_save(b, middle);
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
    widen(b);
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

typedef struct {
    const ensemble *with;
    double          from, h; /* of the run */
    long            length;
    int             parts;
    bool            asked[LANES_MOST];
} lane_repeating;

/* A lane that is lost on the way has to be run alone. */
static void repeat_part(const lane_repeating *r, lane_block *b, int which, double t)
{
    lane_repetition *of = &b->again;
    const lane_copy *from = &of->part[which];
    const int        states = r->length < STATES ? (int)r->length : STATES;
    const double     order = fmax(r->with->first->mon.sum.order, 1);
    double           off[LANES_MOST][STATES];
    for (int parts = 1; parts <= 2; parts++) {
        begin_part(b, from, t, r->h / parts, 1.0 / parts);
        for (int i = 0; i < states; i++) {
            go_to(r->with, b, parts * (r->length * (i + 1) / states));
            if (parts == 1) meet(b, i);
            for (int l = 0; l < b->lanes && parts == 2; l++)
                off[l][i] = apart(b, i, l) / (1 - pow(2, -order));
        }
        for (int l = 0; l < b->lanes; l++)
            if (r->asked[l] && from->on[l] && !b->s.on[l]) of->lost[l] = true;
    }
    for (int l = 0; l < b->lanes; l++)
        if (r->asked[l] && from->on[l])
            of->found[l][which] = part_error_of(off[l], states, r->length);
}

/* Lanes whose roughest step was at the same time, if that matters. */
static void repeat_roughest(const lane_repeating *r, lane_block *b)
{
    lane_copy *from = &b->again.part[PART_ROUGHEST];
    const bool still = state_solved(r->with->first)->autonomous;
    bool       made[LANES_MOST] = {0};
    for (int first = 0; first < b->lanes; first++) {
        const double t = b->rough.t[first];
        if (made[first]) continue;
        lane_block_restore(b, &b->again.end);
        for (int l = 0; l < b->lanes; l++) {
            const bool with = !made[l] && (still || b->rough.t[l] == t) && b->rough.most[l] > 0;
            if (!with || !r->asked[l]) b->s.on[l] = 0;
            else lane_block_roughest(b, l, r->with->first->st);
            made[l] = made[l] || with;
        }
        lane_block_save(b, from);
        repeat_part(r, b, PART_ROUGHEST, t);
    }
}

/* Times are those of the beginning of a part. */
static void repeat_parts(const lane_repeating *r, lane_block *b)
{
    for (int k = 0; k < r->parts && k < PART_ROUGHEST; k++) {
        const lane_copy *from = &b->again.part[k];
        if (from->k >= 0) repeat_part(r, b, k, r->from + (double)from->k * r->h);
    }
    if (r->parts > PART_ROUGHEST && b->rough.sum) repeat_roughest(r, b);
}

/* Lanes with an error in doubt are asked again, and forget what they said. */
static bool ask_again(lane_repeating *r, lane_block *b)
{
    bool any = false;
    for (int l = 0; l < b->lanes; l++) {
        const part_error *found = b->again.found[l];
        r->asked[l] = error_is_doubtful(error_continued(found, (double)b->until + 1));
        if (r->asked[l]) find_nothing(&b->again, l);
        any = any || r->asked[l];
    }
    return any;
}

void repeat_lanes_judge(const ensemble *e, lane_block *b)
{
    lane_repetition *of = &b->again;
    lane_repeating   r = {.with = e, .from = b->s.from, .h = b->s.h};
    roughness *const rough = b->s.rough;
    int              parts;
    if (!of->met) return;
    lane_block_save(b, &of->end), widen(b);
    b->s.rough = NULL;
    for (int l = 0; l < b->lanes; l++) r.asked[l] = of->end.on[l];
    const long full = part_length(e->first, b->until, FREE_MOST, PART_OF_MEMBER, &parts);
    r.length = part_length(e->first, b->until, FREE_BRIEF, PART_OF_MEMBER, &r.parts);
    repeat_parts(&r, b);
    if (r.length < full && ask_again(&r, b)) r.length = full, r.parts = parts, repeat_parts(&r, b);
    lane_block_restore(b, &of->end);
    b->s.rough = rough, b->s.from = r.from, b->s.h = r.h;
}
