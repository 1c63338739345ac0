// expect: verified
// broken: error kind=data-race
//
// Main reads the ids that it joins in a table that the threads can reach. The thread that comes last
// writes there, which races with main: it may have joined the other one only.
#include <pthread.h>
#include <stdatomic.h>

static pthread_t id[3];
static atomic_int arrived;

#ifdef BROKEN
#define LAST 1
#else
#define LAST 2
#endif

static void *work(void *given)
{
	if (atomic_fetch_add(&arrived, 1) == 1)
		id[LAST] = id[1];
	return given;
}

int main(void)
{
	for (int i = 0; i < 2; i++)
		pthread_create(&id[i], 0, work, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], 0);
}
