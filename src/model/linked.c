/* linked.c - an evaluation at fixed points: the instructions of its programs point directly at the
 * numbers, from the state to the result arrays, so that a small system spends its time on
 * arithmetic. All points form one sequence of instructions. */
#include "model/bound.h"

/* a result that is no instruction's, copied at the end */
typedef struct {
    double       *to;
    const double *from;
} copied;

typedef struct { /* a multiplier, whose array may be another one at each evaluation */
    const double *const *of;
    int                  index;
    double              *to;
} fetched;

typedef struct {
    sys_link         base;
    bound           *b;
    unsigned         want;
    int              count, first; /* points; a program that serves them */
    const sys_point *at;
    sys_values      *out;
    bool             reads_inputs;
    linked_step     *step;
    int              steps;
    vec(copied)      copy; /* results that are inputs, constants or copies of others */
    vec(fetched)     fetch;
} linked;

enum { LINKED_MOST = 4096 }; /* steps: longer programs have more to do than to look up */

/* Compiled programs have registers, and inputs that follow a file are looked up by time. */
static int eval(sys_link *self)
{
    linked *l = (linked *)(void *)self;
    bound  *b = l->b;
    if (b->merged_code[l->first] || (l->reads_inputs && b->follow.at))
        return b->sys.eval(b, l->want, l->count, l->at, l->out);
    for (const fetched *f = l->fetch.at, *end = f + l->fetch.n; f < end; f++)
        *f->to = *f->of ? (*f->of)[f->index] : 0;
    tape_run_linked(l->step);
    for (const copied *c = l->copy.at, *end = c + l->copy.n; c < end; c++) *c->to = *c->from;
    return 0;
}

/* Making one. ---------------------------------------------------------------------------------- */

typedef struct { /* the program of one point: where its registers are, which of them are wanted */
    mem          *m, *brief;
    linked       *l;
    const bundle *p;
    const double **from; /* where each register is read */
    double       **to;   /* and written                 */
    uint8_t      *wanted;
} linking;

/* Where a variable of the program is found at this point. A multiplier gets a place of its own,
 * filled at each evaluation, since the array of lam may be another one then. */
static const double *place_of(const linking *k, const load *from, const sys_point *at)
{
    const bound  *b = k->l->b;
    const double *of[FEEDS] = {[FROM_TIME] = &at->t,     [FROM_PARAMETER] = b->parameter,
                               [FROM_INPUT] = b->input,  [FROM_Q] = at->q,
                               [FROM_W] = at->w,         [FROM_V] = at->v ? at->v : at->w};
    k->l->reads_inputs |= from->from == FROM_INPUT;
    if (from->from != FROM_LAM) return of[from->from] + from->index;
    double *own = mem_array(k->m, 1, double);
    vec_push(k->m, k->l->fetch, (fetched){&at->lam, from->index, own});
    return own;
}

/* Second derivatives are written by evaluations only, so that a constant stays where it was put. */
static bool stays(const linking *k, const entry_place *e)
{
    const size_t first = offsetof(sys_values, on_K), room = sizeof(((sys_values *)0)->on_K);
    const kernel *of = k->p->k;
    const bool   is_constant = e->reg == k->p->tape->registers ||
                             (e->reg >= of->inputs && e->reg < of->inputs + of->constants);
    return is_constant && e->offset >= first && e->offset < first + room;
}

/* The first place of a result is where it is computed, the others get copies. */
static void place_results(const linking *k, const sys_values *out)
{
    const int fixed = k->p->k->inputs + k->p->k->constants, zero = k->p->tape->registers;
    for (int i = 0; i < k->p->places; i++) {
        const entry_place *e = &k->p->place[i];
        double *array = *(double *const *)(const void *)((const char *)out + e->offset);
        if (!array) continue;
        if (stays(k, e)) array[e->index] = *k->from[e->reg];
        else if (e->reg >= fixed && e->reg < zero && !k->wanted[e->reg])
            k->from[e->reg] = k->to[e->reg] = array + e->index, k->wanted[e->reg] = 1;
        else vec_push(k->m, k->l->copy, (copied){array + e->index, k->from[e->reg]});
    }
}

/* Points share the registers of what is neither read from them nor a result. */
static void link_point(linking *k, double *reg, const sys_point *at, const sys_values *out)
{
    const bundle *p = k->p;
    const size_t  registers = (size_t)p->tape->registers + 1;
    k->from = mem_array(k->brief, registers, const double *);
    k->to = mem_array(k->brief, registers, double *);
    k->wanted = mem_array(k->brief, registers, uint8_t);
    for (size_t r = 0; r < registers; r++) k->from[r] = k->to[r] = reg + r;
    for (int v = 0; v < p->loads; v++) k->from[p->load[v].variable] = place_of(k, &p->load[v], at);
    place_results(k, out);
    k->l->steps += tape_link(p->tape, k->from, k->to, k->wanted, k->l->step + k->l->steps);
}

/* How many steps at most; 0: something is stored in another way than into its place. */
static int length(const bound *b, uint32_t plan, int count)
{
    int steps = 0;
    for (uint32_t k = 0; plan >> k; k++) {
        const bundle *p = &b->c->merged.bundle[k];
        if (!(plan >> k & 1)) continue;
        if (!p->tape || p->apart || p->tape->steps >= LINKED_MOST) return 0;
        steps += p->tape->steps;
    }
    return steps < LINKED_MOST / count ? count * (steps + 1) : 0;
}

/* NULL where something runs in lanes, nothing is wanted, or the programs are too long to gain. */
sys_link *bound_link(void *self, mem *m, unsigned want, int count, const sys_point *at,
                     sys_values *out)
{
    bound         *b = self;
    const uint32_t plan = b->c->merged.plan[want % WANTS];
    const int      most = b->c->shapes || !plan || !count ? 0 : length(b, plan, count);
    if (!most) return NULL;
    linked *l = mem_array(m, 1, linked);
    *l = (linked){.base = {eval}, .b = b, .want = want, .count = count, .at = at, .out = out};
    l->reads_inputs = want & (WANT_TIME | WANT_RELATIONS_JACOBIAN); /* derivatives by them */
    l->step = mem_array(m, most + 1, linked_step);
    mem *brief = mem_child(m);
    for (int k = 0; plan >> k; k++) {
        linking one = {.m = m, .brief = brief, .l = l, .p = &b->c->merged.bundle[k]};
        if (!(plan >> k & 1)) continue;
        double *reg = mem_array(m, one.p->tape->registers + 1, double);
        kernel_prepare(one.p->k, reg);
        for (int i = 0; i < count; i++) link_point(&one, reg, &at[i], &out[i]);
        l->first = k;
    }
    /* a last instruction that ends the run; its operands are read, so they exist */
    l->step[l->steps] = (linked_step){.op = TAPE_END, .a = b->zeros, .b = b->zeros};
    mem_free(brief);
    return &l->base;
}
