/* group_time.c - the processor time of a process group, summed over /proc. A limit in processor
 * time bounds what a program computes, independently of the load of the machine. */
#include "kernel/group_time.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The numbers of /proc/N/stat behind the name and the state, as proc(5) lists them: which group it
 * is in, and four counts of ticks: in the program, in the kernel, and both of children that ended.
 */
enum { GROUP = 1, TICKS = 10, NUMBERS = 14 };

/* The name stands in brackets and may hold some itself. */
static bool read_numbers(const char *process, long number[NUMBERS])
{
    char  path[64], line[1024];
    FILE *f =
        snprintf(path, sizeof path, "/proc/%.20s/stat", process) > 0 ? fopen(path, "r") : NULL;
    if (!f) return false;
    line[fread(line, 1, sizeof line - 1, f)] = 0;
    fclose(f);
    char *at = strrchr(line, ')');
    if (!at || strlen(at) < 4) return false;
    at += 4;
    for (int k = 0; k < NUMBERS; k++) number[k] = strtol(at, &at, 10);
    return true;
}

double group_time(pid_t group)
{
    DIR   *d = opendir("/proc");
    long   number[NUMBERS];
    double ticks = 0;
    bool   told = false;
    /* children that have ended are counted in their parents */
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!isdigit((unsigned char)e->d_name[0]) || !read_numbers(e->d_name, number)) continue;
        told = true;
        if (number[GROUP] != (long)group) continue;
        for (int k = TICKS; k < NUMBERS; k++) ticks += (double)number[k];
    }
    if (d) closedir(d);
    return told ? ticks / (double)sysconf(_SC_CLK_TCK) : -1;
}
