/* The n-th allocation fails, for every n, in what each command does: the call says so, nothing
 * leaks, and no half a file lies under its final name. */
#include "check.h"
#include "dalembert.h"
#include "heap.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const text = "system Pendulum {\n"
                                "  parameter g = 9.81, c = 0.1\n"
                                "  coordinate th\n"
                                "  let V = -g*cos(th)\n"
                                "  lagrangian th'^2/2 - V\n"
                                "  force th: -c*th'\n"
                                "  output height = -cos(th)\n"
                                "  start th = 1\n"
                                "}\n"
                                "simulate {\n"
                                "  scheme = gauss(2)\n"
                                "  step = 0.05\n"
                                "  steps = 4\n"
                                "}\n";

typedef struct {
    dal_context *cx;
    dal_options *o;
    dal_model   *m;
    FILE        *nowhere;
    const char  *path; /* of a checkpoint */
} setting;

typedef dal_status action(setting *s);

static dal_status run(setting *s)
{
    dal_sim   *sim = NULL;
    dal_status bad = dal_sim_new(s->m, s->o, &sim);
    if (!bad) bad = dal_csv_header(sim, s->nowhere);
    if (!bad) bad = dal_run(sim, NULL);
    if (!bad) bad = dal_csv_row(sim, s->nowhere);
    dal_sim_free(sim);
    return bad;
}

static dal_status check(setting *s)
{
    dal_status bad = dal_check(s->m, s->o, s->nowhere);
    return bad ? bad : dal_check_equivalence(s->m, s->o, "V", s->nowhere);
}

static dal_status show(setting *s)
{
    size_t          count;
    const dal_view *view = dal_views(&count);
    dal_status      bad = DAL_OK;
    for (size_t i = 0; i < count && !bad; i++) bad = dal_show(s->m, s->o, view[i].name, s->nowhere);
    return bad;
}

static dal_status converge(setting *s)
{
    dal_convergence *c = NULL;
    dal_status       bad = dal_converge(s->m, s->o, "midpoint", "4..8", &c);
    dal_convergence_free(c);
    return bad;
}

static dal_status variational(setting *s)
{
    dal_variational *v = NULL;
    dal_status       bad = dal_variational_order(s->m, s->o, &v);
    dal_variational_free(v);
    return bad;
}

/* A checkpoint after every step. */
static dal_status keep(void *self, dal_sim *sim)
{
    return dal_sim_save(sim, ((setting *)self)->path);
}

static dal_status save(setting *s)
{
    dal_sim   *sim = NULL;
    dal_status bad = dal_sim_new(s->m, s->o, &sim);
    if (!bad) bad = dal_sim_note(sim, "a", "word");
    if (!bad) bad = dal_run(sim, &(dal_observer){.step = keep, .self = s});
    dal_sim_free(sim);
    return bad;
}

static dal_status resume(setting *s)
{
    dal_checkpoint *c = NULL;
    dal_model      *m = NULL;
    dal_sim        *sim = NULL;
    dal_status      bad = dal_checkpoint_load(s->cx, s->path, &c);
    if (!bad) bad = dal_checkpoint_options(c, s->o);
    if (!bad) bad = dal_checkpoint_resume(c, &m, &sim);
    if (!bad) bad = dal_run(sim, NULL);
    dal_sim_free(sim), dal_model_free(m), dal_checkpoint_free(c);
    return bad;
}

/* Under the name is nothing, or a whole checkpoint. */
static bool is_whole_or_absent(const char *path)
{
    dal_checkpoint *c = NULL;
    if (access(path, F_OK)) return true;
    dal_context *cx = dal_context_new(NULL);
    bool         whole = dal_checkpoint_load(cx, path, &c) == DAL_OK;
    dal_checkpoint_free(c), dal_context_free(cx);
    return whole;
}

typedef struct {
    const char *name;
    action     *act;
    const char *path;
} job;

static int use(scarce_heap *h, void *self)
{
    const job    *j = self;
    dal_allocator allocator = {scarce_resize, h};
    setting       s = {.cx = dal_context_new(&allocator), .path = j->path};
    dal_status    status = DAL_NOMEM;
    s.nowhere = fopen("/dev/null", "w");
    s.o = s.cx ? dal_options_new(s.cx) : NULL;
    if (s.o) status = dal_options_set(s.o, "backend", "vm");
    if (!status) status = dal_model_parse(s.cx, "pendulum.dal", text, s.o, &s.m);
    if (!status) status = j->act(&s);
    if (s.cx) dal_report(s.cx, s.nowhere, 0);
    dal_model_free(s.m), dal_options_free(s.o), dal_context_free(s.cx);
    fclose(s.nowhere);
    return is_whole_or_absent(j->path) ? (int)status : -1;
}

static void any_allocation_of_every_command_may_fail(void **state)
{
    char path[] = "/tmp/dalembert-faults-XXXXXX";
    int  file = mkstemp(path);
    job  all[] = {{"run", run, path},
                  {"check", check, path},
                  {"show", show, path},
                  {"converge", converge, path},
                  {"variational", variational, path},
                  {"save", save, path},
                  {"resume", resume, path}};
    (void)state;
    assert_true(file >= 0 && !close(file) && !unlink(path));
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const long tried = heap_fails_everywhere(use, &all[k], DAL_OK, DAL_NOMEM);
        print_message("%s: %ld allocations\n", all[k].name, tried);
        assert_true(tried > 0);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_allocation_of_every_command_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
