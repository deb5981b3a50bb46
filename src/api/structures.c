/* structures.c - Dirac structures, retractions and one-forms as the public header shows them, over
 * those of src/mech. */
#include "api/api.h"
#include "api/retractions.h"
#include "mech/dirac/structure.h"

#include <math.h>
#include <string.h>

struct dal_structure {
    mem          m;
    dal_context *cx;
    structure   *of;
    double      *relation, *generator; /* copies for the caller */
};

/* One-forms. ----------------------------------------------------------------------------------- */

/* A failing function makes everything NaN, which every residual shows. */
static void forms_eval(const void *self, const double *q, double *W, double *dW)
{
    const dal_one_forms *f = self;
    const size_t         count = (size_t)f->rows * (size_t)f->n;
    if (!f->eval(f->self, q, W, dW)) return;
    for (size_t k = 0; k < count; k++) W[k] = (double)NAN;
    for (size_t k = 0; dW && k < count * (size_t)f->n; k++) dW[k] = (double)NAN;
}

/* Constant forms need no function; a caller's struct is copied. */
static one_forms forms_of(mem *m, const dal_one_forms *given)
{
    if (!given->eval) return one_forms_constant(m, given->n, given->rows, given->constant);
    dal_one_forms *kept = mem_array(m, 1, dal_one_forms);
    *kept = *given;
    return (one_forms){.n = kept->n, .m = kept->rows, .self = kept, .eval = forms_eval};
}

/* Making. -------------------------------------------------------------------------------------- */

typedef struct {
    dal_structure        *D;
    dal_side_of           side;
    const dal_one_forms  *W;
    const dal_retraction *R;
    dal_place             at;
    bool                  interacts;
    dal_structure *const *part;
    size_t                parts;
    bool                  side_by_side;
} make_job;

static dal_status refuse(const make_job *job, const char *sentence)
{
    return diag_error(&job->D->cx->ds, DAL_INVALID, span_none(), NULL, "%s", sentence);
}

/* For the caller: the structure itself may be evaluated again as a part of others. */
static void room_for_copies(dal_structure *D)
{
    const structure *s = D->of;
    D->relation = mem_array(&D->m, s->relations + 1, double);
    D->generator = mem_array(&D->m, (size_t)s->generators * 2 * (size_t)s->n + 1, double);
}

/* Everything is checked here, since src/mech takes it for granted. */
static dal_status make_induced(void *self)
{
    static const retraction places[] = {RETRACTION_MIDPOINT, RETRACTION_LEFT, RETRACTION_RIGHT};
    make_job               *job = self;
    const dal_one_forms    *W = job->W;
    mem                    *m = &job->D->m;
    if (W->n < 1 || W->rows < 0 || (!W->eval && !W->constant && W->rows))
        return refuse(job, "one-forms need n >= 1, and eval or constant");
    if (job->R && (job->R->n != W->n || !job->R->apply || !job->R->inverse))
        return refuse(job,
                      "the retraction and the one-forms must have the same n, and a retraction "
                      "has apply and inverse");
    if ((unsigned)job->at > DAL_AT_RIGHT || (unsigned)job->side > DAL_BACKWARD)
        return refuse(job, "a structure is DAL_FORWARD or DAL_BACKWARD, and its constraint at a "
                           "dal_place");
    one_forms      forms = forms_of(m, W);
    retraction_map R = job->R ? retraction_of(m, job->R) : retraction_flat(W->n);
    principle      side = job->side == DAL_FORWARD ? DIRAC_PLUS : DIRAC_MINUS;
    job->D->of = (job->interacts ? structure_interaction : structure_induced)(m, side, &forms, &R,
                                                                              places[job->at]);
    room_for_copies(job->D);
    return DAL_OK;
}

