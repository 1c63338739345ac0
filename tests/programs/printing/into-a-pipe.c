// expect: verified
// broken: error kind=hang
// Standard output is a pipe, which gets what is printed when the buffer is written. With -DBROKEN: Nothing writes it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *work(void *unused)
{
	char c = 0;
	assert(read(ends[0], &c, 1) == 1 && c == 'a');
	return unused;
}

int main(void)
{
	pthread_t thread;
	if (pipe(ends) || dup2(ends[1], 1) < 0)
		return 0;
	pthread_create(&thread, 0, work, 0);
	putchar('a');
#ifndef BROKEN
	fflush(stdout);
#endif
	pthread_join(thread, 0);
	return 0;
}
