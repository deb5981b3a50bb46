/* passes_groups.c - C text of the two passes of a step of a large linear chain over one group of
 * partitions: the sums of the model, and step/linear_chain.h around them. */
#include "mech/large/passes_inside.h"
#include "step/embedded.h"

/* Momenta at the end of the step, and their contributions to the sums. */
static void write_momenta(const passes *p, text *out)
{
    static const char *const from[] = {"p", "p_low", "z", NULL};
    static const char *const into[] = {"to", "to_low", "F", NULL};
    const row_function       momenta = {
              .name = "momenta",
              .wanted = OF_MOMENTUM,
              .reads = from,
              .writes = into,
              .each = "MOVE(to[i], to_low[i], p[i], p_low[i], sum);",
              .force = p->forced ? "F[i] = force;" : NULL,
              .each_four = "v4 next; MOVE4(next, V(to_low + i), V(p + i), V(p_low + i), sum); "
                                 "V(to + i) = next;",
              .force_four = "V(F + i) = force;",
              .sums = "tally *count",
              .begin = "v4 finite = count->finite, work = count->work;",
              .count = p->forced ? "finite += next; work += force * V(z + i);" : "finite += next;",
              .end = "count->finite = finite, count->work = work; "
                           "count->from = qa + head, count->to = qa + i;"};
    row_plan_function(p->plan, &momenta, out);
}

/* BEFORE: rows before a tile, in whole cache lines. */
void passes_write_linear(const passes *p, text *out)
{
    text_printf(out,
                "#define BEFORE ((2 * HALO + 7) / 8 * 8)\n#define FORCED %d\n#define FOUND %d\n",
                p->forced, FOUND);
    text_add(out, "typedef struct pass pass;\n");
    write_momenta(p, out);
    text_add(out, step_text("cubic.h")), text_add(out, step_text("linear_chain.h"));
}
