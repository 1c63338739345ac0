// expect: error kind=use-after-return line=7|17
// The thread uses a local variable of a function that may have returned.
#include <pthread.h>

static void *work(void *arg)
{
	*(int *)arg = 3;
	return 0;
}

static pthread_t begin(void)
{
	int local = 0;
	pthread_t t;
	pthread_create(&t, 0, work, &local);
	return t;
}

int main(void)
{
	pthread_t t = begin();
	pthread_join(t, 0);
	return 0;
}
