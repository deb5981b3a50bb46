/* ledger.c - accounts of energy per part and per connection. Forces are integrated by the
 * quadrature of the step, reactions at the points where the curve satisfies the relations: there a
 * connection delivers exactly what it receives. */
#include "run/ledger.h"

#include "model/charts.h"
#include "run/noether.h"
#include "run/simulation.h"

#include <math.h>
#include <string.h>

struct ledger {
    dal_sim     *s;
    dal_ledger   book;
    dal_account *part;       /* as in the model: [0] is the full_system                      */
    dal_passage *passage;    /* of connections                                         */
    dal_side   **into;       /* the sides of each                                    */
    int         *passage_of; /* of each relation; -1: not booked                       */
    int         *owner;      /* of each coordinate: the part that it is written in     */
    int         *side;       /* of each entry of A: which side of its passage          */
    double      *energy, *power, *lam, *rate;
    transfers
        *outer[TRANSFER_KINDS]; /* what is written outside the parts it acts on; NULL: nothing */
    noether   *momenta;         /* of symmetries; NULL: there are none                    */
    double    *q, *v, *p;       /* of the whole at a point                                */
    sys_values room;
};

/* Who is connected to whom. -------------------------------------------------------------------- */

static const char *part_called(dal_sim *s, int of)
{
    text word = text_new(&s->m);
    model_part_name(s->md, of, &word);
    const char *kept = of ? mem_printf(&s->m, "%s", text_str(&word)) : s->title;
    text_drop(&word);
    return kept;
}

/* The part directly below `above` in which part k lies; `above` itself if it is that. */
static int child_below(const model *md, int k, int above)
{
    while (k != above && md->parts.at[k].parent != above && k > 0) k = md->parts.at[k].parent;
    return k;
}

/* The innermost part that declares each coordinate. */
static void find_owners(ledger *l)
{
    const model *md = l->s->md;
    l->owner = mem_array(&l->s->m, md->coordinates + 1, int);
    for (int k = 0; k < md->parts.n; k++)
        for (int i = 0; i < md->parts.at[k].shape->count[MEMBER_COORDINATE]; i++)
            l->owner[md->parts.at[k].base[MEMBER_COORDINATE] + i] = k;
}

/* The sides of a connection: parts of the system it is written in whose coordinates it holds. */
static dal_side *find_sides(ledger *l, int a, dal_passage *out)
{
    dal_sim       *s = l->s;
    const pattern *A = &s->sys->A;
    const int      row = compiled_row(s->compiled, a), above = s->md->relation.at[a].part;
    const int      most = A->start[row + 1] - A->start[row];
    dal_side      *side = mem_array(&s->m, most + 1, dal_side);
    int           *of = mem_resize(&s->m, NULL, (size_t)(most + 1) * sizeof *of);
    for (int e = A->start[row]; e < A->start[row + 1]; e++) {
        int p = child_below(s->md, l->owner[A->column[e]], above), k = 0;
        while (k < (int)out->sides && of[k] != p) k++;
        if (k == (int)out->sides) of[k] = p, side[k].part = part_called(s, p), out->sides++;
        l->side[e] = k;
    }
    out->side = side;
    mem_drop(&s->m, of);
    return side;
}

/* Only what is written with connect is a passage; other relations are booked as work. */
static void list_passages(ledger *l)
{
    dal_sim *s = l->s;
    int      relations = s->md->relation.n, n = 0;
    l->passage_of = mem_array(&s->m, relations + 1, int);
    l->passage = mem_array(&s->m, relations + 1, dal_passage);
    l->into = mem_array(&s->m, relations + 1, dal_side *);
    l->side = mem_array(&s->m, pattern_count(&s->sys->A) + 1, int);
    for (int a = 0; a < relations; a++) {
        l->passage_of[a] = -1;
        if (!s->md->relation.at[a].connection) continue;
        text word = text_new(&s->m);
        model_name(s->md, MEMBER_RELATION, a, &word);
        l->passage[n].name = mem_printf(&s->m, "%s", text_str(&word));
        text_drop(&word);
        l->into[n] = find_sides(l, a, &l->passage[n]);
        l->passage_of[a] = n++;
    }
    l->book.passages = (size_t)n, l->book.passage = l->passage;
}

/* Booking. ------------------------------------------------------------------------------------- */

static bool is_hamiltonian(const dal_sim *s, int i)
{
    return s->sys->hamiltonian && s->sys->hamiltonian[i];
}

/* The state of the whole at a point of what is solved. */
static void take_point(ledger *l, const sys_point *at)
{
    dal_sim      *s = l->s;
    const int     n = s->sys->n;
    const double *q = at->q, *v = at->v, *w = at->w;
    if (s->full) {
        full_system_point(s->full, at);
        q = s->full->at_point[0], v = s->full->at_point[1], w = s->full->w;
    }
    memcpy(l->q, q, (size_t)n * sizeof *q), memcpy(l->v, v, (size_t)n * sizeof *v);
    if (s->sys->charts) charts_body(s->sys, at, l->q, l->v);
    for (int i = 0; i < n; i++)
        l->p[i] = is_hamiltonian(s, i) ? w[i] : 0; /* forces hold no other momenta */
}

