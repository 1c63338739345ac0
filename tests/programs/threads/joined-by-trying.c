// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *work(void *argument)
{
	return argument;
}

int main(void)
{
	int own;
	void *result;
	pthread_t thread;
	pthread_create(&thread, 0, work, &own);
	while (pthread_tryjoin_np(thread, &result) == EBUSY)
		sched_yield();
	assert(result == &own);
	pthread_create(&thread, 0, work, &own);
	struct timespec limit = {0, 0};
	int error = pthread_timedjoin_np(thread, &result, &limit);
	assert(error == 0 || error == ETIMEDOUT);
	if (error)
		pthread_join(thread, &result);
	assert(result == &own);
	return 0;
}
