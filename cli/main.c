/* main.c - dalembert, the program: a table of commands, each in a file of its own, over the public
 * header only. */
#include "cli.h"

#include <signal.h>
#include <string.h>

const command *const commands[] = {&command_run,
                                   &command_resume,
                                   &command_check,
                                   &command_show,
                                   &command_converge,
                                   &command_sweep,
                                   &command_plot,
                                   &command_report,
                                   &command_export,
                                   &command_import,
                                   &command_methods,
                                   &command_reproduce,
                                   &command_cite,
                                   NULL};

static const command *find_command(const char *name)
{
    for (int i = 0; commands[i]; i++)
        if (!strcmp(commands[i]->name, name)) return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[16];
    int         count = 0;
    for (; commands[count]; count++) names[count] = commands[count]->name;
    const char *near = nearest(name, names, count);
    if (near) return complain("there is no command '%s'; did you mean '%s'?", name, near);
    return complain("there is no command '%s'; 'dalembert --help' lists them", name);
}

static int run_command(const command *c, int argc, char **argv)
{
    arguments a = {.command = c, .cx = dal_context_new(NULL)};
    a.options = a.cx ? dal_options_new(a.cx) : NULL;
    if (!a.options) return dal_context_free(a.cx), complain("out of memory"), EXIT_FAILED;
    int code = ranks_join(&a);
    if (code == GO_ON) code = arguments_read(&a, argc, argv);
    if (code == GO_ON) code = c->run(&a);
    if (!output_is_unread()) dal_report(a.cx, stderr, colours(stderr));
    ranks_leave(&a, code);
    dal_options_free(a.options);
    dal_context_free(a.cx);
    return code;
}

static int answer(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : NULL;
    if (!first) {
        program_help(stderr);
        return EXIT_WRONG;
    }
    if (!strcmp(first, "--version") || !strcmp(first, "-V")) {
        printf("dalembert %s\n", dal_version());
        return close_output(stdout, "-") ? EXIT_DONE : EXIT_IO;
    }
    bool help = !strcmp(first, "--help") || !strcmp(first, "-h") || !strcmp(first, "help");
    if (help && argc == 2) {
        program_help(stdout);
        return close_output(stdout, "-") ? EXIT_DONE : EXIT_IO;
    }
    const command *c = find_command(help ? argv[2] : first);
    if (!c && first[0] == '-' && !help)
        return complain("options come after a command: 'dalembert run MODEL.dal %s ...'", first);
    if (!c) return unknown_command(help ? argv[2] : first);
    if (!help) return run_command(c, argc - 2, argv + 2);
    command_help(c, stdout);
    return close_output(stdout, "-") ? EXIT_DONE : EXIT_IO;
}

/* Files are whole by now. Whoever reads standard output has seen enough, as head has: the program
 * ends by the signal of that, quietly, unless it was started with the signal ignored. */
static int ended(int code, void (*before)(int))
{
    if (code != EXIT_IO || !output_is_unread()) return code;
    if (before == SIG_IGN) complain("cannot write standard output: the reader has gone away");
    else signal(SIGPIPE, SIG_DFL), raise(SIGPIPE);
    return code;
}

int main(int argc, char **argv)
{
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN); /* a closed pipe is a failed write, */
    signal(SIGXFSZ, SIG_IGN);                             /* and so is a file that may not grow */
    memory_begin();
    return ended(answer(argc, argv), before);
}
