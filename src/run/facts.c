/* facts.c - the analysis of a model as values with names: a row of facts.def each. */
#include "model/analyse/analyse.h"
#include "run/describe.h"

#include <math.h>

typedef struct {
    size_t             n;
    const char *const *text;
} texts;

/* Ranks were found, and are those of finite numbers. */
static bool is_ranked(const analysis *a)
{
    return a->finite && a->ranked;
}

/* NaN stands for what is not known. */
static double known(bool is, int x)
{
    return is ? x : (double)NAN;
}

static texts listed(mem *m, const model *md, member_kind kind, const int *list, int n)
{
    const char **all = mem_array(m, n, const char *);
    for (int k = 0; k < n; k++) {
        text words = text_new(m);
        model_name(md, kind, list[k], &words);
        all[k] = text_str(&words);
    }
    return (texts){(size_t)n, all};
}

/* Velocity constraints that are holonomic in disguise. */
static texts disguised(mem *m, const model *md, const integrability *v)
{
    int *list = mem_array(m, v ? v->disguises : 0, int);
    for (int k = 0; v && k < v->disguises; k++) list[k] = v->disguised[k].relation;
    return listed(m, md, MEMBER_RELATION, list, v ? v->disguises : 0);
}

static texts directions(mem *m, const model *md, const direction *list, int n)
{
    const char **all = mem_array(m, n, const char *);
    for (int k = 0; k < n; k++) {
        text words = text_new(m);
        analysis_print_direction(&list[k], md, &words);
        all[k] = text_str(&words);
    }
    return (texts){(size_t)n, all};
}

static dal_fact counted(const char *word, double x)
{
    return (dal_fact){.name = word, .kind = DAL_FACT_NUMBER, .number = x};
}

static dal_fact asserted(const char *word, bool is)
{
    return (dal_fact){.name = word, .kind = DAL_FACT_TRUTH, .number = is};
}

static dal_fact named(const char *word, texts all)
{
    return (dal_fact){.name = word,
                      .kind = DAL_FACT_NAMES,
                      .number = (double)all.n,
                      .names = all.n,
                      .text = all.text};
}

/* All in d->m. */
dal_status describe_facts(const description *d, dal_facts *out)
{
    const compiled *c;
    const analysis *a;
    mem            *m = d->m;
    dal_status      bad = describe_analysis(d, &a, &c);
    if (bad) return bad;
    const model   *md = d->of->md;
    const dal_fact all[] = {
#define NUMBER(name, value) counted(#name, value),
#define TRUTH(name, value) asserted(#name, value),
#define NAMES(name, value) named(#name, value),
#include "run/facts.def"
    };
    dal_fact *kept = mem_array(m, sizeof all / sizeof *all, dal_fact);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) kept[k] = all[k];
    *out = (dal_facts){sizeof all / sizeof *all, kept};
    return DAL_OK;
}
