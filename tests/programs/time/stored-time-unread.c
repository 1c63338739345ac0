// expect: verified
// What is made of the time decides nothing.
#include <assert.h>
#include <time.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long bucket;

static void *choose(void *unused)
{
	pthread_mutex_lock(&mutex);
	bucket = time(0) / 60 & 7;
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, choose, 0);
	pthread_join(thread, 0);
	printf("%ld\n", bucket);
}
