// expect: error kind=data-race line=8|16
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
	pthread_create(&t, 0, work, 0);
	int seen = n;
	pthread_join(t, 0);
	return seen > 1;
}
