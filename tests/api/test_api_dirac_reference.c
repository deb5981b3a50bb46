/* Constrained, degenerate and Hamiltonian systems, written in the language and run through the
 * public header, against the numbers of an implementation that shares no code with this one. A row
 * of tests/dirac/reference.csv is
 *
 *     model; options; steps; q; p; v; reactions        (what is left empty is not compared)
 */
#include "dirac.h"

enum { FIELDS = 7, ROOM = 16 };

/* Splits a line at ';' in place. */
static void split(char *line, char *field[FIELDS])
{
    line[strcspn(line, "\r\n")] = 0;
    for (int i = 0; i < FIELDS; i++) {
        field[i] = line;
        line += strcspn(line, ";");
        if (*line) *line++ = 0;
    }
}

static int numbers(const char *text, double *out)
{
    int n = 0;
    for (char *end; n < ROOM; text = end, n++) {
        out[n] = strtod(text, &end);
        if (end == text) break;
    }
    return n;
}

/* |got - want| relative to the largest number of the vector, or 1 */
static double distance(const double *got, const char *text)
{
    double want[ROOM], size = 1, most = 0;
    int    n = numbers(text, want);
    for (int i = 0; i < n; i++) size = fmax(size, fabs(want[i]));
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) / size <= most)) most = fabs(got[i] - want[i]) / size;
    return most;
}

static void read_reactions(trial *t, double *out)
{
    char name[64];
    for (size_t i = 0; i < dal_model_count(t->m, DAL_RELATIONS) && i < ROOM; i++) {
        dal_model_name(t->m, DAL_RELATIONS, i, name, sizeof name);
        out[i] = trial_value(t, name);
    }
}

static double row_distance(char *field[FIELDS])
{
    trial  t;
    double reaction[ROOM] = {0}, most;
    char   options[4096], model[256];
    snprintf(model, sizeof model, "dirac/%.200s", field[0]);
    snprintf(options, sizeof options, "%.3800s steps=%.20s", field[1], field[2]);
    trial_run(&t, model, options);
    if (*field[6]) read_reactions(&t, reaction);
    check_below(dal_summarise(t.s)->dirac_residual, 1e-12);
    check_below(dal_summarise(t.s)->constraint_residual, 1e-13);
    most = fmax(distance(dal_q(t.s), field[3]), distance(dal_p(t.s), field[4]));
    most = fmax(most, fmax(distance(dal_v(t.s), field[5]), distance(reaction, field[6])));
    trial_end(&t);
    return most;
}

static void models_of_text_move_as_the_reference_does(void **state)
{
    (void)state;
    FILE  *f = fopen(TEST_DATA "/dirac/reference.csv", "r");
    char   line[4096], *field[FIELDS];
    int    rows = 0, wrong = 0;
    double worst = 0;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (*line == '#') continue;
        split(line, field);
        double off = row_distance(field);
        worst = fmax(worst, off), rows++;
        if (off <= (strcmp(field[2], "1") ? 1e-11 : 1e-12)) continue;
        print_error("%s; %s; %s steps: off by %.2e\n", field[0], field[1], field[2], off);
        wrong++;
    }
    fclose(f);
    print_message("%d rows, none farther than %.1e\n", rows, worst);
    assert_true(rows > 340);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_of_text_move_as_the_reference_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
