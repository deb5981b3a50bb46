/* write.c - a robot as a model of parts/links.dal: a line for each joint, and one for each link
 * that has mass and moves. */
#include "urdf/robot.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 120 };

typedef struct {
    FILE *out;
    int   column;
} page;

/* ", name = value" of a part; behind the comma the line may go on below. */
static void put(page *p, const char *format, ...)
{
    char    held[512];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(held, sizeof held, format, args);
    va_end(args);
    if (p->column && p->column + n > WIDTH) {
        fputs(",\n      ", p->out);
        p->column = 6;
    } else if (p->column) p->column += fprintf(p->out, ", ");
    p->column += fprintf(p->out, "%s", held);
}

static void end_line(page *p)
{
    fputc('\n', p->out);
    p->column = 0;
}

/* As few digits as tell it apart; -0 is 0. */
static const char *digits(double x, char held[32])
{
    for (int n = 15; n <= 17; n++) {
        snprintf(held, 32, "%.*g", n, x == 0 ? 0 : x);
        if (strtod(held, NULL) == x) break;
    }
    return held;
}

static void put_vector(page *p, const char *name, const double a[3])
{
    char x[3][32];
    put(p, "%s = [%s, %s, %s]", name, digits(a[0], x[0]), digits(a[1], x[1]), digits(a[2], x[2]));
}

static bool is_zero(const double *a, int n)
{
    for (int k = 0; k < n; k++)
        if (a[k] != 0) return false;
    return true;
}

/* Of what was turned the last digit is dust. */
static void put_matrix(page *p, const char *name, const double M[9])
{
    char x[9][32];
    for (int k = 0; k < 9; k++) snprintf(x[k], sizeof x[k], "%.15g", M[k] == 0 ? 0 : M[k]);
    put(p, "%s = [[%s, %s, %s], [%s, %s, %s], [%s, %s, %s]]", name, x[0], x[1], x[2], x[3], x[4],
        x[5], x[6], x[7], x[8]);
}

/* What the name was, if the model has another. */
static void end_part(page *p, const robot_name *is)
{
    fputc(')', p->out);
    if (strcmp(is->name, is->word)) fprintf(p->out, " # %s", is->name);
    end_line(p);
}

/* Rows of `axes` are the axes of the joint: columns of `turn`. */
static void put_origin(page *p, const pose *o)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double              axes[9];
    for (int k = 0; k < 9; k++) axes[k] = o->turn[3 * (k % 3) + k / 3];
    if (!is_zero(o->at, 3)) put_vector(p, "at", o->at);
    if (memcmp(o->turn, one, sizeof one)) put_matrix(p, "axes", axes);
}

/* The part that carries what sits on a link. */
static const char *carrier(const robot *r, const robot_link *l)
{
    return l->joint >= 0 ? r->joint[l->joint].is.word : l->moves ? "base" : "ground";
}

static void write_joint(page *p, const robot *r, const robot_joint *j)
{
    static const char *const systems[JOINT_KINDS] = {"Revolute", "Revolute", "Prismatic",
                                                     "Fixed",    "Floating", "Planar"};
    const bool               stands = !r->link[j->to].heavy;
    const joint_kind         kind = stands ? JOINT_FIXED : j->kind;
    char                     held[32];
    put(p, "  part %s : %s(on = %s", j->is.word, systems[kind], carrier(r, &r->link[j->from]));
    put_origin(p, &j->origin);
    if (kind != JOINT_FIXED && kind != JOINT_FLOATING) put_vector(p, "axis", j->axis);
    if (kind != JOINT_FIXED && j->damping > 0) put(p, "friction = %s", digits(j->damping, held));
    end_part(p, &j->is);
}

/* Does it slide or turn, with a mass on it? */
static bool has_number(const robot *r, const robot_joint *j)
{
    return j->kind <= JOINT_PRISMATIC && r->link[j->to].heavy;
}

static bool follows(const robot *r, const robot_joint *j)
{
    return j->mimics && has_number(r, j) && has_number(r, &r->joint[j->leader]);
}

