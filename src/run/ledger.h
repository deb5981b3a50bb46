/* ledger.h - who stores, who spends and who passes on energy, integrated along the curves of a run.
 *
 *     E_P(end) - E_P(start) = work of the forces in P + what it receives through relations (+ terms
 * written outside) into P through relation a:  integral of lam_a sum_{i in P} A_ai v_i dt;  over
 * all its parts: 0     theory.md [POWER] */
#ifndef RUN_LEDGER_H
#define RUN_LEDGER_H

#include "base/archive.h"
#include "dalembert.h"

typedef struct ledger  ledger;
typedef struct dal_sim dal_sim;

void              ledger_open(dal_sim *s); /* at the start; the stepper tells it of every curve */
const dal_ledger *ledger_read(dal_sim *s);
void              ledger_archive(ledger *l, archive *r); /* for a checkpoint */

#endif
