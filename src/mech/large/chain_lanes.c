/* chain_lanes.c - arrays in lanes: the eight partitions of a group are interleaved row by row, with
 * a few guard rows, copies of the neighbouring rows, before and after each partition. So compiled
 * passes read and write whole consecutive vectors and never have to check where a partition ends.
 */
#include "mech/large/chain_inside.h"

/* Numbers of one group, its guard rows among them. */
static ptrdiff_t group_room_in_lanes(const chain_passes *c)
{
    return (ptrdiff_t)(c->partitions->length + 2 * c->guard) * GROUP;
}

/* Row 0 of the partitions of a group. */
static ptrdiff_t begin_of(const chain_passes *c, int number)
{
    return number * group_room_in_lanes(c) + (ptrdiff_t)c->guard * GROUP;
}

ptrdiff_t chain_lane_numbers(const chain_passes *c)
{
    return c->partitions->groups * group_room_in_lanes(c);
}

static double *room_in_lanes(const chain_passes *c, mem *m, int slot)
{
    return mem_apart(m, (size_t)chain_lane_numbers(c), slot);
}

/* With plain sums a state has no second parts. */
static void make_state(const chain_passes *c, mem *m, double **state, int slot)
{
    for (int k = 0; k < LANE_STATE; k += c->plain ? 2 : 1)
        state[k] = room_in_lanes(c, m, slot + k);
}

void chain_make_lanes(chain_passes *c, mem *m)
{
    make_state(c, m, c->in.state, 0);
    c->in.y = room_in_lanes(c, m, LANE_STATE), c->in.scale = room_in_lanes(c, m, LANE_STATE + 1);
}

/* Only steps that stay in lanes need a history there. */
void chain_make_history(chain_passes *c, mem *m)
{
    for (int k = 0; k < 4; k++) c->in.history[k] = room_in_lanes(c, m, LANE_STATE + 2 + k);
    c->in.next = room_in_lanes(c, m, LANE_STATE + 6);
    make_state(c, m, c->in.before, LANE_STATE + 7);
}

typedef struct {
    chain_passes *c;
    chain_turn    turn;
    const double *of;
    double       *to;
    bool          in;
} turning;

/* Groups are independent of each other, so threads share them. */
static void turn_share(void *self, int part, int parts)
{
    const turning      *t = self;
    const chain_passes *c = t->c;
    const int           groups = c->partitions->groups;
    for (int k = groups * part / parts; k < groups * (part + 1) / parts; k++) {
        const ptrdiff_t at = begin_of(c, k);
        t->turn(&c->pass, c->partitions->length, k, t->of + (t->in ? 0 : at),
                t->to + (t->in ? at : 0));
    }
}

void chain_into_lanes(chain_passes *c, const double *rows, double *lanes)
{
    thread_pool_work(c->pool, turn_share, &(turning){c, c->turn_in, rows, lanes, true});
}

void chain_out_of_lanes(chain_passes *c, const double *lanes, double *rows)
{
    thread_pool_work(c->pool, turn_share, &(turning){c, c->turn_out, lanes, rows, false});
}

/* Guard rows of positions only: rows read the momenta of no others. */
void chain_state_into_lanes(chain_passes *c, const chain_point *at)
{
    const double *const rows[] = {at->q, at->q_low, at->p, at->p_low};
    double *const      *state = c->in.state;
    for (int k = 0; k < LANE_STATE; k++)
        if (state[k]) chain_into_lanes(c, rows[k], state[k]);
    chain_exchange(c, state[LANE_Q]);
    if (!c->plain) chain_exchange(c, state[LANE_Q_LOW]);
}

void chain_state_out_of_lanes(chain_passes *c, double *const *lanes, double *const *rows)
{
    for (int k = 0; k < LANE_STATE; k++)
        if (lanes[k]) chain_out_of_lanes(c, lanes[k], rows[k]);
}

/* Steps exchange arrays, so the pass is pointed at them anew. */
void chain_point_at_lanes(chain_passes *c)
{
    chain_pass        *x = &c->pass;
    const lane_arrays *in = &c->in;
    x->q = in->state[LANE_Q], x->q_low = in->state[LANE_Q_LOW];
    x->p = in->state[LANE_P], x->p_low = in->state[LANE_P_LOW];
    x->y = in->y, x->scale = in->scale;
}

/* Row i of a partition, also beyond its ends; there is none before the first partition and after
 * the last. */
static double *in_partition(const chain_passes *c, double *lanes, int partition, int i)
{
    return lanes + begin_of(c, partition / GROUP) + (ptrdiff_t)i * GROUP + partition % GROUP;
}

/* Guard rows: the end of the partition before, and the beginning of the one behind. */
void chain_exchange(const chain_passes *c, double *lanes)
{
    const int count = c->partitions->groups * GROUP, length = c->partitions->length;
    for (int k = 1; k < count; k++)
        for (int i = 0; i < c->guard; i++) {
            *in_partition(c, lanes, k, i - c->guard) =
                *in_partition(c, lanes, k - 1, length + i - c->guard);
            *in_partition(c, lanes, k - 1, length + i) = *in_partition(c, lanes, k, i);
        }
}
