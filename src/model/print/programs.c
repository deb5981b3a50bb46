/* programs.c - the programs and the patterns of a compiled model. */
#include "model/naming.h"
#include "model/print/print.h"

static const char *const want_name[] = {"L",
                                        "gradient",
                                        "Hessian",
                                        "force",
                                        "Jacobian of the force",
                                        "time derivatives",
                                        "relations",
                                        "holonomic relations",
                                        "Jacobian of the relations",
                                        "momenta alone"};

/* The bits of a request in words. */
static void print_wants(unsigned want, text *out)
{
    const char *before = "";
    for (int k = 0; k < (int)(sizeof want_name / sizeof *want_name); k++)
        if (want >> k & 1) {
            text_printf(out, "%s%s", before, want_name[k]);
            before = ", ";
        }
}

/* "Lq[3]": where a root of a program goes */
static void print_place(sink s, int index, text *out)
{
    static const char *const name_of_sink[SINKS] = {
#define SINK(name, want, unless, member, space) #name,
#include "model/sinks.def"
#undef SINK
    };
    text_printf(out, "%s[%d]", name_of_sink[s], index);
}

/* Loads, instructions and stores of a merged program. */
static void print_bundle(const compiled *c, const bundle *b, text *out)
{
    text_add(out, "program for ");
    print_wants(b->want, out);
    text_printf(out, ": %d instructions\n", b->k->instructions);
    for (int v = 0; v < b->loads; v++) {
        text_printf(out, "  r%d = ", b->load[v].variable);
        naming_feed(c, b->load[v].from, b->load[v].index, out);
        text_add(out, "\n");
    }
    kernel_print(b->k, out);
    for (int s = 0; s < b->segments; s++)
        for (int k = 0; k < b->segment[s].count; k++) {
            const store *st = &b->store[b->segment[s].first + k];
            text_add(out, "  ");
            print_place(b->segment[s].into, st->index, out);
            text_printf(out, " %s r%d\n", b->segment[s].add ? "+=" : "=", st->reg);
        }
}

/* The same of a program over instances; loads before `still` are equal for all. */
static void print_batch(const compiled *c, const derived *d, const batch *b, text *out)
{
    text_add(out, "program for ");
    if (b->want == ALL_WANTED) text_add(out, "what parameters alone decide");
    else print_wants(b->want, out);
    text_printf(out, ", %d instances", d->instances);
    naming_place(d->of->at, out);
    text_printf(out, ": %d instructions\n", b->k->instructions);
    for (int v = 0; v < b->loads; v++) {
        const feed *f = &d->feed.at[b->load[v]];
        text_printf(out, "  r%d = ", b->load[v]);
        naming_feed(c, f->from, slot_index(&f->at, 0), out);
        text_add(out, v < b->still ? "\n" : ", ...\n");
    }
    kernel_print(b->k, out);
    for (int y = 0; y < b->yields; y++) {
        text_add(out, "  ");
        print_place(b->yield[y]->into, slot_index(&b->yield[y]->to, 0), out);
        text_printf(out, ", ... += r%d\n", b->k->out[y]);
    }
}

void print_programs(const compiled *c, text *out)
{
    for (int k = 0; k < c->merged.bundles; k++)
        if (c->merged.bundle[k].k) print_bundle(c, &c->merged.bundle[k], out);
    for (int s = 0; s < c->shapes; s++) {
        const shape *sh = &c->shape[s];
        for (int k = 0; k < sh->batches; k++)
            if (sh->batch[k].k) print_batch(c, sh->d, &sh->batch[k], out);
        if (sh->fixed.k) print_batch(c, sh->d, &sh->fixed, out);
    }
}

enum { PICTURE = 64 }; /* a larger matrix is drawn smaller */

/* One mark per entry, or per square of entries. */
static void draw(const pattern *p, text *out)
{
    char picture[PICTURE][PICTURE];
    int  most = p->rows > p->columns ? p->rows : p->columns, side = (most + PICTURE - 1) / PICTURE;
    int  height = (p->rows + side - 1) / side, width = (p->columns + side - 1) / side;
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++) picture[i][j] = '.';
    for (int i = 0; i < p->rows; i++)
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            picture[i / side][p->column[k] / side] = '*';
    if (side > 1) text_printf(out, "  (each mark stands for %d x %d)\n", side, side);
    for (int i = 0; i < height; i++) {
        text_add(out, "  ");
        text_add_bytes(out, picture[i], (size_t)width);
        text_add(out, "\n");
    }
}

/* Fields of K with what is known of them, and A. */
void print_pattern(const compiled *c, text *out)
{
    static const char *const field_name[F_COUNT] = {"L_qq", "L_qw",      "L_ww", "f_q",
                                                    "f_w",  "curvature", "D_q",  "D_w"};
    static const char *const changes[] = {"zero", "constant", "changes"};
    const dal_system        *sys = &c->sys;
    int                      entries = pattern_count(&sys->K);
    text_printf(out, "K: %d x %d, %d entries\n", sys->n, sys->n, entries);
    if (sys->n) draw(&sys->K, out);
    for (int f = 0; f < F_COUNT; f++) {
        int present = 0;
        if (f >= F_DQ && !sys->damped) continue;
        for (int k = 0; k < entries; k++) present += sys->present[f][k];
        text_printf(out, "  %-10s %s", field_name[f], changes[sys->varies[f]]);
        if (present) text_printf(out, ", %d entries", present);
        text_add(out, "\n");
    }
    if (!sys->A.rows) return;
    text_printf(out, "A: %d x %d, %d entries, %s\n", sys->A.rows, sys->A.columns,
                pattern_count(&sys->A), sys->constant_A ? "constant" : "changes");
    draw(&sys->A, out);
}
