/* linear_sums.h - four numbers of a state at once, and what is summed of the momenta at the end of
 * a step of a linear chain (linear_chain.h).                                 theory.md [SUMMATION]
 *
 * Before it: two_parts.h. */

/* Four numbers, wherever they are. */
typedef double    v4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long l4 __attribute__((vector_size(32), aligned(8), may_alias));
#define V(p) (*(v4 *)(p))
#define TWICE _Pragma("GCC unroll 2")

#if PLAIN
#define MOVE4(to, to_low, x, low, d) (to = (x) + (d))
#else
#define MOVE4(to, to_low, x, low, d) two4(x, low, d, &to, &to_low)
/* to + to_low = x + (low + dx) in four lanes (two_parts.h) */
static inline void two4(v4 x, v4 low, v4 dx, v4 *to, v4 *to_low)
{
    const v4 d = dx + low, sum = x + d, back = sum - x;
    *to = sum, *to_low = (x - (sum - back)) + (d - back);
}
#endif

/* What is left of momenta: a sum that is finite as they are, f.z, and the rows it consists of. */
typedef struct {
    v4  finite, work;
    int from, to;
} tally;
