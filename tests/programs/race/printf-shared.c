// expect: verified
// stdio locks its streams.
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg)
{
	puts("x");
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	puts("y");
	pthread_join(t, 0);
	return 0;
}
