/* leaps.c - the text of a pass, the same by the machine, and how steps are made of it. */
#include "mech/leaps.h"

#include "kernel/emit_c.h"
#include "kernel/native.h"
#include "mech/stepper.h"
#include "model/row_machine.h"

#include <math.h>
#include <string.h>

enum { OF_FORCE = 1u << ROW_LQ, HALO_MOST = 1024 };

typedef struct { /* the text declares the same */
    const row_reads *s;
    const double    *c;
    double          *q, *q_low, *p, *p_low;
    double          *kick; /* (h/2) F                      */
    const double    *over; /* 1/m                          */
    const double    *same; /* of each stretch and halo rows after it; NaN: not the same */
    double           h;
    int              n;
    double          *edge; /* halo rows at both ends of every part, as they will be: parts x 2 halo */
} leap;

/* Rows from .. to-1 are the part's; a .. b-1 of them are meant, and those before `done` have moved on already. The text
 * declares the same. */
typedef struct {
    int from, to, a, b, done;
} leap_range;

typedef void (*leap_function)(const leap *x, leap_range *r, int part);

struct leaps {
    const row_plan *plan;
    row_reads       reads;
    double          c[ROW_SOURCES];
    crew           *hands;
    leap            x;
    double         *over, *same;
    leap_function   forces, step; /* NULL: by the machine */
    row_machine   **machine;      /* of each part         */
    double        **room;         /* of each part: positions around a tile */
    bool            plain;
    double          known; /* the h for which kick is that of the present state; 0: none */
};

static const char PLAIN[] = "#define IN_TWO(x, low) (x)\n"
                            "#define ADD(x, low, d) ((x) += (d))\n";
static const char COMPENSATED[] =
    "#define IN_TWO(x, low) ((x) + (low))\n"
    "#define ADD(x, low, d) do { const double d_ = (d) + (low), x_ = (x), s_ = x_ + d_, b_ = s_ - x_; \\\n"
    "    (x) = s_, (low) = (x_ - (s_ - b_)) + (d_ - b_); } while (0)\n";

static const char DECLARATIONS[] =
    "struct leap { const struct rows *s; const double *c; double *q, *q_low, *p, *p_low, *kick;\n"
    "              const double *over, *same; double h; int n; double *edge; };\n"
    "struct range { int from, to, a, b, done; };\n";

static void write_loops(const row_plan *plan, text *out)
{
    row_plan_loops(plan, OF_FORCE, out);
    text_add(out, "#define SUM (");
    row_plan_sum(plan, OF_FORCE, 0, out);
    text_add(out, ")\n");
}

static void write_forces(const row_plan *plan, text *out)
{
    const int halo = row_plan_halo(plan);
    text_printf(out,
                "void forces(const struct leap *x, struct range *r, int part)\n{\n"
                "    const struct rows *s = x->s;\n    const double *c = x->c;\n    (void)part;\n"
                "    for (int a = r->a; a < r->b; a += %d) {\n"
                "        const int b = a + %d < r->b ? a + %d : r->b, first = a > %d ? a - %d : 0;\n"
                "        const double *restrict q = x->q + first;\n",
                ROWS_TILE, ROWS_TILE, ROWS_TILE, halo, halo);
    write_loops(plan, out);
    text_add(out, "        double *restrict k = x->kick + a;\n"
                  "        for (int i = 0; i < b - a; i++) k[i] = SUM;\n    }\n}\n#undef SUM\n");
}

/* Positions up to halo rows ahead; masses are mostly the same all over a stretch. */
static const char AHEAD[] =
    "        {\n"
    "            double *restrict Q = x->q, *restrict Q_low = x->q_low;\n"
    "            const double *restrict P = x->p, *restrict P_low = x->p_low, *restrict K = x->kick;\n"
    "            const double *restrict over = x->over, same = x->same[a / TILE];\n"
    "            const double h = x->h, hm = h * same;\n"
    "            (void)Q_low, (void)P_low;\n"
    "            if (same == same)\n"
    "                for (int i = done; i < end; i++)\n"
    "                    ADD(Q[i], Q_low[i], hm * (IN_TWO(P[i] + K[i], P_low[i])));\n"
    "            else\n"
    "                for (int i = done; i < end; i++)\n"
    "                    ADD(Q[i], Q_low[i], (h * over[i]) * (IN_TWO(P[i] + K[i], P_low[i])));\n"
    "            done = end > done ? end : done;\n"
    "        }\n"
    "        const double *restrict q = x->q + first;\n"
    "        if (first < from || high > to) {\n"
    "            for (int i = first; i < from; i++) W[i - first] = before[i - from + HALO];\n"
    "            for (int i = first < from ? from : first; i < end; i++) W[i - first] = x->q[i];\n"
    "            for (int i = to; i < high; i++) W[i - first] = next[i - to];\n"
    "            q = W;\n"
    "        }\n";

