/* two_parts.h - a state in one part or in two, x + low, whose rounding errors are kept: a sample point,
 * a number, and the next state.                                           theory.md [SUMMATION]
 *
 * Before it: PLAIN, 1 if the state has one part; sum.h. */
#if PLAIN
#define AT(x, low, d) ((x) + (d))
#define IN_TWO(x, low) (x)
#define LOW(...)
#define MOVE(to, to_low, x, low, d) (to = (x) + (d))
#else
#define AT(x, low, d) ((x) + ((low) + (d)))
#define IN_TWO(x, low) ((x) + (low))
#define LOW(...) __VA_ARGS__
#define MOVE(to, to_low, x, low, d) carry(x, (d) + (low), &to, &to_low)
#endif
