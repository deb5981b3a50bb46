/* stability.c - the fastest oscillation and the strongest damping about a state, and what a step of
 * the scheme makes of them. A step is said to be too long only where that is sure: what grows by
 * itself is no error, and directions that the motion leaves at once are the caller's to judge. */
#include "mech/stability/stability.h"

#include "mech/end/lanczos.h"
#include "mech/stability/first_order.h"
#include "mech/stability/frozen.h"

#include <math.h>
#include <string.h>

/* Factors per step: what is above the first is growth and not rounding; above the second it is not
 * due to what freezing the coefficients has left out, either. */
static const double ABOVE_ONE = 1 + 1e-6, GROWS = 1 + 1e-3;
static const double STIFF = 10, RINGS = 0.5; /* h c, and what is left of exp(-h c) */
enum { TOGETHER_MOST = 16 };                 /* coordinates that are stepped together */

typedef enum { STIFFNESS, DAMPING, LASTING, REACTIONS, CIRCULATION, GYRATION } part;

typedef struct {
    mem           *m;
    dal_system    *sys;
    const scheme  *sch;
    double         h;
    bool           at_nodes; /* L has the points of the reactions: they are part of K */
    double        *on_K[F_COUNT];
    node_equations g;    /* inertia and relations */
    double        *F;    /* entries of what `multiply` multiplies by */
    bool           skew; /* F^T = -F                                 */
    double        *room; /* n                                        */
    first_order    first;
} linear;

bool scheme_is_gauss(const scheme *sch)
{
    return sch->curve == CURVE_POLYNOMIAL && sch->rule.s == sch->degree &&
           sch->rule.order == 2 * sch->degree && !sch->own_force_rule;
}

/* Reactions bend the motion where rows of holonomic relations turn; those of velocity relations
 * leave positions free, and are no stiffness. */
bool stability_has_reactions(const dal_system *sys)
{
    return sys->r && !sys->m && sys->varies[F_CURV] != FIELD_ZERO;
}

bool stability_is_sure(const dal_system *sys, const scheme *sch)
{
    const bool damped = sys->forced && sys->varies[F_FW] != FIELD_ZERO;
    return scheme_is_gauss(sch) && !damped && !stability_has_reactions(sys);
}

static bool has_lobatto_points(const scheme *sch)
{
    return sch->curve == CURVE_POLYNOMIAL && sch->rule.s == sch->degree + 1 &&
           sch->rule.order == 2 * sch->degree && sch->rule.c[0] == 0;
}

/* Entries of K and D; 0 where a field is. */
static double entry(const linear *z, field f, int k)
{
    return z->on_K[f] ? z->on_K[f][k] : 0;
}
static double reactions(const linear *z, int k)
{
    return -entry(z, F_CURV, k);
}
static double stiffness(const linear *z, int k)
{
    return -entry(z, F_LQQ, k) - entry(z, F_FQ, k) + (z->at_nodes ? reactions(z, k) : 0);
}
static double velocity_force(const linear *z, int k)
{
    return -entry(z, F_FW, k) + entry(z, F_LQW, z->sys->transpose[k]) - entry(z, F_LQW, k);
}

/* Without what is declared as damping, which every step damps. */
static double lasting_force(const linear *z, int k)
{
    return velocity_force(z, k) + entry(z, F_DW, k);
}

/* A row for each part: an entry of what it is half of, and whether that is the symmetric half. */
static const struct {
    double (*whole)(const linear *z, int k);
    bool symmetric;
} parts[] = {[STIFFNESS] = {stiffness, true},    [DAMPING] = {velocity_force, true},
             [LASTING] = {lasting_force, true},  [REACTIONS] = {reactions, true},
             [CIRCULATION] = {stiffness, false}, [GYRATION] = {velocity_force, false}};

/* Does entry k join coordinates of second order? */
static bool is_inert(const linear *z, int k)
{
    const int *column = z->sys->K.column;
    return !(z->first.R[column[k]] > 0 || z->first.R[column[z->sys->transpose[k]]] > 0);
}

