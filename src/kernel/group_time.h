/* group_time.h - the processor time of a process group, where the system provides it. */
#ifndef KERNEL_GROUP_TIME_H
#define KERNEL_GROUP_TIME_H

#include <stdbool.h>
#include <sys/types.h>

/* Seconds of processor time of the group so far, including children that have ended; negative where
 * there is no /proc to read it from. */
double group_time(pid_t group);

#endif
