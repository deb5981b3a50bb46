/* cmd_import.c - dalembert import: a model from a file of another kind, the URDF of a robot. */
#include "urdf/robot.h"

#include <stdlib.h>
#include <string.h>

static int own_flags(flag_row *out)
{
    out[0] = (flag_row){"floating", 0, NULL, "the root moves freely; otherwise it stands still"};
    return 1;
}

/* "robot.dal" for "dir/robot.urdf"; standard input goes to standard output. Yours to free. */
static char *model_path(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *dot = strrchr(name, '.');
    if (is_standard(path)) return text("-");
    return text("%.*s.dal", (int)(dot && dot > name ? dot - name : (long)strlen(name)), name);
}

static bool has_motion(const robot *r)
{
    for (int k = 0; k < r->links; k++)
        if (r->link[k].moves) return true;
    return false;
}

static int write_model(const arguments *a, robot *r, bool floats)
{
    char *path = a->outputs ? text("%s", a->output[a->outputs - 1]) : model_path(r->path);
    robot_find_words(r);
    FILE *out = open_output(path);
    int   code = out ? EXIT_DONE : EXIT_IO;
    if (out) {
        robot_write(r, floats, out);
        code = close_output(out, path) ? EXIT_DONE : EXIT_IO;
    }
    if (!code && !a->quiet && !is_standard(path))
        fprintf(stderr, "written: %s; its first lines say what was left out\n", path);
    free(path);
    return code;
}

static int import(arguments *a)
{
    robot      r;
    const bool floats = own_value(a, "floating") != NULL, read = robot_read(&r, a->word[0]);
    int        code = EXIT_WRONG;
    if (read && robot_grow(&r, floats)) {
        if (!has_motion(&r))
            robot_error(
                &r, r.is.line,
                "nothing of this robot moves: it has no joint that moves something that has mass");
        else code = write_model(a, &r, floats);
    } else if (!r.errors) code = EXIT_IO;
    robot_free(&r);
    return code;
}

const command command_import = {
    .name = "import",
    .synopsis = "import ROBOT.urdf [-o MODEL.dal] [OPTION]...",
    .title = "make a model from a robot in a URDF file",
    .about =
        "Writes a model of the robot's links and joints, in parts of parts/links.dal: masses,\n"
        "moments of inertia, origins, axes, and damping as friction. What a model has no word\n"
        "for, such as limits, mimic joints, transmissions and meshes, is named in its first\n"
        "lines. No entities, no network.",
    .example = "Examples:\n"
               "  dalembert import panda.urdf -o panda.dal\n"
               "  xacro robot.urdf.xacro | dalembert import - --floating > robot.dal\n",
    .least = 1,
    .most = 1,
    .flags = own_flags,
    .run = import,
};
