// expect: verified
// broken: error kind=assertion
// A loop counts in threes or twos, depending on what it reads: it is no spin loop. In the broken one both kinds of iterations
// meet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *count(void *unused)
{
	for (int i = 0; i < 12;) {
		int by;
		if (atomic_load(&x))
			by = 3;
		else
			by = 2;
		i += by;
		assert(i != 5);
	}
	return unused;
}

int main(void)
{
	pthread_t thread;
#ifdef BROKEN
	pthread_create(&thread, 0, count, 0);
	atomic_store(&x, 1);
#else
	atomic_store(&x, 1);
	pthread_create(&thread, 0, count, 0);
#endif
	pthread_join(thread, 0);
}
