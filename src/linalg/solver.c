/* solver.c - the interface to the linear solvers, and the table of their kinds. */
#include "linalg/solver.h"

#include "linalg/kinds.h"
#include "linalg/rescale.h"

#include <string.h>

enum { RESCALED_MOST = 512 }; /* unknowns for which a second look is worth its room */

struct solver {
    const solver_kind *kind;
    void              *self;
    int                n, entries;
    rescaling         *units;  /* NULL: there is no second look           */
    bool               scaled; /* what was factored is the scaled matrix  */
};

/* In order of preference; those that iterate are chosen by solver_for_definite only. What none of
 * them claims goes to the dense one, which takes anything. */
static const solver_kind *const kinds[] = {
    &lu_diagonal,
    &lu_tridiagonal,
    &lu_sparse,
    &lu_band,
    &cg,
    &lu_dense,
#ifdef DAL_HAVE_KLU
    &lu_klu,
#endif
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const solver_kind *const *solver_kinds(int *count)
{
    *count = KINDS;
    return kinds;
}

static const solver_kind *by_name(const char *name)
{
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(kinds[i]->name, name)) return kinds[i];
    return NULL;
}

static const solver_kind *choose(mem *m, const pattern *p)
{
    for (int i = 0; i < KINDS; i++)
        if (!kinds[i]->aim && kinds[i]->fits(m, p)) return kinds[i];
    return &lu_dense;
}

/* The last resort. */
static const solver_kind *general_kind(void)
{
#ifdef DAL_HAVE_KLU
    return &lu_klu;
#else
    return &lu_dense;
#endif
}

solver *solver_new_general(mem *m, const pattern *p)
{
    return solver_new(m, p, general_kind()->name);
}

const char *solver_for_definite(mem *m, const pattern *p)
{
    return choose(m, p) == general_kind() && cg.fits(m, p) ? cg.name : NULL;
}

solver *solver_new(mem *m, const pattern *p, const char *name)
{
    const solver_kind *kind = name ? by_name(name) : choose(m, p);
    if (!kind) return NULL;
    solver *s = mem_take(m, sizeof *s);
    s->kind = kind;
    s->self = kind->analyse(m, p);
    s->n = p->rows, s->entries = pattern_count(p);
    if (p->rows > 1 && p->rows <= RESCALED_MOST && !kind->pivot_at) s->units = rescaling_new(m, p);
    return s->self ? s : NULL;
}

bool solver_factor(solver *s, const double *values)
{
    s->scaled = false;
    if (s->kind->factor(s->self, values)) return true;
    const double *scaled = s->units ? rescaling_apply(s->units, values) : NULL;
    return s->scaled = scaled && s->kind->factor(s->self, scaled);
}

void solver_solve(const solver *s, double *x)
{
    for (int i = 0; i < s->n && s->scaled; i++) x[i] *= s->units->row[i];
    s->kind->solve(s->self, x);
    for (int i = 0; i < s->n && s->scaled; i++) x[i] *= s->units->column[i];
}

const char *solver_name(const solver *s)
{
    return s->kind->name;
}

const char *solver_used(const solver *s)
{
    return s->kind->used ? s->kind->used(s->self) : s->kind->name;
}

const char *solver_title(const solver *s)
{
    return s->kind->title;
}

int solver_patience(solver *s)
{
    return s->kind->patience ? s->kind->patience(s->self) : 0;
}

bool solver_iterates(const solver *s)
{
    return s->kind->aim;
}

bool solver_aim(solver *s, double part, const double *size)
{
    return s->kind->aim && s->kind->aim(s->self, part, size);
}

double solver_work(const solver *s)
{
    return s->kind->work ? s->kind->work(s->self) : s->entries;
}

double solver_effort(const solver *s)
{
    return s->kind->effort ? s->kind->effort(s->self) : 1;
}

const double *solver_past(const solver *s)
{
    return s->kind->pivoted_at ? s->kind->pivoted_at(s->self) : NULL;
}

bool solver_recall(solver *s, const double *past)
{
    if (!past && !s->kind->aim) return false;
    return s->kind->pivot_at && s->kind->pivot_at(s->self, past);
}

void solver_free(solver *s)
{
    if (s && s->kind->free) s->kind->free(s->self);
}
