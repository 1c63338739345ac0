/* The system calls of the machine: those of files go to their room, the small ones are here. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include "files.h"
#include "impasse_machine.h"
#include "kernel.h"

/* What a call that Impasse does not support is for, in the words of the programmer; 0 for one that it does not know. */
static const char *purpose(long n)
{
	switch (n) {
	case SYS_execve: case SYS_execveat: return "starting another program (exec)";
	case SYS_fork: case SYS_vfork: case SYS_clone: return "a second process (fork)";
	case SYS_memfd_create: return "a file in memory (memfd_create)";
	case SYS_sendfile: case SYS_splice: case SYS_tee: case SYS_vmsplice: case SYS_copy_file_range:
		return "moving data between descriptors (sendfile, splice)";
	case SYS_statfs: case SYS_fstatfs: return "the state of a file system (statfs)";
	case SYS_fallocate: return "room for a file (fallocate)";
	case SYS_kill: case SYS_tkill: case SYS_tgkill: return "a signal by the number of a thread or process";
	case SYS_sigaltstack: return "another stack for signal handlers (sigaltstack)";
	case SYS_signalfd: case SYS_signalfd4: return "signals read from a descriptor (signalfd)";
	case SYS_alarm: case SYS_setitimer: case SYS_getitimer: case SYS_timer_create: return "a timer by the number of the system call";
	case SYS_timerfd_create: return "a timer read from a descriptor (timerfd_create)";
	case SYS_inotify_init: case SYS_inotify_init1: return "inotify";
	case SYS_shmget: case SYS_shmat: case SYS_semget: case SYS_msgget:
#ifdef SYS_semop
	case SYS_semop:
#endif
		return "memory, semaphores and messages between processes";
	case SYS_flock: return "a lock of a file (flock)";
	case SYS_mprotect: case SYS_mremap: return "changing a mapping of memory (mprotect, mremap)";
	default: return 0;
	}
}

/* Notes that a call fails as one that the kernel does not have. */
static void note_unknown(long n)
{
	const char *name = __impasse_name_of_call(n);
	if (name) {
		__impasse_asks("the system call %s fails with ENOSYS: Impasse does not know it", name);
		return;
	}
	char digits[21], *first = digits + sizeof digits - 1;
	*first = 0;
	unsigned long rest = n < 0 ? -(unsigned long)n : (unsigned long)n;
	do
		*--first = (char)('0' + rest % 10);
	while (rest /= 10);
	if (n < 0)
		*--first = '-';
	__impasse_asks("the system call with the number %s fails with ENOSYS: Impasse does not know it", first);
}

/* A call that is unknown fails as on a kernel that does not have it. With longs of 32 bits, calls that
 * are known otherwise, such as those of clocks, have other numbers. */
static long unsupported(long n)
{
	if (purpose(n))
		__impasse_unsupported(purpose(n));
	if (sizeof(long) < 8)
		__impasse_unsupported("a system call with longs of 32 bits, such as those of clocks");
	note_unknown(n);
	return -ENOSYS;
}

/* Clocks of processes and threads have negative numbers. */
static int is_clock(int clock)
{
	return clock <= CLOCK_TAI && clock != CLOCK_SGI_CYCLE;
}

static long get_time(int clock, struct timespec *t)
{
	if (!is_clock(clock))
		return -EINVAL;
	long nanoseconds = __impasse_time(clock);
	*t = (struct timespec){nanoseconds / 1000000000, nanoseconds % 1000000000};
	return 0;
}

static long resolution(int clock, struct timespec *t)
{
	if (!is_clock(clock))
		return -EINVAL;
	if (t)
		*t = (struct timespec){0, 1};
	return 0;
}

long __impasse_nanoseconds(const struct timespec *t)
{
	if (t->tv_nsec < 0 || t->tv_nsec >= 1000000000 || t->tv_sec < 0)
		return -EINVAL;
	long nanoseconds;
	if (__builtin_mul_overflow(t->tv_sec, 1000000000L, &nanoseconds) ||
	    __builtin_add_overflow(nanoseconds, t->tv_nsec, &nanoseconds))
		return LONG_MAX;
	return nanoseconds;
}

