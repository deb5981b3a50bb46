/* thin.c - leaves out points that no picture can show. Of successive points in one pixel, or in one
 * column of pixels where x only grows or only falls, four tell all: the first, the lowest, the
 * highest and the last. So no extreme over time is lost. Of a long portrait, only the lines are
 * left that paint a pixel which none before them has painted: its extremes are right to a pixel. */
#include "picture/picture.h"

#include <math.h>
#include <stdlib.h>

enum { SERIES_PIXELS = 2048, PORTRAIT_PIXELS = 1024, MANY = 20000 };

static bool one_way(const line *l)
{
    bool up = true, down = true;
    for (long i = 1; i < l->points; i++) {
        if (l->x[i] < l->x[i - 1]) up = false;
        if (l->x[i] > l->x[i - 1]) down = false;
    }
    return up || down;
}

typedef struct {
    int column, row;
} pixel;

static int pixel_at(double x, range r, int count)
{
    return (int)floor((x - r.least) / range_width(r) * count);
}

static pixel pixel_of(const line *l, const pane *on, long i, bool columns)
{
    if (!drawable(l->x[i]) || !drawable(l->y[i])) return (pixel){-1, -1};
    return (pixel){pixel_at(l->x[i], on->x, columns ? SERIES_PIXELS : PORTRAIT_PIXELS),
                   columns ? 0 : pixel_at(l->y[i], on->y, PORTRAIT_PIXELS)};
}

static long keep(long *kept, long n, long i)
{
    if (!n || kept[n - 1] < i) kept[n++] = i;
    return n;
}

static long thin_runs(const line *l, const pane *on, bool columns, long *kept)
{
    long n = 0, end;
    for (long i = 0; i < l->points; i = end) {
        pixel at = pixel_of(l, on, i, columns);
        long  low = i, high = i;
        for (end = i + 1; end < l->points; end++) {
            pixel next = pixel_of(l, on, end, columns);
            if (next.column != at.column || next.row != at.row) break;
            if (l->y[end] < l->y[low]) low = end;
            if (l->y[end] > l->y[high]) high = end;
        }
        n = keep(kept, n, i);
        n = keep(kept, n, low < high ? low : high);
        n = keep(kept, n, low < high ? high : low);
        n = keep(kept, n, end - 1);
    }
    return n;
}

/* Paints the line from a to b; is any of its pixels new? */
static bool paints(unsigned char *painted, pixel a, pixel b)
{
    int  across = b.column - a.column, up = b.row - a.row;
    int  n = abs(across) > abs(up) ? abs(across) : abs(up);
    bool is_new = false;
    for (int i = 0; i <= n; i++) {
        int            x = a.column + (n ? across * i / n : 0), y = a.row + (n ? up * i / n : 0);
        unsigned char *at = &painted[y * (PORTRAIT_PIXELS + 1) + x];
        is_new |= !*at, *at = 1;
    }
    return is_new;
}

/* Leaves the lines that paint something; where one is left out stands -1. */
static long *thin_painted(mem *m, const line *l, const pane *on, const long *kept, long *n)
{
    size_t         size = (size_t)(PORTRAIT_PIXELS + 1) * (PORTRAIT_PIXELS + 1);
    unsigned char *painted = mem_array(m, size, unsigned char);
    long          *left = mem_array(m, 2 * *n, long), count = 0;
    for (long k = 1; k < *n; k++) {
        pixel a = pixel_of(l, on, kept[k - 1], false), b = pixel_of(l, on, kept[k], false);
        if (a.column < 0 || b.column < 0 || !paints(painted, a, b)) continue;
        if (!count || left[count - 1] != kept[k - 1]) {
            if (count) left[count++] = -1;
            left[count++] = kept[k - 1];
        }
        left[count++] = kept[k];
    }
    *n = count;
    return left;
}

long *line_thin(mem *m, const line *l, const pane *on, long *n)
{
    bool  columns = one_way(l);
    long *kept = mem_array(m, l->points + 1, long);
    *n = thin_runs(l, on, columns, kept);
    return columns || *n <= MANY ? kept : thin_painted(m, l, on, kept, n);
}
