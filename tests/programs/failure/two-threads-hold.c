// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *work(void *arg)
{
	n++;
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, work, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(n == 2);
	return 0;
}
