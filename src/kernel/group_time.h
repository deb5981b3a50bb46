/* group_time.h - the processor time of a group of processes, where the system tells it. */
#ifndef KERNEL_GROUP_TIME_H
#define KERNEL_GROUP_TIME_H

#include <stdbool.h>
#include <sys/types.h>

/* Seconds that the processes of the group have computed so far, and those of their children that
 * have ended; negative where there is no /proc to read it from. */
double group_time(pid_t group);

#endif
