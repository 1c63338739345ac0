// expect: error kind=data-race line=9|17
// Neighbouring bit fields share their storage.
#include <pthread.h>

static struct { unsigned a : 4, b : 4; } shared;

static void *work(void *arg)
{
	shared.a = 1;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	shared.b = 2;
	pthread_join(t, 0);
	return 0;
}
