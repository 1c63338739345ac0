/* pthread_once: a call while the routine runs blocks until the routine has returned, or was left by
 * an exception or a cancellation. A later call only loads, as in glibc: under x86-TSO, that drains
 * no store buffer. */
#include "pthread_impl.h"
#include "impasse_machine.h"

enum { FRESH, RUNNING, DONE };

struct run {
	struct __ptcb handler;
	pthread_once_t *control;
};

static void cancelled(void *control)
{
	__atomic_store_n((int *)control, FRESH, __ATOMIC_SEQ_CST);
}

static void left(struct run *run)
{
	if (!run->control)
		return;
	if (__pthread_self()->cancelbuf == &run->handler)
		_pthread_cleanup_pop(&run->handler, 0);
	cancelled(run->control);
}

static void run_once(pthread_once_t *control, void (*routine)(void))
{
	__attribute__((cleanup(left))) struct run run = {.control = control};
	_pthread_cleanup_push(&run.handler, cancelled, control);
	routine();
	_pthread_cleanup_pop(&run.handler, 0);
	run.control = 0;
	a_store(control, DONE);
}

int pthread_once(pthread_once_t *control, void (*routine)(void))
{
	while (__atomic_load_n((int *)control, __ATOMIC_ACQUIRE) != DONE) {
		switch (a_cas(control, FRESH, RUNNING)) {
		case FRESH:
			run_once(control, routine);
			return 0;
		case RUNNING:
			__impasse_block_while_equal(control, RUNNING, 0, 0);
			break;
		}
	}
	return 0;
}

int __pthread_once(pthread_once_t *control, void (*routine)(void))
{
	return pthread_once(control, routine);
}