static double half(const linear *z, part of, int k)
{
    if (!is_inert(z, k)) return 0;
    const double x = parts[of].whole(z, k), y = parts[of].whole(z, z->sys->transpose[k]);
    return (parts[of].symmetric ? x + y : x - y) / 2;
}

static void multiply_once(const linear *z, const double *x, double *Fx)
{
    const pattern *K = &z->sys->K;
    for (int i = 0; i < z->sys->n; i++) {
        double sum = 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++) sum += z->F[k] * x[K->column[k]];
        Fx[i] = sum;
    }
}

/* A skew F is measured by F^T M^-1 F, which is symmetric. */
static void multiply(void *self, const double *x, double *Fx)
{
    linear *z = self;
    multiply_once(z, x, Fx);
    if (!z->skew) return;
    lanczos_respond(&z->g, Fx, z->room);
    multiply_once(z, z->room, Fx);
    for (int i = 0; i < z->sys->n; i++) Fx[i] = -Fx[i];
}

/* The largest eigenvalue of M^-1 F for a symmetric part, the norm of M^-1 F for a skew one; NaN: M
 * is not positive. */
static double largest(linear *z, part of)
{
    for (int k = 0; k < pattern_count(&z->sys->K); k++) z->F[k] = half(z, of, k);
    z->skew = !parts[of].symmetric;
    const double mu = lanczos_largest(&z->g, z->m, (symmetric_map){z, multiply});
    return z->skew ? sqrt(fmax(mu, 0)) : mu;
}

static bool has(const linear *z, part of)
{
    for (int k = 0; k < pattern_count(&z->sys->K); k++)
        if (half(z, of, k) != 0) return true;
    return false;
}

/*     max_i sum_j |F_ij| / M_ii,
 * which no eigenvalue exceeds where M is diagonal; infinite where it is not. */
static double bound(const linear *z, part of)
{
    const pattern *K = &z->sys->K;
    const double  *M = z->on_K[F_LWW];
    double         most = 0;
    if (!M || z->sys->hamiltonian) return HUGE_VAL;
    for (int i = 0; i < z->sys->n; i++) {
        double sum = 0, mass = 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            if (!is_inert(z, k)) continue;
            if (K->column[k] == i) mass = M[k];
            else if (M[k] != 0) return HUGE_VAL;
            sum += fabs(parts[of].whole(z, k));
        }
        if (sum > 0 && !(mass > 0)) return HUGE_VAL;
        if (sum > 0) most = fmax(most, sum / mass);
    }
    return most;
}

static double longest_substep(const linear *z)
{
    double most = 0;
    for (int j = 0; j < z->sch->substeps; j++) most = fmax(most, fabs(z->sch->gamma[j]));
    return fabs(z->h) * (z->sch->substeps > 1 ? most : 1);
}

/* Evaluates the fields. A sentence, or NULL if all is well. */
static const char *linearise(linear *z, const sys_point *at)
{
    dal_system *sys = z->sys;
    const int   entries = pattern_count(&sys->K);
    sys_values  out = {.Lq = NULL};
    unsigned    want = WANT_HESSIAN;
    if (sys->forced) want |= WANT_FORCE_JACOBIAN;
    if (at->lam) want |= WANT_RELATIONS_JACOBIAN;
    for (int f = 0; f < F_COUNT; f++) {
        const bool wanted = f == F_CURV ? at->lam != NULL
                            : f >= F_DQ ? sys->damped != NULL
                                        : sys->forced || f < F_FQ;
        const bool read = wanted && sys->varies[f] != FIELD_ZERO;
        out.on_K[f] = sys_room(z->m, sys, read, entries);
        z->on_K[f] = read ? out.on_K[f] : NULL;
    }
    out.et = mem_array(z->m, sys->m + sys->r, double);
    out.eq = mem_array(z->m, pattern_count(&sys->A), double);
    if (sys->eval(sys->self, want, 1, at, &out)) return "it cannot be evaluated there";
    for (int f = 0; f < F_COUNT; f++)
        for (int k = 0; z->on_K[f] && k < entries; k++)
            if (!isfinite(z->on_K[f][k])) return "its second derivatives are not finite there";
    return NULL;
}

