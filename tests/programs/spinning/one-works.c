// expect: verified
// One thread spins in vain, while another goes on working.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int never, turns;

static void *work(void *unused)
{
	for (;;)
		turns ^= 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	while (!never);
}
