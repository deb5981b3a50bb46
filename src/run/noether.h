/* noether.h - momenta of declared symmetries, and what changes them: J = p.xi - F, of which every
 * curve of a run says exactly what forces, reactions and L add to it.           theory.md
 * [SYMMETRY] */
#ifndef RUN_NOETHER_H
#define RUN_NOETHER_H

#include "base/archive.h"
#include "dalembert.h"
#include "mech/stepper/noether.h"

typedef struct noether noether;
typedef struct dal_sim dal_sim;

noether            *noether_new(dal_sim *s); /* at the start; NULL: no symmetry, or too many */
void                noether_book(noether *x, stepper *st); /* after every curve */
const dal_impulses *noether_read(noether *x, size_t *count);
void                noether_archive(noether *x, archive *r);

#endif
