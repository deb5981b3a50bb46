/* lu_few.h - step/lu_rows.h for N unknowns, N being a constant; its functions end in _N. To be
 * included once for each N, which is forgotten here. */
#define JOINED(name, n) name##_##n
#define NAMED(name, n) JOINED(name, n)
#define spread NAMED(spread, N)
#define exchanged NAMED(exchanged, N)
#define choose NAMED(choose, N)
#define panel NAMED(panel, N)
#define weigh NAMED(weigh, N)
#define lessen NAMED(lessen, N)
#define below NAMED(below, N)
#define transpose NAMED(transpose, N)
#define factor NAMED(factor, N)
#define take NAMED(take, N)
#define solve NAMED(solve, N)
#include "step/lu_rows.h"
#undef spread
#undef exchanged
#undef choose
#undef panel
#undef weigh
#undef lessen
#undef below
#undef transpose
#undef factor
#undef take
#undef solve
#undef JOINED
#undef NAMED
#undef N