static const char KICK[] =
    "        double *restrict P = x->p, *restrict P_low = x->p_low, *restrict K = x->kick;\n"
    "        (void)P_low;\n"
    "        for (int i = 0; i < b - a; i++) {\n"
    "            const double k = SUM, d = K[a + i] + k;\n"
    "            ADD(P[a + i], P_low[a + i], d);\n"
    "            K[a + i] = k;\n"
    "        }\n";

static void write_step(const row_plan *plan, text *out)
{
    const int halo = row_plan_halo(plan);
    text_printf(out,
                "void step(const struct leap *x, struct range *range, int part)\n{\n"
                "    enum { TILE = %d, HALO = %d };\n"
                "    const int from = range->from, to = range->to, stop = range->b;\n"
                "    const struct rows *s = x->s;\n    const double *c = x->c;\n"
                "    const double *before = x->edge + (long)(part - 1) * 2 * HALO + HALO;\n"
                "    const double *next = x->edge + (long)(part + 1) * 2 * HALO;\n"
                "    double W[TILE + 2 * HALO];\n"
                "    int done = range->done;\n"
                "    for (int a = range->a, b; a < stop; a = b) {\n"
                "        b = a + TILE < stop ? a + TILE : stop;\n"
                "        const int high = b + HALO < x->n ? b + HALO : x->n, end = high < to ? high : to;\n"
                "        const int first = a > HALO ? a - HALO : 0;\n"
                "%s",
                ROWS_TILE, halo, AHEAD);
    write_loops(plan, out);
    text_printf(out,
                "%s    }\n"
                "    range->done = done;\n"
                "}\n#undef SUM\n",
                KICK);
}

static void write_text(const row_plan *plan, bool plain, text *out)
{
    text_add(out, "#ifdef __GNUC__\n#pragma GCC optimize(\"O3\")\n#endif\n"); /* loops as vectors */
    emit_c_prototypes(out);
    row_plan_declare(plan, out);
    text_add(out, DECLARATIONS);
    text_add(out, plain ? PLAIN : COMPENSATED);
    write_forces(plan, out);
    write_step(plan, out);
}

/* Both ends of the curve are sampled, no part is shorter than what its neighbours read of it. */
static bool fits(const stepper *st)
{
    const samples *rule = &st->eq.rule;
    return st->leap.fits && st->sch.substeps == 1 && !st->sys->forced && rule->count == 2 && rule->b[0] == rule->b[1] &&
           st->sys->row_plan;
}

static void make_room(leaps *l, mem *m, int n)
{
    const int parts = crew_size(l->hands);
    l->x.kick = mem_array(m, n, double);
    l->over = mem_array(m, n, double);
    l->same = mem_array(m, n / ROWS_TILE + 1, double);
    l->x.over = l->over, l->x.same = l->same;
    l->x.edge = mem_array(m, (parts + 1) * 2 * row_plan_halo(l->plan) + 1, double);
    l->x.n = n;
}

static bool compile(leaps *l, mem *m, text *why)
{
    text words = text_new(m);
    write_text(l->plan, l->plain, &words);
    const native_library *lib = native_build(m, words.at, words.n, why);
    text_drop(&words);
    if (!lib) return false;
    l->forces = (leap_function)native_symbol(lib, "forces");
    l->step = (leap_function)native_symbol(lib, "step");
    return l->forces && l->step;
}

static void make_machines(leaps *l, mem *m)
{
    const int parts = crew_size(l->hands);
    l->machine = mem_array(m, parts, row_machine *);
    l->room = mem_array(m, parts, double *);
    for (int k = 0; k < parts; k++) {
        l->machine[k] = row_machine_new(m, l->plan, OF_FORCE);
        l->room[k] = mem_array(m, ROWS_TILE + 2 * row_plan_halo(l->plan), double);
    }
}

