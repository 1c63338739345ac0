// expect: verified
// broken: error kind=hang message="can never return from connect"
// environment: 23 the file "door" does not exist
// Two connections may wait to be accepted. A third one waits for room, which the broken program never makes.
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un at = {AF_UNIX, "door"};

static void *visit(void *unused)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
	return unused;
}

int main(void)
{
	int door = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(bind(door, (struct sockaddr *)&at, sizeof at) == 0 && listen(door, 1) == 0);
	visit(0);
	visit(0);
	pthread_t thread;
	pthread_create(&thread, 0, visit, 0);
#ifndef BROKEN
	assert(accept(door, 0, 0) >= 0);
#endif
	pthread_join(thread, 0);
	return 0;
}
