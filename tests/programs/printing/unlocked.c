// expect: verified
// broken: error kind=data-race
// What prints a character without locking needs the lock of the stream, beside a thread that prints.
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
	pthread_create(&thread, 0, work, 0);
#ifndef BROKEN
	flockfile(stdout);
#endif
	putc_unlocked('1', stdout);
#ifndef BROKEN
	funlockfile(stdout);
#endif
	pthread_join(thread, 0);
	return 0;
}
