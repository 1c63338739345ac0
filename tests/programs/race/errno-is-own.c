// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *arg)
{
	errno = 5;
	assert(errno == 5);
	return 0;
}

int main(void)
{
	pthread_t t;
	errno = 7;
	pthread_create(&t, 0, work, 0);
	assert(errno == 7);
	pthread_join(t, 0);
	return 0;
}
