// expect: verified
// broken: error kind=data-race
// flags: --memory-model c11
// A fence releases what its thread knows at the fence. In the broken program it comes before the thread that has written is
// joined, and after one that has seen, without order, that this was written.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int written, joined;

static void *see(void *argument)
{
	while (!atomic_load_explicit(&written, memory_order_relaxed))
		;
	return argument;
}

static void *write(void *argument)
{
	data = 1;
	atomic_store_explicit(&written, 1, memory_order_relaxed);
	return argument;
}

static void *read(void *argument)
{
	if (atomic_load_explicit(&joined, memory_order_acquire))
		return data ? argument : 0;
	return argument;
}

int main(void)
{
	pthread_t reader, writer, observer;
	pthread_create(&reader, 0, read, 0);
	pthread_create(&writer, 0, write, 0);
	pthread_create(&observer, 0, see, 0);
	pthread_join(observer, 0);
#ifdef BROKEN
	atomic_thread_fence(memory_order_release);
	pthread_join(writer, 0);
#else
	pthread_join(writer, 0);
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&joined, 1, memory_order_relaxed);
	pthread_join(reader, 0);
}
