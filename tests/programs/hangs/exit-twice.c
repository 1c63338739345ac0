// expect: verified
// broken: error kind=hang line=14|22
// Two threads call exit: one of them ends the program, and the other one waits until it has. With
// -DBROKEN: What runs at exit joins a thread that calls exit itself.
#include <pthread.h>
#include <stdlib.h>

static pthread_t worker;
static int ended;

static void at_exit(void)
{
#ifdef BROKEN
	pthread_join(worker, 0);
#endif
	if (ended++)
		abort();
}

static void *work(void *none)
{
	exit(0);
}

int main(void)
{
	atexit(at_exit);
	pthread_create(&worker, 0, work, 0);
	exit(0);
}
