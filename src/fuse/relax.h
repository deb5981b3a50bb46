/* relax.h - inside relaxation: relax.c assembles the step from one correction (relax_sweep.c) and
 * its matrices (relax_block.c). */
#ifndef FUSE_RELAX_H
#define FUSE_RELAX_H

#include "fuse/inside.h"

typedef struct {
    int   size;
    bool *filled; /* entries of L and U, by row, and of their inverses, that are not 0 */
    bool *turned;
    bool  inverted;
    int  *place; /* of an entry that is kept, of the inverse or of L and U; -1: of none */
    int   held;  /* numbers that are kept at each point */
} factor_shape;

/* relax_block.c */
factor_shape relax_block(fusing *f);
void         relax_block_write(fusing *f, const factor_shape *b);
const char  *relax_divide(fusing *f, const factor_shape *b); /* z0 .. from r0 .. in lane i */
const char  *relax_inertia(fusing *f, int row, int col);     /* an entry of M in lane i; NULL: 0 */
bool         relax_by_positions(fusing *f); /* is an entry made by way of positions?       */

/* relax_sweep.c */
int         relax_lanes(const fusing *f); /* points of the rule, as whole vectors            */
int         relax_nodes(const fusing *f); /* where reactions act, or positions are constrained */
bool        relax_reads(const fusing *f, const program *p, int j); /* position j             */
const char *relax_combined(fusing *f, const char *of_table, int lanes, const char *of, int first);
const char *relax_force(fusing *f, int j);    /* on coordinate j, at point i; NULL: none     */
const char *relax_reaction(fusing *f, int j); /* at node i                                   */
const char *relax_reactions(fusing *f);
const char *relax_sweep(fusing *f, const factor_shape *b);
const char *relax_size(fusing *f, const char *array, const char *weight); /* of the correction */
void        relax_scales_write(fusing *f); /* what weights are made of */

#endif