leaps *leaps_new(mem *m, stepper *st, crew *hands, bool native, text *why)
{
    const row_plan *plan = fits(st) ? st->sys->row_plan(st->sys->self, m, OF_FORCE, 0) : NULL;
    if (!plan || row_plan_halo(plan) > HALO_MOST) return NULL;
    if (st->sys->n / ROWS_TILE < 8 * crew_size(hands) || row_plan_halo(plan) > 4 * ROWS_TILE) hands = NULL;
    leaps *l = mem_array(m, 1, leaps);
    l->plan = plan, l->hands = hands, l->plain = st->options.plain_summation;
    make_room(l, m, st->sys->n);
    if (!st->saved) st->saved = mem_array(m, 4 * st->sys->n, double);
    if (!native || !compile(l, m, why)) make_machines(l, m);
    return l;
}

bool leaps_compiled(const leaps *l)
{
    return l && !l->machine;
}

void leaps_forget(leaps *l)
{
    if (l) l->known = 0;
}

/* By the machine. ------------------------------------------------------------------------------------------------ */

static void add(const leaps *l, double *x, double *low, double d)
{
    if (l->plain) *x += d;
    else add_in_two(*x, *low, d, x, low);
}

/*     z = h M^-1 (p_0 + k_0),   q_1 = q_0 + z,   p_1 = p_0 + (k_0 + k_1),   k = (h/2) F(q)           theory.md [DEL] */
static double drift(const leaps *l, int i)
{
    const leap *x = &l->x;
    double      p = x->p[i] + x->kick[i];
    return (x->h * x->over[i]) * (l->plain ? p : p + x->p_low[i]);
}

static void machine_forces(const leaps *l, const leap_range *r, int part)
{
    const int halo = row_plan_halo(l->plan);
    for (int a = r->a; a < r->b; a += ROWS_TILE) {
        const int b = a + ROWS_TILE < r->b ? a + ROWS_TILE : r->b, first = a > halo ? a - halo : 0;
        row_machine_run(l->machine[part], l->x.s, l->x.c, l->x.q + first, NULL, first, a, b);
        memcpy(l->x.kick + a, row_machine_sum(l->machine[part], 0), (size_t)(b - a) * sizeof(double));
    }
}

/* Positions of rows from .. to-1 move on. */
static void move(const leaps *l, int from, int to)
{
    double *restrict Q = l->x.q, *restrict Q_low = l->x.q_low;
    const double *restrict P = l->x.p, *restrict P_low = l->x.p_low, *restrict K = l->x.kick, *restrict over = l->x.over;
    const double h = l->x.h;
    if (l->plain)
        for (int i = from; i < to; i++) Q[i] += (h * over[i]) * (P[i] + K[i]);
    else
        for (int i = from; i < to; i++)
            add_in_two(Q[i], Q_low[i], (h * over[i]) * ((P[i] + K[i]) + P_low[i]), &Q[i], &Q_low[i]);
}

static void kick(const leaps *l, const double *restrict force, int a, int b)
{
    double *restrict P = l->x.p + a, *restrict P_low = l->x.p_low + a, *restrict K = l->x.kick + a;
    if (l->plain)
        for (int i = 0; i < b - a; i++) P[i] += K[i] + force[i], K[i] = force[i];
    else
        for (int i = 0; i < b - a; i++)
            add_in_two(P[i], P_low[i], K[i] + force[i], &P[i], &P_low[i]), K[i] = force[i];
}

/* Positions first .. high-1, of which those beyond the part are where its neighbours say they will be. */
static const double *around(const leaps *l, int part, const leap_range *r, int first, int high)
{
    const int     from = r->from, to = r->to;
    const int     halo = row_plan_halo(l->plan);
    const double *before = l->x.edge + ((ptrdiff_t)part * 2 - 1) * halo, *next = l->x.edge + ((ptrdiff_t)part + 1) * 2 * halo;
    double       *W = l->room[part];
    if (first >= from && high <= to) return l->x.q + first;
    for (int i = first; i < from; i++) W[i - first] = before[i - from + halo];
    for (int i = first < from ? from : first; i < high && i < to; i++) W[i - first] = l->x.q[i];
    for (int i = to; i < high; i++) W[i - first] = next[i - to];
    return W;
}

