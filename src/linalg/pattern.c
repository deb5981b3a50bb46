/* pattern.c - patterns from pairs, by two counting sorts: first by column, then by row, each
 * stable, so that entries end up in row-major order in time linear in their number. */
#include "linalg/pattern.h"

#include <string.h>

bool pattern_is_full(const pattern *p)
{
    return (long long)pattern_count(p) == (long long)p->rows * p->columns;
}

bool pattern_is_diagonal(const pattern *p)
{
    if (p->rows != p->columns || pattern_count(p) != p->rows) return false;
    for (int i = 0; i < p->rows; i++)
        if (p->start[i] != i || p->column[i] != i) return false;
    return true;
}

int pattern_find(const pattern *p, int row, int column)
{
    int low = p->start[row], high = p->start[row + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (p->column[middle] < column) low = middle + 1;
        else high = middle;
    }
    return low < p->start[row + 1] && p->column[low] == column ? low : -1;
}

bool pattern_is_symmetric(const pattern *p)
{
    if (p->rows != p->columns) return false;
    for (int i = 0; i < p->rows; i++) {
        if (pattern_find(p, i, i) < 0) return false;
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            if (pattern_find(p, p->column[k], i) < 0) return false;
    }
    return true;
}

/* to[] lists what `from` lists (NULL: 0 .. count-1), by ascending key, equal keys in their order.
 * bucket is work space for keys + 1 numbers. */
static void counting_sort(const int *key, int keys, const int *from, int *to, int count,
                          int *bucket)
{
    memset(bucket, 0, ((size_t)keys + 1) * sizeof *bucket);
    for (int k = 0; k < count; k++) bucket[key[k] + 1]++;
    for (int i = 0; i < keys; i++) bucket[i + 1] += bucket[i];
    for (int k = 0; k < count; k++) {
        int pair = from ? from[k] : k;
        to[bucket[key[pair]]++] = pair;
    }
}

/* The pairs in `order` (row-major, with repetitions) become entries; returns their number. */
static int merge(const int *order, const int *row, const int *column, int count, int *start,
                 int *entry_column, int *place)
{
    int n = 0;
    for (int k = 0; k < count; k++) {
        int pair = order[k], before = k ? order[k - 1] : pair;
        if (!k || row[pair] != row[before] || column[pair] != column[before]) {
            entry_column[n++] = column[pair];
            start[row[pair] + 1]++;
        }
        if (place) place[pair] = n - 1;
    }
    return n;
}

pattern pattern_from_pairs(mem *m, int rows, int columns, const int *row, const int *column,
                           int count, int *place)
{
    pattern p = {.rows = rows, .columns = columns, .start = mem_array(m, rows + 1, int)};
    size_t  keys = (size_t)(rows > columns ? rows : columns) + 1, pairs = (size_t)count;
    int    *work = mem_resize(m, NULL, (keys + 3 * pairs) * sizeof *work);
    int    *bucket = work, *by_column = bucket + keys, *order = by_column + pairs;
    int    *entry_column = order + pairs;

    counting_sort(column, columns, NULL, by_column, count, bucket);
    counting_sort(row, rows, by_column, order, count, bucket);
    int n = merge(order, row, column, count, p.start, entry_column, place);
    for (int i = 0; i < rows; i++) p.start[i + 1] += p.start[i];
    p.column = mem_array(m, n, int);
    if (n) memcpy(p.column, entry_column, (size_t)n * sizeof *p.column);
    mem_drop(m, work);
    return p;
}
