// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void *write_one(void *unused)
{
	assert(write(ends[1], "x", 1) == 1);
	return unused;
}

int main(void)
{
	assert(pipe(ends) == 0);
	fd_set readable, writable;
	FD_ZERO(&readable);
	FD_ZERO(&writable);
	FD_SET(ends[0], &readable);
	FD_SET(ends[1], &writable);
	assert(select(ends[1] + 1, &readable, &writable, 0, 0) == 1);
	assert(!FD_ISSET(ends[0], &readable) && FD_ISSET(ends[1], &writable));

	struct timeval soon = {0, 1000};
	FD_SET(ends[0], &readable);
	assert(select(ends[0] + 1, &readable, 0, 0, &soon) == 0);
	assert(!FD_ISSET(ends[0], &readable));

	pthread_t thread;
	pthread_create(&thread, 0, write_one, 0);
	FD_SET(ends[0], &readable);
	assert(select(ends[0] + 1, &readable, 0, 0, 0) == 1);
	assert(FD_ISSET(ends[0], &readable));
	pthread_join(thread, 0);

	FD_ZERO(&readable);
	FD_SET(50, &readable);
	assert(select(51, &readable, 0, 0, 0) == -1 && errno == EBADF);
	return 0;
}
