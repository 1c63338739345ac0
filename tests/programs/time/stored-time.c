// expect: inconclusive reason="stored-time.c:24 depends on the time"
// clocks: error kind=assertion line=25
// A thread branches on what another one has made of the time.
#include <assert.h>
#include <time.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int bucket;

static void *choose(void *unused)
{
	pthread_mutex_lock(&mutex);
	bucket = (int)(time(0) / 60 & 7);
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, choose, 0);
	pthread_join(thread, 0);
	if (bucket == 5)
		assert(0);
}
