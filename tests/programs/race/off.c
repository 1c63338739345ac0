// expect: verified
// flags: --races=off
#include <pthread.h>

static int n;

static void *work(void *arg)
{
	n++;
	return 0;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, work, 0);
	n++;
	pthread_join(a, 0);
	return n == 0;
}
