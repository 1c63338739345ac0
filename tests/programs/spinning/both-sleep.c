// expect: error kind=hang line=21|22 message="no thread changes anything any more"
// product: skip
// With sleeps in the loop, each thread waits for the other to set its flag first.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

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
		usleep(1000);
	a = 1;
	pthread_join(thread, 0);
	return 0;
}
