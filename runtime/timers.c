/* Timers that send signals: alarm, setitimer of the real time, timer_create.
 *
 * A timer that may send a signal has a thread, which sleeps until the deadline and then sends it, in one step: so it does so at
 * any time that is not before the deadline, or not at all if the timer was stopped before. The process ends without
 * such threads. A timer that is set again keeps its thread if that has not ended yet. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "impasse_machine.h"
#include "kernel.h"

enum { SECOND = 1000000000, MOST_TIMERS = 16, MOST_CHOICES = 16 };

/* The number at byte 24 of attributes: detached, and a timer's. */
enum { OF_TIMER = 3 };

static struct timer {
	int is_used, is_armed, has_thread;
	int notify, signal, code;
	union sigval value;
	/* Nanoseconds: when it expires, and again and again after that; and the time for which it was set. */
	long deadline, interval, length;
	/* Threads, by bits, whose sleeps began after it was set, and are longer. */
	unsigned long sleepers;
} timers[MOST_TIMERS] = {{.is_used = 1, .notify = SIGEV_SIGNAL, .signal = SIGALRM, .code = SI_KERNEL}};

/* The times for which timers that repeat are set again are those after the deadline, of which the next one counts [atomic]. */
static void expire(struct timer *timer)
{
	timer->is_armed = timer->interval != 0;
	timer->sleepers = 0;
	if (timer->is_armed) {
		long now = __impasse_time_after(0);
		timer->deadline = now + timer->interval - (now - timer->deadline) % timer->interval;
	}
	if (timer->notify == SIGEV_SIGNAL)
		__impasse_post_timer_signal(timer->signal, timer->code, (int)(timer - timers), timer->value);
}

static void *run(void *argument)
{
	struct timer *timer = argument;
	int goes_on;
	do {
		__impasse_atomic_begin();
		if (timer->is_armed) {
			__impasse_sleep_until(timer->deadline);
			expire(timer);
		}
		goes_on = timer->has_thread = timer->is_armed;
		__impasse_atomic_end();
	} while (goes_on);
	return 0;
}

static void start(struct timer *timer)
{
	pthread_attr_t attributes = {0};
	((int *)&attributes)[6] = OF_TIMER;
	pthread_t thread;
	if (pthread_create(&thread, &attributes, run, timer))
		__impasse_unsupported("a timer without memory for it");
}

/* How a timer is set: the nanoseconds until it expires, 0 if it does not, and after that. Of one that runs, when that is so. */
struct setting {
	long value, interval;
	int runs;
	long now, until;
};

/* One whose time has passed expires now [atomic]. */
static struct setting setting_of(struct timer *timer)
{
	struct setting setting = {.interval = timer->interval};
	if (!timer->is_armed)
		return setting;
	if (timer->interval && __impasse_time_is_unknown())
		__impasse_unsupported("the rest of the time of a timer that repeats, where a clock is read");
	setting.now = __impasse_time(CLOCK_MONOTONIC);
	if (timer->deadline <= setting.now)
		expire(timer);
	setting.runs = timer->is_armed;
	setting.until = timer->deadline;
	if (setting.runs)
		setting.value = setting.until - setting.now;
	return setting;
}

/* The time after so many nanoseconds. Where it is unknown, the beginning counts as a reading of a clock. */
static long deadline_after(long nanoseconds)
{
	if (!__impasse_time_is_unknown())
		return __impasse_time_after(nanoseconds);
	return __impasse_time(CLOCK_MONOTONIC) + nanoseconds;
}

static unsigned long own_bit(void)
{
	int number = __impasse_thread_id();
	return number < 64 ? 1UL << number : 0;
}

/* A timer expires late, but not so late that a longer sleep of its thread, which began after it was set, ends before it: such
 * executions are left out, and so are those in which its signal, which no other thread lets through, does not end that sleep. */
static void sleep_begins(long nanoseconds)
{
	unsigned long own = own_bit();
	__impasse_atomic_begin();
	for (struct timer *timer = timers; timer < timers + MOST_TIMERS; timer++) {
		if (!timer->is_used)
			continue;
		int is_shorter = timer->is_armed && timer->notify == SIGEV_SIGNAL && timer->length < nanoseconds;
		timer->sleepers = (timer->sleepers & ~own) | (is_shorter ? own : 0);
	}
	__impasse_atomic_end();
}

