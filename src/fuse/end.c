/* end.c - velocities and energy at a state, as generated code: the end solve of mech/end/end.c, for
 * systems whose inertia and relations determine the velocity.
 *
 *     Lambda_w(t,q,w) - A^T nu = p  (w - A^T nu = p for Hamiltonian coordinates),   A v + beta = 0
 *                                                                                 theory.md [END]
 * */
#include "fuse/inside.h"

enum { NODES_MOST = 60000 };

static void choose(fusing *f, program *p, const field_name *of, int count)
{
    for (int k = 0; k < f->f->roots; k++)
        for (int a = 0; a < count; a++)
            if (f->f->root[k].of == of[a]) program_add(f, p, &f->f->root[k]);
    program_make(f, p);
    p->seldom = true;
}

/* Rows and columns are brought to the size of 1 before pivots are sought in both. */
static const char elimination[] =
    "\n/* r = a^-1 r; how many directions a does not determine, which are 0 then, or M + 1: it is\n"
    " * not finite, or first asks for what lies in none of the directions that it has. */\n"
    "static int eliminate(real *a, real *r, int first)\n{\n"
    "    int place[M], rank = 0;\n    real x[M], scale[M], largest = 0;\n"
    "    for (int j = 0; j < M; j++) {\n"
    "        place[j] = j;\n        x[j] = scale[j] = 0;\n    }\n"
    "    for (int i = 0; i < M; i++) {\n"
    "        real most = 0;\n"
    "        for (int j = 0; j < M; j++) {\n"
    "            if (!(fabs(a[i * M + j]) <= MOST && fabs(r[i]) <= MOST)) return M + 1;\n"
    "            most = fabs(a[i * M + j]) > most ? fabs(a[i * M + j]) : most;\n        }\n"
    "        r[i] = most > 0 ? r[i] / most : 0;\n"
    "        if (!(most > 0)) continue;\n"
    "        largest = fabs(r[i]) > largest ? fabs(r[i]) : largest;\n"
    "        for (int j = 0; j < M; j++) {\n"
    "            a[i * M + j] /= most;\n"
    "            scale[j] = fabs(a[i * M + j]) > scale[j] ? fabs(a[i * M + j]) : scale[j];\n"
    "        }\n    }\n"
    "    for (; rank < M; rank++) {\n"
    "        int row = -1, column = -1;\n        real size = 16 * EPSILON;\n"
    "        for (int i = rank; i < M; i++)\n"
    "            for (int j = rank; j < M; j++)\n"
    "                if (fabs(a[i * M + j]) > size * scale[j]) {\n"
    "                    size = fabs(a[i * M + j]) / scale[j];\n"
    "                    row = i;\n                    column = j;\n                }\n"
    "        if (row < 0) break;\n"
    "        for (int j = 0; j < M; j++) {\n"
    "            const real z = a[rank * M + j];\n            a[rank * M + j] = a[row * M + j];\n"
    "            a[row * M + j] = z;\n        }\n"
    "        for (int i = 0; i < M; i++) {\n"
    "            const real z = a[i * M + rank];\n"
    "            a[i * M + rank] = a[i * M + column];\n"
    "            a[i * M + column] = z;\n        }\n"
    "        const real y = r[rank], z = scale[rank];\n"
    "        r[rank] = r[row];\n        r[row] = y;\n"
    "        scale[rank] = scale[column];\n        scale[column] = z;\n"
    "        const int other = place[rank];\n"
    "        place[rank] = place[column];\n        place[column] = other;\n"
    "        for (int i = rank + 1; i < M; i++) {\n"
    "            const real by = a[i * M + rank] / a[rank * M + rank];\n"
    "            for (int j = rank; j < M; j++) a[i * M + j] -= by * a[rank * M + j];\n"
    "            r[i] -= by * r[rank];\n        }\n    }\n"
    "    for (int i = rank; first && i < M; i++)\n"
    "        if (fabs(r[i]) > 4096 * EPSILON * largest) return M + 1;\n"
    "    for (int k = rank - 1; k >= 0; k--) {\n"
    "        for (int j = k + 1; j < rank; j++) r[k] -= a[k * M + j] * r[j];\n"
    "        r[k] /= a[k * M + k];\n        x[place[k]] = r[k];\n    }\n"
    "    for (int k = 0; k < M; k++) r[k] = x[k];\n    return M - rank;\n}\n";

