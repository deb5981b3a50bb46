/* certificate.c - what is known of how well a run was computed: the order that the method claims
 * and the one that was measured, and what the run kept of energy, momenta, constraints and power.
 */
#include "report.h"

#include <math.h>
#include <string.h>

static double number(const json_t *o, const char *key)
{
    const json_t *x = json_object_get(o, key);
    return json_is_number(x) ? json_number_value(x) : (double)NAN;
}

static const char *words(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static void put_end(bytes *b, const json_t *s)
{
    const char *status = words(s, "status");
    bool        done = !strcmp(status, "done");
    fact(b, "status", done ? 1 : -1, done ? "the run reached its end" : words(s, "error"), "%s",
         status);
    fact(b, "steps", 0, "taken, and the time they reached", "%.0f, to t = %.10g",
         number(s, "steps"), number(s, "t"));
}

static void put_order(bytes *b, const json_t *s, const dal_convergence *measured,
                      const char *not_measured)
{
    static const char *const of[DAL_QUANTITIES] = {"order observed in q", "order observed in p",
                                                   "order observed in energy"};
    fact(b, "order claimed", 0, "of the method, where the system allows it", "%.0f",
         number(s, "order"));
    const dal_convergence_scheme *c = measured && measured->schemes ? &measured->scheme[0] : NULL;
    if (!c) fact(b, "order observed", 0, not_measured, "not measured");
    for (int i = 0; c && i < DAL_QUANTITIES; i++) {
        double order = c->observed[i];
        if (isnan(order))
            fact(b, of[i], 0, "the errors are roundoff, or too few of the runs are usable",
                 "not measurable from these runs");
        else
            fact(b, of[i], order > c->claimed - 0.3 ? 1 : -1,
                 "from runs with twice, once and half the step", "%.2f", order);
    }
    for (size_t k = 0; c && k < c->rows; k++) {
        const dal_convergence_row *row = &c->row[k];
        if (row->failure) fact(b, "error", -1, row->failure, "step %.6g: not run", row->step);
        else
            fact(b, "error in q", 0, "the largest, against a finer reference", "%.2e at step %.6g",
                 row->error[DAL_OF_Q], row->step);
    }
}

static void put_energy(bytes *b, const json_t *s)
{
    const json_t *e = json_object_get(s, "energy");
    double        first = number(e, "first"), last = number(e, "last"), least = number(e, "min"),
           most = number(e, "max");
    fact(b, "energy", 0, "first and last; forces and time may change it", "%.10g → %.10g", first,
         last);
    fact(b, "energy, range", 0, "over all monitored states", "%.3g", most - least);
    double balance = number(json_object_get(s, "power_balance"), "max_error");
    if (!isnan(balance))
        fact(b, "power balance", 0, "largest error of energy against work in one step", "%.1e",
             balance);
    if (number(s, "work") != 0)
        fact(b, "work of the forces", 0, "over all steps", "%.6g", number(s, "work"));
    const json_t *d = json_object_get(s, "discrete_energy"), *h = json_object_get(s, "step_range");
    if (d)
        fact(b, "discrete energy", 0, "of the chords, and the largest error of its balance",
             "%.10g, %.1e", number(d, "first"), number(d, "max_error"));
    if (h)
        fact(b, "step", 0, "chosen by the energy principle", "%.6g .. %.6g", number(h, "min"),
             number(h, "max"));
}

static void put_kept(bytes *b, const json_t *s)
{
    enum { MOST = 12 };
    json_t     *momenta = json_object_get(s, "momenta"), *m;
    const char *name;
    int         shown = 0;
    json_object_foreach(momenta, name, m) if (shown++ < MOST)
        fact(b, name, 0, "conserved by a symmetry: first value, largest drift", "%.10g, %.1e",
             number(m, "first"), number(m, "max_drift"));
    double residual = number(json_object_get(s, "constraints"), "max_residual"),
           defect = number(s, "momentum_defect");
    if (residual > 0) {
        fact(b, "constraints", 0, "largest residual", "%.1e", residual);
        fact(b, "Dirac residual", 0, "how far a step is from the discrete Dirac structure", "%.1e",
             number(s, "dirac_residual"));
    }
    if (defect > 0)
        fact(b, "momentum defect", 0, "along coordinates without inertia", "%.1e", defect);
}

static void put_work(bytes *b, const json_t *s)
{
    const json_t *n = json_object_get(s, "newton"), *x = json_object_get(s, "fixed_point"),
                 *t = json_object_get(s, "time");
    double steps = number(s, "steps"), failures = number(n, "failures");
    if (words(s, "solved_by")[0])
        fact(b, "solved by", 0, "what solves a step", "%s", words(s, "solved_by"));
    if (steps > 0 && number(x, "sweeps") > 0)
        fact(b, "fixed point", 0, "sweeps a step, and the most", "%.2f, %.0f",
             number(x, "sweeps") / steps, number(x, "max_sweeps"));
    if (steps > 0 && (number(n, "iterations") > 0 || failures > 0))
        fact(b, "Newton", failures > 0 ? -1 : 0, "iterations a step, and the most", "%.2f, %.0f",
             number(n, "iterations") / steps, number(n, "max_iterations"));
    fact(b, "time", 0, "a step; the whole run", "%.3g µs; %.3g s", number(t, "ns_per_step") / 1e3,
         number(t, "run_s"));
    fact(b, "computed by", 0, "what evaluates the expressions; the linear solver", "%s; %s",
         words(s, "backend"), words(s, "solver"));
}

static void put_warnings(bytes *b, const json_t *s)
{
    json_t *all = json_object_get(s, "warnings"), *one;
    size_t  i;
    if (!json_array_size(all)) {
        fact(b, "warnings", 1, "", "none");
        return;
    }
    html_add(b, "<tr><th scope=\"row\">warnings</th><td colspan=\"2\"><ul class=\"warnings\">\n");
    json_array_foreach(all, i, one)
        html_element(b, "li", json_string_value(one) ? json_string_value(one) : "");
    html_add(b, "</ul></td></tr>\n");
}

void put_certificate(bytes *b, const result *r, const dal_convergence *measured,
                     const char *not_measured)
{
    const json_t *s = r->summary;
    if (!s || !json_object_get(s, "energy")) {
        html_element(b, "p",
                     s ? "The run has not ended: its summary is not there yet."
                       : "The file contains only rows, not how accurately they were computed. "
                         "Results in .h5 and .npz contain that too.");
        return;
    }
    facts_open(b);
    put_end(b, s), put_order(b, s, measured, not_measured), put_energy(b, s), put_kept(b, s),
        put_work(b, s), put_warnings(b, s);
    facts_close(b);
}
