/* Time: sleeps return at once, and the clocks advance where a wait times out. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#define SECOND 1000000000ll

/* How far the program's clocks are ahead, in nanoseconds. */
static int64_t ahead;

static int64_t in_nanoseconds(const struct timespec *time)
{
	return time->tv_sec * SECOND + time->tv_nsec;
}

static struct timespec in_seconds(int64_t time)
{
	return (struct timespec){time / SECOND, time % SECOND};
}

static bool is_valid(const struct timespec *time)
{
	return time->tv_sec >= 0 && time->tv_sec < 1ll << 32 && time->tv_nsec >= 0 &&
	       time->tv_nsec < SECOND;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	int result = REAL(clock_gettime)(clock, time);
	if (!result && ahead)
		*time = in_seconds(in_nanoseconds(time) + ahead);
	return result;
}

int gettimeofday(struct timeval *time, void *zone)
{
	struct timespec now;
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
	return 0;
}

time_t time(time_t *to)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (to)
		*to = now.tv_sec;
	return now.tv_sec;
}

/* Times that are long after 1970 are not those since the machine has started. */
static clockid_t clock_of(const struct timespec *time)
{
	return time->tv_sec > 900000000 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

void pass_until(const struct timespec *until)
{
	struct timespec now;
	if (!is_valid(until))
		return;
	clock_gettime(clock_of(until), &now);
	int64_t left = in_nanoseconds(until) - in_nanoseconds(&now);
	if (left > 0)
		ahead += left;
}

const struct timespec *end_of(const struct timespec *duration, struct timespec *end)
{
	clock_gettime(CLOCK_MONOTONIC, end);
	if (is_valid(duration))
		*end = in_seconds(in_nanoseconds(end) + in_nanoseconds(duration));
	return end;
}

/* The clocks do not show that a thread has slept: others may have slept at the same time. Returns
 * whether no signal has interrupted that. */
static bool slept(uintptr_t caller)
{
	return !arrive_interruptible(caller);
}

unsigned sleep(unsigned seconds)
{
	if (!steered())
		return REAL(sleep)(seconds);
	return slept(CALLER) ? 0 : seconds;
}

int usleep(useconds_t time)
{
	if (!steered())
		return REAL(usleep)(time);
	if (slept(CALLER))
		return 0;
	errno = EINTR;
	return -1;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	if (!steered())
		return REAL(nanosleep)(time, left);
	if (!is_valid(time))
		return REAL(nanosleep)(time, left);
	if (slept(CALLER))
		return 0;
	if (left)
		*left = *time;
	errno = EINTR;
	return -1;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	if (!steered())
		return REAL(clock_nanosleep)(clock, flags, time, left);
	if (!is_valid(time))
		return REAL(clock_nanosleep)(clock, flags, time, left);
	if (slept(CALLER))
		return 0;
	if (left && !(flags & TIMER_ABSTIME))
		*left = *time;
	return EINTR;
}

/* Waits that the kernel ends: only a signal at their beginning is steered. */
static int interrupted(void)
{
	errno = EINTR;
	return -1;
}

int ppoll(struct pollfd *of, nfds_t count, const struct timespec *time, const sigset_t *mask)
{
	if (steered() && arrive_interruptible(CALLER))
		return interrupted();
	return REAL(ppoll)(of, count, time, steered() ? NULL : mask);
}

int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *time)
{
	if (steered() && arrive_interruptible(CALLER))
		return interrupted();
	return REAL(select)(count, read, write, except, time);
}

int pselect(int count, fd_set *read, fd_set *write, fd_set *except, const struct timespec *time,
	    const sigset_t *mask)
{
	if (steered() && arrive_interruptible(CALLER))
		return interrupted();
	return REAL(pselect)(count, read, write, except, time, steered() ? NULL : mask);
}

/* Timers: the path says when their signals come. */
static void arrive_at_timer(uintptr_t caller)
{
	static int timers;
	arrive(CLASS_UPDATE | CLASS_ATOMIC | ORDER(__ATOMIC_ACQ_REL), &timers, sizeof timers, caller);
}

unsigned alarm(unsigned seconds)
{
	arrive_at_timer(CALLER);
	return REAL(alarm)(seconds);
}

int setitimer(__itimer_which_t which, const struct itimerval *time, struct itimerval *before)
{
	arrive_at_timer(CALLER);
	return REAL(setitimer)(which, time, before);
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *time, struct itimerspec *before)
{
	arrive_at_timer(CALLER);
	return REAL(timer_settime)(timer, flags, time, before);
}

void end_alarm(void)
{
	struct itimerval timer;
	if (getitimer(ITIMER_REAL, &timer) == 0 && !timer.it_interval.tv_sec &&
	    !timer.it_interval.tv_usec)
		REAL(alarm)(0);
}
