// memory: grows
// Ordinary steps, too many of them, and hangs to look for everywhere.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint counters[3];

static void *count(void *counter)
{
	for (;;)
		++*(atomic_uint *)counter;
	return 0;
}

int main(void)
{
	pthread_t threads[3];
	for (int n = 0; n < 3; n++)
		pthread_create(&threads[n], 0, count, &counters[n]);
	pthread_join(threads[0], 0);
}
