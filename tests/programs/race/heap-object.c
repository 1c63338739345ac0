// expect: error kind=data-race line=8|17
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
	int *p = arg;
	p[1] = 3;
	return 0;
}

int main(void)
{
	int *p = calloc(2, sizeof *p);
	pthread_t t;
	pthread_create(&t, 0, work, p);
	p[1] = 4;
	pthread_join(t, 0);
	free(p);
	return 0;
}
