/* rows.h - where a pass over the rows of a large system reads (model/rows/runs.h): the runs of each
 * term, whose instances advance through the coordinates with a constant stride, and the regions in
 * which every row is the same sum. */

/* The runs of one term: numbers that its compiled loop reads. */
struct run_table {
    int        runs, width; /* numbers of a run: first index of each variable, row of each output */
    const int *base;        /* runs x width                                                       */
    const int *count;       /* instances of each run                                              */
    const int *low, *high;  /* first and last row that it touches; both ascend                    */
};

/* Rows from .. to-1 to which run[k] of term k contributes everywhere, and rare terms nowhere. */
struct region {
    int        from, to;
    const int *run;
};

struct rows {
    const double           *parameter, *data, *input;
    double                  t;
    const struct run_table *table;  /* of every term */
    const struct region    *region; /* ascending     */
    int                     regions;
};

/* The first run that touches row a or a later one. */
static inline int first_run(const struct run_table *R, int a)
{
    int low = 0, high = R->runs;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (R->high[middle] < a) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The region of a row, or the next one; NULL: there is none. */
static inline const struct region *region_from(const struct rows *s, int row)
{
    int low = 0, high = s->regions;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (s->region[middle].to <= row) low = middle + 1;
        else high = middle;
    }
    return low < s->regions ? s->region + low : 0;
}
