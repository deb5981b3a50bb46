/* rows.c - what is seen of a run besides its steps: a row for every one of them, and what the
 * summary is made of. */
#include "bench.h"
#include "session.h"

#include <math.h>
#include <stdio.h>

static const char KEPLER[] = "system Kepler {\n coordinate x, y\n"
                             " lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)\n"
                             " start x = 0.4, y' = 2\n}\n";
static const char CHAIN[] =
    "system Chain {\n parameter N = 1000\n coordinate x[N]\n"
    " lagrangian sum(k in 1..N: x[k]'^2/2) - x[1]^2/2 - x[N]^2/2\n"
    " lagrangian -sum(k in 1..N-1: (x[k+1]-x[k])^2/2 + (x[k+1]-x[k])^4/4)\n"
    " for k in 1..N { start x[k] = 0.3*sin(0.37*k) }\n}\n";

enum { COLUMNS = 6 }; /* of Kepler: t, x, y, p(x), p(y), energy */

typedef struct {
    FILE  *file;
    double row[COLUMNS];
} rows;

static dal_status put_row(void *self, dal_sim *s)
{
    rows *to = self;
    dal_row(s, to->row);
    return fwrite(to->row, sizeof to->row, 1, to->file) == 1 ? DAL_OK : DAL_IO;
}

static session begin(const char *model, const char *steps, const char *record)
{
    session x = session_new();
    dal_options_set(x.o, "scheme", "midpoint"), dal_options_set(x.o, "step", "0.01");
    dal_options_set(x.o, "steps", steps), dal_options_set(x.o, "record", record);
    dal_options_set(x.o, "backend", "native");
    if (session_start(&x, "rows", model)) dal_report(x.cx, stderr, 0);
    return x;
}

/* Seconds of a run with all that is seen of it, or of its steps alone. */
static double run(const char *model, const char *steps, const char *record, rows *to)
{
    session x = begin(model, steps, record);
    dal_observer see = {.row = put_row, .self = to};
    double       from = seconds();
    if (dal_run(x.s, to ? &see : NULL)) dal_report(x.cx, stderr, 0);
    const double spent = seconds() - from;
    session_free(&x);
    return spent;
}

static double advance(const char *model, const char *steps, long count)
{
    session x = begin(model, steps, "0");
    double  from = seconds();
    if (dal_advance(x.s, count)) dal_report(x.cx, stderr, 0);
    const double spent = seconds() - from;
    session_free(&x);
    return spent;
}

/* A row as one would write it: the energy, and six numbers. */
static double row_by_hand(FILE *file, long count)
{
    double row[COLUMNS] = {0, 0.4, 0, 0, 2, 0}, from = seconds();
    for (long k = 0; k < count; k++) {
        row[0] = 0.01 * (double)k, row[1] += 1e-9;
        row[5] = (row[3] * row[3] + row[4] * row[4]) / 2 - 1 / hypot(row[1], row[2]);
        if (fwrite(row, sizeof row, 1, file) != 1) return NAN;
    }
    return seconds() - from;
}

static void print(const char *problem, const char *what, const double *t)
{
    printf("| %s | %s | %.1f |\n", problem, what, summarise(t, rounds()).median * 1e9);
    reading(problem, what, t, rounds());
}

static void kepler(void)
{
    enum { STEPS = 200000 };
    double row[ROUNDS], step[ROUNDS], hand[ROUNDS];
    progress("rows", "Kepler");
    for (int r = 0; r < rounds(); r++) {
        rows to = {.file = tmpfile()};
        if (!to.file) return;
        step[r] = advance(KEPLER, "200000", STEPS) / STEPS;
        row[r] = run(KEPLER, "200000", "1", &to) / STEPS - step[r];
        rewind(to.file);
        hand[r] = row_by_hand(to.file, STEPS) / STEPS;
        fclose(to.file);
    }
    print("rows of a Kepler orbit", "a step", step), print("rows of a Kepler orbit", "a row", row);
    print("rows of a Kepler orbit", "a row by hand", hand);
}

static void chain(void)
{
    enum { STEPS = 5000 };
    double watched[ROUNDS], step[ROUNDS];
    progress("rows", "chain of 1000");
    for (int r = 0; r < rounds(); r++) {
        step[r] = advance(CHAIN, "5000", STEPS) / STEPS;
        watched[r] = run(CHAIN, "5000", "0", NULL) / STEPS;
    }
    print("chain of 1000, monitored", "a step", step);
    print("chain of 1000, monitored", "a step of a run", watched);
}

int main(void)
{
    puts("\n## Rows and diagnostics\n\nNanoseconds of processor time. A row holds time, state and "
         "energy, of every step, and goes to a file; a run without rows\nwatches energy, momenta and "
         "balances.\n\n| problem | what | ns |\n|---|---|---|");
    kepler(), chain();
    return 0;
}
