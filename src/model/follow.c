/* follow.c - inputs that follow a file are functions of time: derivatives in t, and directions that
 * move t, include them.
 *
 *     d/dt e(t, u(t)) = e_t + e_u u'                                       theory.md [NOTATION] */
#include "model/bound.h"

#include <string.h>

/* u'(t) of the inputs; 0 for those that follow nothing. */
const double *bound_slope(bound *b, double t)
{
    memset(b->slope, 0, (size_t)(b->c->md->inputs + 1) * sizeof *b->slope);
    if (b->follow.at) b->follow.slope(b->follow.self, t, b->slope);
    return b->slope;
}

const double *bound_turn(bound *b, double t, const sys_direction *along)
{
    const double *slope = bound_slope(b, t);
    /* du_k = the direction's share + u_k' dt */
    for (int k = 0; k < b->c->md->inputs; k++)
        b->turn[k] = (along->input ? along->input[k] : 0) + slope[k] * along->t;
    return b->turn;
}

/* The derivatives in t of an evaluation, as the change along t. */
void bound_in_time(bound *b, unsigned want, int count, const sys_point *at, sys_values *out)
{
    static const sys_direction time = {.t = 1};
    const bool                 relations = want & WANT_RELATIONS_JACOBIAN && b->relations_follow;
    for (int i = 0; i < count && (relations || want & WANT_TIME); i++) {
        sys_change in_t = {.e = relations ? out[i].et : NULL};
        if (want & WANT_TIME)
            in_t.Lq = out[i].Lqt, in_t.Lw = out[i].Lwt, in_t.f = out[i].ft, in_t.L = &out[i].Lt;
        b->in_time->eval(b->in_time->self, &at[i], &time, &in_t);
    }
}

bool input_moves(const compiled *c, int input)
{
    for (int e = 0; e < c->elements && c->sys.inputs_move; e++) {
        const derived *d = &c->element[e];
        for (int k = 0; k < d->feed.n; k++)
            for (int i = 0; d->feed.at[k].from == RATE_OF_INPUT && i < d->instances; i++)
                if (slot_index(&d->feed.at[k].at, i) == input) return true;
    }
    return false;
}

/* Relations with inputs change in time even if t is not written in them. */
static bool relations_hold_inputs(const compiled *c)
{
    for (int e = 0; e < c->elements; e++)
        for (int y = 0; y < c->element[e].yield.n; y++) {
            const yield *in = &c->element[e].yield.at[y];
            if (in->into == SINK_E && c->element[e].holds[in->root] & 1u << FROM_INPUT) return true;
        }
    return false;
}

/* An autonomous system has no inputs in it, so nothing follows and no derivatives are needed. */
void bound_follow(mem *m, bound *b, const input_course *along)
{
    b->follow = *along;
    b->in_time = b->sys.autonomous ? NULL : bound_vary(b, m);
    b->relations_follow = relations_hold_inputs(b->c);
}
