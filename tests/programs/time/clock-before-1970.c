// expect: inconclusive reason="depends on the time"
// clocks: inconclusive reason="before the year 1970"
// Of the sleeps, states keep no distance from 1970, so that they may seem to end soon after it.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
	pthread_mutex_lock(&mutex);
	count++;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, add, 0);
	sleep(10);
	add(0);
	sleep(10);
	add(0);
	if (time(0) < 15)
		assert(0);
	return 0;
}
