// expect: verified
// The last thread that ends ends the program.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *work(void *arg)
{
	assert(pthread_detach(pthread_self()) == 0);
	done = 1;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_exit(0);
}
