/* as_json.c - what was found, as one JSON object. */
#include "reproduce.h"

#include <jansson.h>

static json_t *finding_json(const finding *f)
{
    static const char *const name[] = {[AGREES] = "agrees",
                                       [EXPLAINED] = "explained",
                                       [DISAGREES] = "disagrees",
                                       [DIFFERS] = "differs"};
    return json_pack("{s:s, s:s?, s:s, s:s, s:s?, s:s?}", "what", f->what, "printed",
                     *f->printed ? f->printed : NULL, "ours", f->ours, "verdict", name[f->verdict],
                     "rule", f->rule, "note", f->note);
}

static json_t *study_json(const study *s)
{
    json_t *findings = json_array();
    for (int i = 0; i < s->findings; i++)
        json_array_append_new(findings, finding_json(&s->finding[i]));
    return json_pack("{s:s, s:s, s:s?, s:o}", "place", s->row->place, "title", s->row->title,
                     "failure", s->failure, "findings", findings);
}

void papers_json(const paper *const *p, study *const *s, int count, FILE *out)
{
    json_t *all = json_array();
    for (int i = 0; i < count; i++) {
        json_t *studies = json_array();
        for (int k = 0; k < p[i]->rows; k++) json_array_append_new(studies, study_json(&s[i][k]));
        json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:s, s:o}", "paper", p[i]->name,
                                             "authors", p[i]->authors, "title", p[i]->title,
                                             "journal", p[i]->journal, "studies", studies));
    }
    json_t *object = json_pack("{s:o}", "papers", all);
    json_dumpf(object, out, JSON_INDENT(2));
    fputc('\n', out);
    json_decref(object);
}
