// expect: verified
// broken: error kind=assertion line=90
// environment: 56 getrlimit() returns no limit, but for 64 open files; 58 getrlimit() returns no
//     limit, but for 64 open files; 60 getrlimit() returns no limit, but for 64 open files; 61
//     getrlimit() returns no limit, but for 64 open files; 63 getrusage() returns that nothing
//     was used; 64 sysinfo() returns 1 GiB of memory, of which half is free; 73 there are 2
//     processors
// Arguments that Linux refuses, of the calls about memory, clocks, limits and scheduling.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, error) (errno = 0, (long)(call) == -1 && errno == (error))

static void memory(void)
{
	int both = PROT_READ | PROT_WRITE, ours = MAP_PRIVATE | MAP_ANONYMOUS;
	char *at = mmap(0, 4096, both, ours, -1, 0), byte;
	assert(at != MAP_FAILED);
	assert(FAILS(mmap(0, 4096, both, MAP_ANONYMOUS, -1, 0), EINVAL));
	assert(FAILS(mmap(0, 4096, both, ours | MAP_SHARED, -1, 0), EINVAL));
	assert(FAILS(mmap(0, 0, both, ours, -1, 0), EINVAL));
	assert(FAILS(mmap(0, 4096, both, ours, -1, 1), EINVAL));
	assert(FAILS(mmap(0, 4096, both, MAP_PRIVATE, -1, 0), EBADF));
	assert(!madvise(at, 4096, MADV_WILLNEED) && !madvise(at, 0, MADV_NORMAL));
	assert(FAILS(madvise(at, 4096, 999), EINVAL) && FAILS(madvise(at + 1, 1, MADV_NORMAL), EINVAL));
	assert(!msync(at, 4096, MS_SYNC) && FAILS(msync(at, 4096, 99), EINVAL));
	assert(FAILS(msync(at, 4096, MS_SYNC | MS_ASYNC), EINVAL) && FAILS(msync(at + 1, 4, MS_SYNC), EINVAL));
	assert(FAILS(mlockall(0), EINVAL) && FAILS(mlockall(77), EINVAL) && !munlockall());
	assert(FAILS(munmap(at, 0), EINVAL) && FAILS(munmap(at + 1, 4096), EINVAL) && !munmap(at, 4096));
	assert(FAILS(getrandom(&byte, 1, 99), EINVAL) && FAILS(getrandom(&byte, 1, 6), EINVAL));
	assert(getrandom(&byte, 0, 0) == 0 && FAILS(getgroups(-1, 0), EINVAL) && FAILS(getsid(999999), ESRCH));
}

static void clocks(void)
{
	struct timespec none = {0, 0}, wrong = {0, -1};
	assert(FAILS(clock_gettime(99, &none), EINVAL) && FAILS(clock_gettime(10, &none), EINVAL));
	assert(FAILS(clock_getres(99, &none), EINVAL) && FAILS(clock_getres(10, &none), EINVAL));
	assert(clock_nanosleep(CLOCK_MONOTONIC_RAW, 0, &none, 0) == ENOTSUP);
	assert(clock_nanosleep(CLOCK_MONOTONIC_COARSE, 0, &none, 0) == ENOTSUP);
	assert(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &none, 0) == EINVAL);
	assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, 0) == EINVAL);
}

static void limits(void)
{
	struct rlimit limit = {5, 4};
	assert(FAILS(getrlimit(99, &limit), EINVAL) && FAILS(setrlimit(RLIMIT_CORE, &limit), EINVAL));
	limit = (struct rlimit){0, 4};
	assert(FAILS(setrlimit(99, &limit), EINVAL) && !setrlimit(RLIMIT_CORE, &limit));
	assert(!getrlimit(RLIMIT_CORE, &limit) && limit.rlim_cur == 0 && limit.rlim_max == 4);
	assert(!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur > 3);
	assert(!setrlimit(RLIMIT_NOFILE, &limit));
	struct rusage used;
	assert(!getrusage(RUSAGE_SELF, &used) && used.ru_utime.tv_sec >= 0 && FAILS(getrusage(99, &used), EINVAL));
	assert(sysconf(_SC_PHYS_PAGES) > 0 && sysconf(_SC_AVPHYS_PAGES) > 0);
}

static void scheduling(void)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	assert(FAILS(sched_setaffinity(0, sizeof set, &set), EINVAL));
	assert(FAILS(sched_getaffinity(0, 4, &set), EINVAL) && FAILS(sched_getaffinity(0, 9, &set), EINVAL));
	assert(!sched_getaffinity(0, sizeof set, &set) && !sched_setaffinity(0, sizeof set, &set));
	assert(FAILS(sched_getaffinity(-1, sizeof set, &set), ESRCH));
	assert(sched_get_priority_max(SCHED_FIFO) == 99 && sched_get_priority_min(SCHED_RR) == 1);
	assert(sched_get_priority_max(SCHED_OTHER) == 0 && FAILS(sched_get_priority_min(77), EINVAL));
	assert(getpriority(PRIO_PROCESS, 0) == 0 && FAILS(getpriority(77, 0), EINVAL));
	assert(!setpriority(PRIO_PROCESS, 0, 3) && nice(2) == 5 && getpriority(PRIO_PROCESS, 0) == 5);
	struct itimerval left;
	assert(!getitimer(ITIMER_REAL, &left) && FAILS(getitimer(9, &left), EINVAL) && !alarm(0));
}

int main(void)
{
	memory();
	clocks();
	limits();
	scheduling();
#ifdef BROKEN
	assert(!mlockall(0));
#endif
}
