/* compile.h - a model with its numbers becomes a system: derivatives, kernels, patterns, gather.
 *
 *     const compiled *c = compile(m, md);              kernels and patterns, shared by simulations
 *     bound *b = bound_new(m, c, parameter, input);    one simulation's numbers and registers
 *     dal_system *sys = bound_system(b);               what the methods see */
#ifndef MODEL_COMPILE_H
#define MODEL_COMPILE_H

#include "model/model.h"
#include "model/system.h"

typedef struct compiled compiled; /* immutable: kernels and patterns; many simulations share one */
typedef struct bound    bound;    /* of one simulation: its parameters, inputs, registers         */

const compiled *compile(mem *m, const model *md);
const model    *compiled_model(const compiled *c);

/* The same with a word on what is joined into one program: by size (what compile does), everything,
 * or nothing. The results agree to roundoff. */
typedef enum { MERGE_AUTO, MERGE_ALL, MERGE_NONE } merging;
compiled *compile_merging(mem *m, const model *md, merging how);

/* parameter is read now and by bound_refresh: call that after a change. input is read at each
 * evaluation; the caller may change it between steps. Both must outlive the bound. The system of a
 * bound leaves out arrays of sys_values that are NULL. */
bound      *bound_new(mem *m, const compiled *c, const double *parameter, const double *input);
void        bound_refresh(bound *b);
dal_system *bound_system(bound *b);
bound      *bound_of(const dal_system *sys); /* whose system it is; NULL: not that of a bound */

/* Inputs that are functions of time: at(self, t, u) writes them at each point's t; u holds the
 * present `input` on entry. slope(self, t, u) writes their time derivatives; u is 0 on entry. All
 * derivatives in explicit time then include them. m is that of b. */
typedef struct {
    void (*at)(void *self, double t, double *u), (*slope)(void *self, double t, double *u);
    void  *self;
} input_course;
void bound_follow(mem *m, bound *b, const input_course *along);

/* Does a holonomic relation hold the input, so that it has to be continuous? */
bool input_moves(const compiled *c, int input);

/* bound_native.c: has the programs that serve n requests compiled, and runs them from now on; the
 * bits stay the same, and the code lives in m. If there is none, why says what was in the way, and
 * the interpreters go on. Costs are guesses: one evaluation of each request by interpreters, of
 * which sines and the like in loops over instances cost call_ns more, also compiled; and the
 * compilation; written counts the operations if every instance of a term is written out. */
typedef struct {
    double interpreter_ns, call_ns, compile_seconds, written;
} bound_costs;
bound_costs bound_cost(mem *m, bound *b, const unsigned *want, int n);
bool        bound_native(mem *m, bound *b, const unsigned *want, int n, text *why);

/* The inputs at t, those that follow a file looked up; valid until the next call. */
const double *bound_input(bound *b, double t);

/* Outputs and momenta of symmetries at a state (model.outputs + model.symmetries columns). lam, by
 * row of the system, may be NULL if there are no relations. */
void bound_outputs(bound *b, double t, const double *q, const double *v, const double *p,
                   const double *lam, double *out);

/* Which of their expressions is not finite at that state? "sqrt(1 - x) is not finite (x = 1.1) at
 * wave.dal:7"; false: none. */
bool bound_outputs_nonfinite_source(bound *b, double t, const double *q, const double *v,
                                    const double *p, const double *lam, text *out);

/* The numbers of the picture (model.drawn of them), which depend on t and q only. Its programs are
 * made before the first. */
void bound_prepare_drawing(bound *b, mem *m);
void bound_draw(bound *b, double t, const double *q, double *out);

/* Energy L_v.v - L (or H) of each part with all below it: model.parts.n numbers; [0]: the whole. */
void bound_energies(bound *b, double t, const double *q, const double *v, const double *p,
                    double *out);

/* Power f.v of the forces written in each part and all below it; [0] is the whole. */
void bound_powers(bound *b, double t, const double *q, const double *v, const double *p,
                  double *out);

/* What forces and terms of L and H that are written outside a part pass into it: they act on its
 * coordinates, and their energy belongs to where they are written.              theory.md [POWER]
 *     f_i v_i;     v_i (L_q - d/dt L_v)_i;     -(H_q v + H_p p')_i
 * Two lists of them, since forces may be sampled at points of their own; and what time does that is
 * written in L and H, -L_t and H_t, into the part of the term. NULL: there are none. */
typedef struct transfers transfers;
typedef enum {
    TRANSFERS_OF_FORCES,
    TRANSFERS_OF_L,
    TRANSFERS_OF_TIME,
    TRANSFER_KINDS
} transfer_kind;
transfers *bound_transfers(bound *b, mem *m, transfer_kind of);
bool       transfers_need_rates(const transfers *x); /* else w' may be NULL */
void       transfers_eval(transfers *x, double t, const double *q, const double *v, const double *p,
                          const double *rate, double *out); /* into each part with all below it */

/* The row of relation a of the model, and back: velocity constraints come first. */
int  compiled_row(const compiled *c, int a);
int  compiled_relation(const compiled *c, int row);
span relation_place(const compiled *c, int row); /* where it was written; c NULL: nowhere */

#endif
