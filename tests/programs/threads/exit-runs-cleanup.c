// expect: verified
#include <assert.h>
#include <pthread.h>

static int order;

static void clean(void *arg)
{
	order = order * 10 + *(int *)arg;
}

static void *work(void *arg)
{
	int one = 1, two = 2;
	pthread_cleanup_push(clean, &one);
	pthread_cleanup_push(clean, &two);
	pthread_exit(0);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	assert(order == 21);
	return 0;
}
