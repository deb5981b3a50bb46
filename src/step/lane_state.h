/* lane_state.h - what the library passes to compiled steps of LANES systems at once, and what they
 * leave there; mech/ensemble/block.h declares the same with numbers for vectors. */
typedef struct {
    number            from, h;
    long              k;
    real             *q, *q_low, *p, *p_low, *before, *history;
    int              *known;
    const real       *v, *par, *u;
    real             *work, *last_work;
    mask             *on;
    long              iterations, factored;
    int               most;
    long              fixed_point;
    int               most_fixed_point;
    struct roughness *rough;
} lane_state;

long compiled_steps(lane_state *s, long count);
int  lanes_at_once(void);

int lanes_at_once(void)
{
    return LANES;
}
