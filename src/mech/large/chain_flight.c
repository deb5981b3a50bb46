/* chain_flight.c - both passes of a correction rope by rope: a rope is back-substituted as soon as
 * the next one has been eliminated as far as its spikes reach, so that its factors never leave the
 * cache. Where some spike does not decay within its strand, all ropes must be eliminated first, as
 * in chain.c.
 *
 * Every thread has consecutive ropes. First each eliminates the head of its first rope, which the
 * thread before it needs; its first rope is back-substituted last, when the thread before has
 * solved for the joints in between. */
#include "mech/large/chain_inside.h"

#include <string.h>

/* The parts that have ropes, and the first rope of each. */
static int parts_of(const chain_passes *c)
{
    const int parts = thread_pool_size(c->pool), ropes = c->strands->ropes;
    return parts < ropes ? parts : ropes;
}

static int first_of(const chain_passes *c, int part)
{
    return c->strands->ropes * part / parts_of(c);
}

static void begin(void *self, int part, int parts)
{
    const chain_passes *c = self;
    const int           B = c->strands->reach, first = first_of(c, part);
    flight             *f = &c->flight[part];
    (void)parts;
    if (part >= parts_of(c)) return;
    f->stretch = chain_go_down(c, part, &f->first, first, c->pass.first[first], true);
    memcpy(f->lead, f->first.sum, (size_t)(B * (B + 1) * ROPE) * sizeof *f->lead);
}

/* What the joints of a rope need of the next one, which is eliminated as far as its spikes reach;
 * NULL after the last rope. */
static const double *look_ahead(const chain_passes *c, int part, int next, int end)
{
    flight *f = &c->flight[part];
    if (next == c->strands->ropes) return NULL;
    if (next == end) return c->flight[part + 1].lead;
    f->stretch = chain_go_down(c, part, &f->next, next, c->pass.first[next], true);
    return f->next.sum;
}

/* Every rope but the first is processed in the same buffers as the one before; only its head begins
 * in others. */
static void fly(void *self, int part, int parts)
{
    const chain_passes *c = self;
    const int           B = c->strands->reach;
    const int           first = first_of(c, part), end = first_of(c, part + 1);
    flight             *f = &c->flight[part];
    (void)parts;
    if (part >= parts_of(c)) return;
    for (int k = first; k < end; k++) {
        rope *s = k > first ? &f->now : &f->first;
        if (k > first) rope_copy(s, &f->next, B);
        chain_go_down(c, part, s, k, f->stretch, false);
        f->end = rope_join(s, B, look_ahead(c, part, k + 1, end), f->small);
        if (f->end != STRANDS_JOINED) return;
        if (k > first) rope_follow(s, B, f->last);
        for (int b = 0; b < B; b++) f->last[b * ROPE] = s->joint[b * ROPE + ROPE - 1];
        if (k > first) chain_go_up(c, part, s, k);
    }
}

static void end(void *self, int part, int parts)
{
    const chain_passes *c = self;
    rope               *s = &c->flight[part].first;
    (void)parts;
    if (part >= parts_of(c)) return;
    if (part) rope_follow(s, c->strands->reach, c->flight[part - 1].last);
    chain_go_up(c, part, s, first_of(c, part));
}

void chain_prepare_flight(chain_passes *c, mem *m)
{
    const int B = c->strands->reach, parts = parts_of(c);
    if (c->strands->ropes < 2) return;
    c->in_flight = true;
    c->flight = mem_array(m, parts, flight);
    for (int k = 0; k < parts; k++) {
        flight *f = &c->flight[k];
        f->first = strands_rope(m, c->strands->length, B);
        f->now = strands_rope(m, c->strands->length, B);
        f->next = strands_rope(m, c->strands->length, B);
        f->small = mem_array(m, rope_room(B), double);
        f->lead = mem_array(m, B * (B + 1) * ROPE, double);
        f->last = mem_array(m, B * ROPE, double);
    }
}

strands_end chain_fly(chain_passes *c)
{
    thread_pool_work(c->pool, begin, c);
    thread_pool_work(c->pool, fly, c);
    for (int k = 0; k < parts_of(c); k++)
        if (c->flight[k].end != STRANDS_JOINED) return c->flight[k].end;
    thread_pool_work(c->pool, end, c);
    return STRANDS_JOINED;
}
