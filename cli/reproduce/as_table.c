/* as_table.c - what was found, as a table in the terminal. */
#include "reproduce.h"

enum { WHAT = 55, PRINTED = 18, OURS = 20 };

static const char *const verdict_name[] = {
    [AGREES] = "agrees", [EXPLAINED] = "", [DISAGREES] = "disagrees", [DIFFERS] = "DIFFERS"};

static int width_of(const char *s) /* in characters */
{
    int n = 0;
    for (; *s; s++) n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static void put_padded(FILE *out, const char *s, int width)
{
    fprintf(out, "%s%*s", s, width > width_of(s) ? width - width_of(s) : 0, "");
}

static void put_finding(const finding *f, FILE *out)
{
    fputs("    ", out);
    put_padded(out, f->what, WHAT), fputs("  ", out);
    put_padded(out, *f->printed ? f->printed : "-", PRINTED), fputs("  ", out);
    put_padded(out, f->ours, OURS);
    fprintf(out, "%s%s", *verdict_name[f->verdict] ? "  " : "", verdict_name[f->verdict]);
    fprintf(out, f->rule ? " (%s)\n" : "\n", f->rule);
    if (f->note) fprintf(out, "      (%s)\n", f->note);
}

void paper_text(const paper *p, const study *s, FILE *out)
{
    fprintf(out, "%s: %s\n", p->authors, p->title);
    for (int i = 0; i < p->rows; i++) {
        fprintf(out, "\n  %s  %s\n", s[i].row->place, s[i].row->title);
        if (s[i].failure) fprintf(out, "    could not be made: %s\n", s[i].failure);
        if (s[i].findings) {
            fputs("    ", out);
            put_padded(out, "", WHAT), fputs("  ", out), put_padded(out, "printed", PRINTED);
            fputs("  ours\n", out);
        }
        for (int k = 0; k < s[i].findings; k++) put_finding(&s[i].finding[k], out);
    }
    fputc('\n', out);
}
