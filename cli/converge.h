/* converge.h - the other ways in which `dalembert converge` shows its table. */
#ifndef CLI_CONVERGE_H
#define CLI_CONVERGE_H

#include "cli.h"

void convergence_json(const dal_convergence *c, FILE *out);

/* converge_plot.c: in the format of the suffix; the exit code. */
int convergence_plot(dal_context *cx, const dal_convergence *c, const char *path);

#endif
