/* converge.h - the other ways in which `dalembert converge` shows its table. */
#ifndef CLI_CONVERGE_H
#define CLI_CONVERGE_H

#include "cli.h"

void convergence_json(const dal_convergence *c, FILE *out);

/* converge_plot.c: by gnuplot, in the format of the suffix. */
int plot_check(const char *path); /* GO_ON, or the exit code: that suffix is none of ours */
int convergence_plot(const dal_convergence *c, const char *path);

#endif
