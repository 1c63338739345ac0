// expect: error kind=use-after-free|data-race line=7|15
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
	return (void *)(long)*(int *)arg;
}

int main(void)
{
	int *p = calloc(1, sizeof *p);
	pthread_t t;
	pthread_create(&t, 0, work, p);
	free(p);
	pthread_join(t, 0);
	return 0;
}
