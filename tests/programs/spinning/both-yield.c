// expect: error kind=hang line=21|22 message="no thread changes anything any more"
// product: skip
// With sched_yield in the loop, each thread waits for the other to set its flag first.
#include <pthread.h>
#include <sched.h>
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
	while (!b)
		sched_yield();
	a = 1;
	pthread_join(thread, 0);
	return 0;
}
