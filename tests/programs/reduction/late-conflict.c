// expect: verified
// broken: error kind=assertion line=16
// The threads conflict only in their last steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int own[2], last;

static void *run(void *mine)
{
	for (int i = 0; i < 6; i++)
		atomic_store((atomic_int *)mine, i);
	int before = atomic_exchange(&last, 1);
#ifdef BROKEN
	assert(before == 0 || mine == &own[1]);
#endif
	(void)before;
	return 0;
}

int main(void)
{
	pthread_t id[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&id[i], 0, run, &own[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], 0);
}
