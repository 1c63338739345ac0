// expect: verified
// Reading together is no race.
#include <pthread.h>

static int table[4] = {1, 2, 3, 4};

static void *work(void *arg)
{
	long sum = 0;
	for (int i = 0; i < 4; i++)
		sum += table[i];
	return (void *)sum;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, work, 0);
	work(0);
	pthread_join(a, 0);
	return 0;
}
