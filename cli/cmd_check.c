/* cmd_check.c - dalembert check: what kind of system a model is, and what it allows, without
 * running it. */
#include "cli.h"
#include "described.h"
#include "variational.h"

static int check_flags(flag_row *out)
{
    out[0] = (flag_row){
        "equivalence", 0, "W",
        "run L + alpha W with f less its force instead, and report how far the motions differ"};
    out[1] = (flag_row){"variational-order", 0, NULL,
                        "compare discrete Lagrangian and forces with the exact ones instead"};
    out[2] = (flag_row){"duplicate", 0, NULL,
                        "run the doubled system, without forces, beside the forced one instead"};
    return 3;
}

static dal_status variational_order(arguments *a, const dal_model *m, FILE *out)
{
    dal_variational *v = NULL;
    dal_status       bad = dal_variational_order(m, a->options, &v);
    if (!bad && a->json) variational_json(v, out);
    else if (!bad) variational_print(v, out);
    dal_variational_free(v);
    return bad;
}

static dal_status duplicate(arguments *a, const dal_model *m, FILE *out)
{
    dal_duplicate *d = NULL;
    dal_status     bad = dal_duplicate_of(m, a->options, &d);
    if (!bad && a->json) duplicate_json(d, out);
    else if (!bad) duplicate_print(d, out);
    dal_duplicate_free(d);
    return bad;
}

static dal_status equivalence(arguments *a, const dal_model *m, const char *W, FILE *out)
{
    dal_equivalence *e = NULL;
    if (!a->json) return dal_check_equivalence(m, a->options, W, out);
    dal_status bad = dal_equivalence_of(m, a->options, W, &e);
    if (!bad) equivalence_json(e, out);
    dal_equivalence_free(e);
    return bad;
}

static dal_status choose(arguments *a, const dal_model *m, FILE *out)
{
    const char *W = own_value(a, "equivalence");
    if (own_value(a, "variational-order")) return variational_order(a, m, out);
    if (own_value(a, "duplicate")) return duplicate(a, m, out);
    if (W) return equivalence(a, m, W, out);
    return a->json ? described_check(m, a->options, out) : dal_check(m, a->options, out);
}

/* The model is freed whatever happens; the exit code is that of the first thing that failed. */
static int check(arguments *a)
{
    dal_model  *m = NULL;
    const char *path = a->outputs ? a->output[a->outputs - 1] : "-";
    int         code = load_model(a, &m);
    FILE *out = code == GO_ON ? open_output(path) : NULL;
    if (code == GO_ON && !out) code = EXIT_IO;
    if (out) code = finish_output(out, path, exit_code_unrun(choose(a, m, out)));
    dal_model_free(m);
    return code;
}

const command command_check = {
    .name = "check",
    .synopsis = "check MODEL.dal [SYSTEM] [OPTION]...",
    .title = "analyse a model: constraints, symmetries, fitting schemes",
    .about = "Analyses a model without running it: coordinates and parts, regular or degenerate,\n"
             "constraints and their rank, cyclic coordinates and symmetries, dependence on time,\n"
             "which schemes suit it, how long a step may be for what is fast, and whether the\n"
             "start is consistent.\n"
             "\n"
             "With --equivalence W, a let or an expression in t, parameters, coordinates and,\n"
             "linearly, velocities, it runs the model with W shifted between L and the forces,\n"
             "for alpha = 0, 0.1, ..., 1: the physics is the same, and the motions agree to\n"
             "roundoff if the scheme uses one quadrature for L and the forces, and that\n"
             "integrates what holds velocities exactly.\n"
             "\n"
             "With --variational-order it compares, for at most 64 coordinates, the discrete\n"
             "Lagrangian, discrete forces, momenta, powers and energies on a chord from the\n"
             "start with the exact ones, for steps from eight times the model's downwards, and\n"
             "the equations of the doubled system with the forced ones. With holonomic\n"
             "relations it compares along their surface.\n"
             "\n"
             "With --duplicate it runs L(Q,Q') - L(q,q') - K, which has no forces, from Q = q, with\n"
             "K = (F(q,q') + F(Q,Q')).(q - Q)/2 and two others, and says whether both copies stay\n"
             "together, whether they are the forced run, and which order they have.",
    .example = "Examples:\n"
               "  dalembert check circuit.dal\n"
               "  dalembert check circuit.dal --scheme \"rectangle(0)\"\n"
               "  dalembert check henon_heiles.dal --equivalence V --force trapezoid\n"
               "  dalembert check van_der_pol.dal --variational-order --scheme \"lobatto(3)\"\n",
    .least = 1,
    .most = 2,
    .models = true,
    .json = true,
    .flags = check_flags,
    .run = check,
};
