/* How threads are scheduled is not theirs to say here: all have the ordinary policy, and no right to another. A thread
 * knows its own name only. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "impasse_machine.h"
#include "kernel.h"

_Thread_local char __impasse_thread_name[IMPASSE_NAME_BYTES] = "main";

/* The highest priority of a policy; -1 if there is no such policy. The lowest is 1 where the highest is not 0. */
static int highest(int policy)
{
	switch (policy) {
	case SCHED_FIFO: case SCHED_RR: return 99;
	case SCHED_OTHER: case SCHED_BATCH: case SCHED_IDLE: case SCHED_DEADLINE: return 0;
	default: return -1;
	}
}

/* An error number, or 0. */
static int change(int policy, int priority)
{
	int most = highest(policy);
	if (most < 0 || priority < 0 || priority > most || (most && !priority))
		return EINVAL;
	return policy == SCHED_OTHER ? 0 : EPERM;
}

static int fails(int error)
{
	if (error)
		errno = error;
	return error ? -1 : 0;
}

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
	return change(policy, parameters->sched_priority);
}

int pthread_setschedprio(pthread_t thread, int priority)
{
	(void)thread;
	return priority ? EINVAL : 0;
}

int sched_get_priority_max(int policy)
{
	int most = highest(policy);
	return most < 0 ? fails(EINVAL) : most;
}

int sched_get_priority_min(int policy)
{
	int most = highest(policy);
	return most < 0 ? fails(EINVAL) : most > 0;
}

int sched_getscheduler(pid_t process)
{
	return process < 0 ? fails(EINVAL) : SCHED_OTHER;
}

int sched_getparam(pid_t process, struct sched_param *parameters)
{
	if (process < 0)
		return fails(EINVAL);
	*parameters = (struct sched_param){0};
	return 0;
}

int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters)
{
	return fails(process < 0 ? EINVAL : change(policy, parameters->sched_priority));
}

int sched_setparam(pid_t process, const struct sched_param *parameters)
{
	return sched_setscheduler(process, SCHED_OTHER, parameters);
}

/* The processors that a thread may run on, of the two: a bit for each; 0 for those of the thread that started it. */
static _Thread_local unsigned char processors;
enum { UNCHANGED, ONLY_OWN, ALSO_OTHERS };
static int changed;

static int set_processors(int is_own, size_t size, const cpu_set_t *set)
{
	unsigned char wanted = size ? *(const unsigned char *)set & 3 : 0;
	if (!wanted)
		return EINVAL;
	if (is_own)
		processors = wanted;
	__impasse_atomic_begin();
	if (!is_own)
		changed = ALSO_OTHERS;
	else if (changed == UNCHANGED)
		changed = ONLY_OWN;
	__impasse_atomic_end();
	return 0;
}

/* Those of the running thread, or of another one. Only the main thread has those of no other one at first. */
static int processors_of(int is_own)
{
	__impasse_atomic_begin();
	int is_known = changed == UNCHANGED || (changed == ONLY_OWN && is_own && (processors || __impasse_thread_id() == 1));
	__impasse_atomic_end();
	if (!is_known)
		__impasse_unsupported("the processors of a thread that another thread may have set");
	__impasse_asks("there are 2 processors", 0);
	return is_own && processors ? processors : 3;
}

static int get_processors(int is_own, size_t size, cpu_set_t *set)
{
	if (size < 8 || size % 8)
		return EINVAL;
	memset(set, 0, size);
	*(unsigned char *)set = (unsigned char)processors_of(is_own);
	return 0;
}

/* A thread may be moved to another of its processors at any time. */
int sched_getcpu(void)
{
	int all = processors_of(1);
	return all == 3 ? __impasse_choose(2) : all - 1;
}

/* Whether a number is that of the running thread. */
static int is_own(pid_t thread)
{
	return !thread || thread == gettid();
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *set)
{
	return fails(thread && thread < IMPASSE_PROCESS_ID ? ESRCH : set_processors(is_own(thread), size, set));
}

int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *set)
{
	return fails(thread && thread < IMPASSE_PROCESS_ID ? ESRCH : get_processors(is_own(thread), size, set));
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set)
{
	return set_processors(pthread_equal(thread, pthread_self()), size, set);
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
	return get_processors(pthread_equal(thread, pthread_self()), size, set);
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
