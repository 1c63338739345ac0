// expect: verified
#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *work(void *arg)
{
	assert(!pthread_equal(pthread_self(), first));
	return 0;
}

int main(void)
{
	pthread_t t;
	first = pthread_self();
	assert(pthread_equal(first, pthread_self()));
	pthread_create(&t, 0, work, 0);
	assert(!pthread_equal(first, t));
	pthread_join(t, 0);
	return 0;
}
