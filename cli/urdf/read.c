/* read.c - a URDF file into a robot: what stands where is a table of elements, what an attribute
 * may be is checked where it is read. */
#include "urdf/robot.h"
#include "urdf/xml.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ERRORS_MOST = 20, NAMED_MOST = 20, NESTED_MOST = 256 };

const char *const joint_words[JOINT_KINDS] = {"revolute", "continuous", "prismatic",
                                              "fixed",    "floating",   "planar"};

void robot_error(robot *r, int line, const char *format, ...)
{
    va_list args;
    if (r->errors++ >= ERRORS_MOST) return;
    fprintf(stderr, "%s:", r->path);
    if (line) fprintf(stderr, "%d:", line);
    fputs(" error: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

/* Where in the file we are. */
typedef enum { IN_FILE, IN_ROBOT, IN_LINK, IN_INERTIAL, IN_JOINT, IN_NOTHING } context;

typedef struct {
    robot  *r;
    context at[NESTED_MOST];
    int     depth;
    bool    xacro; /* was told of */
} reader;

static robot_link *this_link(reader *d)
{
    return &d->r->link[d->r->links - 1];
}

static robot_joint *this_joint(reader *d)
{
    return &d->r->joint[d->r->joints - 1];
}

/* Attributes. ---------------------------------------------------------------------------------- */

static const char *attribute(const xml_element *e, const char *name)
{
    for (int k = 0; k < e->attributes; k++)
        if (!strcmp(e->attribute[2 * k], name)) return e->attribute[2 * k + 1];
    return NULL;
}

/* n finite numbers and nothing else. */
static bool numbers(const char *words, double *out, int n)
{
    for (int k = 0; k < n; k++) {
        char *behind;
        out[k] = strtod(words, &behind);
        if (behind == words || !isfinite(out[k])) return false;
        words = behind;
    }
    return words[strspn(words, " \t\r\n")] == 0;
}

/* What is not given stays as it is, unless it must be. */
static void read_numbers(reader *d, const xml_element *e, const char *name, double *out, int n,
                         bool must)
{
    const char *words = attribute(e, name);
    double      x[3];
    if (!words && must) robot_error(d->r, e->line, "<%s> has no %s=\"...\"", e->name, name);
    if (!words) return;
    if (numbers(words, x, n)) memcpy(out, x, (size_t)n * sizeof *x);
    else
        robot_error(d->r, e->line, "%s=\"%.60s\" of <%s> is not %s", name, words, e->name,
                    n == 1 ? "a finite number" : "three finite numbers");
}

static char *copied(const char *s)
{
    return s ? text("%s", s) : NULL;
}

/* A name that everything in the file has to have. */
static char *read_name(reader *d, const xml_element *e)
{
    const char *name = attribute(e, "name");
    if (!name || !*name) robot_error(d->r, e->line, "<%s> has no name=\"...\"", e->name);
    return copied(name ? name : "");
}

/* turn = Rz(yaw) Ry(pitch) Rx(roll); a quarter of a turn, written with all its digits, leaves no
 * dust. */
static void turn_of(const double rpy[3], double turn[9])
{
    double c[3], s[3];
    for (int k = 0; k < 3; k++) c[k] = cos(rpy[k]), s[k] = sin(rpy[k]);
    const double R[9] = {c[2] * c[1],
                         c[2] * s[1] * s[0] - s[2] * c[0],
                         c[2] * s[1] * c[0] + s[2] * s[0],
                         s[2] * c[1],
                         s[2] * s[1] * s[0] + c[2] * c[0],
                         s[2] * s[1] * c[0] - c[2] * s[0],
                         -s[1],
                         c[1] * s[0],
                         c[1] * c[0]};
    for (int k = 0; k < 9; k++) turn[k] = fabs(R[k]) < 4e-16 ? 0 : R[k];
}

static void read_pose(reader *d, const xml_element *e, pose *out)
{
    double rpy[3] = {0};
    read_numbers(d, e, "xyz", out->at, 3, false);
    read_numbers(d, e, "rpy", rpy, 3, false);
    turn_of(rpy, out->turn);
}

/* Elements. ------------------------------------------------------------------------------------ */

static const pose here = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static void read_robot(reader *d, const xml_element *e)
{
    d->r->is = (robot_name){read_name(d, e), NULL, e->line};
}

/* Room doubles. */
static void *room(void *old, int count, size_t size)
{
    return count & (count - 1) ? old : need(old, count ? 2 * (size_t)count : 1, size);
}

static void read_link(reader *d, const xml_element *e)
{
    robot *r = d->r;
    r->link = room(r->link, r->links, sizeof *r->link);
    r->link[r->links++] = (robot_link){.is = {read_name(d, e), NULL, e->line}, .centre = here};
}

static void read_inertial(reader *d, const xml_element *e)
{
    this_link(d)->weighs = true, this_link(d)->line = e->line;
}

static void read_centre(reader *d, const xml_element *e)
{
    read_pose(d, e, &this_link(d)->centre);
}

static void read_mass(reader *d, const xml_element *e)
{
    read_numbers(d, e, "value", &this_link(d)->mass, 1, true);
}

static void read_moments(reader *d, const xml_element *e)
{
    static const char *const words[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int         place[][2] = {{0, 0}, {1, 3}, {2, 6}, {4, 4}, {5, 7}, {8, 8}};
    for (int k = 0; k < 6; k++) {
        double *J = this_link(d)->moments, x = 0;
        read_numbers(d, e, words[k], &x, 1, place[k][0] == place[k][1]);
        J[place[k][0]] = J[place[k][1]] = x;
    }
}

static void read_joint(reader *d, const xml_element *e)
{
    robot      *r = d->r;
    const char *type = attribute(e, "type");
    robot_joint j = {.is = {read_name(d, e), NULL, e->line}, .origin = here, .axis = {1, 0, 0}};
    while (type && j.kind < JOINT_KINDS && strcmp(type, joint_words[j.kind])) j.kind++;
    if (!type || j.kind == JOINT_KINDS) {
        robot_error(r, e->line,
                    "joint '%s' has %s%s%s; there are revolute, continuous, prismatic, "
                    "fixed, floating and planar ones",
                    j.is.name, type ? "the type '" : "no type", type ? type : "", type ? "'" : "");
        j.kind = JOINT_FIXED;
    }
    r->joint = room(r->joint, r->joints, sizeof *r->joint);
    r->joint[r->joints++] = j;
}

static void read_origin(reader *d, const xml_element *e)
{
    read_pose(d, e, &this_joint(d)->origin);
}

static void read_end(reader *d, const xml_element *e, char **name, int *line)
{
    if (!attribute(e, "link")) robot_error(d->r, e->line, "<%s> has no link=\"...\"", e->name);
    if (*name)
        robot_error(d->r, e->line, "joint '%s' has a second <%s>", this_joint(d)->is.name, e->name);
    free(*name);
    *name = copied(attribute(e, "link")), *line = e->line;
}

static void read_parent(reader *d, const xml_element *e)
{
    read_end(d, e, &this_joint(d)->parent, &this_joint(d)->parent_line);
}

static void read_child(reader *d, const xml_element *e)
{
    read_end(d, e, &this_joint(d)->child, &this_joint(d)->child_line);
}

static void read_axis(reader *d, const xml_element *e)
{
    read_numbers(d, e, "xyz", this_joint(d)->axis, 3, true);
    this_joint(d)->axis_line = e->line;
}

static void leave_out(reader *d, left_out what, const char *of)
{
    char    **names = &d->r->left[what].names, *before = *names;
    const int count = ++d->r->left[what].count;
    if (!of || count > NAMED_MOST + 1) return;
    *names =
        text("%s%s%s", before ? before : "", before ? ", " : "", count > NAMED_MOST ? "..." : of);
    free(before);
}

static void read_dynamics(reader *d, const xml_element *e)
{
    double friction = 0;
    read_numbers(d, e, "damping", &this_joint(d)->damping, 1, false);
    read_numbers(d, e, "friction", &friction, 1, false);
    if (this_joint(d)->damping < 0)
        robot_error(d->r, e->line, "the damping of joint '%s' is negative", this_joint(d)->is.name);
    if (friction != 0) leave_out(d, LEFT_FRICTION, this_joint(d)->is.name);
}

static void read_mimic(reader *d, const xml_element *e)
{
    robot_joint *j = this_joint(d);
    if (!attribute(e, "joint")) robot_error(d->r, e->line, "<mimic> has no joint=\"...\"");
    if (j->mimics) robot_error(d->r, e->line, "joint '%s' has a second <mimic>", j->is.name);
    free(j->mimics);
    j->mimics = copied(attribute(e, "joint")), j->mimic_line = e->line, j->multiplier = 1;
    read_numbers(d, e, "multiplier", &j->multiplier, 1, false);
    read_numbers(d, e, "offset", &j->offset, 1, false);
}

/* What may stand where: read by a function, or left out by a name of its own. */
static const struct {
    context     in;
    const char *word;
    void (*read)(reader *, const xml_element *);
    left_out left;
    context  inside;
} elements[] = {
    {IN_FILE, "robot", read_robot, 0, IN_ROBOT},
    {IN_ROBOT, "link", read_link, 0, IN_LINK},
    {IN_ROBOT, "joint", read_joint, 0, IN_JOINT},
    {IN_ROBOT, "transmission", NULL, LEFT_TRANSMISSION, IN_NOTHING},
    {IN_ROBOT, "gazebo", NULL, LEFT_GAZEBO, IN_NOTHING},
    {IN_LINK, "inertial", read_inertial, 0, IN_INERTIAL},
    {IN_LINK, "visual", NULL, LEFT_VISUAL, IN_NOTHING},
    {IN_LINK, "collision", NULL, LEFT_COLLISION, IN_NOTHING},
    {IN_INERTIAL, "origin", read_centre, 0, IN_NOTHING},
    {IN_INERTIAL, "mass", read_mass, 0, IN_NOTHING},
    {IN_INERTIAL, "inertia", read_moments, 0, IN_NOTHING},
    {IN_JOINT, "origin", read_origin, 0, IN_NOTHING},
    {IN_JOINT, "parent", read_parent, 0, IN_NOTHING},
    {IN_JOINT, "child", read_child, 0, IN_NOTHING},
    {IN_JOINT, "axis", read_axis, 0, IN_NOTHING},
    {IN_JOINT, "dynamics", read_dynamics, 0, IN_NOTHING},
    {IN_JOINT, "limit", NULL, LEFT_LIMIT, IN_NOTHING},
    {IN_JOINT, "mimic", read_mimic, 0, IN_NOTHING},
    {IN_JOINT, "safety_controller", NULL, LEFT_SAFETY, IN_NOTHING},
    {IN_JOINT, "calibration", NULL, LEFT_CALIBRATION, IN_NOTHING},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

/* Macros make elements of which nothing is known here. */
static void refuse_xacro(reader *d, const xml_element *e)
{
    if (!d->xacro)
        robot_error(d->r, e->line,
                    "<%s:%s> is a macro: expand the file first, by "
                    "'xacro robot.urdf.xacro > robot.urdf'",
                    e->prefix, e->name);
    d->xacro = true;
}

static context enter(reader *d, context in, const xml_element *e)
{
    for (int k = 0; k < ELEMENTS; k++) {
        if (elements[k].in != in || strcmp(elements[k].word, e->name)) continue;
        if (elements[k].read) elements[k].read(d, e);
        else leave_out(d, elements[k].left, in == IN_JOINT ? this_joint(d)->is.name : NULL);
        return elements[k].inside;
    }
    if (in == IN_FILE)
        robot_error(d->r, e->line, "<%s> is no robot: a URDF file is a <robot>", e->name);
    else if (in != IN_NOTHING && strcmp(e->name, "material")) leave_out(d, LEFT_OTHER, NULL);
    return IN_NOTHING;
}

static void begin(void *self, const xml_element *e)
{
    reader       *d = self;
    const context in = !d->depth                 ? IN_FILE
                       : d->depth <= NESTED_MOST ? d->at[d->depth - 1]
                                                 : IN_NOTHING;
    context       inside = IN_NOTHING;
    if (e->prefix && !strcmp(e->prefix, "xacro")) refuse_xacro(d, e);
    else inside = enter(d, in, e);
    if (d->depth < NESTED_MOST) d->at[d->depth] = inside;
    d->depth++;
}

static void end(void *self)
{
    reader *d = self;
    d->depth--;
}

static void wrong(void *self, int line, const char *words)
{
    robot_error(((reader *)self)->r, line, "%s", words);
}

bool robot_read(robot *r, const char *path)
{
    reader       d = {.r = r};
    xml_listener l = {&d, begin, end, wrong};
    *r = (robot){.path = path, .root = -1};
    return xml_read(path, &l) && !r->errors;
}

void robot_free(robot *r)
{
    for (int k = 0; k < r->links; k++) free(r->link[k].is.name), free(r->link[k].is.word);
    for (int k = 0; k < r->joints; k++) {
        robot_joint *j = &r->joint[k];
        free(j->is.name), free(j->is.word), free(j->parent), free(j->child), free(j->mimics);
    }
    for (int k = 0; k < LEFT_KINDS; k++) free(r->left[k].names);
    free(r->is.name), free(r->is.word), free(r->link), free(r->joint), free(r->order);
}
