/* robot.h - a robot as a URDF file describes it: links, and joints that form a tree of them. */
#ifndef CLI_URDF_ROBOT_H
#define CLI_URDF_ROBOT_H

#include "cli.h"

typedef struct {
    char *name; /* as in the file       */
    char *word; /* as in the model      */
    int   line;
} robot_name;

typedef struct {
    double at[3];
    double turn[9]; /* from axes of its own to those around it, row by row */
} pose;

typedef struct {
    robot_name is;
    bool       weighs; /* it has an <inertial>                     */
    double     mass;
    pose       centre;
    double     moments[9];  /* in axes of the centre, then of the link  */
    int        line;        /* of the inertial                          */
    int        joint;       /* that carries it; -1: the root            */
    int        first, next; /* joints on it; next one on the same link  */
    bool       moves;       /* in space                                 */
    bool       heavy;       /* it or something on it has mass           */
} robot_link;

typedef enum {
    JOINT_REVOLUTE,
    JOINT_CONTINUOUS,
    JOINT_PRISMATIC,
    JOINT_FIXED,
    JOINT_FLOATING,
    JOINT_PLANAR,
    JOINT_KINDS
} joint_kind;
extern const char *const joint_words[JOINT_KINDS]; /* of type="..." */

typedef struct {
    robot_name is;
    joint_kind kind;
    char      *parent, *child; /* names of links, NULL: not given */
    int        parent_line, child_line;
    int        from, to, next; /* links; the next joint on the same one */
    pose       origin;
    double     axis[3];
    int        axis_line;
    double     damping;
    char      *mimics;             /* the name of the joint that it follows; NULL: none */
    int        mimic_line, leader; /* leader: that joint */
    double     multiplier, offset; /* q = multiplier q_leader + offset */
} robot_joint;

/* What a model has no word for. */
typedef enum {
    LEFT_LIMIT,
    LEFT_FRICTION,
    LEFT_SAFETY,
    LEFT_CALIBRATION,
    LEFT_VISUAL,
    LEFT_COLLISION,
    LEFT_TRANSMISSION,
    LEFT_GAZEBO,
    LEFT_OTHER,
    LEFT_KINDS
} left_out;

typedef struct {
    const char  *path;
    robot_name   is;
    robot_link  *link;
    robot_joint *joint;
    int          links, joints;
    int         *order; /* links, each behind what carries it */
    int          root;
    struct {
        int   count;
        char *names; /* of joints, separated by commas; NULL: none has one */
    } left[LEFT_KINDS];
    int errors;
} robot;

/* "robot.urdf:12: error: ..."; line 0: of the whole file. */
void robot_error(robot *r, int line, const char *format, ...);

bool robot_read(robot *r, const char *path);              /* read.c: false, and said why      */
bool robot_grow(robot *r, bool floats);                   /* joint_tree.c: from names to a tree     */
void robot_find_words(robot *r);                          /* words.c: names for the model     */
void robot_write(const robot *r, bool floats, FILE *out); /* write.c                    */
void robot_free(robot *r);

#endif