/* Parts stay the caller's and must outlive the combination. */
static dal_status make_combination(void *self)
{
    make_job *job = self;
    mem      *m = &job->D->m;
    if (!job->parts) return refuse(job, "a structure needs at least one part");
    structure **of = mem_array(m, job->parts, structure *);
    for (size_t k = 0; k < job->parts; k++) {
        of[k] = job->part[k]->of;
        if (of[k]->side != of[0]->side)
            return refuse(job, "forward and backward structures cannot be combined");
        if (!job->side_by_side && of[k]->n != of[0]->n)
            return refuse(job, "the bowtie is for two structures on the same coordinates");
    }
    job->D->of = job->side_by_side ? structure_direct_sum(m, of, (int)job->parts)
                                   : structure_bowtie(m, of[0], of[1]);
    room_for_copies(job->D);
    return DAL_OK;
}

/* *out is NULL on failure. */
static dal_status make(dal_context *cx, action *act, make_job job, dal_structure **out)
{
    *out = NULL;
    job.D = object_new(cx, sizeof *job.D);
    if (!job.D) return DAL_NOMEM;
    job.D->cx = cx;
    dal_status bad = guarded(cx, &job.D->m, act, &job);
    if (bad) object_free(job.D);
    else *out = job.D;
    return bad;
}

dal_status dal_structure_induced(dal_context *cx, dal_side_of side, const dal_one_forms *W,
                                 const dal_retraction *R, dal_place at, dal_structure **out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    *out = NULL;
    NEEDS(cx, W);
    return make(cx, make_induced, (make_job){.side = side, .W = W, .R = R, .at = at}, out);
}

dal_status dal_structure_interaction(dal_context *cx, dal_side_of side, const dal_one_forms *W,
                                     const dal_retraction *R, dal_place at, dal_structure **out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    *out = NULL;
    NEEDS(cx, W);
    make_job job = {.side = side, .W = W, .R = R, .at = at, .interacts = true};
    return make(cx, make_induced, job, out);
}

dal_status dal_structure_direct_sum(dal_context *cx, dal_structure *const *list, size_t parts,
                                    dal_structure **out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    *out = NULL;
    for (size_t k = 0; k < parts; k++)
        if (!list || !list[k]) return is_null(cx, __func__, "part");
    make_job job = {.part = list, .parts = parts, .side_by_side = true};
    return make(cx, make_combination, job, out);
}

dal_status dal_structure_bowtie(dal_context *cx, dal_structure *a, dal_structure *b,
                                dal_structure **out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    *out = NULL;
    NEEDS(cx, a);
    NEEDS(cx, b);
    dal_structure *const both[] = {a, b};
    return make(cx, make_combination, (make_job){.part = both, .parts = 2}, out);
}

void dal_structure_free(dal_structure *D)
{
    if (D) object_free(D);
}

int dal_structure_coordinates(const dal_structure *D)
{
    return D->of->n;
}

int dal_structure_relations(const dal_structure *D)
{
    return D->of->relations;
}

/* Evaluation. ---------------------------------------------------------------------------------- */

typedef struct {
    dal_structure *D;
    mem           *room;
    double         h;
    const double  *z, *alpha, *W;
    int            rows, n, dim;
    bool           annihilates;
    double        *basis, *defect, out;
} eval_job;

/* With memory that is gone afterwards; false: there was none. */
static bool evaluated(dal_context *cx, eval_job *job, action *act)
{
    mem room;
    mem_init(&room, cx->heap);
    job->room = &room;
    dal_status bad = guarded(cx, &room, act, job);
    mem_free(&room);
    return !bad;
}

static dal_status residual(void *self)
{
    eval_job *job = self;
    job->out = structure_residual(job->room, job->D->of, job->z, job->alpha, job->h);
    return DAL_OK;
}

/* NaN: there was no memory, or a function failed. */
double dal_structure_residual(dal_structure *D, double h, const double *z, const double *alpha)
{
    eval_job job = {.D = D, .h = h, .z = z, .alpha = alpha};
    return evaluated(D->cx, &job, residual) ? job.out : (double)NAN;
}

static bool is_forward(const dal_structure *D)
{
    return D->of->side == DIRAC_PLUS;
}

void dal_structure_flat(const dal_structure *D, const double *z, double *alpha)
{
    triple_apply(is_forward(D) ? OMEGA_PLUS : OMEGA_MINUS, D->of->n, z, alpha);
}

