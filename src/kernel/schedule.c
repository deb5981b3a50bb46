/* schedule.c - list scheduling that brings equal opcodes together: then a processor foresees where
 * the scalar interpreter jumps, which halves the time of long programs.
 *
 * The chosen opcode is executed as long as steps of it are ready, including those that become ready
 * meanwhile. Among the opcodes with ready steps, the one is chosen whose remaining steps have the
 * least average depth: they wait for the fewest others, so few are left for a later run. */
#include "kernel/program.h"

#include <string.h>

typedef struct {
    int    first, head, tail; /* its part of the queue: ready steps are at head .. tail-1 */
    int    left;              /* steps of this opcode not executed yet                    */
    double depth;             /* sum of their depths                                      */
} agenda;

typedef struct {
    const program *p;
    int           *user_start, *user; /* steps that read the result of a step            */
    int           *waits;             /* operands of a step that are not there yet       */
    int           *depth;             /* steps on the longest way from an input          */
    int           *queue;
    agenda         of[OP_COUNT];
} scheduler;

/* Users by counting: user_start[i] .. user_start[i + 1] are those of step i. */
static void find_users(scheduler *s)
{
    int n = s->p->steps.n;
    memset(s->user_start, 0, ((size_t)n + 2) * sizeof *s->user_start);
    for (int i = 0; i < n; i++) {
        const step *x = &s->p->steps.at[i];
        s->waits[i] = 0, s->depth[i] = 0;
        for (int k = 0; k < x->n; k++) {
            if (!is_step(x->arg[k])) continue;
            s->user_start[x->arg[k] + 2]++, s->waits[i]++;
            if (s->depth[x->arg[k]] >= s->depth[i]) s->depth[i] = s->depth[x->arg[k]] + 1;
        }
    }
    for (int i = 0; i < n; i++) s->user_start[i + 2] += s->user_start[i + 1];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < s->p->steps.at[i].n; k++)
            if (is_step(s->p->steps.at[i].arg[k]))
                s->user[s->user_start[s->p->steps.at[i].arg[k] + 1]++] = i;
}

/* Into the part of the queue that its opcode has. */
static void make_ready(scheduler *s, int i)
{
    agenda *a = &s->of[s->p->steps.at[i].op];
    s->queue[a->tail++] = i;
}

/* Parts of the queue are as long as their opcode has steps. */
static void fill_agendas(scheduler *s)
{
    int n = s->p->steps.n, first = 0;
    for (int i = 0; i < n; i++) {
        agenda *a = &s->of[s->p->steps.at[i].op];
        a->left++, a->depth += s->depth[i];
    }
    for (int op = 0; op < OP_COUNT; op++) {
        agenda *a = &s->of[op];
        a->first = a->head = a->tail = first;
        first += a->left;
    }
    for (int i = 0; i < n; i++)
        if (!s->waits[i]) make_ready(s, i);
}

/*     least depth/left, compared by products */
static expr_op choose(const scheduler *s)
{
    int best = -1;
    for (int op = 0; op < OP_COUNT; op++) {
        const agenda *a = &s->of[op], *b = &s->of[best < 0 ? op : best];
        if (a->head < a->tail && (best < 0 || a->depth * b->left < b->depth * a->left)) best = op;
    }
    return (expr_op)best;
}

/* Executes what is ready of one opcode; returns how many steps that were. */
static int execute(scheduler *s, expr_op op, int *order)
{
    agenda *a = &s->of[op];
    int     count = 0;
    while (a->head < a->tail) {
        int i = s->queue[a->head++];
        order[count++] = i;
        a->left--, a->depth -= s->depth[i];
        for (int k = s->user_start[i]; k < s->user_start[i + 1]; k++)
            if (!--s->waits[s->user[k]]) make_ready(s, s->user[k]);
    }
    return count;
}

/* n + 2 starts, 3 n users (a step has at most three operands), and three arrays of n */
void program_schedule(mem *m, const program *p, int *order)
{
    size_t    n = (size_t)p->steps.n;
    scheduler s = {.p = p};
    int      *work = mem_resize(m, NULL, (7 * n + 2) * sizeof *work);
    s.user_start = work, s.user = work + n + 2;
    s.waits = s.user + 3 * n, s.depth = s.waits + n, s.queue = s.depth + n;
    find_users(&s);
    fill_agendas(&s);
    for (int done = 0; done < p->steps.n;) done += execute(&s, choose(&s), order + done);
    mem_drop(m, work);
}
