// expect: verified
// broken: error kind=hang message="can never return from send"
// Who sends to a socket of AF_UNIX at which eleven datagrams wait, waits for room.
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *send_all(void *unused)
{
	for (int i = 0; i < 12; i++)
		assert(send(ends[0], "x", 1, 0) == 1);
	return unused;
}

int main(void)
{
	assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
	pthread_t thread;
	pthread_create(&thread, 0, send_all, 0);
#ifndef BROKEN
	char got;
	assert(read(ends[1], &got, 1) == 1);
#endif
	pthread_join(thread, 0);
	return 0;
}
