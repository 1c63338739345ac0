// expect: verified
// broken: inconclusive reason="the processors of a thread that another thread may have set" line=35
// environment: 14 there are 2 processors; 18 there are 2 processors; 21 there are 2 processors;
//     22 there are 2 processors; 35 there are 2 processors
// broken-environment: 14 there are 2 processors; 18 there are 2 processors; 21 there are 2
//     processors; 22 there are 2 processors
// A thread reads the processors that it has chosen itself.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static void *work(void *unused)
{
	cpu_set_t set;
	assert(!pthread_getaffinity_np(pthread_self(), sizeof set, &set) && CPU_COUNT(&set) == 2);
	CPU_ZERO(&set);
	CPU_SET(1, &set);
	assert(!pthread_setaffinity_np(pthread_self(), sizeof set, &set));
	assert(!pthread_getaffinity_np(pthread_self(), sizeof set, &set));
	assert(CPU_COUNT(&set) == 1 && CPU_ISSET(1, &set));
	CPU_ZERO(&set);
	assert(!sched_getaffinity(0, sizeof set, &set) && CPU_ISSET(1, &set) && !CPU_ISSET(0, &set));
	assert(sched_getcpu() == 1);
	return unused;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
#ifdef BROKEN
	cpu_set_t first;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	assert(!pthread_setaffinity_np(thread, sizeof first, &first));
#endif
	int processor = sched_getcpu();
	assert(processor == 0 || processor == 1);
	pthread_join(thread, 0);
}
