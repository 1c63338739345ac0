// expect: verified
// most-states: 60
// broken: error kind=assertion

/* What detached threads do is independent, and so is that main returns before they have done it. */

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 5

static atomic_int seen[N];

static void *store(void *given)
{
	int me = (int)(long)given;
#ifdef BROKEN
	if (me == N - 1)
		assert(!seen[0]);
#endif
	seen[me] = 1;
	seen[me] = 2;
	return 0;
}

int main(void)
{
	for (long i = 0; i < N; i++) {
		pthread_t id;
		pthread_create(&id, 0, store, (void *)i);
		pthread_detach(id);
	}
}
