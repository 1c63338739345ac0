/* How threads are scheduled is not theirs to say here: all have the ordinary policy, and no right to another. A thread
 * knows its own name only. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include "impasse_machine.h"
#include "kernel.h"

_Thread_local char __impasse_thread_name[IMPASSE_NAME_BYTES] = "main";

int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters)
{
	(void)thread;
	*policy = SCHED_OTHER;
	*parameters = (struct sched_param){0};
	return 0;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters)
{
	(void)thread;
	if (policy != SCHED_OTHER)
		return EPERM;
	return parameters->sched_priority ? EINVAL : 0;
}

int pthread_setschedprio(pthread_t thread, int priority)
{
	(void)thread;
	return priority ? EINVAL : 0;
}

int pthread_setname_np(pthread_t thread, const char *name)
{
	if (strlen(name) >= IMPASSE_NAME_BYTES)
		return ERANGE;
	if (pthread_equal(thread, pthread_self()))
		strcpy(__impasse_thread_name, name);
	return 0;
}

int pthread_getname_np(pthread_t thread, char *name, size_t size)
{
	if (!pthread_equal(thread, pthread_self()))
		__impasse_unsupported("the name of another thread");
	if (size < IMPASSE_NAME_BYTES)
		return ERANGE;
	strcpy(name, __impasse_thread_name);
	return 0;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
	(void)thread;
	*clock = CLOCK_THREAD_CPUTIME_ID;
	return 0;
}
