// expect: verified
// broken: error kind=hang message="can never return from accept"
// environment: 27 the file "door" does not exist
// Shutting down the socket ends the wait for a connection; closing it does not.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int door;

static void *serve(void *unused)
{
	while (accept(door, 0, 0) >= 0)
		continue;
	assert(errno == EINVAL || errno == EBADF);
	return unused;
}

int main(void)
{
	struct sockaddr_un at = {AF_UNIX, "door"};
	door = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(bind(door, (struct sockaddr *)&at, sizeof at) == 0 && listen(door, 1) == 0);
	pthread_t thread;
	pthread_create(&thread, 0, serve, 0);
#ifdef BROKEN
	close(door);
#else
	shutdown(door, SHUT_RDWR);
#endif
	pthread_join(thread, 0);
	return 0;
}
