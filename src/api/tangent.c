/* tangent.c - the tangent of a step through the public header. */
#include "api/api.h"

typedef struct {
    dal_sim             *s;
    size_t               count;
    const dal_direction *along;
    double              *out;
} job;

static dal_status along_all(void *self)
{
    job *j = self;
    return simulation_tangent(j->s, j->count, j->along, j->out);
}

/* out: count rows of dal_tangent_size numbers. */
dal_status dal_tangent(dal_sim *s, size_t count, const dal_direction *along, double *out)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, along);
    NEEDS(s->cx, out);
    job j = {s, count, along, out};
    return guarded(s->cx, &s->m, along_all, &j);
}

size_t dal_tangent_size(const dal_sim *s)
{
    return s ? simulation_tangent_width(s) : 0;
}

/* Along every number of the state; each gives a column. */
static dal_status full_system_matrix(void *self)
{
    job           *j = self;
    const size_t   n = dal_size(j->s), N = simulation_tangent_width(j->s);
    mem           *m = &j->s->m;
    double        *one = mem_resize(m, NULL, N * N * sizeof *one);
    double        *rows = mem_resize(m, NULL, N * N * sizeof *rows);
    dal_direction *along = mem_resize(m, NULL, N * sizeof *along);
    /* unit vectors, of which q and p are parts */
    for (size_t k = 0; k < N * N; k++) one[k] = k % (N + 1) == 0;
    for (size_t c = 0; c < N; c++)
        along[c] = (dal_direction){
            .q = one + c * N, .p = one + c * N + n, .t = c == 2 * n, .E = c == 2 * n + 1};
    dal_status bad = simulation_tangent(j->s, N, along, rows);
    for (size_t i = 0; i < N && !bad; i++)
        for (size_t c = 0; c < N; c++) j->out[i * N + c] = rows[c * N + i];
    mem_drop(m, along), mem_drop(m, rows), mem_drop(m, one);
    return bad;
}

dal_status dal_tangent_matrix(dal_sim *s, double *matrix)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, matrix);
    job j = {.s = s, .out = matrix};
    return guarded(s->cx, &s->m, full_system_matrix, &j);
}
