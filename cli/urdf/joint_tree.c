/* joint_tree.c - from names to a tree: which link each joint joins, which link is the root, and what
 * moves and weighs. */
#include "urdf/robot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names in order, to be found. */
typedef struct {
    const char *name;
    int         line, index;
} entry;

static int compare(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const int    by_name = strcmp(x->name, y->name);
    return by_name ? by_name : x->line - y->line;
}

/* Two of one name are told of. */
static void sort(robot *r, entry *list, int n, const char *what)
{
    qsort(list, (size_t)n, sizeof *list, compare);
    for (int k = 1; k < n; k++)
        if (!strcmp(list[k].name, list[k - 1].name))
            robot_error(r, list[k].line, "a second %s is called '%s', as in line %d", what,
                        list[k].name, list[k - 1].line);
}

static int find(const entry *list, int n, const char *name)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (strcmp(list[middle].name, name) < 0) low = middle + 1;
        else high = middle;
    }
    return low < n && !strcmp(list[low].name, name) ? list[low].index : -1;
}

static int end_of(robot *r, const entry *list, const robot_joint *j, const char *name, int line,
                  const char *which)
{
    const int at = name ? find(list, r->links, name) : -1;
    if (!name) robot_error(r, j->is.line, "joint '%s' has no <%s>", j->is.name, which);
    else if (at < 0)
        robot_error(r, line, "there is no link '%s', the %s of joint '%s'", name, which,
                    j->is.name);
    return at;
}

/* Joints of a link form a list, in the order of the file. */
static void hang(robot *r, int joint)
{
    robot_joint *j = &r->joint[joint];
    robot_link  *child = &r->link[j->to];
    if (child->joint >= 0)
        robot_error(r, j->child_line, "link '%s' is the child of two joints, '%s' and '%s'",
                    child->is.name, r->joint[child->joint].is.name, j->is.name);
    child->joint = joint;
}

static void join(robot *r, const entry *list)
{
    for (int k = 0; k < r->links; k++) r->link[k].joint = r->link[k].first = -1;
    for (int k = 0; k < r->joints; k++) {
        robot_joint *j = &r->joint[k];
        j->from = end_of(r, list, j, j->parent, j->parent_line, "parent");
        j->to = end_of(r, list, j, j->child, j->child_line, "child");
        if (j->from >= 0 && j->to >= 0) hang(r, k);
    }
    for (int k = r->joints - 1; k >= 0; k--) { /* from the last, so that the first is in front */
        robot_joint *j = &r->joint[k];
        if (j->from < 0) continue;
        j->next = r->link[j->from].first, r->link[j->from].first = k;
    }
}

/* Every link is behind what carries it; what is not reached from the root is in a loop. */
static void put_in_order(robot *r)
{
    int *stack = need(NULL, (size_t)r->links, sizeof *stack), waiting = 0, n = 0;
    r->order = need(NULL, (size_t)r->links, sizeof *r->order);
    stack[waiting++] = r->root;
    while (waiting) {
        const int at = stack[--waiting], from = waiting;
        r->order[n++] = at;
        for (int k = r->link[at].first; k >= 0; k = r->joint[k].next)
            stack[waiting++] = r->joint[k].to;
        for (int i = from, j = waiting - 1; i < j; i++, j--) { /* the first one is taken first */
            const int held = stack[i];
            stack[i] = stack[j], stack[j] = held;
        }
    }
    free(stack);
    for (int k = 0; n < r->links && k < r->links; k++) {
        int at = k, steps = 0;
        while (at >= 0 && r->link[at].joint >= 0 && steps++ <= r->links)
            at = r->joint[r->link[at].joint].from;
        if (at == r->root) continue;
        robot_error(r, r->link[k].is.line,
                    "link '%s' is in a loop of joints: its parents lead back to it",
                    r->link[k].is.name);
        return;
    }
}

static bool find_root(robot *r)
{
    int second = -1;
    for (int k = 0; k < r->links; k++) {
        if (r->link[k].joint >= 0) continue;
        if (r->root < 0) r->root = k;
        else if (second < 0) second = k;
    }
    if (!r->links) robot_error(r, r->is.line, "the robot has no links");
    else if (r->root < 0)
        robot_error(r, r->is.line, "no link is the root: every one is the child of a joint");
    else if (second >= 0)
        robot_error(r, r->link[second].is.line,
                    "links '%s' and '%s' are both the child of no joint", r->link[r->root].is.name,
                    r->link[second].is.name);
    return !r->errors;
}

