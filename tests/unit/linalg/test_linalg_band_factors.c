/* test_linalg_band_factors.c - a band that is factored once, in partitions: solutions for one
 * right-hand side after the other as exact as those of elimination row by row, for every reach, and
 * whether its rows differ, repeat or are all equal; where rows would have to be exchanged, that is
 * said. */
#include "check.h"
#include "kernel/native.h"
#include "linalg/band_factors.h"
#include "native.h"

#include <math.h>
#include <string.h>

static uint64_t state_of = 1;

static double noise(void)
{
    state_of = state_of * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of >> 11) / 9007199254740992.0 * 2 - 1;
}

typedef struct {
    mem     m;
    int     n, B;
    pattern p;
    double *values, *b, *x;
} problem;

/* Rows repeat after `period`; 0: they never do. The diagonal is so many times the rest of its row.
 */
static problem make(int n, int B, int period, double dominance)
{
    problem p = {.n = n, .B = B};
    mem_init(&p.m, mem_heap_default());
    int *start = mem_array(&p.m, n + 1, int), *column = mem_array(&p.m, n * (2 * B + 1), int),
        k = 0;
    double *row = mem_array(&p.m, (period ? period : n) * (2 * B + 1), double);
    p.values = mem_array(&p.m, n * (2 * B + 1), double);
    p.b = mem_array(&p.m, n, double), p.x = mem_array(&p.m, n, double);
    for (int i = 0; i < (period ? period : n); i++) {
        double sum = 0, *to = row + i * (2 * B + 1);
        for (int o = -B; o <= B; o++)
            if (o) to[B + o] = noise(), sum += fabs(to[B + o]);
        to[B] = (noise() > 0 ? 1 : -1) * (dominance * sum + 0.01);
    }
    for (int i = 0; i < n; start[++i] = k)
        for (int o = -B; o <= B; o++)
            if (i + o >= 0 && i + o < n)
                column[k] = i + o,
                p.values[k++] = row[(period ? i % period : i) * (2 * B + 1) + B + o];
    p.p = (pattern){.rows = n, .columns = n, .start = start, .column = column};
    return p;
}

/* The text of band_factors_write, compiled for each reach; without a compiler there is none. */
typedef struct {
    void (*down)(const group *s, const double *r, int from, int rows);
    void (*up)(const group *s, int from, int rows, double *x);
} compiled_rows;
static compiled_rows by[PARTITION_REACH + 1];
static mem           library;

static int compile_all(void **state)
{
    if (open_own_cache(state)) return 1;
    mem_init(&library, mem_heap_default());
    for (int B = 1; B <= PARTITION_REACH; B++) {
        text words = text_new(&library), why = text_new(&library);
        text_add(&words, "#include <math.h>\n");
        band_factors_write(&words, B);
        text_add(&words,
                 "void down(const group *s, const double *r, int from, int rows)\n"
                 "{\n    take_side(PARTITION_REACH, s, r, GROUP_PLANE, from, rows);\n}\n"
                 "void up(const group *s, int from, int rows, double *x)\n"
                 "{\n    give_solution(PARTITION_REACH, s, from, rows, x, GROUP_PLANE);\n}\n");
        const native_library *lib = native_build(&library, words.at, words.n, &why);
        if (!lib) return 0;
        by[B].down = (void (*)(const group *, const double *, int, int))native_symbol(lib, "down");
        by[B].up = (void (*)(const group *, int, int, double *))native_symbol(lib, "up");
    }
    return 0;
}

static int drop_all(void **state)
{
    mem_free(&library);
    return remove_own_cache(state);
}

static int rows_of(const band_factors *k, int from)
{
    const int inner = k->in.length - k->in.reach;
    return inner - from > PARTITION_TILE ? PARTITION_TILE : k->in.length - from;
}

static void go_down(const problem *p, const band_factors *k, int number)
{
    _Alignas(64) double r[GROUP * GROUP_PLANE];
    for (int from = 0; from < k->in.length - p->B; from += PARTITION_TILE) {
        const int rows = rows_of(k, from);
        for (int l = 0; l < GROUP; l++)
            for (int i = 0; i < rows; i++) {
                const int at = (number * GROUP + l) * k->in.length + from + i;
                r[l * GROUP_PLANE + i] = at < p->n ? p->b[at] : 0;
            }
        by[p->B].down(&k->in.group[number], r, from, rows);
    }
}

static void go_up(const problem *p, const band_factors *k, int number)
{
    _Alignas(64) double r[GROUP * GROUP_PLANE];
    const int           last = k->in.length - p->B - 1;
    for (int from = last - last % PARTITION_TILE; from >= 0; from -= PARTITION_TILE) {
        const int rows = rows_of(k, from);
        by[p->B].up(&k->in.group[number], from, rows, r);
        for (int l = 0; l < GROUP; l++)
            for (int i = 0; i < rows; i++) {
                const int at = (number * GROUP + l) * k->in.length + from + i;
                if (at < p->n) p->x[at] = r[l * GROUP_PLANE + i];
            }
    }
}

static void solve(const problem *p, band_factors *k)
{
    band_factors_alternate(k, false);
    for (int number = 0; number < k->in.groups; number++) go_down(p, k, number);
    band_factors_join(k, 0, k->in.groups);
    for (int number = k->in.groups - 1; number >= 0; number--) go_up(p, k, number);
}

static void solve_one_by_one(const problem *p, band_factors *k)
{
    band_factors_alternate(k, true);
    for (int number = 0; number <= k->in.groups; number++) {
        if (number < k->in.groups) go_down(p, k, number);
        if (number) band_factors_join(k, number - 1, number), go_up(p, k, number - 1);
    }
}

