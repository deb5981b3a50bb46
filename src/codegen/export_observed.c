/* export_observed.c - outputs and reactions of the model as it was written, as generated code for a
 * stepper in a file of its own: what step/observed.h needs of the model. */
#include "codegen/inside.h"

enum { NODES_MOST = 60000 };

/* A program of all roots of some fields; called seldom, so its sines are left to libm. */
static void choose(codegen *f, program *p, const char *title, const field_name *of, int count)
{
    program_init(f, p, title, 1);
    for (int k = 0; k < f->f->roots; k++)
        for (int a = 0; a < count; a++)
            if (f->f->root[k].of == of[a]) program_add(f, p, &f->f->root[k]);
    program_make(f, p);
    p->seldom = true;
    program_write(f, p);
}

/* The beginning of a function of the state: what programs read, and a call of one. */
static void open_function(codegen *f, const program *p, const char *head)
{
    text_printf(
        &f->w.out,
        "static void %s\n{\n"
        "    const real *const tR = x->t, *const qR = x->q, *const wR = x->w, *const vR = x->v;\n"
        "    const real *const pR = x->p, *const lamR = x->lam, *const energyR = x->energy;\n"
        "    const real *const par = s->par, *const u = s->u;\n"
        "    real oR[%d];\n    (void)energyR;\n    (void)tR;\n    (void)qR;\n    (void)wR;\n    (void)vR;\n"
        "    (void)pR;\n    (void)lamR;\n    (void)par;\n    (void)u;\n    (void)oR;\n    %s",
        head, p->slots ? p->slots : 1, program_call(f, p, AT_RULE));
}

