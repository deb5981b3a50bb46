/* plot_table.c - results as tables: the formats by suffix, and what they share. */
#include "plot.h"

#include <stdlib.h>
#include <string.h>

static const reader *const readers[] = {&read_npy, &read_npz, &read_h5};

static const reader *reader_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof readers / sizeof *readers; i++)
        if (!strcmp(dot, readers[i]->suffix)) return readers[i];
    return NULL;
}

bool table_has_suffix(const char *path)
{
    return reader_of(path) != NULL;
}

static int no_model(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (!dot || strcmp(dot, ".dal")) return GO_ON;
    return complain("%s is a model: 'dalembert run %s --plot FILE.svg' runs and draws it", path,
                    path);
}

int table_open(table *t, const char *path)
{
    const reader *kind = reader_of(path);
    *t = (table){.path = path, .kind = kind ? kind : &read_csv};
    int code = no_model(path);
    if (code == GO_ON) code = t->kind->open(t);
    t->wanted = need(NULL, (size_t)t->columns + 1, sizeof *t->wanted);
    t->cell = need(NULL, (size_t)t->columns + 1, sizeof *t->cell);
    for (int k = 0; k < t->columns; k++) t->wanted[k] = false, t->cell[k] = NULL;
    return code;
}

int table_read(table *t)
{
    int code = t->kind->read(t);
    if (code == GO_ON && !t->rows) return complain("%s has no rows", t->path);
    return code;
}

void table_add_column(table *t, const char *name, const char *unit)
{
    t->name = need(t->name, (size_t)t->columns + 1, sizeof *t->name);
    t->unit = need(t->unit, (size_t)t->columns + 1, sizeof *t->unit);
    t->name[t->columns] = text("%s", name), t->unit[t->columns++] = text("%s", unit);
}

/* Momenta, and what the program adds, have none. */
static const char *unit_of(const dal_model *m, const char *column)
{
    static const dal_kind kinds[] = {DAL_COORDINATES, DAL_OUTPUTS, DAL_INPUTS, DAL_RELATIONS};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const long at = dal_model_find(m, kinds[i], column);
        if (at >= 0) return dal_model_unit(m, kinds[i], (size_t)at);
    }
    return "";
}

void table_add_units(table *t, const dal_model *m)
{
    for (int k = 0; k < t->columns; k++) {
        if (*t->unit[k]) continue;
        free(t->unit[k]);
        t->unit[k] = text("%s", unit_of(m, t->name[k]));
    }
}

void table_add_note(table *t, const char *key, const char *words)
{
    t->note = need(t->note, (size_t)t->notes + 2, sizeof *t->note);
    t->note[t->notes++] = text("%s", key), t->note[t->notes++] = text("%s", words);
}

void table_room(table *t, long rows)
{
    for (int k = 0; k < t->columns; k++)
        if (t->wanted[k]) t->cell[k] = need(t->cell[k], (size_t)rows, sizeof **t->cell);
}

/* "x", or "x [m]" as in the header of a CSV file. */
static bool is_named(const table *t, int k, const char *name, size_t length)
{
    const size_t n = strlen(t->name[k]), u = strlen(t->unit[k]);
    if (length < n || strncmp(t->name[k], name, n) != 0) return false;
    if (length == n) return true;
    return u && length == n + u + 3 && !strncmp(name + n, " [", 2) &&
           !strncmp(name + n + 2, t->unit[k], u) && name[length - 1] == ']';
}

int table_find(const table *t, const char *name, size_t length)
{
    for (int k = 0; k < t->columns; k++)
        if (is_named(t, k, name, length)) return k;
    return -1;
}

const char *table_note(const table *t, const char *key)
{
    for (int i = 0; i < t->notes; i += 2)
        if (!strcmp(t->note[i], key)) return t->note[i + 1];
    return NULL;
}

void table_free(table *t)
{
    if (t->kind) t->kind->close(t);
    for (int k = 0; k < t->columns; k++) {
        free(t->name[k]), free(t->unit[k]);
        if (t->cell) free(t->cell[k]);
    }
    for (int i = 0; i < t->notes; i++) free(t->note[i]);
    free(t->name), free(t->unit), free(t->cell), free(t->wanted), free(t->note);
}
