/* plot_thin.c - leaves out points that no picture can show. Of successive points in one pixel, or
 * in one column of pixels where x only grows or only falls, four tell all: the first, the lowest,
 * the highest and the last. So no extreme is lost, and no line moves by more than a pixel. */
#include "plot.h"

#include <math.h>

static bool one_way(const curve *c)
{
    bool up = true, down = true;
    for (long i = 1; i < c->points; i++) {
        if (c->x[i] < c->x[i - 1]) up = false;
        if (c->x[i] > c->x[i - 1]) down = false;
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

static pixel pixel_of(const curve *c, const panel *on, long i, int across, bool columns)
{
    if (!drawable(c->x[i]) || !drawable(c->y[i])) return (pixel){-1, -1};
    return (pixel){pixel_at(c->x[i], on->x, across),
                   columns ? 0 : pixel_at(c->y[i], on->y, across)};
}

static long keep(long *kept, long n, long i)
{
    if (!n || kept[n - 1] < i) kept[n++] = i;
    return n;
}

long curve_thin(const curve *c, const panel *on, int across, long *kept)
{
    bool columns = one_way(c);
    long n = 0, end;
    for (long i = 0; i < c->points; i = end) {
        pixel at = pixel_of(c, on, i, across, columns);
        long  low = i, high = i;
        for (end = i + 1; end < c->points; end++) {
            pixel next = pixel_of(c, on, end, across, columns);
            if (next.column != at.column || next.row != at.row) break;
            if (c->y[end] < c->y[low]) low = end;
            if (c->y[end] > c->y[high]) high = end;
        }
        n = keep(kept, n, i);
        n = keep(kept, n, low < high ? low : high);
        n = keep(kept, n, low < high ? high : low);
        n = keep(kept, n, end - 1);
    }
    return n;
}
