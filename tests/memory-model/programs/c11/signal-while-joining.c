// expect: error kind=data-race
// broken: verified
// flags: --memory-model c11
// A handler interrupts the main thread while it waits for a thread, and reads what another one has written that is joined
// later. In the other program it is joined first.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static int data;
static atomic_int written;
static pthread_t self;
static volatile int seen;

static void handle(int number)
{
	seen = data;
}

static void *interrupt(void *argument)
{
	while (!atomic_load_explicit(&written, memory_order_relaxed))
		;
	signal(SIGUSR1, handle);
	pthread_kill(self, SIGUSR1);
	return argument;
}

static void *write(void *argument)
{
	data = 1;
	atomic_store_explicit(&written, 1, memory_order_relaxed);
	return argument;
}

int main(void)
{
	pthread_t writer, other;
	self = pthread_self();
	pthread_create(&writer, 0, write, 0);
#ifdef BROKEN
	pthread_join(writer, 0);
	pthread_create(&other, 0, interrupt, 0);
	pthread_join(other, 0);
#else
	pthread_create(&other, 0, interrupt, 0);
	pthread_join(other, 0);
	pthread_join(writer, 0);
#endif
}
