// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *unused)
{
	assert(pthread_setname_np(pthread_self(), "worker") == 0);
	assert(pthread_setname_np(pthread_self(), "a name that is too long") == ERANGE);
	return unused;
}

int main(void)
{
	struct sched_param parameters;
	int policy;
	assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
	assert(policy == SCHED_OTHER && parameters.sched_priority == 0);
	assert(pthread_setschedparam(pthread_self(), policy, &parameters) == 0);
	parameters.sched_priority = 10;
	assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == EPERM);
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	pthread_join(thread, 0);
	return 0;
}