/* Rows of the momenta and their columns; v of Hamiltonian coordinates is known with them. */
static void write_momenta(fusing *f, const program *p, int M)
{
    text *t = &f->w.out;
    for (int i = 0; i < f->n; i++) {
        const int   Lw = program_slot(p, FIELD_LW, i, -1);
        const char *value = Lw < 0 ? "0" : mem_printf(f->w.m, "oR[%d]", Lw);
        if (is_phase(f, i)) {
            text_printf(
                t, "        r[%d] = x[%d] - s->p[%d];\n        a[%d] = 1;\n        v[%d] = -%s;\n",
                i, i, i, i * M + i, i, value);
            continue;
        }
        text_printf(t, "        r[%d] = %s - s->p[%d];\n        v[%d] = x[%d];\n", i, value, i, i,
                    i);
        for (int j = 0; j < f->n; j++) {
            const int Lww = program_slot(p, FIELD_LWW, i, j);
            if (Lww >= 0) text_printf(t, "        a[%d] = oR[%d];\n", i * M + j, Lww);
        }
    }
}

static void write_relations(fusing *f, const program *at, const program *inertia, int M)
{
    text *t = &f->w.out;
    for (int k = 0; k < at->root.n; k++) {
        const field_root *r = at->root.at[k];
        const int         row = f->n + r->row, o = at->slot[k];
        if (r->of == FIELD_E) text_printf(t, "        r[%d] = oG[%d];\n", row, o);
        if (r->of != FIELD_A) continue;
        text_printf(t, "        r[%d] -= oG[%d] * x[%d];\n        a[%d] = -oG[%d];\n", r->column, o,
                    row, r->column * M + row, o);
        if (!is_phase(f, r->column)) {
            text_printf(t, "        a[%d] += oG[%d];\n", row * M + r->column, o);
            continue;
        }
        for (int j = 0; j < f->n; j++) {
            const int Lww = program_slot(inertia, FIELD_LWW, r->column, j);
            if (Lww >= 0)
                text_printf(t, "        a[%d] -= oG[%d] * oR[%d];\n", row * M + j, o, Lww);
        }
    }
}

static void write_velocity(fusing *f, const program *inertia, const program *relations, int M,
                           const char *title)
{
    text *t = &f->w.out;
    text_printf(t,
                "\n/* w: velocities, or momenta of Hamiltonian coordinates; v: velocities. How\n"
                " * many directions of them are not determined, and are 0: neither momentum nor\n"
                " * energy depends on them. M + 1: nothing is. */\n"
                "static int velocity(const %s *s, real *w, real *v)\n{\n"
                "    const real tR[1] = {%s_time(s)}, *const qR = s->q, "
                "*const par = s->par, *const u = s->u;\n"
                "    real x[M] = {0}, step[M] = {0}, a[M * M], r[M], before = HUGE_VALUE;\n"
                "    int loose = 0, halvings = 0, converged = 0;\n"
                "    (void)tR;\n    (void)qR;\n    (void)par;\n    (void)u;\n",
                f->state, title);
    for (int i = 0; i < f->n; i++)
        if (is_phase(f, i)) text_printf(t, "    x[%d] = s->p[%d];\n", i, i);
    text_add(t, "    for (int it = 0; it < 50 && !converged; it++) {\n"
                "        real size = 0, most = 0;\n"
                "        const real *const wR = x, *const vR = x;\n"
                "        (void)wR;\n        (void)vR;\n");
    text_printf(t, "        real oR[%d];\n        (void)oR;\n        %s",
                inertia->slots ? inertia->slots : 1, program_call(f, inertia, AT_RULE));
    text_add(t, "        for (int k = 0; k < M * M; k++) a[k] = 0;\n"
                "        for (int k = 0; k < M; k++) r[k] = 0;\n");
    write_momenta(f, inertia, M);
    if (f->relations) {
        text_printf(t,
                    "        const real *const tG = tR, *const qG = qR, *const vG = v;\n"
                    "        (void)tG;\n        (void)qG;\n        (void)vG;\n"
                    "        real oG[%d];\n        %s",
                    relations->slots ? relations->slots : 1, program_call(f, relations, AT_GAUSS));
        write_relations(f, relations, inertia, M);
    }
    text_printf(t,
                "        loose = eliminate(a, r, it == 0);\n"
                "        if (loose > M && it > 0 && halvings++ < 40) {\n"
                "            for (int k = 0; k < M; k++) step[k] /= 2, x[k] += step[k];\n"
                "            continue;\n        }\n"
                "        if (loose > M) return loose;\n"
                "        for (int k = 0; k < M; k++) x[k] -= step[k] = r[k];\n"
                "        for (int k = 0; k < %d; k++) {\n"
                "            size = fabs(r[k]) > size ? fabs(r[k]) : size;\n"
                "            most = fabs(x[k]) > most ? fabs(x[k]) : most;\n"
                "            w[k] = x[k];\n        }\n"
                "        if (!(size <= MOST)) return M + 1;\n"
                "        converged = size <= EPSILON * most ||\n"
                "                    (it > 2 && size >= before &&\n"
                "                     size * size <= EPSILON * most * most);\n"
                "        before = size;\n    }\n"
                "    if (!converged) return M + 1;\n",
                f->n);
    for (int i = 0; i < f->n; i++)
        if (!is_phase(f, i)) text_printf(t, "    v[%d] = w[%d];\n", i, i);
    text_add(t, "    return loose;\n}\n");
}

