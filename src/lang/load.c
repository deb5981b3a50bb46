/* load.c - reads a file and what it imports, each once, and makes the model. */
#include "lang/load.h"
#include "lang/elaborate.h"
#include "lang/language.h"
#include "lang/source.h"

#include <stdio.h>
#include <string.h>

enum { VALUES_MOST = 50000000 }; /* that sums and loops run through, unless more are allowed */

typedef struct {
    const load_request *rq;
    model              *md;
    mem                *scratch;
    lang               *l;
    diags              *ds;
    dal_status          status; /* the gravest so far */
} loader;

/* A file that cannot be read is graver than what is wrong in another. */
static void note_status(loader *ld, dal_status s)
{
    if (s && ld->status != DAL_IO) ld->status = s;
}

/* Files. --------------------------------------------------------------------------------------- */

/* Relative to the file that imports it, not to the working directory. */
static const char *beside(mem *m, const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    if (path[0] == '/' || !slash) return path;
    return mem_printf(m, "%.*s%s", (int)(slash - file) + 1, file, path);
}

/* "a/./b/../c" -> "a/c", so that a file reached in two ways is one */
static const char *tidy(mem *m, const char *path)
{
    char *out = mem_array(m, strlen(path) + 2, char);
    int   n = 0;
    if (path[0] == '/') out[n++] = '/';
    while (*path) {
        size_t k = strcspn(path, "/");
        bool   dot = k == 0 || (k == 1 && path[0] == '.'),
             up = k == 2 && path[0] == '.' && path[1] == '.';
        if (up) {
            int from = n > 1 ? n - 2 : 0; /* the name before, without its slash */
            while (from > 0 && out[from - 1] != '/') from--;
            bool climbs = n <= 1 || !strncmp(out + from, "../", 3);
            if (!climbs) n = from, dot = true;
        }
        if (!dot) {
            memcpy(out + n, path, k);
            n += (int)k, out[n++] = '/';
        }
        path += k;
        while (*path == '/') path++;
    }
    if (n > 1 && out[n - 1] == '/') n--;
    out[n] = 0;
    return out;
}

/* A file that is imported twice is read once. */
static unit *unit_of(const loader *ld, const char *path)
{
    for (int i = 0; i < ld->l->units.n; i++)
        if (!strcmp(ld->l->units.at[i]->path, path)) return ld->l->units.at[i];
    return NULL;
}

static bool exists(const loader *ld, const char *path)
{
    const char *plain = ld->rq->kept ? tidy(&ld->md->m, path) : path;
    if (ld->rq->kept) return unit_of(ld, plain) || kept_find(ld->rq->kept, plain);
    FILE *f = fopen(path, "rb");
    if (f) fclose(f);
    return f != NULL;
}

/* Beside the importing file first, then in the directories of the library; NULL: nowhere. */
static const char *find_file(loader *ld, const char *from, const char *path)
{
    mem        *m = &ld->md->m;
    const char *near = beside(m, from, path);
    if (exists(ld, near) || path[0] == '/') return tidy(m, near);
    for (int i = 0; i < ld->rq->directories; i++) {
        const char *there = mem_printf(m, "%s/%s", ld->rq->directory[i], path);
        if (exists(ld, there)) return tidy(m, there);
    }
    return NULL;
}

/* Its tree is there even after errors, and incomplete then. */
static unit *unit_new(loader *ld, const char *path, const source *read)
{
    unit *u = mem_array(&ld->md->m, 1, unit);
    u->path = path, u->text = read;
    map_init(&u->table, &ld->md->m);
    vec_push(&ld->md->m, ld->l->units, u);
    u->tree = parse_file(&ld->md->m, &ld->md->ns, ld->ds, read);
    if (!u->tree->whole) note_status(ld, DAL_SYNTAX);
    return u;
}

/* The forgotten folder, and the forgotten ending, are named where the file is there with them. */
static dal_status no_file(loader *ld, const unit *u, const ast_import *wanted)
{
    static const char *const around[][2] = {{"", ".dal"}, {"parts/", ""}, {"parts/", ".dal"}};
    mem                     *m = &ld->md->m;
    const char *hint = "it was looked for next to this file, in $DALEMBERT_PATH and among the "
                       "installed parts";
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        const char *path = mem_printf(m, "%s%s%s", around[i][0], wanted->path, around[i][1]);
        if (!find_file(ld, u->path, path)) continue;
        hint = mem_printf(m, "type import \"%s\"", path);
        break;
    }
    return diag_error(ld->ds, DAL_IO, wanted->at, hint, "there is no file '%s'", wanted->path);
}

/* `units` is a queue: the imports of all that were read, in order. */
static void read_import(loader *ld, unit *u, const ast_import *wanted)
{
    const char *path = find_file(ld, u->path, wanted->path);
    if (!path) {
        note_status(ld, no_file(ld, u, wanted));
        return;
    }
    unit *known = unit_of(ld, path);
    if (!known) {
        const source *read;
        dal_status    s = source_open(ld->ds->m, ld->ds, wanted->at, path, ld->rq->kept, &read);
        note_status(ld, s);
        if (s) return;
        known = unit_new(ld, path, read);
    }
    for (int i = 0; i < u->import.n; i++)
        if (u->import.at[i] == known) return;
    if (known != u) vec_push(&ld->md->m, u->import, known);
}

