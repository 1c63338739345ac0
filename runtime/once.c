/* pthread_once and std::call_once: a call while the function runs blocks until the function has
 * returned, or was left by an exception or a cancellation. A later call only loads, as in glibc:
 * under x86-TSO, that drains no store buffer. */
#include "pthread_impl.h"
#include "impasse_machine.h"

enum { FRESH, RUNNING, DONE };

struct run {
	struct __ptcb handler;
	int *control;
};

static void cancelled(void *control)
{
	__impasse_end_once(control, FRESH);
}

static void left(struct run *run)
{
	if (!run->control)
		return;
	if (__pthread_self()->cancelbuf == &run->handler)
		_pthread_cleanup_pop(&run->handler, 0);
	cancelled(run->control);
}

int pthread_once(pthread_once_t *control, void (*routine)(void))
{
	if (!__impasse_begin_once(control, RUNNING, DONE))
		return 0;
	__attribute__((cleanup(left))) struct run run = {.control = control};
	_pthread_cleanup_push(&run.handler, cancelled, control);
	routine();
	_pthread_cleanup_pop(&run.handler, 0);
	run.control = 0;
	__impasse_end_once(control, DONE);
	return 0;
}

int __pthread_once(pthread_once_t *control, void (*routine)(void))
{
	return pthread_once(control, routine);
}

static void left_flag(int **flag)
{
	if (*flag)
		__impasse_end_once(*flag, FRESH);
}

/* std::__call_once of libc++. */
void call_once_of_flag(volatile unsigned long *flag, void *argument, void (*function)(void *))
	__asm__("_ZNSt3__111__call_onceERVmPvPFvS2_E");

void call_once_of_flag(volatile unsigned long *flag, void *argument, void (*function)(void *))
{
	if (!__impasse_begin_once((int *)flag, RUNNING, DONE))
		return;
	__attribute__((cleanup(left_flag))) int *running = (int *)flag;
	function(argument);
	running = 0;
	__impasse_end_once((int *)flag, DONE);
}
