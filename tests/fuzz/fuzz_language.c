/* fuzz_language.c - any text as a model: it is read, elaborated, checked and run for a few steps,
 * or refused with a message; nothing else may happen. */
#include "fuzz.h"

#include <string.h>

static dal_status tire(void *self, dal_sim *s)
{
    (void)self;
    return dal_steps(s) < 3 ? DAL_OK : DAL_INTERRUPTED;
}

static void use(dal_context *cx, const char *text)
{
    static FILE *nowhere;
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    if (!nowhere) nowhere = fopen("/dev/null", "w");
    dal_options_set(o, "backend", "vm");
    dal_options_set(o, "limit", "20000"); /* what takes minutes is no finding */
    if (!dal_model_parse(cx, "fuzz.dal", text, o, &m) &&
        dal_model_count(m, DAL_COORDINATES) < 200) {
        dal_check(m, o, nowhere);
        dal_show(m, o, "equations", nowhere);
        if (!dal_sim_new(m, o, &s)) dal_run(s, &(dal_observer){.step = tire});
    }
    fuzz_report(cx);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    long          blocks = 0;
    dal_allocator limited = {fuzz_resize, &blocks};
    dal_context  *cx = dal_context_new(&limited);
    char         *text = malloc(length + 1);
    if (!cx || !text) abort();
    memcpy(text, bytes, length), text[length] = 0;
    use(cx, text);
    dal_context_free(cx);
    free(text);
    if (blocks) abort(); /* something was not given back */
    return 0;
}
