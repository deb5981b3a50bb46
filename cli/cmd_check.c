/* cmd_check.c - dalembert check: what kind of system a model is, and what it allows, without
 * running it. */
#include "cli.h"

static int check_flags(flag_row *out)
{
    out[0] = (flag_row){"equivalence", 0, "V",
                        "run L + alpha V with f - alpha dV/dq instead, and tell how far they part"};
    return 1;
}

static int check(arguments *a)
{
    dal_model  *m = NULL;
    const char *path = a->outputs ? a->output[a->outputs - 1] : "-";
    int         code = load_model(a, &m);
    FILE       *out = code == GO_ON ? open_output(path) : NULL;
    if (code == GO_ON && !out) code = EXIT_IO;
    if (code == GO_ON) {
        const char *potential = own_value(a, "equivalence");
        dal_status  bad = potential ? dal_check_equivalence(m, a->options, potential, out)
                                    : dal_check(m, a->options, out);
        code = exit_code(bad);
        if (code == EXIT_FAILED) code = EXIT_WRONG; /* nothing was run */
    }
    if (out && !close_output(out, path)) code = EXIT_IO;
    dal_model_free(m);
    return code;
}

const command command_check = {
    .name = "check",
    .synopsis = "check MODEL.dal [SYSTEM] [OPTION]...",
    .title = "say what kind of system it is and what it allows",
    .about = "Analyses without running: coordinates and parts, regular or degenerate, constraints "
             "and their rank,\n"
             "cyclic coordinates and symmetries, what depends on time, which schemes fit, whether "
             "the start does.\n"
             "\n"
             "With --equivalence V, a let or an expression of t, parameters and coordinates, it "
             "runs the model with V\n"
             "moved between L and the forces, for alpha = 0, 0.1, ..., 1: the physics is the same, "
             "and the motions agree\n"
             "to roundoff if the scheme takes L and the forces by the same rule.",
    .example = "Examples:\n"
               "  dalembert check circuit.dal\n"
               "  dalembert check circuit.dal --scheme \"rectangle(0)\"\n"
               "  dalembert check henon_heiles.dal --equivalence V --force trapezoid\n",
    .least = 1,
    .most = 2,
    .models = true,
    .flags = check_flags,
    .run = check,
};
