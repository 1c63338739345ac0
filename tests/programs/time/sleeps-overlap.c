// expect: error kind=assertion line=25
// clocks: error kind=assertion line=25
// Two threads sleep for a second each, at the same time.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void *doze(void *unused)
{
	sleep(1);
	return unused;
}

int main(void)
{
	struct timespec start, end;
	pthread_t thread;
	clock_gettime(CLOCK_MONOTONIC, &start);
	pthread_create(&thread, 0, doze, 0);
	sleep(1);
	pthread_join(thread, 0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	/* That would take them one after the other. */
	assert(end.tv_sec - start.tv_sec >= 2);
}
