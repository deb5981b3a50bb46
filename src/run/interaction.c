/* interaction.c - connections that become forces: which ones can, and whether their reactions
 * follow from the state.                                                 theory.md [INTERACTION] */
#include "run/simulation.h"

static const char *const instead = "--interconnection eliminate or multipliers";

/* A coordinate whose own inertia is 0, whatever the state: a force does not say how it moves. */
static bool has_inertia(const dal_system *sys, int i)
{
    const uint8_t *present = sys->present[F_LWW];
    if (sys->hamiltonian && sys->hamiltonian[i]) return true;
    for (int k = sys->K.start[i]; k < sys->K.start[i + 1]; k++)
        if (sys->varies[F_LWW] && (!present || present[k])) return true;
    return false;
}

/* Each coordinate without inertia needs a relation of its own that holds it: a matching, made by
 * augmenting paths. Relations within parts serve first, and then as few connections as will do. */
typedef struct {
    const dal_system *sys;
    const uint8_t    *connection; /* per row                                      */
    int              *held_by;    /* the row of each coordinate; -1: none         */
    int              *holds;      /* and back                                     */
    int              *from;       /* coordinate a row was reached from            */
    int              *queue, *seen, round;
    int              *start, *row; /* rows of each coordinate                      */
} matching;

/* Rows by coordinate: a counting sort of the entries of A. */
static void list_rows(matching *m, mem *of)
{
    const pattern *A = &m->sys->A;
    m->start = mem_array(of, m->sys->n + 2, int), m->row = mem_array(of, pattern_count(A) + 1, int);
    for (int e = 0; e < pattern_count(A); e++) m->start[A->column[e] + 2]++;
    for (int i = 1; i <= m->sys->n; i++) m->start[i + 1] += m->start[i];
    for (int a = 0; a < A->rows; a++)
        for (int e = A->start[a]; e < A->start[a + 1]; e++)
            m->row[m->start[A->column[e] + 1]++] = a;
}

/* Along the path by which row a was reached, every coordinate takes the row behind it. */
static void take_path(matching *m, int a)
{
    for (int next; a >= 0; a = next) {
        int i = m->from[a];
        next = m->held_by[i], m->held_by[i] = a, m->holds[a] = i;
    }
}

/* Breadth first from the coordinate; a free row ends the path, along which all others move on. */
static bool find_row(matching *m, int coordinate, bool connections)
{
    int count = 0;
    m->round++, m->queue[count++] = coordinate;
    for (int k = 0; k < count; k++)
        for (int e = m->start[m->queue[k]]; e < m->start[m->queue[k] + 1]; e++) {
            int a = m->row[e];
            if (m->seen[a] == m->round || (m->connection[a] && !connections)) continue;
            m->seen[a] = m->round, m->from[a] = m->queue[k];
            if (m->holds[a] < 0) return take_path(m, a), true;
            m->queue[count++] = m->holds[a];
        }
    return false;
}

static void match(matching *m, mem *of)
{
    const int n = m->sys->n, rows = m->sys->m + m->sys->r;
    int     **of_n[] = {&m->held_by, &m->queue}, **of_rows[] = {&m->holds, &m->from, &m->seen};
    for (int k = 0; k < 2; k++) *of_n[k] = mem_array(of, n + 1, int);
    for (int k = 0; k < 3; k++) *of_rows[k] = mem_array(of, rows + 1, int);
    for (int i = 0; i < n; i++) m->held_by[i] = -1;
    for (int a = 0; a < rows; a++) m->holds[a] = -1;
    list_rows(m, of);
    /* first without connections: as few of them as possible should stay relations */
    for (int connections = 0; connections < 2; connections++)
        for (int i = 0; i < n; i++)
            if (!has_inertia(m->sys, i) && m->held_by[i] < 0) find_row(m, i, connections);
}

/* What connections are of: the system, or that without ties which repeat others. */
typedef struct {
    dal_system     *sys;
    const model    *md;
    const compiled *compiled;
} joined;

