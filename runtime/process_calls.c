/* The system calls about the process, its limits, its priority and the machine. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "impasse_machine.h"
#include "kernel.h"

enum { QUERY = 0, GLOBAL = 1, GLOBAL_EXPEDITED = 2, PRIVATE_EXPEDITED = 8 };
enum { REGISTER_GLOBAL = 4, REGISTER_PRIVATE = 16 };

/* A barrier of all threads; the expedited ones are for processes that have registered. */
static long barrier(int command, int flags)
{
	static int registered;
	long error = 0;
	if (flags)
		return -EINVAL;
	switch (command) {
	case QUERY: return GLOBAL | GLOBAL_EXPEDITED | PRIVATE_EXPEDITED | REGISTER_GLOBAL | REGISTER_PRIVATE;
	case REGISTER_GLOBAL: case REGISTER_PRIVATE:
		__impasse_atomic_begin();
		registered |= command;
		__impasse_atomic_end();
		return 0;
	case PRIVATE_EXPEDITED: case GLOBAL_EXPEDITED:
		__impasse_atomic_begin();
		if (command == PRIVATE_EXPEDITED && !(registered & REGISTER_PRIVATE))
			error = -EPERM;
		int reached = registered & (command == PRIVATE_EXPEDITED ? REGISTER_PRIVATE : REGISTER_GLOBAL);
		__impasse_atomic_end();
		if (reached)
			__impasse_fence_everywhere();
		return error;
	case GLOBAL: __impasse_fence_everywhere(); return 0;
	default: return -EINVAL;
	}
}

static long control_process(int operation, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	char *text = (char *)a;
	switch (operation) {
	case PR_SET_NAME: {
		size_t length = strnlen(text, IMPASSE_NAME_BYTES - 1);
		memcpy(__impasse_thread_name, text, length);
		__impasse_thread_name[length] = 0;
		return 0;
	}
	case PR_GET_NAME: strcpy(text, __impasse_thread_name); return 0;
	case PR_SET_PDEATHSIG: return a < _NSIG ? 0 : -EINVAL;
	case PR_SET_DUMPABLE: return a <= 1 ? 0 : -EINVAL;
	case PR_SET_NO_NEW_PRIVS: return a == 1 && !b && !c && !d ? 0 : -EINVAL;
	case PR_SET_TIMERSLACK: return 0;
	default: __impasse_unsupported("an operation on the process (prctl) other than its name");
	}
}

static long machine_name(struct utsname *u)
{
	__impasse_asks("uname() returns Linux 6.1.0 of the machine \"impasse\"", 0);
	*u = (struct utsname){"Linux", "impasse", "6.1.0", "1", "x86_64", ""};
	return 0;
}

static long memory_size(struct sysinfo *info)
{
	__impasse_asks("sysinfo() returns 1 GiB of memory, of which half is free", 0);
	struct sysinfo answer = {.totalram = 1UL << 30, .freeram = 1UL << 29, .procs = 1, .mem_unit = 1};
	/* What the kernel writes ends where the room that musl reserves begins. */
	memcpy(info, &answer, offsetof(struct sysinfo, __reserved));
	return 0;
}

/* The limits that the program has set, and of which resources (bits). */
static struct rlimit limited[RLIM_NLIMITS];
static int is_limited;

static void read_limit(int resource, struct rlimit *to)
{
	if (!(is_limited & 1 << resource)) {
		__impasse_asks("getrlimit() returns no limit, but for 64 open files", 0);
		rlim_t limit = resource == RLIMIT_NOFILE ? 64 : RLIM_INFINITY;
		*to = (struct rlimit){limit, limit};
	} else
		*to = limited[resource];
}

/* Whether reaching the limit does more than what the machine never does, such as to write the memory of a program that fails. */
static int has_effect(int resource)
{
	switch (resource) {
	case RLIMIT_CPU: case RLIMIT_FSIZE: case RLIMIT_DATA: case RLIMIT_NPROC: case RLIMIT_NOFILE: case RLIMIT_AS: return 1;
	default: return 0;
	}
}

static long set_limit(int resource, const struct rlimit *new, const struct rlimit *old)
{
	if (new->rlim_cur > new->rlim_max)
		return -EINVAL;
	if (new->rlim_max > old->rlim_max)
		return -EPERM;
	if (new->rlim_cur != old->rlim_cur && has_effect(resource))
		__impasse_unsupported("a limit on processor time, files, memory or threads (setrlimit)");
	limited[resource] = *new;
	is_limited |= 1 << resource;
	return 0;
}

