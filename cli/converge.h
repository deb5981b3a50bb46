/* converge.h - the other ways in which `dalembert converge` shows its table. */
#ifndef CLI_CONVERGE_H
#define CLI_CONVERGE_H

#include "cli.h"

void convergence_json(const dal_convergence *c, FILE *out);

/* converge_plot.c: by gnuplot, in the format of the suffix. */
int convergence_plot(const dal_convergence *c, const char *path);

#endif
