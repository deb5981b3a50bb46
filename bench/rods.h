/* rods.h - a chain of rods with ball joints by Simbody, for the table of rods.c. */
#ifndef BENCH_RODS_H
#define BENCH_RODS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Rods of mass 1, of this length and radius, in this weight; rod k begins at rest, turned by TILT
 * about [cos k, sin k, 0], k = 1 .. */
#define ROD_LENGTH 1.0
#define ROD_RADIUS 0.05
#define ROD_GRAVITY 9.81
#define ROD_TILT 0.5

/* Seconds until time 1 to this tolerance; end: the centres of all rods. */
double rods_by_simbody(int rods, double tolerance, double *end);

#ifdef __cplusplus
}
#endif
#endif
