// expect: verified
#include <assert.h>
#include <pthread.h>

static int n;

static void *inner(void *arg)
{
	n++;
	return 0;
}

static void *outer(void *arg)
{
	pthread_t t;
	n++;
	pthread_create(&t, 0, inner, 0);
	pthread_join(t, 0);
	n++;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, outer, 0);
	pthread_join(t, 0);
	assert(n == 3);
	return 0;
}
