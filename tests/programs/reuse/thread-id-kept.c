// expect: verified
// A thread that was not joined keeps its id.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t owner;
static atomic_int done;

static void *owns(void *unused)
{
	owner = pthread_self();
	done = 1;
	return unused;
}

static void *asks(void *unused)
{
	// "Am I the owner?"
	assert(!pthread_equal(owner, pthread_self()));
	return unused;
}

int main(void)
{
	pthread_t first, second;
	pthread_create(&first, NULL, owns, NULL);
	while (!done)
		;
	pthread_create(&second, NULL, asks, NULL);
	pthread_join(second, NULL);
	pthread_join(first, NULL);
}
