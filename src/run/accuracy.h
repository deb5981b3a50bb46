/* accuracy.h - how far a run is off at its end: parts of it are made again, with its step and with
 * half of it, and what they differ by is continued to the end.            theory.md [ACCURACY] */
#ifndef RUN_ACCURACY_H
#define RUN_ACCURACY_H

#include "base/archive.h"

typedef struct dal_sim dal_sim;
typedef struct stepper stepper;

typedef struct { /* a state from which steps are made again */
    long    k;   /* steps before it; -1: it has not come     */
    double *q, *p, *v;
} repeated_part;

/* The start, a state behind the middle, and the roughest step (resolution.h). */
enum { PART_START, PART_MIDDLE, PART_ROUGHEST, REPEATED_PARTS };

typedef struct {
    repeated_part part[REPEATED_PARTS];
    double       *least, *most; /* n: of q_j at samples; NULL: nothing is made again  */
    double       *action;       /* n: the sum of |p_j v_j| at samples                 */
    double       *met;          /* positions on the way with the whole step           */
    long          next, apart;  /* samples: the next one, and steps between them      */
    double       *input;        /* room for inputs                                    */
    stepper      *st;           /* that no run sees; NULL: none was needed so far     */
    bool          brief;        /* a member of a sweep: shorter parts,                 */
    bool          again;        /* and instead of a warning                           */
    bool          doubted;      /* a doubt, for which it is run alone                 */
    bool          blocked;      /* a block made its steps, and parts of them again,   */
    double        in_block;     /* and found this error                               */
} accuracy;

void accuracy_init(dal_sim *s); /* takes room */
void accuracy_restart(dal_sim *s);
void accuracy_take(dal_sim *s);  /* at a sample of a run                               */
void accuracy_judge(dal_sim *s); /* of a finished run: its summary, and maybe a warning */
void accuracy_resume(dal_sim *s, double error); /* steps of a block, off by this at the end */
void accuracy_end(dal_sim *s);
void accuracy_archive(dal_sim *s, archive *r);

/* A difference of positions, of their amplitude; what hardly moves, or is moved by a small share of
 * the energy, does not count. */
double apart_of(double difference, double least, double most, double share);

/* What e becomes, of which n values over equal stretches are known, after that many times as long.
 */
double error_continued(const double *e, int n, double times);

#endif
