/* state.c - what a caller puts into a simulation between steps: a state, inputs, parameters. */
#include "api/api.h"

#include <math.h>

typedef struct {
    const dal_sim *s;
    const char    *name;
    member_kind    kind;
    int            index;
} member_job;

typedef struct {
    dal_sim      *s;
    member_job    member;
    double        t, value;
    const double *q, *v, *p;
} job;

static dal_status put_state(void *self)
{
    job *j = self;
    return simulation_put(j->s, j->t, j->q, j->v, j->p);
}

dal_status dal_set_state(dal_sim *s, double t, const double *q, const double *v, const double *p)
{
    NEEDS(NULL, s);
    NEEDS(s->cx, q);
    RESTS(s);
    job j = {.s = s, .t = t, .q = q, .v = v, .p = p};
    return guarded(s->cx, &s->m, put_state, &j);
}

/* Names. --------------------------------------------------------------------------------------- */

/* In j->index; the message lists what there is. */
static dal_status find(void *self)
{
    member_job *j = self;
    j->index = -1;
    if (j->s->made) j->index = functions_find(j->s->made, &j->s->cx->m, j->kind, j->name);
    else if (!model_find(j->s->md, j->name, j->kind, &j->index)) j->index = -1;
    if (j->index >= 0) return DAL_OK;
    const model *md = j->s->md;
    const bool   input = j->kind == MEMBER_INPUT;
    return diag_error(
        j->s->ds, DAL_INVALID, span_none(),
        md ? model_list(j->s->ds->m, md, j->kind, input ? md->inputs : model_written(md)) : NULL,
        "there is no %s '%s'", input ? "input" : "parameter", j->name);
}

static dal_status finite(job *j)
{
    if (isfinite(j->value)) return DAL_OK;
    return diag_error(j->s->ds, DAL_INVALID, span_none(), NULL, "%s = %g is not finite",
                      j->member.name, j->value);
}

/* What an outer system gives is not the caller's. */
static dal_status unbound(job *j)
{
    if (!j->s->md || !j->s->md->bound[j->member.index]) return DAL_OK;
    return diag_error(j->s->ds, DAL_INVALID, span_none(), NULL,
                      "the input '%s' is bound by an outer system", j->member.name);
}

/* Positions cannot jump. What follows a file has its values from there, whatever is set. */
static dal_status settable(job *j)
{
    const dal_sim *s = j->s;
    for (int i = 0; i < s->follow.n; i++)
        if (s->follow.at[i].input == j->member.index) return DAL_OK;
    if (!s->md || !input_moves(s->compiled, j->member.index)) return DAL_OK;
    return diag_error(s->ds, DAL_INVALID, span_none(),
                      "let it follow a file, or move a coordinate by a constraint on its velocity",
                      "the input '%s' stands in a holonomic relation, and positions cannot jump",
                      j->member.name);
}

static dal_status set_input(void *self)
{
    job       *j = self;
    dal_status bad = find(&j->member);
    if (!bad) bad = unbound(j);
    if (!bad) bad = settable(j);
    if (!bad) bad = finite(j);
    if (!bad) j->s->val.input[j->member.index] = j->value;
    return bad;
}

dal_status dal_set_input(dal_sim *s, const char *word, double value)
{
    NEEDS(NULL, s);
    if (!word) return is_null(s->cx, __func__, "name");
    job j = {.s = s, .member = {s, word, MEMBER_INPUT, -1}, .value = value};
    return guarded(s->cx, &s->m, set_input, &j);
}

double *dal_inputs(dal_sim *s, size_t *count)
{
    if (count) *count = !s ? 0 : (size_t)(s->made ? s->made->given.inputs : s->md->inputs);
    return s ? s->val.input : NULL;
}

dal_status dal_parameter(const dal_sim *s, const char *word, double *out)
{
    NEEDS(NULL, s);
    if (!word) return is_null(s->cx, __func__, "name");
    NEEDS(s->cx, out);
    member_job j = {s, word, MEMBER_PARAMETER, -1};
    dal_status bad = guarded(s->cx, NULL, find, &j);
    if (!bad) *out = s->val.parameter[j.index];
    return bad;
}

/* The value is refused where the present state does not go with it. */
static dal_status set_parameter(void *self)
{
    job       *j = self;
    dal_status bad = find(&j->member);
    if (!bad) bad = finite(j);
    return bad ? bad : simulation_set_parameter(j->s, j->member.index, j->value);
}

dal_status dal_set_parameter(dal_sim *s, const char *word, double value)
{
    NEEDS(NULL, s);
    if (!word) return is_null(s->cx, __func__, "name");
    job j = {.s = s, .member = {s, word, MEMBER_PARAMETER, -1}, .value = value};
    return guarded(s->cx, &s->m, set_parameter, &j);
}