/* Breadth first: units grow while they are read. */
static void read_all(loader *ld)
{
    const source *read;
    dal_status    s = DAL_OK;
    if (ld->rq->text) read = source_text(ld->ds->m, ld->rq->file, ld->rq->text, ld->rq->length);
    else s = source_open(ld->ds->m, ld->ds, span_none(), ld->rq->file, ld->rq->kept, &read);
    note_status(ld, s);
    if (s) return;
    unit_new(ld, tidy(&ld->md->m, ld->rq->file), read);
    for (int i = 0; i < ld->l->units.n; i++)
        for (int k = 0; k < ld->l->units.at[i]->tree->imports; k++)
            read_import(ld, ld->l->units.at[i], &ld->l->units.at[i]->tree->import[k]);
}

/* The system that runs. ------------------------------------------------------------------------ */

/* The near one, or the first of those there are. */
static const char *system_meant(loader *ld, const char *wanted)
{
    enum { SHOWN = 8 };
    vec(const char *) known = {0};
    text list = text_new(ld->scratch);
    for (int i = 0; i < ld->l->systems.n; i++)
        vec_push(ld->scratch, known, ld->l->systems.at[i]->word);
    const char *near = name_nearest(wanted, known.at, known.n);
    if (near) return mem_printf(ld->scratch, "did you mean '%s'?", near);
    for (int i = 0; i < known.n && i < SHOWN; i++)
        text_printf(&list, "%s%s", i ? ", " : "it has ", known.at[i]);
    if (known.n > SHOWN) text_add(&list, ", ...");
    return known.n ? text_str(&list) : "a model begins with 'system NAME {'";
}

/* The system asked for, else the last one of the file itself. */
static void choose_root(loader *ld)
{
    lang       *l = ld->l;
    unit       *u = l->units.at[0];
    const char *wanted = ld->rq->system;
    l->simulate = u->tree->simulate;
    for (int i = 0; i < l->systems.n; i++) {
        sys *s = l->systems.at[i];
        if (wanted ? !strcmp(s->word, wanted) : s->in == u) l->root = s;
    }
    if (l->root) return;
    span whole_file = {u->text, 0, 0};
    if (wanted)
        diag_error(ld->ds, DAL_INVALID, span_none(), system_meant(ld, wanted),
                   "'%s' has no system '%s'", ld->rq->file, wanted);
    else
        diag_error(ld->ds, DAL_INVALID, whole_file, "a model begins with 'system NAME {'",
                   "there is no system in this file");
}

static const model_functions by_language = {language_evaluate, language_vary, language_express,
                                            language_lets};

static dal_status load(loader *ld)
{
    names_init(&ld->md->ns, &ld->md->m);
    ld->l = mem_array(&ld->md->m, 1, lang);
    ld->l->m = &ld->md->m, ld->l->ns = &ld->md->ns, ld->l->errors = ld->ds->errors;
    ld->l->values = ld->rq->values > 0 ? ld->rq->values : VALUES_MOST;
    map_init(&ld->l->by_name, &ld->md->m);
    read_all(ld);
    if (ld->status) return ld->status;
    const bool mended = has_errors(ld->l, ld->ds); /* mistakes that left the trees whole */
    ld->l->errors = ld->ds->errors;
    declare_all(ld->l, ld->ds);
    choose_root(ld);
    resolve_all(ld->l, ld->ds);
    /* errors in names of statements (local) leave a model that can be looked at further */
    const bool wrong = has_errors(ld->l, ld->ds),
               sound = ld->ds->errors == ld->l->errors + ld->l->local;
    if (wrong && !(sound && ld->l->root)) return mended ? DAL_SYNTAX : DAL_INVALID;
    const source *read = ld->l->units.at[0]->text;
    ld->md->file = read->file;
    ld->md->text = mem_printf(&ld->md->m, "%.*s", (int)read->length, read->text);
    for (int i = 0; i < ld->l->units.n; i++)
        vec_push(&ld->md->m, ld->md->source, ld->l->units.at[i]->text);
    ld->md->system = ld->l->root->word;
    ld->md->by = &by_language;
    ld->l->errors = ld->ds->errors;
    const bool made = elaborate(ld->l, ld->ds, ld->rq->over, ld->md, ld->scratch);
    return mended ? DAL_SYNTAX : made && !wrong ? DAL_OK : DAL_INVALID;
}

/* A model that is far larger than was meant should not drive the machine into swapping. */
static dal_status too_large(diags *ds, size_t most)
{
    return diag_error(ds, DAL_NOMEM, span_none(),
                      "use smaller arrays or fewer parts, or allow more with --memory MB",
                      "the model is too large: it needs more than the %zu MB allowed", most >> 20);
}

/* Fails without a trace: memory that was taken is freed, and a failing allocation jumps here. */
dal_status model_load(mem_heap heap, diags *ds, const load_request *rq, model **out)
{
    mem     owner, scratch, *of_messages = ds->m;
    jmp_buf here, *outer = of_messages->guard;
    model *volatile md = NULL;
    dal_status volatile status = DAL_NOMEM;
    mem_init(&owner, heap);
    mem_init(&scratch, heap);
    owner.most = scratch.most = rq->bytes ? rq->bytes : mem_of_machine() / 2;
    *out = NULL;
    if (!setjmp(here)) {
        of_messages->guard = owner.guard = scratch.guard = &here;
        model *made = mem_array(&owner, 1, model);
        made->m = owner; /* from now on the model owns itself */
        md = made;
        loader ld = {.rq = rq, .md = made, .scratch = &scratch, .ds = ds};
        status = load(&ld);
        diags_sort(ds);
    }
    of_messages->guard = outer;
    const bool full = scratch.full || owner.full || (md && md->m.full);
    mem_free(&scratch);
    if (md) md->m.guard = NULL, md->m.most = 0;
    if (!status) *out = md;
    else if (md) model_free(md);
    else mem_free(&owner);
    return full ? too_large(ds, owner.most) : status;
}
