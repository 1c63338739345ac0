/* How threads are scheduled is not theirs to say here: all have the ordinary policy, and no right to another. Names of
 * threads are taken, and not kept. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

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
	(void)thread;
	return strlen(name) > 15 ? ERANGE : 0;
}
