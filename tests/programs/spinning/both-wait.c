// expect: verified
// broken: error kind=hang line=23 message="no thread changes anything any more"
// broken-product: skip
// The first thread sets its flag before it waits. With -DBROKEN: Each thread waits for the other to
// set its flag first.
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
#ifdef BROKEN
	while (!b);
#endif
	a = 1;
#ifndef BROKEN
	while (!b);
#endif
	pthread_join(thread, 0);
	return 0;
}