/* Inertia. ------------------------------------------------------------------------------------- */

/* turn J turn^T: from axes of the centre to those of the link. */
static void turn_moments(const double turn[9], double J[9])
{
    double K[9] = {0}, out[9] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) K[3 * i + j] += turn[3 * i + k] * J[3 * k + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) out[3 * i + j] += K[3 * i + k] * turn[3 * j + k];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) J[3 * i + j] = (out[3 * i + j] + out[3 * j + i]) / 2;
}

/* Are all principal minors of the symmetric matrix at least zero, but for roundoff? */
static bool is_positive(const double J[9])
{
    const double size = fabs(J[0]) + fabs(J[4]) + fabs(J[8]), least = -1e-12 * size;
    double       det = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        if (J[4 * i] < least) return false;
        if (J[4 * i] * J[4 * j] - J[3 * i + j] * J[3 * i + j] < least * size) return false;
        det += J[i] * (J[3 + j] * J[6 + k] - J[3 + k] * J[6 + j]);
    }
    return det >= least * size * size;
}

static void check_inertia(robot *r, robot_link *l)
{
    double total = l->moments[0] + l->moments[4] + l->moments[8], size = fabs(total);
    for (int k = 0; k < 9; k++) size += fabs(l->moments[k]);
    if (l->mass < 0)
        robot_error(r, l->line, "the mass of link '%s' is negative: %g", l->is.name, l->mass);
    if (!is_positive(l->moments))
        robot_error(
            r, l->line,
            "the moments of inertia of link '%s' are those of no body: they are not positive",
            l->is.name);
    if (l->weighs) turn_moments(l->centre.turn, l->moments);
    l->heavy = l->mass > 0 || size > 0;
}

/* A joint without anything heavy on it would have no equation: it stands still. */
static void move_and_weigh(robot *r, bool floats)
{
    for (int k = r->links - 1; k > 0; k--) {
        const robot_link *l = &r->link[r->order[k]];
        if (l->heavy) r->link[r->joint[l->joint].from].heavy = true;
    }
    for (int k = 0; k < r->links; k++) {
        robot_link  *l = &r->link[r->order[k]];
        robot_joint *j = l->joint >= 0 ? &r->joint[l->joint] : NULL;
        l->moves = !j ? floats && l->heavy
                      : r->link[j->from].moves || (j->kind != JOINT_FIXED && l->heavy);
    }
}

static void check_axis(robot *r, robot_joint *j)
{
    const double size = hypot(hypot(j->axis[0], j->axis[1]), j->axis[2]);
    if (size > 0 && isfinite(size)) return;
    if (j->kind == JOINT_FIXED || j->kind == JOINT_FLOATING) return;
    robot_error(r, j->axis_line, "the axis of joint '%s' has %s", j->is.name,
                size > 0 ? "no finite length" : "the length 0");
}

/* Which joint each one follows; -1: none. */
static void find_leaders(robot *r, const entry *list)
{
    for (int k = 0; k < r->joints; k++) {
        robot_joint *j = &r->joint[k];
        j->leader = j->mimics ? find(list, r->joints, j->mimics) : -1;
        if (j->mimics && (j->leader < 0 || j->leader == k))
            robot_error(r, j->mimic_line,
                        j->leader < 0 ? "there is no joint '%s', which joint '%s' mimics"
                                      : "joint '%s' mimics itself",
                        j->mimics, j->is.name);
    }
}

bool robot_grow(robot *r, bool floats)
{
    entry *list =
        need(NULL, (size_t)(r->links > r->joints ? r->links : r->joints) + 1, sizeof *list);
    for (int k = 0; k < r->joints; k++)
        list[k] = (entry){r->joint[k].is.name, r->joint[k].is.line, k};
    sort(r, list, r->joints, "joint");
    find_leaders(r, list);
    for (int k = 0; k < r->links; k++) list[k] = (entry){r->link[k].is.name, r->link[k].is.line, k};
    sort(r, list, r->links, "link");
    join(r, list);
    free(list);
    for (int k = 0; k < r->links; k++) check_inertia(r, &r->link[k]);
    for (int k = 0; k < r->joints; k++) check_axis(r, &r->joint[k]);
    if (r->errors || !find_root(r)) return false;
    put_in_order(r);
    if (!r->errors) move_and_weigh(r, floats);
    return !r->errors;
}
