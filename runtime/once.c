/* pthread_once: who comes while the routine runs is blocked until it is done, or cancelled. */
#include "pthread_impl.h"
#include "impasse_machine.h"

enum { FRESH, RUNNING, DONE };

static void cancelled(void *control)
{
	__atomic_store_n((int *)control, FRESH, __ATOMIC_SEQ_CST);
}

int pthread_once(pthread_once_t *control, void (*routine)(void))
{
	for (;;) {
		switch (a_cas(control, FRESH, RUNNING)) {
		case FRESH:
			pthread_cleanup_push(cancelled, control);
			routine();
			pthread_cleanup_pop(0);
			a_store(control, DONE);
			return 0;
		case RUNNING:
			__impasse_block_while_equal(control, RUNNING, 0);
			break;
		default:
			return 0;
		}
	}
}

int __pthread_once(pthread_once_t *control, void (*routine)(void))
{
	return pthread_once(control, routine);
}
