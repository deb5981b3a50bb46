/* parts.h - a state in one part or in two, x + low, whose rounding errors are kept: a sample point,
 * a number, and the next state, exact in two parts (Knuth).                theory.md [SUMMATION]
 *
 * Before it: PLAIN, 1 if the state has one part. */
#if PLAIN
#define AT(x, low, d) ((x) + (d))
#define IN_TWO(x, low) (x)
#define LOW(...)
#define MOVE(to, to_low, x, low, d) (to = (x) + (d))
#else
#define AT(x, low, d) ((x) + ((low) + (d)))
#define IN_TWO(x, low) ((x) + (low))
#define LOW(...) __VA_ARGS__
#define MOVE(to, to_low, x, low, d) two(x, low, d, &to, &to_low)
/* to + to_low = x + (low + dx), exactly but for the rounding of the bracket. */
static inline void two(double x, double low, double dx, double *to, double *to_low)
{
    const double d = dx + low, sum = x + d, back = sum - x;
    *to = sum, *to_low = (x - (sum - back)) + (d - back);
}
#endif
