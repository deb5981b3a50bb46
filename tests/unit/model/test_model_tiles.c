/* test_model_tiles.c - evaluation by ranges of rows: no row is read before it was placed, each is
 * taken once and in order, and then complete; sums are those of the formula. */
#include "compiled_bench.h"
#include "model/bound.h"

enum { SITES = 20000, AWAY = 300, SELDOM = 1000 };

/*     L = sum v^2/2 - sum (x_{i+1} - x_i)^2/2 - sum (x_{i+AWAY} - x_i)^2/2 - sum x_{SELDOM i}^2/2
 *         - x_0 x_{SITES-1},   the springs of neighbours in the order of `list`, if there is one;
 * the last term only if it is a ring */
static const model *lattice(hand *h, const int *list, bool ring)
{
    hand_begin(h, SITES, 0);
    hand_element(h, EL_LAGRANGIAN, SITES);
    hand_root(h, half_square(h->g, hand_run(h, SLOT_V, 0, 1)), 0);
    static int next[SITES];
    for (int i = 0; list && i + 1 < SITES; i++) next[i] = list[i] + 1;
    hand_element(h, EL_LAGRANGIAN, SITES - 1);
    expr a = list ? hand_list(h, SLOT_Q, list) : hand_run(h, SLOT_Q, 0, 1);
    expr b = list ? hand_list(h, SLOT_Q, next) : hand_run(h, SLOT_Q, 1, 1);
    hand_root(h, expr_neg(h->g, half_square(h->g, expr_sub(h->g, b, a))), 0);
    hand_element(h, EL_LAGRANGIAN, SITES - AWAY);
    a = hand_run(h, SLOT_Q, 0, 1), b = hand_run(h, SLOT_Q, AWAY, 1);
    hand_root(h, expr_neg(h->g, half_square(h->g, expr_sub(h->g, b, a))), 0);
    hand_element(h, EL_LAGRANGIAN, SITES / SELDOM);
    hand_root(h, expr_neg(h->g, half_square(h->g, hand_run(h, SLOT_Q, 0, SELDOM))), 0);
    if (!ring) return hand_end(h);
    hand_element(h, EL_LAGRANGIAN, 1);
    a = hand_run(h, SLOT_Q, 0, 0), b = hand_run(h, SLOT_Q, SITES - 1, 0);
    hand_root(h, expr_neg(h->g, expr_mul(h->g, a, b)), 0);
    return hand_end(h);
}

static double x_at(int i)
{
    return sin(0.1 * i) + 0.01 * (i % 17);
}

static double force_at(int i)
{
    double sum = i % SELDOM ? 0 : -x_at(i);
    if (i > 0) sum -= x_at(i) - x_at(i - 1);
    if (i + 1 < SITES) sum += x_at(i + 1) - x_at(i);
    if (i >= AWAY) sum -= x_at(i) - x_at(i - AWAY);
    if (i + AWAY < SITES) sum += x_at(i + AWAY) - x_at(i);
    if (i == 0) sum -= x_at(SITES - 1);
    if (i == SITES - 1) sum -= x_at(0);
    return sum;
}

static double q[SITES], v[SITES], Lq[SITES], Lw[SITES];

typedef struct {
    int    taken, ranges;
    double far;
} watcher;

static void place(void *self, int from, int to)
{
    (void)self;
    for (int i = from; i < to; i++) q[i] = x_at(i), v[i] = 0.5 * x_at(i);
}

static void take(void *self, int from, int to)
{
    watcher *s = self;
    assert_int_equal(s->taken, from);
    for (int i = from; i < to; i++) {
        s->far = fmax(s->far, fabs(Lq[i] - force_at(i)));
        assert_true(Lw[i] == 0.5 * x_at(i)); /* fmax does not see NaN, this does */
        assert_true(isfinite(Lq[i]));
    }
    s->taken = to, s->ranges++;
}

