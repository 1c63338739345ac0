// expect: error kind=data-race line=10|18
// An atomic write does not excuse a plain read.
#include <pthread.h>
#include <stdatomic.h>

static int n;

static void *work(void *arg)
{
	__atomic_store_n(&n, 1, __ATOMIC_RELEASE);
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