/*     work of a part = sum_i weight_i (f.v)_i over the points of the forces */
static void book_forces(ledger *l, stepper *st)
{
    for (int i = 0, n = stepper_points(st, POINTS_OF_FORCE); i < n; i++) {
        curve_point c = stepper_point(st, POINTS_OF_FORCE, i);
        take_point(l, c.at);
        bound_powers(l->s->bound, c.at->t, l->q, l->v, l->p, l->power);
        for (int k = 0; k < l->s->md->parts.n; k++) l->part[k].work += c.weight * l->power[k];
    }
}

/* Rates of the whole, from those of what is solved. */
static const double *rates_of_whole(const ledger *l)
{
    return l->s->full ? l->s->full->rate : l->rate;
}

/* A and lam of the whole at a point; NULL: the reactions are not determined there. */
static const double *reactions_at(ledger *l, stepper *st, const sys_point *at, const double **A)
{
    dal_sim     *s = l->s;
    interaction *x = s->joint;
    const bool   known = x ? interaction_reactions(x, at->t, at->q, at->w, at->v, l->lam, l->rate)
                           : stepper_reactions_at(st, at, l->lam, l->rate);
    if (!known) return NULL;
    if (s->full) {
        full_system_reactions_at(s->full, at->t, l->rate, l->lam);
        *A = s->full->room.A;
        return s->full->lam;
    }
    if (s->sys->eval(s->sys->self, WANT_RELATIONS, 1, at, &l->room)) return NULL;
    *A = l->room.A;
    return l->lam;
}

/* Charts of rotations are centred there, as at the grid. */
static const double *reactions(ledger *l, stepper *st, const sys_point *at, const double **A)
{
    dal_system *sys = l->s->sys;
    if (!sys->charts) return reactions_at(l, st, at, A);
    const double   *now = charts_seen(sys);
    const sys_point there = {.t = at->t, .q = l->q, .w = l->v, .v = l->v};
    charts_look(sys, l->q + sys->n);
    const double *lam = reactions_at(l, st, &there, A);
    charts_look(sys, now);
    return lam;
}

/* What outer terms pass into the parts below them; what time does is work. */
static void book_transfers(ledger *l, stepper *st, transfer_kind of, curve_points where)
{
    transfers *x = l->outer[of];
    for (int i = 0, n = x ? stepper_points(st, where) : 0; i < n; i++) {
        curve_point   c = stepper_point(st, where, i);
        const double *A;
        take_point(l, c.at);
        bool known = !transfers_need_rates(x) || reactions(l, st, c.at, &A);
        transfers_eval(x, c.at->t, l->q, l->v, l->p, rates_of_whole(l), l->power);
        for (int k = 0; k < l->s->md->parts.n; k++)
            *(of == TRANSFERS_OF_TIME ? &l->part[k].work : &l->part[k].received) +=
                known ? c.weight * l->power[k] : (double)NAN;
    }
}

/* Work of relation a over a weight of time: into each part between the coordinate and the place
 * where a is written. */
static void book_relation(ledger *l, int a, double impulse, const double *A)
{
    const dal_sim *s = l->s;
    const pattern *shape = &s->sys->A;
    const int      row = compiled_row(s->compiled, a), above = s->md->relation.at[a].part;
    double         net = 0;
    for (int e = shape->start[row]; e < shape->start[row + 1]; e++) {
        int    i = shape->column[e];
        double work = impulse * A[e] * l->v[i];
        net += work;
        for (int k = l->owner[i]; k != above && k > 0; k = s->md->parts.at[k].parent)
            l->part[k].received += work;
        if (l->passage_of[a] >= 0) l->into[l->passage_of[a]][l->side[e]].work += work;
    }
    /* a relation that moves by itself works on what holds it */
    for (int k = above; k >= 0; k = s->md->parts.at[k].parent) l->part[k].work += net;
    if (l->passage_of[a] >= 0) l->passage[l->passage_of[a]].net += net;
}

/* Where relation a does its work: as a force, where the step takes forces. */
static curve_points work_of(const dal_sim *s, int a)
{
    const bool force = s->joint && s->joins.has[compiled_row(s->compiled, a)];
    return force ? POINTS_OF_FORCE : POINTS_OF_RELATIONS;
}

/*     impulse = weight lam_a, at the points where the curve satisfies the relations */
static void book_reactions(ledger *l, stepper *st, curve_points where)
{
    const dal_sim *s = l->s;
    for (int i = 0, n = stepper_points(st, where); i < n; i++) {
        curve_point   c = stepper_point(st, where, i);
        const double *A = l->room.A;
        take_point(l, c.at);
        const double *lam = reactions(l, st, c.at, &A);
        for (int a = 0; a < s->md->relation.n; a++)
            if (work_of(s, a) == where)
                book_relation(l, a,
                              lam ? c.weight * lam[compiled_row(s->compiled, a)] : (double)NAN, A);
    }
}