/* Returns how many ranges there were. */
static int check_ranges(const int *list)
{
    static double again[SITES];
    hand          h;
    mem           m;
    double        none[1] = {0};
    watcher       s = {0};
    const model  *md = lattice(&h, list, true);
    mem_init(&m, mem_heap_default());
    dal_system      *sys = bound_system(bound_new(&m, compile(&m, md), none, NULL));
    const sys_point  at = {.q = q, .w = v, .v = v};
    sys_values       out = {.Lq = Lq, .Lw = Lw};
    const sys_ranges by = {&s, place, take};
    for (int i = 0; i < SITES; i++) q[i] = v[i] = Lq[i] = Lw[i] = NAN;
    assert_non_null(sys->eval_ranges);
    assert_int_equal(sys->eval_ranges(sys->self, WANT_GRADIENT, 1, 1, &at, &out, &by), 0);
    assert_int_equal(s.taken, SITES);
    check_below(s.far, 1e-13);
    memcpy(again, Lq, sizeof again);
    assert_int_equal(sys->eval(sys->self, WANT_GRADIENT, 1, &at, &out), 0);
    assert_memory_equal(again, Lq, sizeof again);
    mem_free(&m);
    hand_free(&h);
    return s.ranges;
}

/* Turns of the gradient method, x <- x + L_q/100, from room to room: all at once, or one by one. */
enum { TURNS = 19 };
static double room_x[2][SITES], room_F[2][SITES];

static void descend(void *self, int from, int to)
{
    const int now = *(const int *)self & 1;
    for (int i = from; i < to; i++) room_x[now][i] = room_x[!now][i] + 0.01 * room_F[!now][i];
}

static void leave(void *self, int from, int to)
{
    (void)self, (void)from, (void)to;
}

static void take_turns(const dal_system *sys, bool at_once)
{
    int        number[TURNS];
    sys_point  at[TURNS];
    sys_values out[TURNS];
    sys_ranges by[TURNS];
    for (int i = 0; i < SITES; i++) room_x[1][i] = x_at(i), room_F[1][i] = 0, v[i] = 0;
    for (int k = 0; k < TURNS; k++) {
        number[k] = k;
        at[k] = (sys_point){.q = room_x[k & 1], .w = v, .v = v};
        out[k] = (sys_values){.Lq = room_F[k & 1]};
        by[k] = (sys_ranges){&number[k], descend, leave};
    }
    for (int k = 0, turns = at_once ? TURNS : 1; k < TURNS; k += turns)
        assert_int_equal(sys_eval_in_turn(sys, WANT_GRADIENT, turns, 1, at + k, out + k, by + k),
                         0);
}

static void check_turns(const int *list, bool ring)
{
    static double x[2][SITES];
    hand          h;
    mem           m;
    double        none[1] = {0};
    const model  *md = lattice(&h, list, ring);
    mem_init(&m, mem_heap_default());
    const dal_system *sys = bound_system(bound_new(&m, compile(&m, md), none, NULL));
    take_turns(sys, false);
    memcpy(x, room_x, sizeof x);
    take_turns(sys, true);
    assert_memory_equal(x, room_x, sizeof x);
    mem_free(&m);
    hand_free(&h);
}

static void turns_follow_each_other(void **state)
{
    static int reversed[SITES];
    (void)state;
    for (int i = 0; i + 1 < SITES; i++) reversed[i] = SITES - 2 - i;
    check_turns(NULL, false);
    check_turns(NULL, true);
    check_turns(reversed, false);
}

static void rows_are_complete_when_taken(void **state)
{
    (void)state;
    assert_true(check_ranges(NULL) > 2);
}

static void instances_may_jump_about(void **state)
{
    static int list[SITES];
    (void)state;
    for (int i = 0; i + 1 < SITES; i++) list[i] = i;
    for (int i = 0; i + 1 < SITES; i++) {
        const int j = (int)((long)i * 7919 % (SITES - 1)), k = list[i];
        list[i] = list[j], list[j] = k;
    }
    check_ranges(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_complete_when_taken),
        cmocka_unit_test(instances_may_jump_about),
        cmocka_unit_test(turns_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
