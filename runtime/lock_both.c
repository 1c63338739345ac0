/* std::lock of two mutexes. */
#include <pthread.h>
#include <sched.h>
#include "impasse_machine.h"

void __impasse_lock_two(pthread_mutex_t *first, pthread_mutex_t *second)
{
	if (__impasse_lock_both(first, second))
		return;
	for (;;) {
		pthread_mutex_lock(first);
		if (!pthread_mutex_trylock(second))
			return;
		pthread_mutex_unlock(first);
		sched_yield();
		pthread_mutex_t *held = second;
		second = first;
		first = held;
	}
}
