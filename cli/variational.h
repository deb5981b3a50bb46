/* variational.h - the two ways in which `dalembert check --variational-order` shows its table. */
#ifndef CLI_VARIATIONAL_H
#define CLI_VARIATIONAL_H

#include "cli.h"

void variational_print(const dal_variational *v, FILE *out);
void variational_json(const dal_variational *v, FILE *out);

#endif