/* Connections that hold what has no inertia of its own stay relations. How many become forces? */
static int choose(mem *room, const joined *of, bool all, uint8_t *as_force, int *stay)
{
    const int rows = of->sys->m + of->sys->r;
    mem      *work = mem_child(room);
    matching  m = {.sys = of->sys, .connection = as_force};
    int       forces = 0;
    for (int a = 0; a < of->md->relation.n; a++)
        as_force[compiled_row(of->compiled, a)] = all || of->md->relation.at[a].connection;
    match(&m, work);
    *stay = 0;
    for (int a = 0; a < rows; a++) {
        *stay += as_force[a] && m.holds[a] >= 0;
        as_force[a] = as_force[a] && m.holds[a] < 0;
        forces += as_force[a];
    }
    mem_free(work);
    return forces;
}

/* What cannot have its connections replaced; NULL: nothing is against it. */
static const char *unfit(const dal_system *sys, int stay, int forces)
{
    return sys->turns    ? "connections are not replaced by forces where there are rotations or "
                           "directions"
           : sys->damped ? "connections as forces carry damping on, and would not damp what they "
                           "carry"
           : stay && !forces ? "no connection can be replaced by a force here: each has a "
                               "coordinate without inertia, whose motion forces do not determine"
                             : NULL;
}

/* Rows of what is solved among those of the system: ties that repeat others have none. */
static void find_rows(dal_sim *s, const solved_form *form, const uint8_t *as_force)
{
    const int rows = s->sys->m + s->sys->r;
    uint8_t  *has = mem_array(&s->m, rows + 1, uint8_t);
    s->joins = (joint_rows){.lam = mem_array(&s->m, rows + 1, double),
                            .of_solved = mem_array(&s->m, rows + 1, double),
                            .w = mem_array(&s->m, s->sys->n + 1, double),
                            .row = mem_array(&s->m, rows + 1, int),
                            .has = has};
    for (int a = 0; a < rows; a++) s->joins.row[a] = form ? -1 : a;
    for (int k = 0; form && k < form->by.md->relation.n; k++)
        s->joins.row[compiled_row(s->compiled, form->by.relation[k])] =
            compiled_row(form->compiled, k);
    for (int a = 0; a < rows; a++)
        if (s->joins.row[a] >= 0) has[a] = as_force[s->joins.row[a]];
}

/* s->joint stays NULL on failure. */
dal_status joint_open(dal_sim *s, const solved_form *without_repeats, bool booked)
{
    const bool all = s->plan.joined == REACTIONS;
    dal_status bad = DAL_OK;
    joined     of = {s->sys, s->md, s->compiled};
    if (without_repeats)
        bad = full_system_new(&s->m, without_repeats, s->compiled, s->bound, s->val.parameter,
                              s->val.input, booked ? FULL_SYSTEM_REACTIONS : FULL_SYSTEM_STATE,
                              s->ds, &s->full);
    if (bad) return bad;
    if (s->full && without_repeats)
        of = (joined){full_system_solved(s->full), without_repeats->by.md,
                      without_repeats->compiled};
    uint8_t    *as_force = mem_array(&s->m, of.sys->m + of.sys->r + 1, uint8_t);
    int         stay, forces = choose(&s->m, &of, all, as_force, &stay);
    const char *against = unfit(of.sys, stay, forces);
    if (against) return diag_error(s->ds, DAL_INVALID, span_none(), instead, "%s", against);
    if (stay)
        diag_note(s->ds, span_none(), NULL,
                  "%d of %d connections stay relations: they have coordinates without "
                  "inertia, whose motion forces do not determine",
                  stay, stay + forces);
    find_rows(s, without_repeats, as_force);
    bad = interaction_new(&s->m, of.sys, as_force, &s->joint, &s->why);
    return bad ? diag_error(s->ds, bad, span_none(), NULL, "%s", text_str(&s->why)) : DAL_OK;
}

/* Reactions follow from a state only where everything has inertia by itself. */
dal_status joint_judge(dal_sim *s)
{
    text_clear(&s->why);
    if (!s->joint) return DAL_OK;
    if (stepper_massless(s->st, &s->why))
        return diag_error(s->ds, DAL_INVALID, span_none(), instead,
                          "connections as forces need inertia everywhere, and %s has none of its "
                          "own: the force on it "
                          "does not follow from the state",
                          text_str(&s->why));
    if (state_joint_reactions(s)) return DAL_OK;
    return diag_error(
        s->ds, DAL_INVALID, span_none(), instead,
        "connections as forces need reactions that follow from the state, and here they do not");
}