static void machine_step(const leaps *l, leap_range *r, int part)
{
    const int halo = row_plan_halo(l->plan);
    for (int a = r->a, b; a < r->b; a = b) {
        b = a + ROWS_TILE < r->b ? a + ROWS_TILE : r->b;
        const int high = b + halo < l->x.n ? b + halo : l->x.n, end = high < r->to ? high : r->to;
        const int first = a > halo ? a - halo : 0;
        move(l, r->done, end);
        r->done = end > r->done ? end : r->done;
        row_machine_run(l->machine[part], l->x.s, l->x.c, around(l, part, r, first, high), NULL, first, a, b);
        kick(l, row_machine_sum(l->machine[part], 0), a, b);
    }
}

static void step_rows(const leaps *l, leap_range *r, int part)
{
    if (l->machine) machine_step(l, r, part);
    else l->step(&l->x, r, part);
}

/* Calls. --------------------------------------------------------------------------------------------------------- */

typedef enum { FORCES, EDGES, STEP } what;

typedef struct {
    leaps *l;
    what   what;
} share;

/* Where the rows at both ends of a part will be: its neighbours need them, and cannot know when they get there. */
static void find_edges(const leaps *l, int from, int to, int part)
{
    const int halo = row_plan_halo(l->plan);
    double   *low = l->x.edge + (ptrdiff_t)part * 2 * halo, *high = low + halo;
    for (int k = 0; k < halo && from + k < to; k++) {
        double rest = l->x.q_low[from + k];
        low[k] = l->x.q[from + k];
        add(l, &low[k], &rest, drift(l, from + k));
    }
    for (int k = 0; k < halo && to - halo + k >= from; k++) {
        double rest = l->x.q_low[to - halo + k];
        high[k] = l->x.q[to - halo + k];
        add(l, &high[k], &rest, drift(l, to - halo + k));
    }
}

static void do_share(void *self, int part, int parts)
{
    const share *s = self;
    const leaps *l = s->l;
    int          from, to;
    crew_range(l->x.n, ROWS_TILE, part, parts, &from, &to);
    leap_range all = {from, to, from, to, from};
    if (s->what == EDGES) find_edges(l, from, to, part);
    else if (s->what == STEP) step_rows(l, &all, part);
    else if (l->machine) machine_forces(l, &all, part);
    else l->forces(&l->x, &all, part);
}

static void everywhere(leaps *l, what call)
{
    share s = {l, call};
    crew_work(l->hands, do_share, &s);
}

static void one_step(leaps *l)
{
    if (crew_size(l->hands) > 1) everywhere(l, EDGES);
    everywhere(l, STEP);
}

/* Several steps in one pass over memory: each follows the one before it a little behind, on rows that are still at hand.
 * Step s may move no position that step s - 1 will still read, and needs what that has done a halo ahead: so it stays two
 * halos behind. */
enum { WAVE = 8, STRIP = 16 * ROWS_TILE };

static void wave(leaps *l, int steps)
{
    const int  n = l->x.n, behind = (2 * row_plan_halo(l->plan) + ROWS_TILE - 1) / ROWS_TILE * ROWS_TILE;
    leap_range r[WAVE];
    for (int s = 0; s < steps; s++) r[s] = (leap_range){.from = 0, .to = n};
    for (long long front = STRIP; r[steps - 1].b < n; front += STRIP)
        for (int s = 0; s < steps; s++) {
            long long end = front - (long long)s * behind;
            r[s].a = r[s].b;
            if (end > r[s].b) r[s].b = end < n ? (int)end : n;
            if (r[s].a < r[s].b) step_rows(l, &r[s], 0);
        }
}

static void many_steps(leaps *l, long count)
{
    const bool waves = crew_size(l->hands) == 1 && l->x.n > 4 * STRIP && row_plan_halo(l->plan) <= ROWS_TILE;
    for (long k = 0, some; k < count; k += some) {
        some = waves && count - k > 1 ? (count - k < WAVE ? count - k : WAVE) : 1;
        if (some > 1) wave(l, (int)some);
        else one_step(l);
    }
}