static double symmetric_damping(const linear *z, int k)
{
    return -(entry(z, F_FW, k) + entry(z, F_FW, z->sys->transpose[k])) / 2;
}

double stability_fading(mem *m, dal_system *sys, const sys_point *at)
{
    const pattern *K = &sys->K;
    linear         z = {.m = mem_child(m), .sys = sys};
    double         least = HUGE_VAL;
    const bool     known = sys->m + sys->r == 0 && !sys->hamiltonian && !linearise(&z, at);
    for (int i = 0; known && i < sys->n; i++) {
        double mass = 0, c = 0, stiff = 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++) {
            const bool   own = K->column[k] == i;
            const double M = entry(&z, F_LWW, k), D = symmetric_damping(&z, k);
            if (own) mass = M, c += D, stiff += stiffness(&z, k);
            else c -= fabs(D), stiff -= fabs(stiffness(&z, k)), least = M != 0 ? 0 : least;
        }
        const bool fades = mass > 0 && c > 0 && stiff > 0;
        least = fades ? fmin(least, fmin(c / mass / 2, stiff / c)) : 0;
    }
    mem_free(z.m);
    return known ? least : 0;
}

/* Verdicts. ------------------------------------------------------------------------------------ */

/* How errors grow in a step of length 1 with this omega, or this c. */
static double growth_at(frozen *mode, fast_part of, double rate)
{
    const bool oscillates = of == FAST_OSCILLATION;
    return mode_growth(mode, oscillates ? rate : 0, oscillates ? 0 : rate, 1);
}

/* The rate after this one: larger by a hundredth, and no multiple of pi is passed over, where half
 * an oscillation takes a step and gaps of stability may be narrow. */
static double next_rate(double rate)
{
    static const double PI = 3.14159265358979323846, RATIO = 1.01, ROUNDOFF = 1e-9;
    return fmin(rate * RATIO, PI * (floor(rate / PI + ROUNDOFF) + 1));
}

/* From small rates on, and then by bisection. */
static double limit_of(frozen *mode, fast_part of)
{
    static const double LEAST = 0.05, MOST = 1e3;
    double              low = 0, high = LEAST;
    while (high < MOST && growth_at(mode, of, high) <= ABOVE_ONE) low = high, high = next_rate(low);
    for (int k = 0; k < 40 && high < MOST; k++) {
        const double middle = (low + high) / 2;
        if (growth_at(mode, of, middle) > ABOVE_ONE) high = middle;
        else low = middle;
    }
    return high < MOST ? low : HUGE_VAL;
}

double stability_limit(mem *m, const scheme *sch, fast_part of)
{
    frozen      *mode = frozen_mode(m, sch);
    const double limit = mode ? limit_of(mode, of) : HUGE_VAL;
    frozen_free(mode);
    return limit;
}

/* One mode that both rates make: errors of the faster part grow, and the other does not help. */
static void judge_mode(const linear *z, frozen *mode, stability *is)
{
    const double h = fabs(z->h), omega = is->omega, c = is->c;
    const double both = mode_growth(mode, omega, c, h);
    is->rest = is->lasting > 0 ? mode_rest(mode, is->lasting, h) : 1;
    is->rings = h * is->lasting > STIFF && fabs(is->rest) > RINGS;
    if (!(both > GROWS)) return;
    const double alone = mode_growth(mode, omega, 0, h), damped = fabs(is->rest);
    if (!(alone > GROWS) && !(damped > GROWS)) return;
    is->beyond = alone > GROWS ? FAST_OSCILLATION : FAST_DAMPING;
    is->growth = fmin(both, alone > GROWS ? alone : damped);
    is->limit = limit_of(mode, is->beyond);
    is->longest = is->limit / (is->beyond == FAST_OSCILLATION ? omega : c);
}

