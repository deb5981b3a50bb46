/* page.c - all papers on one page that needs nothing but itself. */
#include "embedded.h"
#include "entity.h"
#include "reproduce.h"

static void put_html(FILE *out, const char *s)
{
    for (; *s; s++) {
        const char *as = entity_of(*s);
        if (as) fputs(as, out);
        else fputc(*s, out);
    }
}

static void put_element(FILE *out, const char *tag, const char *s)
{
    fprintf(out, "<%s>", tag);
    put_html(out, s);
    fprintf(out, "</%s>", tag);
}

static void put_cell(FILE *out, const char *s)
{
    fputs("<td>", out), put_html(out, s), fputs("</td>", out);
}

static void put_findings(const study *s, FILE *out)
{
    static const char *const word[] = {[AGREES] = "agrees",
                                       [EXPLAINED] = "\xe2\x80\x93",
                                       [DISAGREES] = "disagrees",
                                       [DIFFERS] = "differs"};
    if (!s->findings) return;
    fputs("<table><tr><th></th><th>printed</th><th>ours</th><th></th></tr>\n", out);
    for (int i = 0; i < s->findings; i++) {
        const finding *f = &s->finding[i];
        fputs("<tr><td>", out), put_html(out, f->what);
        if (f->note) fputs("<small>", out), put_html(out, f->note), fputs("</small>", out);
        fputs("</td>", out);
        put_cell(out, *f->printed ? f->printed : "\xe2\x80\x93"), put_cell(out, f->ours);
        fprintf(out, "<td class=\"%s\">%s", f->verdict >= DISAGREES ? "differs" : "agrees",
                word[f->verdict]);
        if (f->rule) fputs("<small>", out), put_html(out, f->rule), fputs("</small>", out);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

static dal_status put_charts(dal_context *cx, const study *s, FILE *out)
{
    dal_status bad = DAL_OK;
    fputs("<div class=\"charts\">\n", out);
    for (int i = 0; i < s->charts && !bad; i++) bad = chart_svg(cx, s->chart[i], out);
    fputs("</div>\n", out);
    return bad;
}

static dal_status put_study(dal_context *cx, const study *s, FILE *out)
{
    fputs("<section>\n<h3>", out), put_html(out, s->row->place), fputs("</h3>\n<p>", out);
    put_html(out, s->row->title), fputs("</p>\n", out);
    if (s->failure)
        fputs("<p class=\"differs\">", out), put_html(out, s->failure), fputs("</p>\n", out);
    put_findings(s, out);
    dal_status bad = put_charts(cx, s, out);
    fputs("</section>\n", out);
    return bad;
}

static dal_status put_paper(dal_context *cx, const paper *p, const study *s, FILE *out)
{
    dal_status bad = DAL_OK;
    fprintf(out, "<article id=\"%s\">\n", p->name);
    put_element(out, "h2", p->title);
    fputs("\n<p class=\"by\">", out), put_html(out, p->authors), fputs(". ", out);
    put_html(out, p->journal), fputs("</p>\n", out);
    for (int i = 0; i < p->rows && !bad; i++) bad = put_study(cx, &s[i], out);
    fputs("</article>\n", out);
    return bad;
}

dal_status papers_page(dal_context *cx, const paper *const *p, study *const *s, int count,
                       FILE *out)
{
    dal_status bad = DAL_OK;
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<title>The papers, computed again</title>\n<style>\n",
          out);
    fputs(embedded("cli/reproduce/page.css")->data, out);
    fputs("</style>\n</head>\n<body>\n<h1>The papers, computed again</h1>\n", out);
    fprintf(
        out,
        "<p>Every table and figure with numbers, by the models in examples/papers, with "
        "dalembert %s. "
        "Where a paper prints no number, or not the initial values, only our number is shown.</p>\n<nav>\n",
        dal_version());
    for (int i = 0; i < count; i++) {
        fprintf(out, "<a href=\"#%s\">", p[i]->name);
        put_html(out, p[i]->title), fputs("</a>\n", out);
    }
    fputs("</nav>\n", out);
    for (int i = 0; i < count && !bad; i++) bad = put_paper(cx, p[i], s[i], out);
    fputs("</body>\n</html>\n", out);
    return bad;
}
