/* retractions.c - retractions of the library and of a caller, one as the other. */
#include "api/retractions.h"

#include "api/api.h"

/* A caller's functions return 0 for success, those of src/mech true. */
static bool given_apply(const void *self, int n, const double *q, const double *v, double *q1,
                        double *by_q, double *by_v)
{
    const dal_retraction *R = self;
    return !R->apply(R->self, n, q, v, q1, by_q, by_v);
}

static bool given_inverse(const void *self, int n, const double *q, const double *q1, double *v,
                          double *by_q, double *by_q1)
{
    const dal_retraction *R = self;
    return !R->inverse(R->self, n, q, q1, v, by_q, by_q1);
}

retraction_map retraction_of(mem *m, const dal_retraction *given)
{
    dal_retraction *kept = mem_array(m, 1, dal_retraction);
    *kept = *given;
    return (retraction_map){
        .n = kept->n, .self = kept, .apply = given_apply, .inverse = given_inverse};
}

/* Those of the library. ------------------------------------------------------------------------ */

/* And back: rows of the library as a caller would write them. */
static int flat_apply(void *self, int n, const double *q, const double *v, double *q1, double *by_q,
                      double *by_v)
{
    return !retraction_flat(n).apply(self, n, q, v, q1, by_q, by_v);
}

static int flat_inverse(void *self, int n, const double *q, const double *q1, double *v,
                        double *by_q, double *by_q1)
{
    return !retraction_flat(n).inverse(self, n, q, q1, v, by_q, by_q1);
}

static int sphere_apply(void *self, int n, const double *q, const double *v, double *q1,
                        double *by_q, double *by_v)
{
    return !retraction_sphere(n).apply(self, n, q, v, q1, by_q, by_v);
}

static int sphere_inverse(void *self, int n, const double *q, const double *q1, double *v,
                          double *by_q, double *by_q1)
{
    return !retraction_sphere(n).inverse(self, n, q, q1, v, by_q, by_q1);
}

dal_retraction dal_retraction_flat(int n)
{
    return (dal_retraction){.n = n, .apply = flat_apply, .inverse = flat_inverse};
}

dal_retraction dal_retraction_sphere(int n)
{
    return (dal_retraction){.n = n, .apply = sphere_apply, .inverse = sphere_inverse};
}

/* In a run. ------------------------------------------------------------------------------------ */

typedef struct {
    dal_options          *o;
    const dal_retraction *R;
} set_job;

/* NULL takes it away again. */
static dal_status set(void *self)
{
    set_job *job = self;
    job->o->map = NULL;
    if (!job->R) return DAL_OK;
    if (job->R->n < 1 || !job->R->apply || !job->R->inverse)
        return diag_error(&job->o->cx->ds, DAL_INVALID, span_none(), NULL,
                          "a retraction has n >= 1, apply and inverse");
    retraction_map *map = mem_array(&job->o->m, 1, retraction_map);
    *map = retraction_of(&job->o->m, job->R);
    job->o->map = map;
    return DAL_OK;
}

dal_status dal_options_retraction(dal_options *o, const dal_retraction *R)
{
    NEEDS(NULL, o);
    set_job job = {o, R};
    return guarded(o->cx, &o->m, set, &job);
}
