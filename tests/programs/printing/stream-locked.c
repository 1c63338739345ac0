// expect: verified
// broken: error kind=hang
// A thread that has locked standard output keeps others from printing. With -DBROKEN: It waits for one of them.
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused)
{
	puts("two");
	return unused;
}

int main(void)
{
	pthread_t thread;
	flockfile(stdout);
	pthread_create(&thread, 0, work, 0);
	fputs("one", stdout);
#ifdef BROKEN
	pthread_join(thread, 0);
	funlockfile(stdout);
#else
	funlockfile(stdout);
	pthread_join(thread, 0);
#endif
	return 0;
}
