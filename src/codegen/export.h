/* export.h - a stepper as self-contained C99: one source, one header, libm, no allocation, no
 * globals. The step is the text of codegen.h, so it has the bits of the compiled step of a run. */
#ifndef CODEGEN_EXPORT_H
#define CODEGEN_EXPORT_H

#include "base/text.h"
#include "mech/stepper/step.h"
#include "model/compile.h"

typedef struct {
    const char *name; /* what everything begins with: an identifier of C            */
    const char *system, *scheme;
    bool        single; /* float instead of double                                    */
    double      from, h;
    long        steps; /* of the program; -1: as many as it is told                  */
    bool        timed; /* they choose their lengths, and leave no more than `rest` to `until` */
    double      until, rest;
    /* coordinates as they were written, q = slope z + offset; z -1: fixed. NULL: those of the step
     */
    int                coordinates;
    const int         *z;
    const double      *slope, *offset;
    const char *const *coordinate;
    /* what is told of positions, and where each stands in q; NULL: coordinate by coordinate */
    int                positions;
    const char *const *position;
    const int         *place;
    /* of the step: the names of its own coordinates, parameters and inputs, and their values */
    int                parameters, inputs;
    const char *const *unknown, *const *parameter, *const *input;
    const double        *q, *p, *v, *par, *u;
    const unsigned char *bound; /* inputs that the model gives: no place for them is named */
    /* of the model as it was written: its outputs, and its relations by row, some of which repeat
     * others; relation NULL: it has no name */
    const compiled    *whole;
    const uint8_t     *hamiltonian, *repeats;
    int                outputs, relations;
    const char *const *output, *const *relation;
    const char *const *rotation; /* names of rotations and directions */
    int        parts;
    const int *parent; /* of each part; those of the parts within follow */
} export_facts;

typedef struct {
    text source, header, program;
} export_texts;

/* False: it cannot be written, and `why` says why. */
bool export_write(mem *m, const stepper *st, const compiled *c, const export_facts *x,
                  export_texts *out, text *why);

/* export_energy.c: what the energy principle carries from step to step, and when a program ends. */
void        export_balance_type(const export_facts *x, text *t);
const char *export_bounds(mem *m, const stepper *st); /* of the length of a step */
const char *export_goes_on(mem *m, const export_facts *x);

/* Is it an identifier of C and C++ that nothing else is called? */
bool export_name_fits(const char *s);

#endif
