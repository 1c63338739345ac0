// expect: error kind=hang line=21 message="no thread changes anything any more"
// flags: --memory-model tso
// product: skip
// Under x86-TSO, too: each thread waits for the other to set its flag first.
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
	while (!b);
	a = 1;
	pthread_join(thread, 0);
	return 0;
}