static void sleep_ends(int is_whole)
{
	unsigned long own = own_bit();
	__impasse_atomic_begin();
	unsigned long open = __impasse_pending_signals() & ~__impasse_blocked_signals();
	for (struct timer *timer = timers; timer < timers + MOST_TIMERS; timer++) {
		if (!timer->is_used)
			continue;
		int is_late = timer->sleepers & own || (timer->signal && open >> (timer->signal - 1) & 1 && __impasse_only_here(timer->signal));
		if (is_whole && is_late)
			__impasse_assume(0);
		timer->sleepers &= ~own;
	}
	__impasse_atomic_end();
}

static const struct sleep_observer observer = {sleep_begins, sleep_ends};

/* Sets a timer, or stops it if the value is 0. Its former setting replaces the new one, if it is wanted. */
static void set(struct timer *timer, struct setting *new, int is_absolute, int wants_former)
{
	long value = new->value, interval = value ? new->interval : 0;
	__impasse_sleep_observer = &observer;
	unsigned long blocked = __impasse_blocked_signals();
	__impasse_block_signals(~0UL);
	long until = !value || is_absolute ? value : deadline_after(value);
	__impasse_atomic_begin();
	if (wants_former)
		*new = setting_of(timer);
	timer->is_armed = value != 0;
	timer->deadline = until;
	timer->interval = interval;
	timer->length = value;
	timer->sleepers = 0;
	int is_new = value && !timer->has_thread && timer->notify != SIGEV_NONE;
	if (is_new)
		timer->has_thread = 1;
	__impasse_atomic_end();
	if (is_new)
		start(timer);
	__impasse_block_signals(blocked);
	__impasse_deliver_if_alone(timer->signal);
}

/* Any number of seconds is left that is not more than at most, where it is unknown how many have passed. */
static unsigned seconds_left(const struct setting *setting, long length)
{
	long most = (length + SECOND - 1) / SECOND;
	if (!__impasse_time_is_unknown() || most > MOST_CHOICES)
		return (unsigned)((setting->value + SECOND - 1) / SECOND);
	long less = __impasse_choose((int)most);
	if (setting->now + less * SECOND >= setting->until)
		__impasse_assume(0);
	return (unsigned)less + 1;
}

unsigned alarm(unsigned seconds)
{
	struct timer *timer = &timers[0];
	struct setting setting = {.value = (long)seconds * SECOND};
	__impasse_atomic_begin();
	long length = timer->length;
	int is_armed = timer->is_armed;
	__impasse_atomic_end();
	set(timer, &setting, 0, is_armed);
	return is_armed && setting.runs ? seconds_left(&setting, length) : 0;
}

static int is_length(const struct timeval *t)
{
	return t->tv_sec >= 0 && t->tv_usec >= 0 && t->tv_usec < 1000000;
}

static long from_timeval(const struct timeval *t)
{
	return __impasse_nanoseconds(&(struct timespec){t->tv_sec, t->tv_usec * 1000});
}

static struct timeval to_timeval(long nanoseconds)
{
	return (struct timeval){nanoseconds / SECOND, nanoseconds % SECOND / 1000};
}

static struct timespec to_timespec(long nanoseconds)
{
	return (struct timespec){nanoseconds / SECOND, nanoseconds % SECOND};
}

static struct setting read_setting(struct timer *timer)
{
	__impasse_atomic_begin();
	struct setting setting = setting_of(timer);
	__impasse_atomic_end();
	__impasse_deliver_if_alone(timer->signal);
	return setting;
}

static int fails(int error)
{
	errno = error;
	return -1;
}

