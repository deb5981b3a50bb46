/* border.h - the border of a step of the energy principle.                     theory.md [ENERGY]
 */

typedef struct { /* dS/dZ, dG/dh, dS/dh; S, and the sizes of what it adds up */
    real row[N], column[N], corner, S, size;
} border;

typedef struct { /* at the end of a curve, and what was gained along it */
    real chord, gained;
} energies;
