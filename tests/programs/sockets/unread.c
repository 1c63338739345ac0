// expect: error kind=assertion line=22
// environment: 30 the file "door" does not exist
// Who closes a connection before all was read resets it: the other end may meet an error instead of the end.
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un at = {AF_UNIX, "door"};

static void *visit(void *unused)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char reply;
	assert(connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
	assert(write(fd, "ab", 2) == 2);
	long n;
	do
		n = read(fd, &reply, 1);
	while (n > 0);
	assert(n == 0);
	close(fd);
	return unused;
}

int main(void)
{
	int door = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(bind(door, (struct sockaddr *)&at, sizeof at) == 0 && listen(door, 1) == 0);
	pthread_t thread;
	pthread_create(&thread, 0, visit, 0);
	int fd = accept(door, 0, 0);
	char first;
	assert(read(fd, &first, 1) == 1);
	close(fd);
	pthread_join(thread, 0);
	close(door);
	return 0;
}