/* The new setting, or null; returns an error number, or 0. */
static int change(int which, const struct itimerval *new, struct itimerval *old)
{
	if (which < ITIMER_REAL || which > ITIMER_PROF)
		return EINVAL;
	if (new && (!is_length(&new->it_value) || !is_length(&new->it_interval)))
		return EINVAL;
	struct setting setting = {0};
	if (which == ITIMER_REAL && new) {
		setting = (struct setting){.value = from_timeval(&new->it_value), .interval = from_timeval(&new->it_interval)};
		set(&timers[0], &setting, 0, old != 0);
	} else if (which == ITIMER_REAL) {
		setting = read_setting(&timers[0]);
	} else if (new && (new->it_value.tv_sec || new->it_value.tv_usec)) {
		__impasse_unsupported("a timer of processor time (setitimer)");
	}
	if (old)
		*old = (struct itimerval){to_timeval(setting.interval), to_timeval(setting.value)};
	return 0;
}

int setitimer(int which, const struct itimerval *restrict new, struct itimerval *restrict old)
{
	int error = change(which, new, old);
	return error ? fails(error) : 0;
}

int getitimer(int which, struct itimerval *old)
{
	int error = change(which, 0, old);
	return error ? fails(error) : 0;
}

static struct timer *find(timer_t id)
{
	long number = (long)id;
	__impasse_atomic_begin();
	int is_timer = number > 0 && number < MOST_TIMERS && timers[number].is_used;
	__impasse_atomic_end();
	return is_timer ? &timers[number] : 0;
}

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict id)
{
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME)
		return fails(EINVAL);
	int notify = event ? event->sigev_notify : SIGEV_SIGNAL, signal = event ? event->sigev_signo : SIGALRM;
	if (notify == SIGEV_THREAD)
		__impasse_unsupported("a timer that starts threads (SIGEV_THREAD)");
	if (notify == SIGEV_THREAD_ID)
		__impasse_unsupported("a timer that sends a signal to one thread (SIGEV_THREAD_ID)");
	if ((notify != SIGEV_SIGNAL && notify != SIGEV_NONE) || (notify == SIGEV_SIGNAL && (signal < 1 || signal >= _NSIG)))
		return fails(EINVAL);
	__impasse_atomic_begin();
	long i = 1;
	while (i < MOST_TIMERS && (timers[i].is_used || timers[i].has_thread))
		i++;
	if (i == MOST_TIMERS)
		__impasse_unsupported("more than 15 timers");
	timers[i] = (struct timer){.is_used = 1, .notify = notify, .signal = notify == SIGEV_SIGNAL ? signal : 0, .code = SI_TIMER};
	timers[i].value = event ? event->sigev_value : (union sigval){.sival_int = (int)i};
	__impasse_atomic_end();
	*id = (timer_t)i;
	return 0;
}

int timer_settime(timer_t id, int flags, const struct itimerspec *restrict new, struct itimerspec *restrict old)
{
	struct timer *timer = find(id);
	struct setting setting = {.value = __impasse_nanoseconds(&new->it_value),
	                          .interval = __impasse_nanoseconds(&new->it_interval)};
	if (!timer || setting.value < 0 || setting.interval < 0)
		return fails(EINVAL);
	set(timer, &setting, flags & TIMER_ABSTIME, old != 0);
	if (old)
		*old = (struct itimerspec){to_timespec(setting.interval), to_timespec(setting.value)};
	return 0;
}

int timer_gettime(timer_t id, struct itimerspec *now)
{
	struct timer *timer = find(id);
	if (!timer)
		return fails(EINVAL);
	struct setting setting = read_setting(timer);
	*now = (struct itimerspec){to_timespec(setting.interval), to_timespec(setting.value)};
	return 0;
}

int timer_delete(timer_t id)
{
	struct timer *timer = find(id);
	if (!timer)
		return fails(EINVAL);
	set(timer, &(struct setting){0}, 0, 0);
	__impasse_atomic_begin();
	timer->is_used = 0;
	__impasse_atomic_end();
	return 0;
}

int timer_getoverrun(timer_t id)
{
	struct timer *timer = find(id);
	if (!timer)
		return fails(EINVAL);
	__impasse_atomic_begin();
	int repeats = timer->interval != 0;
	__impasse_atomic_end();
	if (repeats)
		__impasse_unsupported("how often a timer expired while its signal waited (timer_getoverrun)");
	return 0;
}
