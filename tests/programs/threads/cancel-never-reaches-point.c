// expect: verified
// Without a cancellation point the thread runs to its end.
#include <assert.h>
#include <pthread.h>

static void *work(void *arg)
{
	return (void *)9;
}

int main(void)
{
	pthread_t t;
	void *r;
	pthread_create(&t, 0, work, 0);
	pthread_cancel(t);
	pthread_join(t, &r);
	assert(r == (void *)9);
	return 0;
}
