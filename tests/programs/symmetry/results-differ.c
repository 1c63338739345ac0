// expect: verified
// broken: error kind=assertion line=31
//
// What the two threads return is the order in which they came, and main asks for it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long arrived;

static void *work(void *given)
{
	(void)given;
	return (void *)atomic_fetch_add(&arrived, 1);
}

int main(void)
{
	pthread_t first, second;
	void *results[2];
	pthread_create(&first, 0, work, 0);
	pthread_create(&second, 0, work, 0);
	pthread_join(first, &results[0]);
	pthread_join(second, &results[1]);
#ifdef BROKEN
	long least = 0;
#else
	long least = 1;
#endif
	// 0 and 1, in one order or the other.
	assert((long)results[0] <= least && (long)results[1] >= 1 - least);
}
