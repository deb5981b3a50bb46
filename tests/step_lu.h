/* step_lu.h - the linear solver of compiled steps for N unknowns, under names of its own, and its
 * test; to be included once for each N. */
#define factored SIZED(factored)
#define factor SIZED(factor)
#define solve SIZED(solve)
#define weigh SIZED(weigh)
#define begin_exchanges SIZED(begin_exchanges)
#define forget_exchanges SIZED(forget_exchanges)
#define eliminate SIZED(eliminate)
#define exchange SIZED(exchange)
#define bring_up SIZED(bring_up)
#define eliminate_with_care SIZED(eliminate_with_care)
#define eliminate_some SIZED(eliminate_some)
#define spread SIZED(spread)
#define exchanged SIZED(exchanged)
#define choose SIZED(choose)
#define panel SIZED(panel)
#define lessen SIZED(lessen)
#define below SIZED(below)
#define transpose SIZED(transpose)
#define take SIZED(take)
#define LD SIZED(LD)

#if N <= 6
#include "step/lu.h"
#else
#include "step/lu_rows.h"
#endif

/* The diagonal vanishes, rows and columns have units of their own, and the solution is known. */
static void SIZED(solves)(void)
{
    real     a[N * N], x[N], r[N], delta[N];
    factored f;
#if N > 2 && N <= 6
    begin_exchanges(&f);
#endif
    for (int i = 0; i < N; i++) {
        x[i] = sin(3.0 * i + 1) * exp2(-7 * (i % 3));
        for (int j = 0; j < N; j++)
            a[i * N + j] =
                N > 1 && i == j ? 0 : cos(i * i + 2.0 * j) * exp2(9 * (i % 4) + 7 * (j % 3));
    }
    for (int i = 0; i < N; i++) {
        r[i] = 0;
        for (int j = 0; j < N; j++) r[i] -= a[i * N + j] * x[j];
    }
    memcpy(f.a, a, sizeof a);
    assert_true(factor(&f, 1));
    solve(&f, r, delta);
    for (int i = 0; i < N; i++) check_close(delta[i], x[i], 1e-9 * fabs(x[i]));
    for (int j = 0; j < N; j++) a[(N - 1) * N + j] = N > 1 ? 3 * a[j] : 0; /* one row twice */
    memcpy(f.a, a, sizeof a);
    assert_false(factor(&f, 1));
    a[0] = HUGE_VAL;
    memcpy(f.a, a, sizeof a);
    assert_false(factor(&f, 1));
}
