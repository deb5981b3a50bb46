/* jumps.c - a sign, a floor or a condition of the state has no derivative, and yet the value varies
 * with the state, as friction does when the motion turns. Its derivatives are marked as varying, so
 * that no such step is taken for linear or explicit. */
#include "model/shape.h"

/* What varies with positions, or else with velocities, without a nonzero derivative. */
static void note_jump(compiled *c, sink into, bool of_q)
{
    dal_system *sys = &c->sys;
    sys->jumps |= into == SINK_LQ || into == SINK_LW || into == SINK_F || into == SINK_E;
    switch (into) {
    case SINK_LQ: sys->varies[of_q ? F_LQQ : F_LQW] = FIELD_VARIES; break;
    case SINK_LW: sys->varies[of_q ? F_LQW : F_LWW] = FIELD_VARIES; break;
    case SINK_F: sys->varies[of_q ? F_FQ : F_FW] = FIELD_VARIES; break;
    case SINK_D: sys->varies[of_q ? F_DQ : F_DW] = FIELD_VARIES; break;
    case SINK_E: sys->relations_free_of_q = false; break;
    default: break;
    }
}

/* Operators whose value may jump. */
static bool has_jumps(const derived *d)
{
    static const expr_op of[] = {OP_SIGN, OP_FLOOR, OP_IF};
    for (expr i = 0; i < d->g.nodes.n; i++)
        for (size_t k = 0; k < sizeof of / sizeof *of; k++)
            if (expr_opcode(&d->g, i) == of[k]) return true;
    return false;
}

/* Twice through the yields: with q as what varies, and with velocities. */
void note_jumps(compiled *c)
{
    for (int e = 0; e < c->elements; e++) {
        const derived *d = &c->element[e];
        if (!has_jumps(d)) continue;
        uint8_t *used = mem_array(c->m, d->feed.n + 1, uint8_t);
        for (int of_q = 0; of_q < 2; of_q++) {
            const unsigned from = of_q ? 1u << FROM_Q : 1u << FROM_W | 1u << FROM_V;
            for (int k = 0; k < d->feed.n; k++) used[k] = from >> d->feed.at[k].from & 1;
            for (int y = 0; y < d->yield.n; y++)
                if (expr_kinks(&d->g, d->yield.at[y].root, used, false, NULL, 0))
                    note_jump(c, d->yield.at[y].into, of_q), c->sys.kinks = true;
        }
    }
}
