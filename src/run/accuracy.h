/* accuracy.h - how far a run is off at its end: parts of it are made again, with its step and with
 * half of it, and what they differ by is continued to the end.            theory.md [ACCURACY] */
#ifndef RUN_ACCURACY_H
#define RUN_ACCURACY_H

#include "base/archive.h"
#include "mech/stepper/repeated.h"
#include "run/twin.h"

typedef struct dal_sim dal_sim;
typedef struct stepper stepper;

enum { KEPT_STATES = 16 }; /* that are compared in a part, or in a run */

typedef struct { /* a state from which steps are made again */
    long    k;   /* steps before it; -1: it has not come     */
    double *q, *p, *v;
} repeated_part;

typedef struct {
    repeated_part part[REPEATED_PARTS];
    double       *least, *most; /* n: of q_j at samples; NULL: nothing is made again  */
    double       *action;       /* n: the sum of |p_j v_j| at samples                 */
    double       *reach, *left; /* n: from the start, and the step when it was a tenth */
    double       *met;          /* positions on the way with the whole step           */
    double       *kept;         /* those of the run itself,                           */
    double       *kept_at;      /* after so many steps each: as many as have come     */
    int           keeps;
    long          next, apart; /* samples: the next one, and steps between them      */
    double       *input;       /* room for inputs                                    */
    twin         *twin;        /* that makes the run again; NULL: states are enough  */
    stepper      *st;          /* that no run sees; NULL: none was needed so far     */
    part_error    found[REPEATED_PARTS];
    double        rested;  /* steps for which it rested but for roundoff; 0: it did not   */
    bool          brief;   /* shorter parts, unless these leave a doubt                           */
    bool          blocked; /* a block made its steps, and found these errors,                     */
    bool          lost;    /* or could not make its parts again                                   */
    bool          again;   /* what is near the threshold may be run alone, and judged there:      */
    bool          doubted; /* it has to be                                                        */
} accuracy;

void accuracy_init(dal_sim *s); /* takes room */
void accuracy_restart(dal_sim *s);
void accuracy_take(dal_sim *s);  /* at a sample of a run                               */
void accuracy_judge(dal_sim *s); /* of a finished run: its summary, and maybe a warning */
void accuracy_resume(dal_sim *s, const part_error found[REPEATED_PARTS],
                     bool lost); /* by a block */
void accuracy_end(dal_sim *s);
void accuracy_archive(dal_sim *s, archive *r);
int  accuracy_width(const dal_sim *s);                      /* numbers of a state that is kept */
const struct dal_system *accuracy_system(const dal_sim *s); /* whose positions are judged */

/* The largest difference of these positions, of their amplitudes, /(1 - 2^-r). */
double accuracy_apart(const dal_sim *s, const double *q, const double *by_halves);

/* What runs may spend on being made again as a whole, by the cost model of the engines: the runs of
 * a context this in all, and a share of what they took. */
static const double SPARE_AT_FIRST = 2e7; /* ns */

/* A difference of positions, of their amplitude; what hardly moves, or is moved by a small share of
 * the energy, does not count. */
double apart_of(double difference, double least, double most, double share);

/* Of n values of e over equal stretches of a part; and what is off after so many steps, at most. */
part_error part_error_of(const double *e, int n, long length);
double     error_continued(const part_error found[REPEATED_PARTS], double steps);

/* Is this looked at again, in longer parts? */
bool error_is_doubtful(double error);

/* Steps of a part of so many, of which some are free: all of a short run, as one part. */
enum { FREE_BRIEF = 12, FREE_LEAST = 24, FREE_MOST = 75 };
enum { PART_OF_RUN = 160, PART_OF_MEMBER = 80 }; /* one of so many: members in doubt run again */
long part_length(const dal_sim *s, long steps, long free, int of, int *parts);

/* Of the run: from there on a part is one behind its middle. */
static inline long middle_of(long steps)
{
    return (3 * steps + 4) / 5;
}

#endif