/* The longest step below h that is stable, by halving and bisection. */
static double longest_of(frozen *z, double h)
{
    double low = h / 2;
    while (low > h * 1e-9 && frozen_growth(z, low) > GROWS) h = low, low /= 2;
    for (int k = 0; k < 10; k++) {
        const double middle = (low + h) / 2;
        if (frozen_growth(z, middle) > GROWS) h = middle;
        else low = middle;
    }
    return low;
}

/* The scheme on all coordinates at once, if the motion itself is stable: midpoint is then, too. */
static void judge_together(const linear *z, stability *is)
{
    static const double STABLE = 1 + 1e-4;
    const double        h = fabs(z->h);
    scheme              midpoint;
    text                why = text_new(z->m);
    frozen             *by_scheme = frozen_new(z->m, z->sys, z->on_K, z->sch), *motion = NULL;
    const double        growth = by_scheme ? frozen_growth(by_scheme, h) : 0;
    if (growth > GROWS && !scheme_parse(&midpoint, "midpoint", NULL, &why))
        motion = frozen_new(z->m, z->sys, z->on_K, &midpoint);
    if (motion && frozen_growth(motion, h) < STABLE) {
        is->beyond = FAST_ALL, is->growth = growth;
        is->longest = longest_of(by_scheme, h);
    }
    frozen_free(by_scheme), frozen_free(motion);
}

/* Are the modes those of stiffness and damping alone, but for little? */
static bool is_plain(linear *z, const stability *is)
{
    static const double LITTLE = 0.1;
    if (z->sch->own_force_rule && z->on_K[F_FQ]) return false;
    if (z->g.phase && (z->on_K[F_LQW] || z->on_K[F_FW])) return false; /* w is no velocity */
    if (has(z, GYRATION) && !(fabs(z->h) * largest(z, GYRATION) <= LITTLE)) return false;
    return !has(z, CIRCULATION) ||
           largest(z, CIRCULATION) <= LITTLE * LITTLE * is->omega * is->omega;
}

/* Reactions alone, by the scheme that has their points; of a composition, its longest substep. */
static void judge_reactions(linear *z, bool all, stability *is)
{
    scheme       nodes;
    const double mu = largest(z, REACTIONS), h = longest_substep(z);
    text         why = text_new(z->m), title = text_new(z->m);
    text_printf(&title, "lobatto(%d)", z->sch->degree + 1);
    if (!(mu > 0) || scheme_parse(&nodes, text_str(&title), NULL, &why)) return;
    is->taut = sqrt(mu);
    frozen      *mode = frozen_mode(z->m, &nodes);
    const double growth = mode_growth(mode, is->taut, 0, h);
    if (all || growth > GROWS) is->limit = limit_of(mode, FAST_OSCILLATION);
    if (all || growth > GROWS) is->slack = is->limit / is->taut * fabs(z->h) / h;
    if (growth > GROWS) is->beyond = FAST_REACTIONS, is->growth = growth, is->longest = is->slack;
    frozen_free(mode);
}

/* Bounds of the rates say it, too: no scheme has a limit below 1, and where modes are many and
 * undamped its own is worth finding. */
static bool is_slow(const linear *z)
{
    enum { MANY = 1000 };
    const double h = longest_substep(z), damping = h * bound(z, DAMPING);
    const double stiff = h * h * fmax(bound(z, STIFFNESS), bound(z, REACTIONS));
    if (stiff + damping <= 1) return true;
    if (z->sys->n < MANY || damping > 0 || z->on_K[F_CURV]) return false;
    const double limit = stability_limit(z->m, z->sch, FAST_OSCILLATION);
    return z->h * z->h * bound(z, STIFFNESS) < limit * limit;
}

