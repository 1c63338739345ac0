// expect: error kind=assertion line=17
// A new thread may have the id of one that was joined.
#include <assert.h>
#include <pthread.h>

static pthread_t owner;

static void *owns(void *unused)
{
	owner = pthread_self();
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
	pthread_t thread;
	pthread_create(&thread, NULL, owns, NULL);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, asks, NULL);
	pthread_join(thread, NULL);
}
