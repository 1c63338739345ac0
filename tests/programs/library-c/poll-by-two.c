// expect: verified
// Both threads wait for different pipes; what one of them does must not take the wake-up of the
// other.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int there[2], back[2];

static void wait_for(int fd)
{
	struct pollfd one = {fd, POLLIN, 0};
	char c;
	assert(poll(&one, 1, -1) == 1);
	assert(read(fd, &c, 1) == 1);
}

static void *answer(void *unused)
{
	(void)unused;
	wait_for(there[0]);
	assert(write(back[1], "b", 1) == 1);
	return 0;
}

int main(void)
{
	assert(pipe(there) == 0 && pipe(back) == 0);
	pthread_t thread;
	pthread_create(&thread, 0, answer, 0);
	assert(write(there[1], "t", 1) == 1);
	wait_for(back[0]);
	pthread_join(thread, 0);
	return 0;
}
