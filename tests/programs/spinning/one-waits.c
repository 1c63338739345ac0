// expect: verified
// The first thread sets its flag before it waits.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *second(void *unused)
{
	while (!a);
	b = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, second, 0);
	a = 1;
	while (!b);
	pthread_join(thread, 0);
	return 0;
}
