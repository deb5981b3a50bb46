/* export_energy.c - exported steps of the energy principle: the struct that they carry from step to
 * step, which is step_energy of mech/stepper/compiled_step.h, and the end of a program by time. */
#include "codegen/export.h"
#include "mech/stepper/stepper.h"

void export_balance_type(const export_facts *x, text *t)
{
    text_printf(t,
                "/* The balance of energy, which decides how long a step is. */\n"
                "typedef struct {\n"
                "    double until, rest; /* of many steps in one call: where they end */\n"
                "    double least, most; /* bounds of a step; 0: none */\n"
                "    double sign; /* of what decides it */\n"
                "    double E, E_low, shift; /* what the balance says, in two parts */\n"
                "    double t; /* where the last step began */\n"
                "    double h[6]; /* the last lengths, newest first; 0: none yet */\n"
                "    double chord; /* energy at the end of the last step */\n"
                "    double slope, size, noise; /* how well it was decided */\n"
                "    double shortest, longest, error; /* of the steps of one call */\n"
                "} %s_balance;\n\n",
                x->name);
}

const char *export_bounds(mem *m, const stepper *st)
{
    const step_bounds *bounds = &st->energy->bounds;
    char               least[NUMBER_ROOM], most[NUMBER_ROOM];
    number_print(least, bounds->least), number_print(most, bounds->most);
    return mem_printf(m, "#define SHORTEST %s\n#define LONGEST %s\n", least, most);
}

const char *export_goes_on(mem *m, const export_facts *x)
{
    char until[NUMBER_ROOM], rest[NUMBER_ROOM];
    if (!x->timed) return "s.k < steps";
    number_print(until, x->until), number_print(rest, x->rest);
    return mem_printf(m, "count > 1 ? s.k < steps : %s%s_time(&s) - %s%s > %s",
                      x->h < 0 ? "" : "-(", x->name, until, x->h < 0 ? "" : ")", rest);
}
