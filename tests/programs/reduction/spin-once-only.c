// expect: verified
// broken: error kind=assertion line=29
// flags: --hangs global
// Only one iteration can read different values, so a thread that spins twice never gives up.
// With BROKEN it spins once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

#ifdef BROKEN
#define SPINS 1
#else
#define SPINS 2
#endif

static void *writer(void *unused)
{
	atomic_store(&x, 1);
	return unused;
}

static void *reader(void *unused)
{
	for (int i = 0; i < SPINS; i++)
		if (atomic_load(&x) == atomic_load(&x))
			return unused;
	assert(0);
	return unused;
}

int main(void)
{
	pthread_t id[2];
	pthread_create(&id[0], 0, writer, 0);
	pthread_create(&id[1], 0, reader, 0);
	pthread_join(id[0], 0);
	pthread_join(id[1], 0);
}