static void write_energy(fusing *f, const program *p, const char *title)
{
    text *t = &f->w.out;
    text_printf(t,
                "\nint %s_velocities(const %s *s, real *v)\n{\n    real w[%d];\n"
                "    return velocity(s, w, v) ? 1 : 0;\n}\n",
                title, f->state, f->n);
    text_printf(t,
                "\nreal %s_energy(const %s *s)\n{\n"
                "    const real tR[1] = {%s_time(s)}, *const qR = s->q, "
                "*const par = s->par, *const u = s->u;\n"
                "    real wR[%d], v[%d], oR[%d], sum = 0;\n    const real *const vR = wR;\n"
                "    (void)tR;\n    (void)qR;\n    (void)par;\n    (void)u;\n    (void)vR;\n    "
                "(void)oR;\n"
                "    if (velocity(s, wR, v) > M) return (real)NAN;\n    %s",
                title, f->state, title, f->n, f->n, p->slots ? p->slots : 1,
                program_call(f, p, AT_RULE));
    for (int i = 0; i < f->n; i++) {
        const int Lw = program_slot(p, FIELD_LW, i, -1);
        if (Lw >= 0 && !is_phase(f, i)) text_printf(t, "    sum += oR[%d] * v[%d];\n", Lw, i);
    }
    const int L = program_slot(p, FIELD_L, 0, -1);
    text_printf(t, "    return sum%s;\n}\n", L < 0 ? "" : mem_printf(f->w.m, " - oR[%d]", L));
}

bool end_write(fusing *f, const compiled *c, const char *title)
{
    static const field_name of_inertia[] = {FIELD_LW, FIELD_LWW},
                            of_relations[] = {FIELD_E, FIELD_A}, of_energy[] = {FIELD_L, FIELD_LW};
    program   inertia, relations, energy;
    const int M = f->n + f->relations;
    f->f = fields_new(f->w.m, c, NODES_MOST);
    if (!f->f) return false;
    f->phase = f->eq->phase;
    program_init(f, &inertia, "end_inertia", 1), choose(f, &inertia, of_inertia, 2);
    program_init(f, &relations, "end_relations", 1), choose(f, &relations, of_relations, 2);
    program_init(f, &energy, "end_energy", 1), choose(f, &energy, of_energy, 2);
    text_printf(&f->w.out, "\n#define M %d\n\n", M);
    program_write(f, &inertia);
    if (f->relations) program_write(f, &relations);
    program_write(f, &energy);
    text_add(&f->w.out, elimination);
    write_velocity(f, &inertia, &relations, M, title);
    write_energy(f, &energy, title);
    return true;
}
