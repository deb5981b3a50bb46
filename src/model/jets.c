/* jets.c - the equations of motion of a model as one program on power series: for shooting curves.
 *
 * L_q + f, L_w and L_ww of the whole system are its roots; higher derivatives along the motion come
 * from the arithmetic of series, so none has to be derived.               theory.md [SHOOTING] */
#include "kernel/jet.h"
#include "model/bound.h"

typedef struct {
    bound      *b;
    const load *variable; /* of the program; parameters and inputs are read at every evaluation */
    int         variables;
} feeding;

/* A constant series: all coefficients but the first are 0, and so are its derivatives. */
static void put_number(jet_interpreter *jm, int variable, double value)
{
    double *x = jet_input(jm, variable);
    for (size_t i = 0; i < jm->stride; i++) x[i] = 0;
    *x = value;
}

/* Parameters and inputs may have changed since the last evaluation, so they are put in each
 * time. */
static void eval(sys_jets *j, int degree, bool second)
{
    const feeding *f = j->self;
    const double  *input = bound_input(f->b, *j->t);
    for (int v = 0; v < f->variables; v++) {
        const load *l = &f->variable[v];
        if (l->from == FROM_PARAMETER) put_number(j->interpreter, v, f->b->parameter[l->index]);
        if (l->from == FROM_INPUT) put_number(j->interpreter, v, input[l->index]);
    }
    jet_interpreter_run(j->interpreter, degree, second);
}

/* The sum that goes to entry `index` of a sink; 0 if nothing does. */
static expr entry_of(merged *g, sink s, int index)
{
    for (int k = g->first[s]; k < g->first[s + 1]; k++)
        if (g->root.at[k].index == index) return g->root.at[k].root;
    return expr_const(&g->g, 0);
}

/* Roots in this order: L_q + f (n), L_w (n), L_ww (n x n, by rows). */
static const kernel *equations_of_motion(mem *m, compiled *c)
{
    const int n = c->sys.n;
    merged   *g = &c->merged;
    expr     *root = mem_array(m, n * (n + 2), expr);
    for (int i = 0; i < n; i++) {
        root[i] = expr_add(&g->g, entry_of(g, SINK_LQ, i), entry_of(g, SINK_F, i));
        root[n + i] = entry_of(g, SINK_LW, i);
        for (int j = 0; j < n; j++) {
            int k = pattern_find(&c->sys.K, i, j);
            root[2 * n + i * n + j] =
                k < 0 ? expr_const(&g->g, 0) : entry_of(g, SINK_LWW, k);
        }
    }
    return kernel_new(m, &g->g, root, n * (n + 2), g->variable.n);
}

/* Where the caller puts t, q, w; those that nothing reads go to a series of no use. */
static void connect(mem *m, sys_jets *j, const feeding *f, int n)
{
    double *unread = mem_array(m, j->interpreter->stride, double);
    j->t = mem_array(m, j->interpreter->stride, double);
    j->q = mem_array(m, n, double *);
    j->w = mem_array(m, n, double *);
    for (int i = 0; i < n; i++) j->q[i] = j->w[i] = unread;
    for (int v = 0; v < f->variables; v++) {
        const load *l = &f->variable[v];
        double     *x = jet_input(j->interpreter, v);
        if (l->from == FROM_TIME) j->t = x;
        if (l->from == FROM_Q) j->q[l->index] = x;
        if (l->from == FROM_W) j->w[l->index] = x;
    }
    j->force = mem_array(m, n, const double *);
    j->Lw = mem_array(m, n, const double *);
    j->Lww = mem_array(m, n * n, const double *);
    for (int i = 0; i < n; i++) {
        j->force[i] = jet_output(j->interpreter, i);
        j->Lw[i] = jet_output(j->interpreter, n + i);
    }
    for (int k = 0; k < n * n; k++) j->Lww[k] = jet_output(j->interpreter, 2 * n + k);
}

/* NULL where an input follows a file: its values are known, not their Taylor series. */
sys_jets *bound_jets(void *self, mem *m, int degree, text *why)
{
    bound *b = self;
    if (b->follow.at) {
        text_add(why, "an input that follows a file has no derivatives");
        return NULL;
    }
    compiled *c = compile_merging(m, b->c->md, MERGE_ALL); /* our own */
    sys_jets *j = mem_array(m, 1, sys_jets);
    feeding  *f = mem_array(m, 1, feeding);
    *f = (feeding){b, c->merged.variable.at, c->merged.variable.n};
    j->interpreter = jet_interpreter_new(m, equations_of_motion(m, c), 2 * c->sys.n, degree);
    j->self = f, j->eval = eval;
    connect(m, j, f, c->sys.n);
    return j;
}
