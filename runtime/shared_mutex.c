/* std::shared_mutex: the functions of libc++'s std::__shared_mutex_base, which is laid out as
 * below. As there, a writer that waits for readers lets no more of them in. */
#include <pthread.h>
#include <string.h>
#include "impasse_machine.h"

struct shared_mutex {
	pthread_mutex_t mutex;
	pthread_cond_t gates[2];
	int state[2];
};

#define METHOD(result, name, mangled) result name(struct shared_mutex *m) __asm__("_ZNSt3__119__shared_mutex_base" mangled)

METHOD(void, make, "C1Ev");
METHOD(void, make_base, "C2Ev");
METHOD(void, lock, "4lockEv");
METHOD(_Bool, try_lock, "8try_lockEv");
METHOD(void, unlock, "6unlockEv");
METHOD(void, lock_shared, "11lock_sharedEv");
METHOD(_Bool, try_lock_shared, "15try_lock_sharedEv");
METHOD(void, unlock_shared, "13unlock_sharedEv");

void make(struct shared_mutex *m)
{
	memset(m, 0, sizeof *m);
}

void make_base(struct shared_mutex *m)
{
	make(m);
}

void lock(struct shared_mutex *m)
{
	if (!__impasse_shared_lock(m->state))
		__impasse_shared_await_readers(m->state);
}

_Bool try_lock(struct shared_mutex *m)
{
	return __impasse_shared_try_lock(m->state, 1);
}

void unlock(struct shared_mutex *m)
{
	__impasse_shared_unlock(m->state, 1);
}

void lock_shared(struct shared_mutex *m)
{
	__impasse_shared_lock_shared(m->state);
}

_Bool try_lock_shared(struct shared_mutex *m)
{
	return __impasse_shared_try_lock(m->state, 0);
}

void unlock_shared(struct shared_mutex *m)
{
	__impasse_shared_unlock(m->state, 0);
}
