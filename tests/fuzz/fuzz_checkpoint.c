/* fuzz_checkpoint.c - any bytes as a checkpoint. Its length and checksum are put right first, so
 * that what lies behind them is reached; then it is refused, or goes on for a few steps. */
#include "base/archive.h"
#include "fuzz.h"

#include <string.h>

static dal_status tire(void *self, dal_sim *s)
{
    long *left = self;
    (void)s;
    return (*left)-- > 0 ? DAL_OK : DAL_INTERRUPTED;
}

static void put_right(char *bytes, size_t length)
{
    const uint64_t all = length;
    if (length < 40) return;
    memcpy(bytes + 24, &all, sizeof all);
    uint64_t sum = archive_digest(0, bytes, length - 8);
    memcpy(bytes + length - 8, &sum, sizeof sum);
}

static void use(dal_context *cx, const char *bytes, size_t length)
{
    long            left = 3;
    dal_checkpoint *c = NULL;
    dal_model      *m = NULL;
    dal_sim        *s = NULL;
    if (!dal_checkpoint_parse(cx, bytes, length, &c) && !dal_checkpoint_resume(c, &m, &s))
        dal_run(s, &(dal_observer){.step = tire, .self = &left});
    fuzz_report(cx);
    dal_sim_free(s), dal_model_free(m), dal_checkpoint_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    long          blocks = 0;
    dal_allocator limited = {fuzz_resize, &blocks};
    dal_context  *cx = dal_context_new(&limited);
    char         *copy = malloc(length + 8);
    if (!cx || !copy) abort();
    memcpy(copy, bytes, length);
    if (length % 2 == 0) put_right(copy, length);
    use(cx, copy, length);
    dal_context_free(cx);
    free(copy);
    if (blocks) abort();
    return 0;
}
