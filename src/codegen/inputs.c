/* inputs.c - inputs that follow a file, in generated steps: before a step they are interpolated at
 * all of its sample points, so that programs read them as they read the time.
 *
 * Input k at point i of a set is u[first + k stride + i], with first = 0 for the points of the
 * rule, so a program at one point reads u[k stride]. Behind the sets come the two ends of the step,
 * for symmetric_projection.c. */
#include "codegen/inside.h"

/* As many numbers as a set can have points. */
static int stride(const codegen *f)
{
    int most = f->d + 1;
    for (point_set set = 0; set < SETS; set++)
        if (f->of[set][1].lanes > most) most = f->of[set][1].lanes;
    return f->by_rates && f->rates.nodes.lanes > most ? f->rates.nodes.lanes : most;
}

/* How many of the variables before number `end` are inputs. */
static int inputs_before(const codegen *f, int end)
{
    int count = 0;
    for (int v = 0; v < end; v++) count += f->f->variable[v].from == READ_INPUT;
    return count;
}

/* Numbers that the inputs at one set of points take. */
static int numbers_of_set(const codegen *f)
{
    return inputs_before(f, f->f->variables) * stride(f);
}

const char *inputs_variable(codegen *f, const program *p, int k)
{
    const int at = inputs_before(f, k) * stride(f);
    return mem_printf(f->w.m, p->lanes == 1 ? "u[%d]" : "u[%d + i]", at);
}

const char *inputs_passed(codegen *f, point_set set)
{
    return set == AT_RULE ? "u" : mem_printf(f->w.m, "u + %d", (int)set * numbers_of_set(f));
}

int inputs_numbers(const codegen *f)
{
    return f->follows ? (SETS + 2) * numbers_of_set(f) : 0;
}

int inputs_at_end(const codegen *f, bool last)
{
    return f->follows ? (SETS + last) * numbers_of_set(f) : 0;
}

/* Variables that a kernel declares but does not use do not count. */
static bool reads_inputs(const codegen *f, const program *p)
{
    for (int v = 0; p->k && v < p->k->inputs; v++)
        if (f->f->variable[v].from == READ_INPUT && program_reads(p, v)) return true;
    return false;
}

/* Does any program read an input at the points of the set? */
static bool is_read_at(const codegen *f, point_set set)
{
    const rate_programs *x = &f->rates;
    if (!f->points[set]) return false;
    if (reads_inputs(f, &f->of[set][0]) || reads_inputs(f, &f->of[set][1])) return true;
    if (!f->by_rates) return false;
    return (set == AT_RULE && (reads_inputs(f, &x->points) || reads_inputs(f, &x->inertia))) ||
           (set == AT_CONTROL && reads_inputs(f, &x->nodes));
}

/* Which input of the model each number is. */
static void write_reads(codegen *f)
{
    int *of = mem_array(f->w.m, f->f->variables, int), count = 0;
    for (int v = 0; v < f->f->variables; v++)
        if (f->f->variable[v].from == READ_INPUT) of[count++] = f->f->variable[v].index;
    write_indices(&f->w, "INPUT_OF", of, count);
    text_printf(&f->w.out, "#define INPUTS %d\n#define INPUTS_READ %d\n#define STRIDE %d\n\n",
                f->f->inputs, count, stride(f));
}

/* Nothing is written for inputs that are constant over a step. */
void inputs_write(codegen *f)
{
    static const char letter[] = "RFKG";
    text             *out = &f->w.out;
    if (!f->follows) return;
    write_reads(f);
    verbatim(f, "inputs.h");
    text_add(out, "static void follow(const STATE *s, real t, real h, real *u)\n{\n"
                  "(void)s;\n(void)t;\n(void)h;\n(void)u;\n");
    for (point_set set = 0; set < SETS; set++)
        if (is_read_at(f, set))
            text_printf(out, "look_up_points(s, t, h, %d, %c_c, %s);\n", f->points[set],
                        letter[set], inputs_passed(f, set));
    if (f->st->massless.ends.fits || f->st->massless.bent)
        text_printf(out, "look_up(s, t, u + %d);\nlook_up(s, t + h, u + %d);\n",
                    inputs_at_end(f, false), inputs_at_end(f, true));
    text_add(out, "}\n\n");
}
