/* damped.h - what is simulated, as a scheme takes it. */
#ifndef RUN_DAMPED_H
#define RUN_DAMPED_H

#include "run/simulation.h"

/* With damped(s) every force that holds a velocity is damping: `of` itself where nothing changes by
 * that, else another subject in m.                                        theory.md [DAMPING] */
const subject *subject_for(mem *m, const subject *of, const scheme *sch);

/* Where the model has its first damping; no place: it has none. */
span damping_place(const compiled *c);

#endif
