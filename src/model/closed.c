/* closed.c - some instances of the rows of events become relations behind those of the model. */
#include "model/closed.h"

typedef vec(int) instances;

static slot of_instances(mem *m, const slot *s, const instances *chosen)
{
    int *at = mem_array(m, chosen->n + 1, int);
    for (int k = 0; k < chosen->n; k++) at[k] = slot_index(s, chosen->at[k]);
    return (slot){.kind = s->kind, .at = at};
}

/* Those with a new target: number, per target that it has; -1: the instance is left out. */
static bool retarget(mem *m, const element *el, const int *number, element *out)
{
    instances chosen = {0};
    for (int k = 0; k < el->instances; k++)
        if (number[slot_index(&el->target[0], k)] >= 0) vec_push(m, chosen, k);
    if (!chosen.n) return false;
    int *target = mem_array(m, chosen.n + 1, int);
    *out = *el;
    out->instances = chosen.n;
    out->slot = mem_array(m, el->slots + 1, slot), out->target = mem_array(m, 1, slot);
    for (int i = 0; i < el->slots; i++) out->slot[i] = of_instances(m, &el->slot[i], &chosen);
    for (int k = 0; k < chosen.n; k++) target[k] = number[slot_index(&el->target[0], chosen.at[k])];
    out->target[0] = (slot){.kind = el->target[0].kind, .at = target};
    out->owner = of_instances(m, &el->owner, &chosen);
    return true;
}

void model_close(mem *m, const model *of, const unsigned char *closed, model *to)
{
    vec(relation) rows = {0};
    vec(element) terms = {0};
    int *number = mem_array(m, of->event_row.n + 1, int);
    for (int a = 0; a < of->relation.n; a++) vec_push(m, rows, of->relation.at[a]);
    for (int r = 0; r < of->event_row.n; r++) {
        number[r] = closed[r] ? rows.n : -1;
        if (closed[r]) vec_push(m, rows, of->event_row.at[r]);
    }
    for (int e = 0; e < of->elements.n; e++) {
        const element *el = &of->elements.at[e];
        element        row;
        if (el->kind != EL_EVENT_ROW) vec_push(m, terms, *el);
        else if (retarget(m, el, number, &row)) {
            row.kind = EL_RELATION;
            vec_push(m, terms, row);
        }
    }
    *to = *of;
    to->relation.at = rows.at, to->relation.n = rows.n, to->relation.room = rows.room;
    to->relations = rows.n;
    to->elements.at = terms.at, to->elements.n = terms.n, to->elements.room = terms.room;
    to->event.n = to->event_row.n = 0;
}

void model_of_events(mem *m, const model *of, model *to)
{
    vec(element) terms = {0};
    const int      before = of->outputs + of->symmetries;
    int           *number = mem_array(m, model_columns(of) + 1, int);
    unsigned char *all = mem_array(m, of->event_row.n + 1, unsigned char);
    for (int r = 0; r < of->event_row.n; r++) all[r] = 1;
    model_close(m, of, all, to);
    for (int c = 0; c < model_columns(of); c++) number[c] = c < before ? -1 : c - before;
    for (int e = 0; e < to->elements.n; e++) {
        const element *el = &to->elements.at[e];
        element        asked;
        if (el->kind == EL_OUTPUT && retarget(m, el, number, &asked)) vec_push(m, terms, asked);
        else if (el->kind < EL_OUTPUT) vec_push(m, terms, *el);
    }
    to->elements.at = terms.at, to->elements.n = terms.n, to->elements.room = terms.room;
    to->outputs = to->symmetries = to->drawn = 0, to->drawing.n = 0;
}
