// expect: error kind=thread-misuse line=17
#define _GNU_SOURCE
#include <pthread.h>

static void *work(void *unused)
{
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	int error = pthread_tryjoin_np(thread, 0);
	if (error)
		return 0;
	pthread_join(thread, 0);
	return 0;
}
