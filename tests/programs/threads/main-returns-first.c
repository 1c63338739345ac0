// expect: verified
// A return from main ends all threads, wherever they are.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *arg)
{
	for (int i = 0; i < 3; i++)
		x++;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	return 0;
}