/* A sleep that is over leaves `left` as it is. */
static long sleep_until(long until, struct timespec *left)
{
	if (!__impasse_interrupted(0)) {
		__impasse_sleep_until(until);
		return 0;
	}
	if (left) {
		long rest = until - __impasse_time(CLOCK_MONOTONIC);
		if (rest <= 0)
			return 0;
		*left = (struct timespec){rest / 1000000000, rest % 1000000000};
	}
	return -EINTR;
}

_Thread_local const struct sleep_observer *__impasse_sleep_observer;

static long sleep_by_clock(int clock, int flags, const struct timespec *t, struct timespec *left)
{
	if (!is_clock(clock) || clock == CLOCK_THREAD_CPUTIME_ID)
		return -EINVAL;
	if (clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE)
		return -EOPNOTSUPP;
	long nanoseconds = __impasse_nanoseconds(t);
	if (nanoseconds < 0)
		return -EINVAL;
	if (flags & TIMER_ABSTIME)
		return sleep_until(nanoseconds, 0);
	const struct sleep_observer *observer = __impasse_sleep_observer;
	if (observer)
		observer->begins(nanoseconds);
	long result = sleep_until(__impasse_time_after(nanoseconds), left);
	if (observer)
		observer->ends(!result);
	return result;
}

static long map(size_t size, int protection, int flags, int fd, long offset)
{
	int kind = flags & MAP_TYPE, anonymous = flags & MAP_ANONYMOUS;
	if (!size || offset % 4096 || kind < MAP_SHARED || kind > (anonymous ? MAP_PRIVATE : MAP_SHARED_VALIDATE))
		return -EINVAL;
	if (!anonymous && fd < 0)
		return -EBADF;
	if (~protection & (PROT_READ | PROT_WRITE))
		__impasse_unsupported("memory that may not be read and written (mmap)");
	if (!anonymous)
		__impasse_unsupported("mmap of a file");
	if (flags & MAP_FIXED)
		__impasse_unsupported("mmap at a fixed address");
	void *memory = __impasse_map(size);
	return memory ? (long)memory : -ENOMEM;
}

/* The advices of Linux 6.1. */
static int is_advice(int advice)
{
	return (advice >= MADV_NORMAL && advice <= MADV_DONTNEED) || (advice >= MADV_FREE && advice <= 25);
}

static long advise(unsigned long start, int advice)
{
	if (!is_advice(advice) || start % 4096)
		return -EINVAL;
	if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE || advice == 24)
		__impasse_unsupported("memory whose content is given up (madvise)");
	return 0;
}

static long synchronise(unsigned long start, int flags)
{
	int both = MS_SYNC | MS_ASYNC;
	return start % 4096 || flags & ~(both | MS_INVALIDATE) || (flags & both) == both ? -EINVAL : 0;
}

static long unmap(void *start, size_t size)
{
	if (!size || (unsigned long)start % 4096)
		return -EINVAL;
	return start ? __impasse_unmap(start, size) : 0;
}

enum { NON_BLOCKING = 1, FROM_POOL = 2, INSECURE = 4 };

static long randomise(unsigned char *to, long n, int flags)
{
	if (flags & ~(NON_BLOCKING | FROM_POOL | INSECURE) || (flags & FROM_POOL && flags & INSECURE))
		return -EINVAL;
	return __impasse_random(to, n);
}