static long limits(unsigned process, unsigned resource, const struct rlimit *new, struct rlimit *old)
{
	if (resource >= RLIM_NLIMITS)
		return -EINVAL;
	if (process && process != IMPASSE_PROCESS_ID)
		return -ESRCH;
	struct rlimit before, after;
	if (new)
		after = *new;
	__impasse_atomic_begin();
	read_limit((int)resource, &before);
	long error = new ? set_limit((int)resource, &after, &before) : 0;
	__impasse_atomic_end();
	if (old && !error)
		*old = before;
	return error;
}

static long cpus(unsigned long size, unsigned char *set)
{
	if (size < 8 || size % 8)
		return -EINVAL;
	__impasse_asks("there are 2 processors", 0);
	memset(set, 0, size);
	set[0] = 3;
	return 8;
}

static long run_on(unsigned long size, const unsigned char *set)
{
	return size && set[0] & 3 ? 0 : -EINVAL;
}

/* The nice value, between 0 and 19. A kernel returns 20 less it. */
static int niceness;

static long get_priority(int which)
{
	if (which < PRIO_PROCESS || which > PRIO_USER)
		return -EINVAL;
	__impasse_atomic_begin();
	long value = niceness;
	__impasse_atomic_end();
	return 20 - value;
}

static long set_priority(int which, int value)
{
	if (which < PRIO_PROCESS || which > PRIO_USER)
		return -EINVAL;
	long error = 0;
	__impasse_atomic_begin();
	if (value < niceness)
		error = -EACCES;
	else
		niceness = value > 19 ? 19 : value;
	__impasse_atomic_end();
	return error;
}

static long usage(int who, struct rusage *to)
{
	if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD)
		return -EINVAL;
	__impasse_asks("getrusage() returns that nothing was used", 0);
	memset(to, 0, 18 * sizeof(long));
	return 0;
}

static long elapsed(struct tms *to)
{
	__impasse_asks("times() returns that no processor time was used", 0);
	if (to)
		*to = (struct tms){0};
	return __impasse_time(CLOCK_MONOTONIC) / 10000000;
}

/* An answer that another process, user or machine would get otherwise. */
static long answer(const char *what, long result)
{
	__impasse_asks(what, 0);
	return result;
}

pid_t gettid(void)
{
	return IMPASSE_PROCESS_ID - 1 + __impasse_thread_id();
}

static long group(long process)
{
	if (process && process != IMPASSE_PROCESS_ID)
		return -ESRCH;
	return answer("the process is the first of its group and session", IMPASSE_PROCESS_ID);
}

long __impasse_process_call(long n, long a, long b, long c, long d, long e)
{
	switch (n) {
	case SYS_exit:
	case SYS_exit_group: __impasse_exit((int)a);
	case SYS_getpid: return answer("getpid() returns 100", IMPASSE_PROCESS_ID);
	case SYS_gettid: return gettid();
	/* There are no other processes to wait for. */
	case SYS_wait4: return (unsigned)c & ~(unsigned)(WNOHANG | WUNTRACED | WCONTINUED | 0xe0000000) ? -EINVAL : -ECHILD;
	case SYS_waitid: return -ECHILD;
	case SYS_getppid: return answer("getppid() returns 1", 1);
	case SYS_getpgrp: return group(0);
	case SYS_getpgid: case SYS_getsid: return group((int)a);
	case SYS_getuid: case SYS_geteuid: case SYS_getgid: case SYS_getegid:
		return answer("the user and the group have number 1000", IMPASSE_USER_ID);
	case SYS_getgroups: return (int)a < 0 ? -EINVAL : answer("the user is in no other group", 0);
	case SYS_uname: return machine_name((void *)a);
	case SYS_sysinfo: return memory_size((void *)a);
	case SYS_sched_yield: return sched_yield();
	case SYS_sched_getaffinity: return cpus((unsigned long)b, (void *)c);
	case SYS_sched_setaffinity: return run_on((unsigned long)b, (void *)c);
	case SYS_membarrier: return barrier((int)a, (int)b);
	case SYS_prctl: return control_process((int)a, (unsigned long)b, (unsigned long)c, (unsigned long)d, (unsigned long)e);
	case SYS_prlimit64: return limits((unsigned)a, (unsigned)b, (void *)c, (void *)d);
	case SYS_getrlimit: return limits(0, (unsigned)a, 0, (void *)b);
	case SYS_getpriority: return get_priority((int)a);
	case SYS_setpriority: return set_priority((int)a, (int)c);
	case SYS_getrusage: return usage((int)a, (void *)b);
	case SYS_times: return elapsed((void *)a);
	case SYS_set_tid_address: return gettid();
	default: return -ENOSYS;
	}
}
