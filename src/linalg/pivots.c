/* pivots.c - the pivots of a factorisation, for checkpoints. */
#include "linalg/solver.h"

void solver_archive(solver *lu, const pattern *shape, archive *r, mem *m, const char *name)
{
    const double *before = solver_past(lu);
    const size_t  count = (size_t)pattern_count(shape);
    if (!r->reading) {
        if (before) archive_put_doubles(r, name, before, count);
        return;
    }
    if (!r->bad && archive_count(r, name) < 0) solver_recall(lu, NULL);
    if (r->bad || archive_count(r, name) < 0) return;
    double *entries = mem_resize(m, NULL, count * sizeof *entries);
    archive_doubles(r, name, entries, count);
    if (!r->bad) solver_recall(lu, entries);
    mem_drop(m, entries);
}
