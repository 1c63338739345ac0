// expect: verified
// broken: error kind=data-race line=9|21
#include <pthread.h>

static int n;

static void *work(void *arg)
{
	n = 1;
	return 0;
}

int main(void)
{
	pthread_t t;
#ifndef BROKEN
	n = 5;
#endif
	pthread_create(&t, 0, work, 0);
#ifdef BROKEN
	int seen = n;
#endif
	pthread_join(t, 0);
#ifdef BROKEN
	return seen > 1;
#else
	return n - 1;
#endif
}