static long other_call(long n, long a, long b, long c, long d, long e, long f)
{
	switch (n) {
#ifdef SYS_clock_gettime
	case SYS_clock_gettime: return get_time((int)a, (void *)b);
	case SYS_clock_getres: return resolution((int)a, (void *)b);
	case SYS_clock_settime: return is_clock((int)a) ? -EPERM : -EINVAL;
	case SYS_nanosleep: return sleep_by_clock(CLOCK_REALTIME, 0, (void *)a, (void *)b);
	case SYS_clock_nanosleep: return sleep_by_clock((int)a, (int)b, (void *)c, (void *)d);
#endif
	case SYS_mmap: return map((size_t)b, (int)c, (int)d, (int)e, f);
	case SYS_munmap: return unmap((void *)a, (size_t)b);
	case SYS_madvise: return advise((unsigned long)a, (int)c);
	case SYS_msync: return synchronise((unsigned long)a, (int)c);
	case SYS_mlock: case SYS_munlock: case SYS_munlockall: return 0;
	case SYS_mlockall: return a && !(a & ~(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) ? 0 : -EINVAL;
	case SYS_brk: return 0;
	case SYS_getrandom: return randomise((void *)a, b, (int)c);
	case SYS_rt_sigaction: return __impasse_sigaction((int)a, (void *)b, (void *)c);
	case SYS_rt_sigprocmask: return __impasse_sigprocmask((int)a, (void *)b, (void *)c);
	case SYS_rt_sigpending: return __impasse_sigpending((void *)a);
	case SYS_rt_sigtimedwait: return __impasse_sigtimedwait((void *)a, (void *)b, (void *)c);
	case SYS_rt_sigsuspend: return __impasse_sigsuspend((void *)a);
	case SYS_pause: return __impasse_sigsuspend(0);
	default: {
		long result = __impasse_process_call(n, a, b, c, d, e);
		return result == -ENOSYS ? unsupported(n) : result;
	}
	}
}

static long transfer(long n, int fd, long b, long c, long d)
{
	struct iovec one = {(void *)b, (size_t)c};
	switch (n) {
	case SYS_read: return __impasse_read(fd, &one, 1, -1);
	case SYS_write: return __impasse_write(fd, &one, 1, -1);
	case SYS_pread64: return d < 0 ? -EINVAL : __impasse_read(fd, &one, 1, d);
	case SYS_pwrite64: return d < 0 ? -EINVAL : __impasse_write(fd, &one, 1, d);
	case SYS_readv: return __impasse_read(fd, (void *)b, (int)c, -1);
	case SYS_writev: return __impasse_write(fd, (void *)b, (int)c, -1);
	case SYS_preadv: return d < 0 ? -EINVAL : __impasse_read(fd, (void *)b, (int)c, d);
	default: return d < 0 ? -EINVAL : __impasse_write(fd, (void *)b, (int)c, d);
	}
}

/* The limit of a wait in nanoseconds; IMPASSE_NO_LIMIT if there is none. */
static long time_limit(const struct timespec *limit)
{
	return limit ? __impasse_nanoseconds(limit) : IMPASSE_NO_LIMIT;
}

/* The same for a limit in microseconds, which may be a second or more. */
static long coarse_limit(const struct timeval *limit)
{
	if (!limit)
		return IMPASSE_NO_LIMIT;
	if (limit->tv_usec < 0)
		return -EINVAL;
	struct timespec t = {limit->tv_sec, limit->tv_usec % 1000000 * 1000};
	return __builtin_add_overflow(t.tv_sec, limit->tv_usec / 1000000, &t.tv_sec) ? LONG_MAX : __impasse_nanoseconds(&t);
}

/* And for one in milliseconds, which has no end if it is negative. */
static long millisecond_limit(int limit)
{
	return limit < 0 ? IMPASSE_NO_LIMIT : limit * 1000000L;
}

long __impasse_syscall(long n, long a, long b, long c, long d, long e, long f)
{
	switch (n) {
	case SYS_read: case SYS_write: case SYS_pread64: case SYS_pwrite64:
	case SYS_readv: case SYS_writev: case SYS_preadv: case SYS_pwritev:
		return transfer(n, (int)a, b, c, d);
	case SYS_poll:
		return __impasse_poll((void *)a, (unsigned long)b, millisecond_limit((int)c), 0);
	case SYS_ppoll:
		return __impasse_poll((void *)a, (unsigned long)b, time_limit((void *)c), (void *)d);
	case SYS_select:
		return __impasse_select((int)a, (void *)b, (void *)c, (void *)d, coarse_limit((void *)e), 0);
	case SYS_pselect6: {
		/* The mask, and its size. */
		const unsigned long *const *mask = (void *)f;
		return __impasse_select((int)a, (void *)b, (void *)c, (void *)d, time_limit((void *)e), mask ? *mask : 0);
	}
	case SYS_epoll_wait:
		return __impasse_epoll_wait((int)a, (void *)b, (int)c, millisecond_limit((int)d), 0);
	case SYS_epoll_pwait:
		return __impasse_epoll_wait((int)a, (void *)b, (int)c, millisecond_limit((int)d), (void *)e);
	case SYS_sendto: {
		unsigned length = (unsigned)f;
		return __impasse_transfer_message(n, (int)a, b, c, (int)d, (struct socket_name){(void *)e, &length});
	}
	case SYS_recvfrom:
		return __impasse_transfer_message(n, (int)a, b, c, (int)d, (struct socket_name){(void *)e, (void *)f});
	case SYS_sendmsg: case SYS_recvmsg:
		return __impasse_transfer_message(n, (int)a, b, 0, (int)c, (struct socket_name){0, 0});
#ifdef SYS__llseek
	case SYS__llseek: {
		/* Where a long has 32 bits, the offset is given in two parts, and the new one left in memory. */
		if (b != (c < 0 ? -1 : 0))
			return -EOVERFLOW;
		long at = __impasse_syscall(SYS_lseek, a, c, (int)e, 0, 0, 0);
		if (at >= 0)
			*(off_t *)d = at;
		return at < 0 ? at : 0;
	}
#endif
	case SYS_futex:
		return __impasse_futex((void *)a, (int)b, (int)c, d, (void *)e, (unsigned)f);
	case SYS_open: return __impasse_open_waiting(AT_FDCWD, (void *)a, (int)b, (unsigned)c);
	case SYS_openat: return __impasse_open_waiting((int)a, (void *)b, (int)c, (unsigned)d);
	case SYS_connect: return __impasse_connect((int)a, (void *)b, (unsigned)c);
#ifdef SYS_accept
	case SYS_accept: return __impasse_accept((int)a, (void *)b, (void *)c, 0);
#endif
	case SYS_accept4: return __impasse_accept((int)a, (void *)b, (void *)c, (int)d);
	case SYS_mknod: case SYS_mknodat: case SYS_close: case SYS_lseek: case SYS_dup: case SYS_dup2: case SYS_dup3:
	case SYS_pipe: case SYS_pipe2: case SYS_fcntl: case SYS_ioctl: case SYS_fsync: case SYS_fdatasync: case SYS_sync:
#ifdef SYS_newfstatat
	case SYS_newfstatat:
#endif
	case SYS_stat: case SYS_lstat: case SYS_fstat: case SYS_access: case SYS_faccessat:
	case SYS_truncate: case SYS_ftruncate: case SYS_unlink: case SYS_unlinkat: case SYS_rmdir: case SYS_mkdir:
	case SYS_mkdirat: case SYS_rename: case SYS_renameat: case SYS_link: case SYS_linkat: case SYS_symlink:
	case SYS_symlinkat: case SYS_readlink: case SYS_readlinkat: case SYS_getdents64:
	case SYS_getcwd: case SYS_chdir: case SYS_fchdir: case SYS_chmod: case SYS_fchmod: case SYS_fchmodat:
	case SYS_chown: case SYS_fchown: case SYS_lchown: case SYS_fchownat: case SYS_utimensat:
	case SYS_faccessat2: case SYS_fchmodat2: case SYS_renameat2: case SYS_umask: case SYS_eventfd: case SYS_eventfd2:
	case SYS_epoll_create: case SYS_epoll_create1: case SYS_epoll_ctl: case SYS_socketpair: case SYS_shutdown:
	case SYS_socket: case SYS_bind: case SYS_listen: case SYS_getsockname: case SYS_getpeername: case SYS_setsockopt:
	case SYS_getsockopt: {
		__impasse_atomic_begin();
		long result = __impasse_file_call(n, a, b, c, d, e);
		__impasse_atomic_end();
		return result;
	}
	default:
		return other_call(n, a, b, c, d, e, f);
	}
}
