// expect: error kind=data-race line=9|10
// A flag is no once.
#include <pthread.h>

static int initialised;

static void *work(void *arg)
{
	if (!initialised)
		initialised = 1;
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
