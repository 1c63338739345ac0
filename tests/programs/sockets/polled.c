// expect: verified
// environment: 27 the file "door" does not exist
// A server that serves its clients in one thread, by poll.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { GUESTS = 1 };

static struct sockaddr_un at = {AF_UNIX, "door"};

static void *visit(void *unused)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
	assert(write(fd, "x", 1) == 1);
	close(fd);
	return unused;
}

int main(void)
{
	int door = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(bind(door, (struct sockaddr *)&at, sizeof at) == 0 && listen(door, GUESTS) == 0);
	pthread_t threads[GUESTS];
	for (int i = 0; i < GUESTS; i++)
		pthread_create(&threads[i], 0, visit, 0);
	struct pollfd watched[1 + GUESTS] = {{door, POLLIN, 0}};
	int guests = 0, ended = 0;
	while (ended < GUESTS) {
		assert(poll(watched, 1 + (unsigned)guests, -1) > 0);
		for (int i = 1; i <= guests; i++) {
			char got;
			if (watched[i].fd < 0 || !watched[i].revents || read(watched[i].fd, &got, 1) > 0)
				continue;
			close(watched[i].fd);
			watched[i].fd = -1;
			ended++;
		}
		if (watched[0].revents & POLLIN)
			watched[++guests] = (struct pollfd){accept(door, 0, 0), POLLIN, 0};
	}
	for (int i = 0; i < GUESTS; i++)
		pthread_join(threads[i], 0);
	close(door);
	return 0;
}
