/* bound.h - inside the compiler: the numbers and registers of one simulation. */
#ifndef MODEL_BOUND_H
#define MODEL_BOUND_H

#include "model/shape.h"

typedef struct { /* where variables are read from */
    const double *of[FEEDS];
} sources;

/* registers of the programs of one shape; NULL: it has no such program */
typedef struct {
    double       *batch[BUNDLES_MOST], *fixed;
    kernel_lanes *code[BUNDLES_MOST]; /* compiled; NULL: the interpreter runs it */
} shape_registers;

struct bound {
    const compiled  *c;
    dal_system       sys;
    dal_system      *charted; /* what the methods see of it, where something turns; else NULL */
    const double    *parameter, *input;
    double          *u, *zeros; /* inputs at a point, if some follow a file; m + r zeros, for lam */
    sources          from; /* of the point that is evaluated; parameters stay */
    input_course     follow;       /* inputs that follow a file; at NULL: none does           */
    double          *slope, *turn; /* their time derivatives, alone and within a direction    */
    sys_variation   *in_time;      /* derivatives in t; NULL: nothing depends on it */
    bool             relations_follow; /* relations hold inputs                               */
    double          *merged_reg[BUNDLES_MOST];
    kernel_scalar   *merged_code[BUNDLES_MOST]; /* compiled; NULL: the interpreter runs it */
    double          *columns_reg;
    shape_registers *shape_reg, *output_reg, *energy_reg, *power_reg, *draw_reg;
    shape           *draw; /* of the picture; NULL: nothing was drawn yet     */
    int              draws;
    double          *base[SINKS]; /* what does not change; NULL: nothing         */
    double          *energy;      /* of the parts, for outputs that ask for it   */
    double          *values, *scratch; /* of one instance, for naming what is not finite  */
    uint8_t         *used;
};

/* bound.c: of n shapes */
shape_registers *shape_registers_new(mem *m, const shape *s, int n);

/* loads, runs and stores; code: as below */
void bundle_run(const bundle *b, kernel_scalar *code, double *reg, const sources *from, char *out);

/* batch_runs.c; code: NULL, or what runs instead of the interpreter */
void batch_run_as(const derived *d, const batch *b, instance_range these, kernel_lanes *code,
                  double *reg, const sources *from, char *out);
static inline void batch_run(const derived *d, const batch *b, double *reg, const sources *from,
                             char *out)
{
    batch_run_as(d, b, (instance_range){0, d->instances}, NULL, reg, from, out);
}
/* tiles.c: merged programs and those over instances, tile by tile; by: NULL, or whom to tell */
void    bound_eval_tiles(bound *b, unsigned want, int turns, int count, const sys_point *at,
                         sys_values *out, const sys_ranges *by);
sources bound_sources(bound *b, const sys_point *at);

/* follow.c: how fast inputs change at t; and how they change along a direction, which moves t */
const double *bound_slope(bound *b, double t);
const double *bound_turn(bound *b, double t, const sys_direction *along);
void          bound_in_time(bound *b, unsigned want, int count, const sys_point *at,
                            sys_values *out);

/* observe.c: t must outlive them */
sources bound_sources_of_state(bound *b, const double *t, const double *q, const double *v,
                               const double *p, const double *lam);

/* jets.c */
sys_jets *bound_jets(void *self, mem *m, int degree, text *why);

/* vary.c, rates.c */
sys_variation *bound_vary(void *self, mem *m);
sys_rates     *bound_rates(void *self, mem *m);

/* nonfinite_source.c */
void bound_nonfinite_prepare(mem *m, bound *b);
bool bound_nonfinite_source(void *self, const sys_point *at, text *out);

#endif