void dal_structure_differential(const dal_structure *D, const double *q0, const double *q1,
                                const double *D1, const double *D2, double *alpha)
{
    dirac_differential(is_forward(D) ? GAMMA_PLUS : GAMMA_MINUS, D->of->n, q0, q1, D1, D2, alpha);
}

/* NaN where the retraction does not reach. */
void dal_structure_constraint(dal_structure *D, double h, const double *z, double *out)
{
    structure *s = D->of;
    const bool reached = s->eval(s, z, h);
    for (int a = 0; a < s->relations; a++) out[a] = reached ? s->relation[a] : (double)NAN;
}

const double *dal_structure_annihilator(dal_structure *D, double h, const double *z, size_t *count)
{
    structure *s = D->of;
    *count = 0;
    if (!s->eval(s, z, h)) return NULL;
    *count = (size_t)s->generators;
    memcpy(D->generator, s->generator, *count * 2 * (size_t)s->n * sizeof *s->generator);
    return D->generator;
}

/* rows of `size` numbers, dim of them */
static void copy_basis(eval_job *job, const subspace *s)
{
    job->dim = s->dim;
    if (s->dim) memcpy(job->basis, s->basis, (size_t)(s->dim * s->size) * sizeof *s->basis);
}

static dal_status fibre(void *self)
{
    eval_job      *job = self;
    const subspace all = structure_fibre_tangent(job->room, job->D->of, job->z, job->h);
    copy_basis(job, &all);
    if (job->defect) *job->defect = all.dim ? pairing_defect(&all) : (double)NAN;
    return DAL_OK;
}

int dal_structure_fibre(dal_structure *D, double h, const double *z, double *rows, double *defect)
{
    eval_job job = {.D = D, .h = h, .z = z, .basis = rows, .defect = defect};
    return evaluated(D->cx, &job, fibre) ? job.dim : 0;
}

/* Distributions. ------------------------------------------------------------------------------- */

static dal_status find_basis(void *self)
{
    eval_job *job = self;
    subspace  s = job->annihilates ? subspace_span(job->room, job->W, job->rows, job->n)
                                   : subspace_kernel(job->room, job->W, job->rows, job->n);
    copy_basis(job, &s);
    return DAL_OK;
}

int dal_distribution(dal_context *cx, const double *W, int rows, int n, double *out)
{
    eval_job job = {.W = W, .rows = rows, .n = n, .basis = out};
    return evaluated(cx, &job, find_basis) ? job.dim : -1;
}

int dal_annihilator(dal_context *cx, const double *W, int rows, int n, double *out)
{
    eval_job job = {.W = W, .rows = rows, .n = n, .basis = out, .annihilates = true};
    return evaluated(cx, &job, find_basis) ? job.dim : -1;
}

static dal_status find_dirac(void *self)
{
    eval_job      *job = self;
    const subspace D = subspace_dirac(job->room, job->W, job->rows, job->n);
    if (job->basis) copy_basis(job, &D);
    if (job->z) job->out = distance_from_subspace(&D, job->z);
    return DAL_OK;
}

int dal_dirac(dal_context *cx, const double *W, int rows, int n, double *out)
{
    eval_job job = {.W = W, .rows = rows, .n = n, .basis = out};
    return evaluated(cx, &job, find_dirac) ? job.dim : -1;
}

double dal_dirac_residual(dal_context *cx, const double *W, int rows, int n, const double *x)
{
    eval_job job = {.W = W, .rows = rows, .n = n, .z = x};
    return evaluated(cx, &job, find_dirac) ? job.out : (double)NAN;
}

/* A as a full matrix, by rows. */
void dal_relations(dal_sim *s, double *A)
{
    const double  *entry = reading_relations(s);
    const pattern *of = &s->sys->A;
    memset(A, 0, (size_t)of->rows * (size_t)s->sys->n * sizeof *A);
    for (int a = 0; a < of->rows; a++)
        for (int k = of->start[a]; k < of->start[a + 1]; k++)
            A[(size_t)a * (size_t)s->sys->n + (size_t)of->column[k]] = entry[k];
}