/* Points the pass at the state of the stepper, with the forces there. */
static void begin(leaps *l, stepper *st, double h)
{
    const samples *rule = &st->eq.rule;
    leap          *x = &l->x;
    st->sys->row_reads(st->sys->self, l->plan, st->t, &l->reads);
    x->s = &l->reads, x->c = l->c;
    x->q = st->q, x->q_low = st->q_low, x->p = st->p, x->p_low = st->p_low;
    x->h = h, l->c[ROW_LQ] = h * rule->b[0];
    if (l->known != h) everywhere(l, FORCES);
    l->known = h;
}

static void copy_state(double *const to[4], double *const from[4], int n)
{
    for (int k = 0; k < 4; k++) memcpy(to[k], from[k], (size_t)n * sizeof **to);
}

/* What is not finite stays so: looking at the end of many steps is enough. */
static bool is_finite(const stepper *st)
{
    return all_finite(st->q, st->sys->n) && all_finite(st->p, st->sys->n);
}

static void note_curve(const leaps *l, stepper *st)
{
    for (int i = 0; i < l->x.n; i++) st->y[i] = drift(l, i);
}

/* `count` steps, of which the last leaves the state before it and its curve for those who look. */
static void make(leaps *l, stepper *st, long count)
{
    double *now[] = {st->q, st->q_low, st->p, st->p_low}, *before[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    many_steps(l, count - 1);
    copy_state(before, now, st->sys->n);
    note_curve(l, st);
    one_step(l);
}

/* Back to the state that was kept, and on as far as it goes: the steps are the same as they were. */
static long replay(leaps *l, stepper *st, double *const kept[4], long count)
{
    double *now[] = {st->q, st->q_low, st->p, st->p_low};
    long    good = 0;
    copy_state(now, kept, st->sys->n);
    everywhere(l, FORCES);
    for (one_step(l); good < count && is_finite(st); good++) one_step(l);
    copy_state(now, kept, st->sys->n);
    everywhere(l, FORCES);
    if (good) make(l, st, good);
    return good;
}

static bool take_masses(leaps *l, stepper *st)
{
    const int n = l->x.n, halo = row_plan_halo(l->plan);
    bool      known = st->leap.ready;
    if (!explicit_masses(st, l->over)) return false;
    for (int a = 0; a < n && !known; a += ROWS_TILE) {
        double *same = &l->same[a / ROWS_TILE];
        *same = l->over[a];
        for (int i = a; i < n && i < a + ROWS_TILE + halo; i++)
            if (l->over[i] != l->over[a]) *same = (double)NAN;
    }
    return true;
}

long leaps_make(stepper *st, double h, long count)
{
    leaps  *l = st->leaps;
    int     n = st->sys->n;
    double *now[] = {st->q, st->q_low, st->p, st->p_low}, *before[] = {st->q0, st->q0_low, st->p0, st->p0_low};
    double *kept[] = {st->saved, st->saved + n, st->saved + 2 * n, st->saved + 3 * n};
    if (!take_masses(l, st)) return 0;
    begin(l, st, h);
    if (count > 1) copy_state(kept, now, n);
    make(l, st, count);
    if (is_finite(st)) return count;
    if (count > 1) return replay(l, st, kept, count - 1);
    copy_state(now, before, n);
    return leaps_forget(l), 0;
}

long leaps_leap(stepper *st, double from, long k, double h, long count)
{
    equations *eq = &st->eq;
    stepper_pose(st, from + (double)k * h, h, h < 0);
    long made = st->watch || !count ? 0 : leaps_make(st, h, count);
    if (!made) return 0;
    eq->q = st->q0, eq->q_low = st->q0_low, eq->p = st->p0, eq->p_low = st->p0_low;
    eq->t = from + (double)(k + made - 1) * h;
    equations_tune(eq, h, h < 0);
    st->leap.carried = -1, st->leap.due = true;
    st->last = st->y, st->last_h = st->past_h = h, st->work = 0, st->stepped = true;
    st->known = st->reactions = st->kicked_known = false;
    st->t = from + (double)(k + made) * h;
    st->nw.count.steps += made, st->nw.count.iterations += made;
    if (!st->nw.count.max_iterations) st->nw.count.max_iterations = 1;
    return made;
}
