/* accuracy_save.c - what a checkpoint keeps of the samples by which a run is judged. */
#include "run/accuracy.h"
#include "run/simulation.h"

static void archive_parts(accuracy *of, archive *r, size_t width, size_t n)
{
    static const char *const called[][4] = {{"start_k", "start_q", "start_p", "start_v"},
                                            {"middle_k", "middle_q", "middle_p", "middle_v"}};
    for (int k = 0; k < PART_ROUGHEST; k++) {
        repeated_part *x = &of->part[k];
        archive_long(r, called[k][0], &x->k);
        archive_doubles(r, called[k][1], x->q, width), archive_doubles(r, called[k][2], x->p, n);
        archive_doubles(r, called[k][3], x->v, n);
        if (x->k < -1) archive_refuse(r, "its repeated parts are damaged");
    }
}

/* Steps at which states were kept grow, and none is still to come. */
static bool are_in_order(const dal_sim *s, const accuracy *of)
{
    double before = 0;
    if (of->keeps < 0 || of->keeps > KEPT_STATES - 1) return false;
    for (int i = 0; i < of->keeps; before = of->kept_at[i++])
        if (!(of->kept_at[i] >= before && of->kept_at[i] <= (double)s->k)) return false;
    return true;
}

void accuracy_archive(dal_sim *s, archive *r)
{
    accuracy *of = &s->mon.accurate;
    if (!of->least) return;
    const size_t n = (size_t)accuracy_system(s)->n;
    archive_section(r, "accuracy."); /* 0.2.0 has none */
    if (r->reading && archive_count(r, "least") < 0) of->least = NULL;
    else {
        archive_doubles(r, "least", of->least, n), archive_doubles(r, "most", of->most, n);
        archive_doubles(r, "action", of->action, n), archive_long(r, "next", &of->next);
        archive_doubles(r, "kept", of->kept, KEPT_STATES * (size_t)accuracy_width(s));
        archive_doubles(r, "kept_at", of->kept_at, KEPT_STATES);
        archive_int(r, "keeps", &of->keeps);
        if (!are_in_order(s, of)) archive_refuse(r, "its states are damaged");
        archive_parts(of, r, (size_t)accuracy_width(s), n);
        if (of->twin) twin_archive(s, r);
    }
    archive_section(r, "");
}
