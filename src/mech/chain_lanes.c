/* chain_lanes.c - numbers of rows in lanes: those that the strands of a rope have in the same row
 * lie together, with a few rows of its neighbours before and behind each strand, so that compiled
 * passes read and write whole vectors in a row and never ask where a strand ends. */
#include "mech/chain_inside.h"

static ptrdiff_t rope_room_in_lanes(const chain_passes *c)
{
    return (ptrdiff_t)(c->strands->length + 2 * c->guard) * ROPE;
}

/* Row 0 of the strands of a rope. */
static ptrdiff_t begin_of(const chain_passes *c, int number)
{
    return number * rope_room_in_lanes(c) + (ptrdiff_t)c->guard * ROPE;
}

ptrdiff_t chain_lane_numbers(const chain_passes *c)
{
    return c->strands->ropes * rope_room_in_lanes(c);
}

static double *room_in_lanes(const chain_passes *c, mem *m, int slot)
{
    return mem_apart(m, (size_t)chain_lane_numbers(c), slot);
}

void chain_make_lanes(chain_passes *c, mem *m)
{
    lane_arrays *in = &c->in;
    double     **array[] = {&in->q, &in->p, &in->y, &in->to, &in->scale, &in->q_low, &in->p_low};
    const int    arrays = sizeof array / sizeof *array - (c->plain ? 2 : 0);
    for (int k = 0; k < arrays; k++) *array[k] = room_in_lanes(c, m, k);
}

void chain_make_past(chain_passes *c, mem *m)
{
    for (int k = 0; k < 4; k++) c->in.past[k] = room_in_lanes(c, m, 7 + k);
}

typedef struct {
    chain_passes *c;
    chain_turn    turn;
    const double *of;
    double       *to;
    bool          in;
} turning;

static void turn_share(void *self, int part, int parts)
{
    const turning      *t = self;
    const chain_passes *c = t->c;
    const int           ropes = c->strands->ropes;
    for (int k = ropes * part / parts; k < ropes * (part + 1) / parts; k++) {
        const ptrdiff_t at = begin_of(c, k);
        t->turn(&c->pass, c->strands->length, k, t->of + (t->in ? 0 : at),
                t->to + (t->in ? at : 0));
    }
}

void chain_into_lanes(chain_passes *c, const double *rows, double *lanes)
{
    crew_work(c->hands, turn_share, &(turning){c, c->turn_in, rows, lanes, true});
}

void chain_out_of_lanes(chain_passes *c, const double *lanes, double *rows)
{
    crew_work(c->hands, turn_share, &(turning){c, c->turn_out, lanes, rows, false});
}

void chain_state_into_lanes(chain_passes *c, const chain_point *at)
{
    chain_into_lanes(c, at->q, c->in.q), chain_into_lanes(c, at->p, c->in.p);
    chain_exchange(c, c->in.q);
    if (c->plain) return;
    chain_into_lanes(c, at->q_low, c->in.q_low), chain_into_lanes(c, at->p_low, c->in.p_low);
    chain_exchange(c, c->in.q_low);
}

/* Row i of a strand, also beyond its ends; none before the first strand and behind the last. */
static double *in_strand(const chain_passes *c, double *lanes, int strand, int i)
{
    return lanes + begin_of(c, strand / ROPE) + (ptrdiff_t)i * ROPE + strand % ROPE;
}

void chain_exchange(const chain_passes *c, double *lanes)
{
    const int count = c->strands->ropes * ROPE, length = c->strands->length;
    for (int k = 1; k < count; k++)
        for (int i = 0; i < c->guard; i++) {
            *in_strand(c, lanes, k, i - c->guard) =
                *in_strand(c, lanes, k - 1, length + i - c->guard);
            *in_strand(c, lanes, k - 1, length + i) = *in_strand(c, lanes, k, i);
        }
}
