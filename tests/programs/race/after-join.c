// expect: verified
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
	n = 5;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	return n - 1;
}
