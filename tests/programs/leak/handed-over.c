// expect: verified
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
	return malloc(4);
}

int main(void)
{
	pthread_t t;
	void *p;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, &p);
	free(p);
	return 0;
}
