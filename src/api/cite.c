/* cite.c - what to cite of a run: the program, and the papers behind the scheme, the principle and
 * what the model has. */
#include "api/api.h"

#include <errno.h>
#include <string.h>

/* what a reference is for; EVERYTHING: no model is given */
enum {
    ALWAYS = 1,
    FORCED = 2,
    CONSTRAINED = 4,
    HOLONOMIC = 8,
    CONNECTED = 16,
    HAMILTONIAN = 32,
    ADAPTIVE = 64,
    EVERYTHING = 128
};

static const struct {
    const char *key;
    unsigned    when;
    const char *bibtex;
} references[] = {
#define REFERENCE(key, when, bibtex) {key, when, bibtex},
#include "api/references.def"
#undef REFERENCE
};
enum { REFERENCES = sizeof references / sizeof *references };

typedef struct {
    dal_context       *cx;
    mem                m;
    const dal_model   *model;
    const dal_options *options;
    FILE              *file;
    scheme             scheme;
    unsigned           facts;
} cite_job;

/* Facts. --------------------------------------------------------------------------------------- */

/* A connection is cited as such, not as a constraint. */
static unsigned facts_of_text(const model *md)
{
    unsigned facts = 0;
    for (int k = 0; k < md->elements.n; k++)
        if (md->elements.at[k].kind == EL_FORCE) facts |= FORCED;
    for (int a = 0; a < md->relation.n; a++) {
        const relation *r = &md->relation.at[a];
        facts |= r->connection             ? CONNECTED
                 : r->kind == REL_VELOCITY ? CONSTRAINED
                                           : CONSTRAINED | HOLONOMIC;
    }
    for (int i = 0; i < md->coordinates; i++)
        if (md->hamiltonian && md->hamiltonian[i]) facts |= HAMILTONIAN;
    return facts;
}

static unsigned facts_of_functions(const dal_system *sys)
{
    unsigned facts = sys->forced ? FORCED : 0;
    if (sys->m + sys->r) facts |= CONSTRAINED;
    if (sys->r) facts |= HOLONOMIC;
    if (sys->hamiltonian) facts |= HAMILTONIAN;
    return facts;
}

/* The scheme and the principle as they would be run. */
static dal_status read_method(cite_job *job)
{
    static const source step = {"--step", "0.01", 4};
    const subject      *is = &job->model->is;
    request             asked;
    values              val = {0};
    plan                p;
    options_request(job->options, &asked);
    dal_status bad =
        is->md ? is->md->by->evaluate(is->md, &asked.over, &job->cx->ds, &job->m, &val) : DAL_OK;
    if (bad) return bad;
    if (!asked.over.setting[SET_STEP] && !val.set[SET_STEP].given)
        asked.over.setting[SET_STEP] = &step;
    bad = plan_make(&p, &asked, &val, &job->cx->ds, &job->m);
    if (bad) return bad;
    job->scheme = p.scheme;
    job->facts = ALWAYS | (is->md ? facts_of_text(is->md) : facts_of_functions(&is->made->sys));
    if (p.method.principle == ENERGY) job->facts |= ADAPTIVE;
    return DAL_OK;
}

/* Does the scheme consist of what is called "gauss(s)" or "yoshida"? */
static bool uses(const scheme *s, const char *word)
{
    const size_t n = strcspn(word, "( ");
    for (const char *at = s->name; *at; at++) {
        const bool begins = at == s->name || strchr("( ,", at[-1]);
        if (begins && !strncmp(at, word, n) && strchr("( ,)", at[n])) return true;
    }
    return false;
}

/* Rows of the tables of schemes and compositions name what they are to be cited with. */
static bool scheme_cites(const scheme *s, const char *key)
{
    int               count;
    const scheme_row *row = scheme_rows(&count);
    for (int i = 0; i < count; i++)
        if (row[i].cite && !strcmp(row[i].cite, key) && uses(s, row[i].name)) return true;
    const composition_row *of = composition_rows(&count);
    for (int i = 0; i < count; i++)
        if (of[i].cite && !strcmp(of[i].cite, key) && uses(s, of[i].name)) return true;
    return false;
}

/* Printing. ------------------------------------------------------------------------------------ */

static void print_program(text *out)
{
    text_printf(out,
                "@software{dalembert,\n"
                "  author  = {{The dalembert authors}},\n"
                "  title   = {dalembert: structure-preserving simulation},\n"
                "  version = {%s},\n"
                "  note    = {trajectories of version %d},\n"
                "  year    = {2026}\n"
                "}\n",
                DAL_VERSION, DAL_TRAJECTORY_VERSION);
}

/* Without a model all references are printed. */
static dal_status cite(void *self)
{
    cite_job  *job = self;
    text       out = text_new(&job->m);
    dal_status bad = job->model ? read_method(job) : DAL_OK;
    if (bad) return bad;
    if (!job->model) job->facts = EVERYTHING;
    print_program(&out);
    for (int i = 0; i < REFERENCES; i++) {
        const bool of_facts = references[i].when & job->facts || job->facts & EVERYTHING;
        if (!of_facts && !scheme_cites(&job->scheme, references[i].key)) continue;
        text_printf(&out, "\n%s", references[i].bibtex);
    }
    if (fwrite(out.at, 1, out.n, job->file) == out.n) return DAL_OK;
    return diag_error(&job->cx->ds, DAL_IO, span_none(), NULL, "cannot write: %s", strerror(errno));
}

dal_status dal_cite(dal_context *cx, const dal_model *m, const dal_options *o, FILE *out)
{
    NEEDS(NULL, cx);
    NEEDS(cx, out);
    cite_job job = {.cx = cx, .model = m, .options = o, .file = out};
    mem_init(&job.m, cx->heap);
    dal_status bad = guarded(cx, &job.m, cite, &job);
    mem_free(&job.m);
    return bad;
}
