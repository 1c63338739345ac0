// expect: error kind=data-race line=9|17
// The address of a thread-local variable is handed to another thread.
#include <pthread.h>

static _Thread_local int own;

static void *work(void *arg)
{
	*(int *)arg = 1;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, &own);
	own = 2;
	pthread_join(t, 0);
	return 0;
}