/* Against elimination by rows, both measured by what they leave of b. */
static double left(const problem *p, const double *x)
{
    double most = 0;
    for (int i = 0; i < p->n; i++) {
        double sum = p->b[i], size = fabs(p->b[i]);
        for (int k = p->p.start[i]; k < p->p.start[i + 1]; k++) {
            const double part = p->values[k] * x[p->p.column[k]];
            sum -= part, size += fabs(part);
        }
        most = fmax(most, fabs(sum) / size);
    }
    return most;
}

static void solutions_are_as_exact_as_by_rows(void **state)
{
    (void)state;
    if (!by[PARTITION_REACH].up) skip();
    static const int    sizes[] = {257, 300, 1000, 1153, 16384, 66000};
    static const double dominances[] = {4, 1.1, 0.7};
    for (size_t a = 0; a < sizeof sizes / sizeof *sizes; a++)
        for (int B = 1; B <= PARTITION_REACH; B++)
            for (int c = 0; c < 9; c++) {
                static const int periods[] = {0, 1, 3};
                problem          p = make(sizes[a], B, periods[c % 3], dominances[c / 3]);
                band_factors    *k = band_factors_new(&p.m, p.n, B);
                band             lu = band_new(&p.m, p.n, B, B);
                assert_true(band_factors_fit(p.n, B));
                if (!band_factors_factor(k, &p.p, p.values)) {
                    assert_true(dominances[c / 3] < 1);
                    mem_free(&p.m);
                    continue;
                }
                for (int i = 0; i < p.n; i++)
                    for (int e = p.p.start[i]; e < p.p.start[i + 1]; e++)
                        *band_entry(&lu, i, p.p.column[e]) = p.values[e];
                assert_true(band_factor(&lu, 1e-13));
                for (int round = 0; round < 2; round++) {
                    double *y = mem_array(&p.m, p.n, double);
                    for (int i = 0; i < p.n; i++) y[i] = p.b[i] = noise();
                    double *z = mem_array(&p.m, p.n, double);
                    memcpy(z, p.b, (size_t)p.n * sizeof *z);
                    solve(&p, k), band_solve(&lu, y, 0, p.n);
                    const double own = left(&p, p.x), other = left(&p, y);
                    if (!(own <= 30 * other + 1e-15))
                        print_error("n %d, reach %d, case %d: %.2e beside %.2e\n", p.n, B, c, own,
                                    other);
                    assert_true(own <= 30 * other + 1e-15);
                    band_factors_solve(k, z); /* by the library alone */
                    assert_true(left(&p, z) <= 30 * other + 1e-15);
                }
                mem_free(&p.m);
            }
}

/* Factors that are the same are read in one place: of a chain of equal links few chunks are
 * different. */
static void equal_links_are_kept_once(void **state)
{
    (void)state;
    for (int period = 1; period <= 4; period++) {
        problem       p = make(40000, 2, period, 3);
        band_factors *k = band_factors_new(&p.m, p.n, 2);
        int           different = 0, chunks = 0;
        assert_true(band_factors_factor(k, &p.p, p.values));
        for (int r = 0; r < k->in.groups; r++)
            for (int c = 0; c * FACTOR_CHUNK < k->in.length - 2; c++)
                chunks++, different += k->in.group[r].chunk[c] == c;
        assert_true(different < chunks / 4);
        mem_free(&p.m);
    }
}

/* Spikes of a diagonal that dominates die within a partition; those of one that hardly does do not.
 */
static void groups_that_are_apart_go_one_by_one(void **state)
{
    (void)state;
    if (!by[PARTITION_REACH].up) skip();
    for (int B = 1; B <= PARTITION_REACH; B++) {
        problem       p = make(40000, B, 0, 3);
        band_factors *k = band_factors_new(&p.m, p.n, B);
        double       *x = mem_array(&p.m, p.n, double);
        assert_true(k->in.groups > 2 && band_factors_factor(k, &p.p, p.values) && k->apart);
        for (int i = 0; i < p.n; i++) p.b[i] = noise();
        solve(&p, k);
        memcpy(x, p.x, (size_t)p.n * sizeof *x);
        memset(p.x, 0, (size_t)p.n * sizeof *x);
        solve_one_by_one(&p, k);
        assert_memory_equal(x, p.x, (size_t)p.n * sizeof *x);
        mem_free(&p.m);
    }
    problem       p = make(40000, 1, 1, 1);
    band_factors *k = band_factors_new(&p.m, p.n, 1);
    for (int i = 0; i < p.n; i++)
        for (int e = p.p.start[i]; e < p.p.start[i + 1]; e++)
            p.values[e] = p.p.column[e] == i ? 2.001 : -1;
    assert_true(band_factors_factor(k, &p.p, p.values) && !k->apart);
    mem_free(&p.m);
}

static void rows_that_must_be_exchanged_are_told(void **state)
{
    (void)state;
    problem       p = make(1000, 1, 0, 2);
    band_factors *k = band_factors_new(&p.m, p.n, 1);
    assert_true(band_factors_factor(k, &p.p, p.values));
    const int first = 4 * k->in.length; /* of a partition: nothing is above it */
    p.values[p.p.start[first] + 1] = 0;
    assert_false(band_factors_factor(k, &p.p, p.values));
    p.values[p.p.start[first] + 1] = (double)NAN;
    assert_false(band_factors_factor(k, &p.p, p.values));
    mem_free(&p.m);
    assert_false(band_factors_fit(150, 1));
    assert_false(band_factors_fit(10000, PARTITION_REACH + 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_as_exact_as_by_rows),
        cmocka_unit_test(equal_links_are_kept_once),
        cmocka_unit_test(groups_that_are_apart_go_one_by_one),
        cmocka_unit_test(rows_that_must_be_exchanged_are_told),
    };
    return cmocka_run_group_tests(tests, compile_all, drop_all);
}