/* After every curve, by the stepper. Reactions of connections that are forces are booked where
 * forces are. */
static void book(void *self, stepper *st)
{
    ledger *l = self;
    if (l->momenta) noether_book(l->momenta, st);
    book_forces(l, st);
    book_transfers(l, st, TRANSFERS_OF_FORCES, POINTS_OF_FORCE);
    book_transfers(l, st, TRANSFERS_OF_L, POINTS_OF_L);
    book_transfers(l, st, TRANSFERS_OF_TIME, POINTS_OF_L);
    if (!l->s->md->relation.n) return;
    book_reactions(l, st, POINTS_OF_RELATIONS);
    if (l->s->joint) book_reactions(l, st, POINTS_OF_FORCE);
}

/* Opening and reading. ------------------------------------------------------------------------- */

/* Of all parts, with all below them. */
static void take_energies(ledger *l)
{
    dal_sim *s = l->s;
    bound_energies(s->bound, s->t, state_q(s), state_v(s), state_p(s), l->energy);
}

/* Everything is laid out here, since a step takes no memory. */
void ledger_open(dal_sim *s)
{
    const int n = s->sys->n, parts = s->md->parts.n, rows = s->sys->m + s->sys->r;
    mem      *m = &s->m;
    ledger   *l = s->book = mem_array(m, 1, ledger);
    double  **of_n[] = {&l->v, &l->p, &l->rate};
    l->s = s;
    for (size_t k = 0; k < sizeof of_n / sizeof *of_n; k++) *of_n[k] = mem_array(m, n, double);
    l->q = mem_array(m, turning_width(s->sys->turns, n), double);
    l->energy = mem_array(m, parts, double), l->power = mem_array(m, parts, double);
    l->lam = mem_array(m, rows + 1, double);
    l->room.e = mem_array(m, rows + 1, double);
    l->room.A = mem_array(m, pattern_count(&s->sys->A) + 1, double);
    l->part = mem_array(m, parts, dal_account);
    l->book.accounts = (size_t)parts, l->book.account = l->part;
    for (int of = 0; of < TRANSFER_KINDS; of++)
        l->outer[of] = bound_transfers(s->bound, m, (transfer_kind)of);
    find_owners(l);
    list_passages(l);
    take_energies(l);
    for (int k = 0; k < parts; k++)
        l->part[k] =
            (dal_account){.part = part_called(s, k), .first = l->energy[k], .last = l->energy[k]};
    l->momenta = s->sys->turns ? NULL : noether_new(s);
    stepper_prepare_points(s->st);
    stepper_watch(s->st, book, l);
}

/* Valid until the next reading; NULL: no ledger is kept. */
const dal_ledger *ledger_read(dal_sim *s)
{
    if (!s->book) return NULL;
    take_energies(s->book);
    for (size_t k = 0; k < s->book->book.accounts; k++) s->book->part[k].last = s->book->energy[k];
    if (s->book->momenta)
        s->book->book.impulses = noether_read(s->book->momenta, &s->book->book.symmetries);
    return &s->book->book;
}

/* Checkpoints. --------------------------------------------------------------------------------- */

/* put: from the array; else into it. */
static void archive_passage(dal_passage *p, dal_side *side, double *at, bool put)
{
    *(put ? &p->net : at) = *(put ? at : &p->net);
    for (size_t k = 0; k < p->sides; k++)
        *(put ? &side[k].work : &at[1 + k]) = *(put ? &at[1 + k] : &side[k].work);
}

/* Three numbers of each part, then of each connection its net and the works into its sides. */
void ledger_archive(ledger *l, archive *r)
{
    mem   *m = &l->s->m;
    size_t parts = l->book.accounts, passages = l->book.passages, sides = 0;
    for (size_t k = 0; k < passages; k++) sides += 1 + l->passage[k].sides;
    double *all = mem_resize(m, NULL, (3 * parts + sides + 1) * sizeof *all);
    /* written, or read and then put in place */
    for (int put = 0; put < (r->reading ? 2 : 1); put++) {
        double *at = all;
        for (size_t k = 0; k < parts; k++, at += 3) {
            double *mine[] = {&l->part[k].first, &l->part[k].work, &l->part[k].received};
            for (int i = 0; i < 3; i++) *(put ? mine[i] : &at[i]) = *(put ? &at[i] : mine[i]);
        }
        for (size_t k = 0; k < passages; at += 1 + l->passage[k++].sides)
            archive_passage(&l->passage[k], l->into[k], at, put);
        if (!put) archive_section(r, "ledger."), archive_doubles(r, "all", all, 3 * parts + sides);
    }
    mem_drop(m, all);
    if (l->momenta) noether_archive(l->momenta, r);
}
