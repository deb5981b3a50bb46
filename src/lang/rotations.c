/* rotations.c - rotations in numbers, as quaternions and as matrices. */
#include "lang/rotations.h"

#include <math.h>

void matrix_of_quaternion(const double q[4], double R[9])
{
    double size = 0;
    for (int i = 0; i < 4; i++) size += q[i] * q[i];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        R[4 * i] =
            (q[0] * q[0] + q[i + 1] * q[i + 1] - q[j + 1] * q[j + 1] - q[k + 1] * q[k + 1]) / size;
        R[3 * j + i] = 2 * (q[i + 1] * q[j + 1] + q[0] * q[k + 1]) / size;
        R[3 * i + j] = 2 * (q[i + 1] * q[j + 1] - q[0] * q[k + 1]) / size;
    }
}

/* Of two equations for each component the one without cancellation: that of the largest, with
 *     4 q_0^2 = 1 + R_11 + R_22 + R_33,   4 q_0 q_1 = R_32 - R_23,   4 q_1 q_2 = R_21 + R_12 ...
 * and q_0 >= 0 */
static void quaternion_of_matrix(const double R[9], double q[4])
{
    double product[4][4], size = 0;
    int    most = 0;
    product[0][0] = 1 + R[0] + R[4] + R[8];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        product[i + 1][i + 1] = 1 + R[4 * i] - R[4 * j] - R[4 * k];
        product[0][i + 1] = product[i + 1][0] = R[3 * k + j] - R[3 * j + k];
        product[i + 1][j + 1] = product[j + 1][i + 1] = R[3 * i + j] + R[3 * j + i];
    }
    for (int i = 1; i < 4; i++)
        if (product[i][i] > product[most][most]) most = i;
    for (int i = 0; i < 4; i++) size += product[most][i] * product[most][i];
    for (int i = 0; i < 4; i++)
        q[i] = (product[most][0] < 0 ? -1 : 1) * product[most][i] / sqrt(size);
}

/* Calls. --------------------------------------------------------------------------------------- */

static bool is_call(const ast *a)
{
    const callee *f = a->kind == AST_CALL ? a->ref : NULL;
    return f && f->b && (f->b->kind == FN_ROTATION || f->b->kind == FN_QUATERNION);
}

/* About an axis of any length but 0, or of such a length. */
static bool quaternion_called(world *w, const env *v, const ast *call, double q[4])
{
    const bool turns = ((const callee *)call->ref)->b->kind == FN_ROTATION;
    double     size = 0;
    if (turns) {
        const quantity axis = numbers(w, v, call->arg[0]);
        const double   half = 0.5 * number(w, v, call->arg[1]);
        for (int i = 0; i < 3; i++) size += axis.at[i].x * axis.at[i].x;
        q[0] = cos(half);
        for (int i = 0; i < 3; i++) q[i + 1] = sin(half) * axis.at[i].x / sqrt(size);
    } else {
        for (int i = 0; i < 4; i++) q[i] = number(w, v, call->arg[i]), size += q[i] * q[i];
        for (int i = 0; i < 4; i++) q[i] /= sqrt(size);
    }
    if (!w->failed && !(isfinite(size) && size > 0))
        world_error(w, call->at, NULL, "%s has the length 0, or none",
                    turns ? "the axis" : "the quaternion");
    return !w->failed;
}

quantity rotation_called(world *w, const env *v, const ast *call)
{
    quantity out = {.shape = SHAPE_MATRIX, .rotation = true};
    double   q[4], R[9];
    if (!quaternion_called(w, v, call, q)) return out;
    matrix_of_quaternion(q, R);
    for (int e = 0; e < 9; e++) out.at[e].x = R[e];
    return out;
}

/* Matrices. ------------------------------------------------------------------------------------ */

static bool has_three(const ast *a)
{
    return a->kind == AST_LIST && a->n == 3;
}

/* Rows of three, or an expression. */
static bool matrix_given(world *w, const env *v, const ast *value, double R[9])
{
    bool rows = has_three(value);
    for (int i = 0; rows && i < 3; i++) rows = has_three(value->arg[i]);
    for (int e = 0; rows && e < 9; e++) R[e] = number(w, v, value->arg[e / 3]->arg[e % 3]);
    if (rows) return !w->failed;
    if (value->kind == AST_LIST || value->shape != SHAPE_MATRIX) {
        world_error(
            w, value->at,
            "type rotation(axis, angle), quaternion(w, x, y, z), or a matrix: [[..], [..], [..]]",
            "this is no rotation");
        return false;
    }
    const quantity all = numbers(w, v, value);
    for (int e = 0; e < 9; e++) R[e] = all.at[e].x;
    return !w->failed;
}

/* What of R^T R = 1 and det R = 1 does not hold, to the digits that are typed; NULL: it is one. */
static const char *why_no_rotation(mem *m, const double R[9])
{
    static const double TYPED = 1e-6;
    double              det = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        double    length = 0, along = 0;
        for (int r = 0; r < 9; r += 3) length += R[r + i] * R[r + i], along += R[r + i] * R[r + j];
        if (!(fabs(length - 1) <= TYPED))
            return mem_printf(m, "its column %d has the length %.10g, not 1", i + 1, sqrt(length));
        if (!(fabs(along) <= TYPED))
            return mem_printf(m, "its columns %d and %d are not perpendicular", i + 1, j + 1);
        det += R[i] * (R[3 + j] * R[6 + k] - R[3 + k] * R[6 + j]);
    }
    return det > 0 ? NULL : "it is a reflection, with the determinant -1";
}

bool rotation_given(world *w, const env *v, const ast *value, double q[4])
{
    double R[9];
    if (is_call(value)) return quaternion_called(w, v, value, q);
    if (!matrix_given(w, v, value, R)) return false;
    const char *wrong = why_no_rotation(w->m, R);
    if (wrong)
        world_error(w, value->at, "its columns are the axes of the body, in space axes",
                    "this matrix is no rotation: %s", wrong);
    else quaternion_of_matrix(R, q);
    return !wrong;
}