/* A joint that mimics another begins where that one has it. */
static void write_mimic(const robot *r, const robot_joint *j, FILE *out)
{
    const char *leader = r->joint[j->leader].is.word;
    char        held[2][32];
    fprintf(out, "  holonomic %s.q = ", j->is.word);
    if (j->multiplier != 1) fprintf(out, "%s*", digits(j->multiplier, held[0]));
    fprintf(out, "%s.q", leader);
    if (j->offset != 0)
        fprintf(out, " %c %s", j->offset < 0 ? '-' : '+', digits(fabs(j->offset), held[1]));
    fprintf(out, "\n  start %s.q = 0 free, %s.q' = 0 free\n", j->is.word, j->is.word);
}

static void write_inertia(page *p, const robot *r, const robot_link *l)
{
    char held[32];
    put(p, "  part %s : Inertia(on = %s, m = %s", l->is.word, carrier(r, l), digits(l->mass, held));
    if (!is_zero(l->centre.at, 3)) put_vector(p, "c", l->centre.at);
    if (!is_zero(l->moments, 9)) put_matrix(p, "J", l->moments);
    put(p, "g = g");
    end_part(p, &l->is);
}

/* What was left out, in words. --------------------------------------------------------------- */

static const char *const left_words[LEFT_KINDS] = {
    [LEFT_LIMIT] = "limits of",
    [LEFT_FRICTION] = "dry friction of",
    [LEFT_SAFETY] = "safety controllers of",
    [LEFT_CALIBRATION] = "calibrations of",
    [LEFT_VISUAL] = "visual",
    [LEFT_COLLISION] = "collision",
    [LEFT_TRANSMISSION] = "transmission",
    [LEFT_GAZEBO] = "gazebo",
    [LEFT_OTHER] = "unknown",
};

/* By the names of joints, or by their number. */
static void write_left_out(const robot *r, FILE *out)
{
    bool any = false;
    for (int k = 0; k < LEFT_KINDS; k++) {
        if (!r->left[k].count) continue;
        fputs(any ? "; " : "# Left out: ", out);
        if (r->left[k].names) fprintf(out, "%s %s", left_words[k], r->left[k].names);
        else
            fprintf(out, "%d %s element%s", r->left[k].count, left_words[k],
                    r->left[k].count > 1 ? "s" : "");
        any = true;
    }
    if (any) fputs(".\n", out);
    for (int k = 0; k < r->joints; k++) {
        const robot_joint *j = &r->joint[k];
        if (j->kind != JOINT_FIXED && !r->link[j->to].heavy)
            fprintf(out, "# Joint %s stands still: nothing on it has mass.\n", j->is.name);
        if (j->mimics && !follows(r, j))
            fprintf(out, "# Joint %s does not mimic %s: one of them neither slides nor turns.\n",
                    j->is.name, j->mimics);
    }
}

void robot_write(const robot *r, bool floats, FILE *out)
{
    page              p = {.out = out};
    const robot_link *root = &r->link[r->root];
    fprintf(
        out,
        "# %s, from a URDF file by 'dalembert import'. Lengths are in metres, angles in radians, masses in kilograms.\n"
        "# The pose is joint.q of every joint; joint.torque (joint.force where it slides) drives it.\n",
        r->is.name);
    if (!root->moves)
        fprintf(out, "# The root, %s, stands still%s.\n", root->is.name,
                floats ? ": nothing has mass" : "; with --floating it moves freely");
    write_left_out(r, out);
    fprintf(
        out,
        "import \"parts/links.dal\"\n\nsystem %s {\n  parameter g = 9.81\n  part ground : Base\n",
        r->is.word);
    if (root->moves) fprintf(out, "  part base : Floating(on = ground)\n");
    for (int k = 0; k < r->links; k++) {
        const robot_link *l = &r->link[r->order[k]];
        if (l->joint >= 0) write_joint(&p, r, &r->joint[l->joint]);
        if (l->moves && (l->mass > 0 || !is_zero(l->moments, 9))) write_inertia(&p, r, l);
    }
    for (int k = 0; k < r->joints; k++)
        if (follows(r, &r->joint[k])) write_mimic(r, &r->joint[k], out);
    fprintf(out, "}\n\nsimulate {\n  scheme = gauss(2)\n  step = 0.005\n  until = 1\n}\n");
}
