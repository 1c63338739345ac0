// expect: verified
// broken: error kind=memory-leak
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
	return malloc(4);
}

int main(void)
{
	pthread_t t;
#ifndef BROKEN
	void *p;
#endif
	pthread_create(&t, 0, work, 0);
#ifdef BROKEN
	pthread_join(t, 0);
#else
	pthread_join(t, &p);
	free(p);
#endif
	return 0;
}
