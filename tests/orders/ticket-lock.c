// expect: verified
// A ticket lock: whoever takes a ticket orders nothing, whoever is served acquires.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, serving;
static int counter;

static void lock(void)
{
	int ticket = atomic_fetch_add(&next, 1); // enough: relaxed
	while (atomic_load(&serving) != ticket) // enough: acquire
		;
}

static void unlock(void)
{
	int ticket = atomic_load(&serving); // enough: relaxed
	atomic_store(&serving, ticket + 1); // enough: release
}

static void *count(void *argument)
{
	lock();
	counter++;
	unlock();
	return argument;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, count, 0);
	count(0);
	pthread_join(thread, 0);
	assert(counter == 2);
}
