// expect: verified
// broken: error kind=assertion line=28
//
// The threads are at the same place, and what differs lies in memory that only its thread reaches.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int arrived, left;

static void arrive(int *before)
{
	*before = atomic_fetch_add(&arrived, 1);
}

static void *work(void *given)
{
	int before;
	arrive(&before);
	while (arrived < 2)
		;
	int left_before = atomic_fetch_add(&left, 1);
#ifdef BROKEN
	int same = left_before == before;
#else
	int same = left_before + before <= 2;
#endif
	assert(same);
	return given;
}

int main(void)
{
	pthread_t id[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&id[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], 0);
}
