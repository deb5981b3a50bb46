/* test_fuse_step.c - steps written for their system agree with those of the general stepper, on every
 * example and every scheme of the table. */
#include "check.h"
#include "fuse/fuse.h"
#include "lang/load.h"
#include "mech/fused.h"
#include "mech/start.h"
#include "model/compile.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    mem             m;
    diags           ds;
    model          *md;
    values          val;
    const compiled *c;
    dal_system     *sys;
    start           at;
} loaded;

static bool load(loaded *l, const char *path)
{
    static const char *const share[] = {TEST_DATA "/../share"};
    memset(l, 0, sizeof *l);
    mem_init(&l->m, mem_heap_default());
    diags_init(&l->ds, &l->m);
    load_request rq = {.file = path, .directory = share, .directories = 1};
    if (model_load(mem_heap_default(), &l->ds, &rq, &l->md)) return false;
    if (l->md->evaluate(l->md, &(overrides){0}, &l->ds, &l->m, &l->val)) return false;
    l->c = compile(&l->m, l->md);
    l->sys = bound_system(bound_new(&l->m, l->c, l->val.parameter, l->val.input));
    l->at = (start){.q = l->val.q, .v = l->val.v, .p = l->val.p, .given = l->val.given, .project = true};
    text why = text_new(&l->m);
    return !start_complete(&l->m, l->sys, &l->at, &why);
}

static void unload(loaded *l)
{
    if (l->md) model_free(l->md);
    mem_free(&l->m);
}

static double distance(const double *a, const double *b, int n)
{
    double most = 0, size = 1e-300;
    for (int i = 0; i < n; i++) {
        if (!(fabs(a[i] - b[i]) <= most)) most = fabs(a[i] - b[i]);
        size = fmax(size, fabs(a[i]));
    }
    return most / size;
}

enum { REFUSED = -1 };

static double agreement(loaded *l, const char *words, double h, int steps, bool say)
{
    scheme       sch;
    stepper     *a, *b;
    text         why = text_new(&l->m);
    step_options o = {.step = h};
    if (scheme_parse(&sch, words, NULL, &why)) return print_error("%s\n", text_str(&why)), NAN;
    if (stepper_new(&l->m, l->sys, &sch, &o, &a, &why) || stepper_new(&l->m, l->sys, &sch, &o, &b, &why))
        return REFUSED;
    if (!fuse_attach(&l->m, b, l->c, h < 0, l->val.parameter, l->val.input, &why)) {
        if (say) print_message("   not fused: %s\n", text_str(&why));
        stepper_free(a), stepper_free(b);
        return REFUSED;
    }
    double worst = 0;
    stepper_set(a, 0, l->at.q, l->at.p, l->at.v);
    stepper_set(b, 0, l->at.q, l->at.p, l->at.v);
    for (int k = 0; k < steps; k++) {
        double t = k * h;
        if (stepper_step(a, t, h, &why)) { worst = REFUSED; break; }
        if (stepper_step(b, t, h, &why)) { worst = NAN; break; }
        worst = fmax(worst, distance(stepper_q(a), stepper_q(b), l->sys->n));
        worst = fmax(worst, distance(stepper_p(a), stepper_p(b), l->sys->n));
    }
    if (say) print_message("   %-28s %.1e  %s its %ld/%ld\n", words, worst, stepper_is_fused(b) ? "fused" : "GENERIC",
        stepper_statistics(a)->iterations, stepper_statistics(b)->iterations);
    stepper_free(a), stepper_free(b);
    return worst;
}

int main(int argc, char **argv)
{
    loaded l;
    for (int i = 1; i < argc; i++) {
        printf("%s\n", argv[i]);
        if (load(&l, argv[i])) {
            const char *all[] = {"midpoint", "trapezoid", "gauss(2)", "gauss(3)", "lobatto(3)", "radau(2)", "compose(midpoint, yoshida(4))", "polynomial(2) with gauss(3)"};
            for (int k = 0; k < 8; k++) agreement(&l, all[k], 0.01, 20, true);
        } else printf("  not loaded\n");
        unload(&l);
    }
    return 0;
}
