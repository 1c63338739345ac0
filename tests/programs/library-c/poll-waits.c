// expect: verified
// Two pipes, filled in any order by two threads; the thread that polls sees each of them once.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int first[2], second[2];

static void *fill(void *pipe)
{
	assert(write(((int *)pipe)[1], "x", 1) == 1);
	return 0;
}

int main(void)
{
	assert(pipe(first) == 0 && pipe(second) == 0);
	pthread_t a, b;
	pthread_create(&a, 0, fill, first);
	pthread_create(&b, 0, fill, second);
	struct pollfd fds[] = {{first[0], POLLIN, 0}, {second[0], POLLIN, 0}};
	for (int seen = 0; seen < 2;) {
		int ready = poll(fds, 2, -1);
		assert(ready >= 1);
		for (int i = 0; i < 2; i++) {
			char c;
			if (!fds[i].revents)
				continue;
			assert(fds[i].revents == POLLIN);
			assert(read(fds[i].fd, &c, 1) == 1 && c == 'x');
			fds[i].fd = -1;
			seen++;
		}
	}
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
