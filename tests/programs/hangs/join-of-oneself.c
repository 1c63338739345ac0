// expect: error kind=hang line=6|14
#include <pthread.h>

static void *work(void *arg)
{
	pthread_join(pthread_self(), 0);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	return 0;
}
