/* test_model_batch_runs.c - terms over pairs: whether places go along runs or are looked up one by
 * one, in whatever order the pairs stand, the sums are those of a program that is written out. */
#include "compiled_bench.h"
#include "model/bound.h"

enum { BODIES = 40, PAIRS = BODIES * (BODIES - 1) / 2 };

typedef struct {
    int first[PAIRS], second[PAIRS];
} pair_list;

static void list_pairs(pair_list *p)
{
    int n = 0;
    for (int i = 0; i < BODIES; i++)
        for (int j = i + 1; j < BODIES; j++) p->first[n] = i, p->second[n++] = j;
}

static void exchange(pair_list *p, int a, int b)
{
    const int i = p->first[a], j = p->second[a];
    p->first[a] = p->first[b], p->second[a] = p->second[b];
    p->first[b] = i, p->second[b] = j;
}

/*     L = sum over bodies v^2/2 + sum over pairs sin(x_i - x_j) (1 + v_i v_j) */
static const model *attraction(hand *h, const pair_list *p)
{
    hand_begin(h, BODIES, 0);
    hand_element(h, EL_LAGRANGIAN, BODIES);
    expr v = hand_run(h, SLOT_V, 0, 1);
    hand_root(h, expr_mul(h->g, expr_const(h->g, 0.5), expr_mul(h->g, v, v)), 0);
    hand_element(h, EL_LAGRANGIAN, PAIRS);
    graph *g = h->g;
    expr   a = hand_list(h, SLOT_Q, p->first), b = hand_list(h, SLOT_Q, p->second);
    expr   va = hand_list(h, SLOT_V, p->first), vb = hand_list(h, SLOT_V, p->second);
    expr   apart = expr_apply(g, OP_SIN, 0, (expr[]){expr_sub(g, a, b)}, 1);
    hand_root(h, expr_mul(g, apart, expr_add(g, expr_const(g, 1), expr_mul(g, va, vb))), 0);
    return hand_end(h);
}

static double furthest(const double *a, const double *b, int n)
{
    double far = 0;
    for (int i = 0; i < n; i++) far = fmax(far, fabs(a[i] - b[i]));
    return far;
}

/* Do some programs over pairs go along runs? */
static bool goes_along_runs(const compiled *c)
{
    for (int s = 0; s < c->shapes; s++)
        for (int k = 0; k < c->shape[s].batches; k++)
            if (c->shape[s].batch[k].run_end) return true;
    return false;
}

static void check_pairs(const pair_list *p, bool along_runs)
{
    hand         h;
    mem          m;
    double       none[1] = {0};
    bench        b1, b2;
    const model *md = attraction(&h, p);
    mem_init(&m, mem_heap_default());
    const compiled *one = compile_merging(&m, md, MERGE_ALL);
    const compiled *many = compile_merging(&m, md, MERGE_NONE);
    dal_system     *s1 = bound_system(bound_new(&m, one, none, NULL));
    dal_system     *s2 = bound_system(bound_new(&m, many, none, NULL));
    assert_int_equal(goes_along_runs(many), along_runs);
    bench_new(&b1, md, s1), bench_new(&b2, md, s2);
    s1->eval(s1->self, WANT_GRADIENT | WANT_HESSIAN, 1, &b1.at, &b1.out);
    s2->eval(s2->self, WANT_GRADIENT | WANT_HESSIAN, 1, &b2.at, &b2.out);
    check_below(furthest(b1.out.Lq, b2.out.Lq, BODIES), 1e-13);
    check_below(furthest(b1.out.Lw, b2.out.Lw, BODIES), 1e-13);
    for (int f = F_LQQ; f <= F_LWW; f++)
        check_below(furthest(b1.out.on_K[f], b2.out.on_K[f], b1.K), 1e-13);
    mem_free(&b1.m), mem_free(&b2.m), mem_free(&m);
    hand_free(&h);
}

static void pairs_in_order_are_summed_along_runs(void **state)
{
    static pair_list p;
    (void)state;
    list_pairs(&p);
    check_pairs(&p, true);
}

static void runs_may_be_broken(void **state)
{
    static pair_list p;
    (void)state;
    list_pairs(&p);
    for (int k = 10; k + 90 < PAIRS; k += 100) exchange(&p, k, k + 77);
    exchange(&p, 0, PAIRS - 1), exchange(&p, 127, 128);
    check_pairs(&p, true);
}

static void pairs_without_order_are_looked_up(void **state)
{
    static pair_list p;
    uint64_t         seed = 7;
    (void)state;
    list_pairs(&p);
    for (int k = PAIRS - 1; k > 0; k--) exchange(&p, k, (int)((noise(&seed) + 1) / 2 * k));
    check_pairs(&p, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_in_order_are_summed_along_runs),
        cmocka_unit_test(runs_may_be_broken),
        cmocka_unit_test(pairs_without_order_are_looked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
