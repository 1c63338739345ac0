// expect: error kind=hang line=29
// clocks: error kind=hang line=29
// After the sleeps, no clock shows an early time, so the mutex stays locked. States keep no distance from 1970, but
// what the condition says of the time stays.
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static _Bool has_run;

static void *run(void *lock)
{
	pthread_mutex_lock(lock);
	has_run = 1;
	pthread_mutex_unlock(lock);
	return 0;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, run, &mutex);
	sleep(10);
	run(&mutex);
	sleep(10);
	pthread_mutex_lock(&mutex);
	if (time(0) >= 15)
		for (;;) pthread_mutex_lock(&other), pthread_mutex_unlock(&other);
	pthread_mutex_unlock(&mutex);
	return 0;
}
