/* one.h - what the step is written in, for one system: a real is a number, and what holds for it
 * decides. lanes.h has the same words for many systems at once. */
typedef number real;
typedef int    mask; /* of a comparison */

#define LANES 1
#define REAL(x) ((real)(x))
#define CHOOSE(where, a, b) ((where) ? (a) : (b))
#define LARGER(a, b) ((a) > (b) ? (a) : (b)) /* the second, if one is no number */
#define NOT(where) (!(where))
#define ANY(where) (where)
#define ALL(where) (where)
#define EVERYWHERE 1
#define AMONG(where, now, before) ((void)(where), (now)) /* others are not asked */