static void judge(linear *z, bool all, stability *is)
{
    const bool few = z->sys->n <= TOGETHER_MOST && !(z->sys->m + z->sys->r);
    const bool gauss = scheme_is_gauss(z->sch);
    if (z->on_K[F_CURV] && !z->at_nodes) judge_reactions(z, all, is);
    if (is->beyond || (!all && gauss && !z->on_K[F_FW])) return;
    const bool   damped = z->on_K[F_FW] && !z->g.phase;
    const double mu = largest(z, STIFFNESS), c = damped ? largest(z, DAMPING) : 0;
    if (isnan(mu)) is->unknown = "its kinetic energy is not positive";
    if (isnan(mu)) return;
    is->omega = sqrt(fmax(mu, 0)), is->c = is->lasting = fmax(c, 0);
    if (damped && z->on_K[F_DW]) is->lasting = fmax(largest(z, LASTING), 0);
    /* a run backward undoes damping */
    if (z->h < 0 && z->on_K[F_FW]) is->unknown = "damping run backward grows by itself";
    if (is->unknown) return;
    frozen    *mode = frozen_mode(z->m, z->sch);
    const bool plain = is_plain(z, is);
    if (!mode) is->unknown = "the scheme does not step a single mode";
    else if (!plain && !few) is->unknown = "gyroscopic forces couple its modes";
    else if (plain) judge_mode(z, mode, is);
    frozen_free(mode);
    if (!is->unknown && !is->beyond && few && !gauss && !is->held) judge_together(z, is);
}

/* Why inertia and relations do not determine accelerations. */
static const char *why_singular(const linear *z)
{
    const pattern *K = &z->sys->K;
    bool           bare = !(z->sys->m + z->sys->r);
    for (int i = 0; i < z->sys->n && !bare; i++) {
        bool inert = z->first.R[i] > 0;
        for (int k = K->start[i]; k < K->start[i + 1]; k++) inert |= entry(z, F_LWW, k) != 0;
        bare = !inert;
    }
    return bare ? "directions have no inertia"
                : "relations repeat others, or directions have no inertia";
}

/* With the inertia factored. */
static void judge_at(linear *z, const sys_point *at, bool all, stability *is)
{
    const degeneracy none = {0};
    z->room = mem_array(z->m, z->sys->n, double);
    z->F = mem_array(z->m, pattern_count(&z->sys->K), double);
    node_equations_init(&z->g, z->m, is->held ? &z->first.held : z->sys, &none);
    if (node_is_regular(&z->g, at->t, at->q, at->w, at->v)) judge(z, all, is);
    else is->unknown = why_singular(z);
    if (all && is->held && !is->unknown && !z->g.phase)
        is->joint = first_order_together(&z->first, z->m, &z->g);
    node_equations_free(&z->g);
}

/* Damping that turns velocities instead of taking from them: (D_w - D_w^T)/2. theory.md [DAMPING]
 */
static double turning_moment(const linear *z)
{
    const double *D = z->on_K[F_DW];
    double        skew = 0, most = 0;
    for (int k = 0; D && k < pattern_count(&z->sys->K); k++) {
        skew = fmax(skew, fabs(D[k] - D[z->sys->transpose[k]]) / 2);
        most = fmax(most, fabs(D[k]));
    }
    return skew > 0 ? skew / most : 0;
}

stability stability_at(mem *m, dal_system *sys, const scheme *sch, double h, const sys_point *at,
                       bool all)
{
    stability is = {.slack = HUGE_VAL, .growth = 1, .rest = 1};
    mem      *room = mem_child(m);
    linear    z = {.m = room, .sys = sys, .sch = sch, .h = h};
    z.at_nodes = has_lobatto_points(sch);
    is.unknown = sys->inner ? "its forces have unknowns of their own" : linearise(&z, at);
    if (!is.unknown) first_order_find(&z.first, room, sys, z.on_K);
    is.held = z.first.states + z.first.other > 0;
    if (all && z.first.states) is.state = first_order_rate(&z.first, room, true);
    if (all && z.first.other) is.idle = first_order_rate(&z.first, room, false);
    if (!is.unknown) is.turning = turning_moment(&z);
    if (!is.unknown && (all || !is_slow(&z))) judge_at(&z, at, all, &is);
    mem_free(room);
    return is;
}
