/* compose.h - compositions of a symmetric scheme: higher order from substeps gamma_j h. */
#ifndef MECH_SCHEME_COMPOSE_H
#define MECH_SCHEME_COMPOSE_H

#include "mech/scheme/scheme.h"

/* Makes `s` the composition called(order) of itself; messages call it `base`. */
dal_status compose(scheme *s, const char *base, const char *called, double order, text *why);

#endif
