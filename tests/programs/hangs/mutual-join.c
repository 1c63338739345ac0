// expect: error kind=hang line=8|17
#include <pthread.h>

static pthread_t first;

static void *work(void *arg)
{
	pthread_join(first, 0);
	return 0;
}

int main(void)
{
	pthread_t t;
	first = pthread_self();
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	return 0;
}
