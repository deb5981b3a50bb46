/* variational.h - what `dalembert check` shows with `--variational-order`,
 * `--equivalence` and `--duplicate`. */
#ifndef CLI_VARIATIONAL_H
#define CLI_VARIATIONAL_H

#include "cli.h"

void variational_print(const dal_variational *v, FILE *out);
void variational_json(const dal_variational *v, FILE *out);
void equivalence_json(const dal_equivalence *e, FILE *out);

void duplicate_print(const dal_duplicate *d, FILE *out);
void duplicate_json(const dal_duplicate *d, FILE *out);

#endif
