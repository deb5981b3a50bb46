/* stability.h - what is said of a step that is beyond the stability limit of its scheme, before the
 * run and where one fails. */
#ifndef RUN_STABILITY_H
#define RUN_STABILITY_H

#include "run/simulation.h"

typedef struct {
    mem          *m;
    dal_system   *sys; /* what is solved */
    const scheme *sch;
    double        t, h;
    bool          all; /* rates are to be known in any case */
} stability_question;

/* Does what is fast depend on the state? */
bool stiffness_varies(const dal_system *sys);

/* At the present state of a stepper. */
stability stability_of(const stability_question *ask, stepper *st);

/* "step beyond the stability limit ...", and what would be right. where: "at the start". */
void stability_say(const stability_question *ask, const stability *is, const char *where,
                   text *out);
void stability_advise(const stability_question *ask, const stability *is, text *out);

/* The same as a warning, or that damping rings as a note. */
void stability_tell(const stability_question *ask, const stability *is, diags *ds);

#endif
