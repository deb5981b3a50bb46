/* tour.c - a call of almost everything else in dalembert.h, in the order of the header: what a
 * model is, columns, rows, checkpoints, ensembles, methods, orders, structures. */
#include <dalembert.h>

#include <stdlib.h>
#include <string.h>

static const char *const text = "system Pendulum {\n"
                                "  parameter l = 1, g = 9.81\n"
                                "  coordinate theta \"rad\"\n"
                                "  lagrangian l^2*theta'^2/2 + g*l*cos(theta)\n"
                                "  output height = -l*cos(theta)\n"
                                "  start theta = 1\n"
                                "  draw line(0, 0, l*sin(theta), -l*cos(theta))\n"
                                "}\n"
                                "simulate {\n"
                                "  scheme = gauss(2)\n  step = 0.05\n  until = 2\n"
                                "}\n";

static dal_context *cx;

/* Whatever should not fail ends the program with the reason. */
static void must(dal_status status)
{
    if (!status) return;
    fprintf(stderr, "%s\n", dal_status_text(status));
    for (size_t i = 0; i < dal_message_count(cx); i++)
        fprintf(stderr, "  %s\n", dal_message_at(cx, i).text);
    exit(1);
}

static void tell_model(const dal_model *m)
{
    char       name[40];
    dal_facts *facts = NULL;
    printf("%s of %s:", dal_model_system(m), dal_model_file(m));
    for (size_t i = 0; i < dal_model_count(m, DAL_PARAMETERS); i++)
        if (dal_model_name(m, DAL_PARAMETERS, i, name, sizeof name)) printf(" %s", name);
    must(dal_analyse(m, NULL, &facts));
    for (size_t i = 0; i < facts->count; i++)
        if (!strcmp(facts->fact[i].name, "linear"))
            printf("; linear %s\n", facts->fact[i].number == 0 ? "no" : "yes");
    dal_facts_free(facts);
    must(dal_show(m, NULL, "equations", stdout)); /* dal_views lists what else */
}

/* Columns, a row as text, quantities by name, and the lines of a picture. */
static void tell_state(dal_sim *s, const dal_model *m)
{
    size_t             columns, figures;
    const dal_column  *column = dal_columns(s, &columns);
    const dal_drawing *figure = dal_drawings(m, &figures);
    double             height, place[4];
    printf("%zu columns, %s in %s\n", columns, column[1].name, column[1].unit);
    must(dal_csv_header(s, stdout));
    must(dal_csv_row(s, stdout));
    must(dal_measure(s, "height", &height));
    printf("height %.4f", height);
    if (dal_drawn(m) == 4) {
        dal_draw(s, dal_time(s), dal_q(s), place);
        printf(", a %s to (%.4f, %.4f)", dal_figure_name(figure[0].figure), place[2], place[3]);
    }
    printf("\n");
}

/* To the end, back to a checkpoint in memory, to the end once more: the same bits. */
static void go_back(dal_sim *s)
{
    const void     *bytes;
    size_t          length;
    dal_checkpoint *here = NULL;
    must(dal_sim_note(s, "by", "tour.c"));
    must(dal_advance(s, 10));
    must(dal_sim_save_to_memory(s, &bytes, &length)); /* dal_sim_save: to a file */
    must(dal_checkpoint_parse(cx, bytes, length, &here));
    must(dal_run(s, NULL));
    const double first = dal_q(s)[0];
    must(dal_sim_restore(s, here));
    must(dal_run(s, NULL));
    printf("theta(2) = %.6f, %s by %s\n", first, first == dal_q(s)[0] ? "twice" : "once",
           dal_sim_note_of(s, "by"));
    dal_checkpoint_free(here);
}

/* An ensemble over a parameter, as a table. */
static void sweep(const dal_model *m, const dal_options *o)
{
    dal_sweep *w = NULL;
    size_t     columns;
    must(dal_sweep_new(m, o, &w));
    must(dal_sweep_set(w, "grid", "l=1..2/4"));
    must(dal_sweep_run(w, NULL));
    const dal_sweep_column *column = dal_sweep_columns(w, &columns);
    for (size_t i = 0; i < dal_sweep_members(w); i++)
        printf("%s = %.2f: %s = %.4f\n", column[0].name, dal_sweep_member(w, i).value[0],
               column[2].name, dal_sweep_member(w, i).value[2]);
    printf("%zu done\n", dal_sweep_summarise(w)->done);
    dal_sweep_free(w);
}

/* What schemes there are, and the order that two of them have on this model. */
static void converge(const dal_model *m, const dal_options *o)
{
    dal_convergence *c = NULL;
    printf("%zu schemes, %zu compositions\n", dal_method_count(), dal_composition_count());
    must(dal_converge(m, o, "midpoint, gauss(2)", "40..320", &c));
    for (size_t i = 0; i < c->schemes; i++)
        printf("%s: order %d, observed %.1f\n", c->scheme[i].name, c->scheme[i].claimed,
               c->scheme[i].observed[DAL_OF_Q]);
    dal_convergence_free(c);
}

/* The Dirac structure of a skate that points along (1, 0): a pair of points that slides, and no
 * force, belongs to it; one that moves sideways does not. */
static void structures(void)
{
    const double   across[] = {0, 1};
    dal_one_forms  W = {.n = 2, .rows = 1, .constant = across};
    dal_structure *D = NULL;
    double         z[8] = {0, 0, 1, 0, 1, 0, 1, 0}, alpha[8]; /* q0, p0, q1, p1 */
    must(dal_structure_induced(cx, DAL_FORWARD, &W, NULL, DAL_AT_MIDPOINT, &D));
    dal_structure_flat(D, z, alpha);
    printf("along %.0f", dal_structure_residual(D, 1, z, alpha));
    z[5] = 1;
    dal_structure_flat(D, z, alpha);
    printf(", sideways %.0f\n", dal_structure_residual(D, 1, z, alpha));
    dal_structure_free(D);
}

int main(void)
{
    cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    must(dal_options_set(o, "start", "theta=1.5"));
    must(dal_model_parse(cx, "tour.dal", text, o, &m));
    must(dal_sim_new(m, o, &s));
    tell_model(m);
    tell_state(s, m);
    go_back(s);
    sweep(m, o);
    converge(m, o);
    structures();
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return 0;
}
