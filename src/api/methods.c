/* methods.c - the tables of schemes, compositions and principles as the public header shows
 * them. */
#include "api/api.h"

size_t dal_method_count(void)
{
    int count;
    scheme_rows(&count);
    return (size_t)count;
}

dal_method dal_method_at(size_t index)
{
    int               count;
    const scheme_row *row = scheme_rows(&count) + index;
    if (index >= (size_t)count) return (dal_method){0};
    return (dal_method){.name = row->name,
                        .example = row->example,
                        .order = row->order,
                        .curve = row->curve,
                        .title = row->title,
                        .cite = row->cite,
                        .claims = row->claims,
                        .points = row->points,
                        .solves = row->solves,
                        .needs = row->needs,
                        .least = row->least,
                        .most = row->most};
}

size_t dal_composition_count(void)
{
    int count;
    composition_rows(&count);
    return (size_t)count;
}

dal_composition dal_composition_at(size_t index)
{
    int                    count;
    const composition_row *row = composition_rows(&count) + index;
    if (index >= (size_t)count) return (dal_composition){0};
    return (dal_composition){row->name, row->order, row->steps, row->title, row->cite};
}

const dal_principle *dal_principles(size_t *count)
{
    static const dal_principle rows[] = {
        {"dirac+", "the forward discrete Dirac structure, Lagrange-d'Alembert with forces and "
                   "constraints; the default"},
        {"dirac-",
         "the backward discrete Dirac structure: the same positions; the papers' momentum is "
         "the one after the kick"},
        {"energy", "time is a variable: every chord conserves the energy, or balances it with the "
                   "work of the forces, which determines the step length"},
    };
    if (count) *count = sizeof rows / sizeof *rows;
    return rows;
}
