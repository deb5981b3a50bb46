/* lanes.h - what the step is written in, for LANES systems at once: a real is a vector with a
 * number for each of them, a comparison a mask of those for which it holds. Nothing that is done
 * for one depends on another. one.h has the same words for one system. */
typedef number    real __attribute__((vector_size(LANES * sizeof(number))));
typedef long long mask __attribute__((vector_size(LANES * sizeof(long long))));

#define REAL(x) ((x) - (real){0})
#define CHOOSE(where, a, b) choose(where, a, b)
#define LARGER(a, b) maximum(a, b)
#define NOT(where) (~(where))
#define ANY(where) any_of(where)
#define ALL(where) (!any_of(~(where)))
#define EVERYWHERE (~(mask){0})
#define AMONG(where, now, before) choose(where, now, before)

/* Lane by lane a where the mask is set, else b. */
WITHIN real choose(mask where, real a, real b)
{
    return (real)(((mask)a & where) | ((mask)b & ~where));
}

/* What compilers do not find by themselves. */
#if LANES == 8 && defined __AVX512F__ && defined __GNUC__ && !defined __clang__
#define ANY_OF(where) (__builtin_ia32_ptestmq512(where, where, -1) != 0)
#define MAXIMUM(a, b) __builtin_ia32_maxpd512_mask(a, b, a, -1, 4)
#elif LANES == 4 && defined __AVX__
#define ANY_OF(where) (!__builtin_ia32_ptestz256(where, where))
#define MAXIMUM(a, b) __builtin_ia32_maxpd256(a, b)
#elif LANES == 2 && defined __SSE2__
#define ANY_OF(where) (__builtin_ia32_movmskpd((real)(where)) != 0)
#define MAXIMUM(a, b) __builtin_ia32_maxpd(a, b)
#else
#define MAXIMUM(a, b) choose((a) > (b), a, b)
#endif

/* Is a bit set in some lane? */
WITHIN int any_of(mask where)
{
#ifdef ANY_OF
    return ANY_OF(where);
#else
    long long any = 0;
    for (int l = 0; l < LANES; l++) any |= where[l];
    return any != 0;
#endif
}

/* The larger of two; the second, where one is no number. */
WITHIN real maximum(real a, real b)
{
    return MAXIMUM(a, b);
}

/* |x|: the sign is a bit. */
WITHIN real size_of(real x)
{
    return (real)((mask)x & 0x7fffffffffffffff);
}
