/* Threads, and what they wait for. A thread never waits in the C library: it says that it is
 * blocked, and tries again when it is asked to. */
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
	pthread_t handle;
	volatile bool ended;
	/* Or detached. */
	bool joined;
	/* Where its stack is, and how far that reaches down. */
	uintptr_t start, end, now;
} threads[MOST_THREADS];
static uint32_t count = 1;
static pthread_key_t at_end;

struct start {
	void *(*function)(void *);
	void *argument;
	uint32_t number;
	sigset_t blocked;
};

void set_stack_now(uintptr_t now)
{
	threads[own_number()].now = now;
}

bool stack_of(uint32_t number, uintptr_t *start, uintptr_t *end, uintptr_t *now)
{
	if (number >= count)
		return false;
	*start = threads[number].start;
	*end = threads[number].end;
	*now = threads[number].ended ? threads[number].end : threads[number].now;
	return true;
}

static void note_stack(uint32_t number)
{
	pthread_attr_t attributes;
	void *start;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &attributes))
		return;
	pthread_attr_getstack(&attributes, &start, &size);
	pthread_attr_destroy(&attributes);
	threads[number].start = (uintptr_t)start;
	threads[number].end = (uintptr_t)start + size;
}

uint16_t thread_count(void)
{
	return count;
}

/* Called again and again, so that it comes after the program's own destructors. */
static void end(void *value)
{
	uintptr_t left = (uintptr_t)value;
	uint32_t number = left >> 8;
	if ((left & 0xff) > 1) {
		pthread_setspecific(at_end, (void *)(left - 1));
		return;
	}
	threads[number].ended = true;
	ended();
}

static void *run(void *argument)
{
	struct start start = *(struct start *)argument;
	note_stack(start.number);
	connect_thread(start.number);
	set_program_mask(&start.blocked);
	pthread_setspecific(at_end, (void *)((uintptr_t)start.number << 8 | 3));
	return start.function(start.argument);
}

__attribute__((constructor(102))) static void begin(void)
{
	pthread_key_create(&at_end, end);
	threads[0].handle = pthread_self();
	note_stack(0);
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *),
		   void *argument)
{
	if (!steered())
		return REAL(pthread_create)(handle, attributes, function, argument);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	uint32_t number = count < MOST_THREADS ? count++ : 0;
	struct start *start = malloc(sizeof *start);
	if (!number || !start)
		return EAGAIN;
	*start = (struct start){function, argument, number, *program_mask()};
	int result = REAL(pthread_create)(handle, attributes, run, start);
	if (result) {
		count--;
		return result;
	}
	arrive(CLASS_WRITE, handle, sizeof *handle, CALLER);
	threads[number].handle = *handle;
	return result;
}

/* The newest thread with a handle: handles are used again. */
static uint32_t number_of(pthread_t handle)
{
	for (uint32_t n = count; n-- > 0;)
		if (pthread_equal(threads[n].handle, handle))
			return n;
	return 0;
}

int pthread_join(pthread_t handle, void **result)
{
	if (!steered())
		return REAL(pthread_join)(handle, result);
	uintptr_t caller = CALLER;
	uint32_t number = number_of(handle);
	arrive_with(CLASS_CALL, NULL, 0, number, caller);
	if (threads[number].joined || pthread_equal(handle, pthread_self()))
		failed(FAILURE_THREAD, caller);
	while (number && !threads[number].ended) {
		blocked(NULL, caller);
		pthread_testcancel();
	}
	threads[number].joined = true;
	if (result)
		arrive(CLASS_WRITE, result, sizeof *result, caller);
	return REAL(pthread_join)(handle, result);
}

int pthread_detach(pthread_t handle)
{
	if (!steered())
		return REAL(pthread_detach)(handle);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	uint32_t number = number_of(handle);
	if (threads[number].joined)
		failed(FAILURE_THREAD, CALLER);
	threads[number].joined = true;
	return REAL(pthread_detach)(handle);
}

int pthread_cancel(pthread_t handle)
{
	arrive(CLASS_CALL, NULL, 0, CALLER);
	return REAL(pthread_cancel)(handle);
}

int pthread_kill(pthread_t handle, int signal)
{
	if (!steered())
		return REAL(pthread_kill)(handle, signal);
	arrive(CLASS_CALL, NULL, 0, CALLER);
	uint32_t number = number_of(handle);
	if (threads[number].joined && threads[number].ended)
		failed(FAILURE_THREAD, CALLER);
	return REAL(pthread_kill)(handle, signal);
}

int sched_yield(void)
{
	arrive(CALL_ORDERS_NOTHING, NULL, 0, CALLER);
	return 0;
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
	if (steered())
		failed(FAILURE_ASSERTION, CALLER);
	((void (*)(const char *, const char *, unsigned, const char *))real("__assert_fail"))(
		text, file, line, function);
	abort();
}

/* The C library's own functions for C11's threads call none of the above. */
typedef int (*thread_function)(void *);

struct c11_start {
	thread_function function;
	void *argument;
};

static void *run_c11(void *argument)
{
	struct c11_start start = *(struct c11_start *)argument;
	return (void *)(intptr_t)start.function(start.argument);
}

int thrd_create(pthread_t *handle, thread_function function, void *argument)
{
	struct c11_start *start = malloc(sizeof *start);
	if (!start)
		return 3;
	*start = (struct c11_start){function, argument};
	return pthread_create(handle, NULL, run_c11, start) ? 2 : 0;
}

int thrd_join(pthread_t handle, int *result)
{
	void *value;
	if (pthread_join(handle, &value))
		return 2;
	if (result)
		*result = (int)(intptr_t)value;
	return 0;
}

void thrd_yield(void)
{
	sched_yield();
}

int thrd_sleep(const struct timespec *time, struct timespec *left)
{
	return nanosleep(time, left);
}

