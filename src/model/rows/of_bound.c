/* of_bound.c - the rows of a bound system, as its methods ask for them. */
#include "model/bound.h"
#include "model/rows/runs.h"

static const row_plan *plan_rows(void *self, mem *m, unsigned of, int reach)
{
    return row_plan_new(m, ((const bound *)self)->c, of, reach);
}

static void read_rows(void *self, const row_plan *p, double t, row_reads *out)
{
    *out = row_plan_reads(p, self, t);
}

const sys_rows bound_rows = {plan_rows, read_rows};
