/* retractions.h - a caller's retraction as src/mech wants it. */
#ifndef API_RETRACTIONS_H
#define API_RETRACTIONS_H

#include "dalembert.h"
#include "mech/dirac/retraction.h"

/* The struct is copied into m. */
retraction_map retraction_of(mem *m, const dal_retraction *given);

#endif
