// expect: error kind=data-race line=9|18
// volatile does not synchronise.
#include <pthread.h>

static volatile int stop;

static void *work(void *arg)
{
	while (!stop)
		;
	return 0;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, work, 0);
	stop = 1;
	pthread_join(a, 0);
	return 0;
}
