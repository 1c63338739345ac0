// expect: verified
// Different bytes of one object.
#include <pthread.h>

static struct { char a, b; int c[2]; } shared;

static void *work(void *arg)
{
	shared.a = 1;
	shared.c[0] = 1;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	shared.b = 2;
	shared.c[1] = 2;
	pthread_join(t, 0);
	return 0;
}
