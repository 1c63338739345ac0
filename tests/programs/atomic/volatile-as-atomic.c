// expect: verified
// flags: --volatile atomic
// broken: error kind=data-race
// broken-flags: --volatile ordinary
// By the standard, a volatile flag hands nothing over. Older programs use it all the same.
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static int data;

static void *publish(void *unused)
{
	data = 42;
	ready = 1;
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, 0, publish, 0);
	while (!ready)
		;
	assert(data == 42);
	pthread_join(other, 0);
}
