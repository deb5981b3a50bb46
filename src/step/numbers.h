/* numbers.h - roundoff and the thresholds of the iterations of a step, for either precision of
 * `real`.                                                                    theory.md [NEWTON] */
#define PRECISE(wide, narrow) ((number)(sizeof(number) == sizeof(double) ? (wide) : (narrow)))

#define EPSILON PRECISE(2.2204460492503131e-16, 1.1920929e-7)
#define LEAST PRECISE(2.2250738585072014e-308, 1.17549435e-38) /* normal number */
#define FAINTEST (LEAST * (number)1e18)                        /* unknowns below are nothing */
#define MOST PRECISE(1.7976931348623157e308, 3.40282347e38)
#define GRAIN (EPSILON / 4)

#define SQUARED PRECISE(1e-8, 2e-4)   /* the square of such a relative correction is roundoff     */
#define STAGNANT PRECISE(1e-7, 1e-3)  /* below, a correction that stops shrinking is noise  */
#define HELD PRECISE(1e-9, 1e-4)      /* of the largest multiplier: reactions have converged      */
#define CONVERGED PRECISE(1e-9, 1e-5) /* the same as SQUARED, of curve and step length together */
#define ADMITTED ((number)1e-3)       /* noise of a step length                                   */
#define REFINED ((number)0.05)        /* of a linear system: roundoff of its solver shows above   */
#define ASTRAY ((number)0.5)          /* a first correction this large may lead to another root   */
#define SEEN ((number)1e-6)           /* of the largest position: a jump is no less than that      */
#define FAR ((number)1e8)             /* no correction leads back from there                      */
#define HALF ((number)0.5)
#define QUARTER ((number)0.25)
#define TENTH ((number)0.1)

/* A pivot below this, of rows and columns scaled to 1, is nothing. */
#define NEGLIGIBLE ((number)N * PRECISE(16 * 2.2204460492503131e-16, 1.1920929e-7))

enum { ITERATIONS = 25, PATIENCE = 3 }; /* after PATIENCE corrections only noise may be left */
enum { HISTORY = 6, PREDICTING = 3 };   /* solutions that are kept, and that predict something */