/*     p_i = L_w of Lagrangian coordinates */
static void write_momenta(codegen *f, const export_facts *x)
{
    static const field_name of[] = {FIELD_LW};
    program                 p;
    choose(f, &p, "whole_gradient", of, 1);
    open_function(f, &p,
                  mem_printf(f->w.m, "whole_momenta(const %s *s, observation *x)", f->state));
    for (int i = 0; i < x->coordinates; i++) {
        const int o = program_slot(&p, FIELD_LW, i, -1);
        if (x->hamiltonian && x->hamiltonian[i]) continue;
        text_printf(&f->w.out, "    x->p[%d] = %s;\n", i,
                    o < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", o));
    }
    text_add(&f->w.out, "}\n\n");
}

static bool is_phase_of(const export_facts *x, int i)
{
    return x->hamiltonian && x->hamiltonian[i];
}

/* The rows of L_ww, L_q + f and L_wq v + L_wt; of a Hamiltonian coordinate the last are in the rows
 * of the relations that hold its velocity. */
static void write_motion(codegen *f, const export_facts *x, const program *p, int K)
{
    text *t = &f->w.out;
    for (int i = 0; i < x->coordinates; i++)
        if (is_phase_of(x, i)) text_printf(t, "    a[%d] = 1;\n", i * K + i);
    for (int k = 0; k < p->root.n; k++) {
        const field_root *r = p->root.at[k];
        const int         o = p->slot[k], row = r->of == FIELD_LQW ? r->column : r->row;
        if (r->of == FIELD_LQ || r->of == FIELD_F) text_printf(t, "    r[%d] += oR[%d];\n", row, o);
        if (row >= x->coordinates || is_phase_of(x, row)) continue;
        if (r->of == FIELD_LWT) text_printf(t, "    r[%d] -= oR[%d];\n", row, o);
        if (r->of == FIELD_LQW) text_printf(t, "    r[%d] -= oR[%d] * vR[%d];\n", row, o, r->row);
        if (r->of == FIELD_LWW) text_printf(t, "    a[%d] = oR[%d];\n", row * K + r->column, o);
    }
}

/*     -Omega x L_Omega of rotations, whose rows are in body axes               theory.md [ROTATION]
 */
static void write_turning(codegen *f, const program *p)
{
    const turning *t = f->st->sys->turns;
    for (int k = 0; t && k < t->count; k++)
        for (int c = 0; c < 3; c++)
            for (int a = 1; a < 3; a++) {
                const int of = t->first[k] + (c + a) % 3, by = t->first[k] + (c + 3 - a) % 3;
                const int o = program_slot(p, FIELD_LW, by, -1);
                if (o >= 0)
                    text_printf(&f->w.out, "    r[%d] %s vR[%d] * oR[%d];\n", t->first[k] + c,
                                a == 1 ? "-=" : "+=", of, o);
            }
}

/*     v' = -(L_wq v + L_wt) - L_ww p' of a Hamiltonian coordinate j, times A_aj */
static void write_phase_rate(codegen *f, const program *p, int row, int j, int A, int K)
{
    text *t = &f->w.out;
    for (int k = 0; k < p->root.n; k++) {
        const field_root *r = p->root.at[k];
        const int         o = p->slot[k];
        if (r->of == FIELD_LWW && r->row == j)
            text_printf(t, "    a[%d] -= oR[%d] * oR[%d];\n", row * K + r->column, A, o);
        if (r->of == FIELD_LWT && r->row == j)
            text_printf(t, "    r[%d] += oR[%d] * oR[%d];\n", row, A, o);
        if (r->of == FIELD_LQW && r->column == j)
            text_printf(t, "    r[%d] += oR[%d] * oR[%d] * vR[%d];\n", row, A, o, r->row);
    }
}

/* A in both borders, and -(e_q v + e_t); a relation that repeats others has no reaction. */
static void write_borders(codegen *f, const export_facts *x, const program *p, int K)
{
    text *t = &f->w.out;
    for (int a = 0; a < x->relations; a++)
        if (x->repeats && x->repeats[a])
            text_printf(t, "    a[%d] = 1;\n", (x->coordinates + a) * (K + 1));
    for (int k = 0; k < p->root.n; k++) {
        const field_root *r = p->root.at[k];
        const int         o = p->slot[k], row = x->coordinates + r->row;
        if (r->of != FIELD_A && r->of != FIELD_EQ && r->of != FIELD_ET) continue;
        if (x->repeats && x->repeats[r->row]) continue;
        if (r->of == FIELD_ET) text_printf(t, "    r[%d] -= oR[%d];\n", row, o);
        if (r->of == FIELD_EQ) text_printf(t, "    r[%d] -= oR[%d] * vR[%d];\n", row, o, r->column);
        if (r->of != FIELD_A) continue;
        text_printf(t, "    a[%d] = -oR[%d];\n", r->column * K + row, o);
        if (is_phase_of(x, r->column)) write_phase_rate(f, p, row, r->column, o, K);
        else text_printf(t, "    a[%d] += oR[%d];\n", row * K + r->column, o);
    }
}

static void write_equations(codegen *f, const export_facts *x)
{
    static const field_name of[] = {FIELD_LQ, FIELD_F,  FIELD_LQW, FIELD_LWT, FIELD_LWW,
                                    FIELD_A,  FIELD_EQ, FIELD_ET,  FIELD_LW};
    const int               K = x->coordinates + x->relations;
    program                 p;
    choose(f, &p, "whole_fields", of, (int)(sizeof of / sizeof *of) - !f->st->sys->turns);
    open_function(f, &p,
                  mem_printf(f->w.m,
                             "whole_equations(const %s *s, const observation *x, real *r, real *a)",
                             f->state));
    text_add(&f->w.out, "    (void)r;\n");
    write_motion(f, x, &p, K), write_turning(f, &p), write_borders(f, x, &p, K);
    text_add(&f->w.out, "}\n\n");
}

/* Does an output hold a reaction? */
static bool outputs_react(const fields *f)
{
    for (int k = 0; f && k < f->roots; k++)
        if (f->root[k].reads & 1u << READ_LAM) return true;
    return false;
}

static bool hold_energies(const fields *f)
{
    for (int k = 0; k < f->roots; k++)
        if (f->root[k].of == FIELD_PART) return true;
    return false;
}

/* What each part has of its own, and then with all that it holds. */
static void write_energies(codegen *f, const export_facts *x)
{
    static const field_name of[] = {FIELD_PART};
    program                 p;
    choose(f, &p, "whole_parts", of, 1);
    open_function(f, &p,
                  mem_printf(f->w.m, "whole_energies(const %s *s, observation *x)", f->state));
    for (int k = 0; k < x->parts; k++) {
        const int o = program_slot(&p, FIELD_PART, k, -1);
        text_printf(&f->w.out, "    x->energy[%d] = %s;\n", k,
                    o < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", o));
    }
    for (int k = x->parts - 1; k > 0; k--)
        text_printf(&f->w.out, "    x->energy[%d] += x->energy[%d];\n", x->parent[k], k);
    text_add(&f->w.out, "}\n\n");
}

static void write_outputs(codegen *f, const export_facts *x)
{
    static const field_name of[] = {FIELD_COLUMN};
    program                 p;
    choose(f, &p, "whole_columns", of, 1);
    open_function(f, &p,
                  mem_printf(f->w.m, "whole_outputs(const %s *s, const observation *x, real *out)",
                             f->state));
    for (int k = 0; k < x->outputs; k++) {
        const int o = program_slot(&p, FIELD_COLUMN, k, -1);
        text_printf(&f->w.out, "    out[%d] = %s;\n", k,
                    o < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", o));
    }
    text_add(&f->w.out, "}\n\n");
}

bool observed_write(codegen *f, const export_facts *x)
{
    const fields *whole = fields_new(f->w.m, x->whole, NODES_MOST);
    const fields *out = fields_outputs(f->w.m, x->whole, NODES_MOST);
    if (!whole || !out) return false;
    text_printf(
        &f->w.out,
        "#define MODEL_RELATIONS %d\n#define MODEL_OUTPUTS %d\n#define OUTPUTS_REACT %d\n"
        "#define OUTPUTS_HOLD_ENERGIES %d\n#define MODEL_EQUATIONS (MODEL_COORDINATES + MODEL_RELATIONS)\n\n"
        "/* time; q, w (v, or p of Hamiltonian coordinates), v and p; reactions, energies\n"
        " * of parts */\n"
        "typedef struct {\n    real t[1], q[%d], w[%d], v[%d], p[%d], lam[%d], energy[%d];\n"
        "} observation;\n\n",
        x->relations, x->outputs, outputs_react(out), hold_energies(out),
        f->st->sys->turns ? f->st->turn.width : x->coordinates, x->coordinates, x->coordinates,
        x->coordinates, x->relations ? x->relations : 1, hold_energies(out) ? x->parts : 1);
    f->f = whole, f->phase = 1; /* w is passed as such */
    write_momenta(f, x);
    if (x->relations) write_equations(f, x);
    f->f = out;
    if (hold_energies(out)) write_energies(f, x);
    if (x->outputs) write_outputs(f, x);
    verbatim_named(f, "observed.h", x->name);
    return true;
}
