/* print.h - what was derived, for `show`: the system, its equations, its programs, its patterns. */
#ifndef MODEL_PRINT_PRINT_H
#define MODEL_PRINT_PRINT_H

#include "model/compile.h"

/* Lets keep their names here, and are defined below; NULL: they are put in place. */

/* Coordinates, parameters with their values, inputs, and every term at its first instance. */
void print_system(const compiled *c, const let_list *lets, const double *parameter, text *out);

/* d/dt [dL/dx'] = dL/dx + f + reactions for each coordinate, Hamilton's equations, relations; of a
 * large system the contributions of each kind of term, at its first instance. */
void print_equations(const compiled *c, const let_list *lets, text *out);
void print_equations_latex(const compiled *c, const let_list *lets, text *out);
void print_equations_mathml(const compiled *c, const let_list *lets, text *out); /* and L or H */

void print_programs(const compiled *c, text *out); /* what is run, instruction by instruction */
void print_pattern(const compiled *c, text *out);  /* where the matrices have entries         */

#endif
