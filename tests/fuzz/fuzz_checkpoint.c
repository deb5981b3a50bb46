/* fuzz_checkpoint.c - any bytes as a checkpoint. Its length, its checksum and the digest of its
 * texts are put right first, so that what lies behind them is reached; then it is refused, or goes
 * on for a few steps. */
#include "fields.h"

static dal_status tire(void *self, dal_sim *s)
{
    long *left = self;
    (void)s;
    return (*left)-- > 0 ? DAL_OK : DAL_INTERRUPTED;
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
    uint8_t      *copy = malloc(length + 8);
    if (!cx || !copy) abort();
    memcpy(copy, bytes, length);
    agree(copy, length), seal(copy, length);
    use(cx, (char *)copy, length);
    dal_context_free(cx);
    free(copy);
    if (blocks) abort();
    return 0;
}

/* Mostly one field, by its kind; now and then anything. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t most, unsigned seed)
{
    static field all[FIELDS_MOST];
    const int    n = fields_of(bytes, length, all);
    unsigned     any = seed * 2654435761u;
    if (!n || any % 16 == 0) return LLVMFuzzerMutate(bytes, length, most);
    const field   *f = &all[(any >> 4) % (unsigned)n];
    const unsigned how = any >> 28;
    any = seed * 1664525u + 1013904223u;
    if (how == 0) return leave_out(bytes, length, f);
    if (f->kind == OF_TEXT) return change_text(bytes, length, most, f);
    if (how < 3 || !f->count) return change_count(bytes, length, most, f, how == 2);
    return change_number(bytes, f, any), length;
}
