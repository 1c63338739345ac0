// expect: error kind=data-race line=20|30
// broken: verified
// clang: -Wno-atomic-alignment
// An atomic section orders nothing but other sections: a plain access in one races with an atomic access elsewhere, also
// where no instruction covers the atomic.
#include <impasse.h>
#include <pthread.h>
#include <stdatomic.h>

struct message {
	long kind, from, to;
};

static _Atomic struct message message;

static void *receive(void *unused)
{
#ifndef BROKEN
	impasse_atomic_begin();
	((long *)&message)[1]++;
	impasse_atomic_end();
#endif
	return unused;
}

int main(void)
{
	pthread_t id;
	pthread_create(&id, 0, receive, 0);
	atomic_store(&message, ((struct message){1, 2, 3}));
	pthread_join(id, 0);
}
