// expect: verified
#include <pthread.h>

static pthread_t a;

static void *work(void *arg) { return 0; }

static void *joiner(void *arg)
{
	pthread_join(a, 0);
	return 0;
}

int main(void)
{
	pthread_t b;
	pthread_create(&a, 0, work, 0);
	pthread_create(&b, 0, joiner, 0);
	pthread_join(b, 0);
	return 0;
}
