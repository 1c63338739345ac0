// expect: error kind=hang message="can never return from poll"
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *wait_for_it(void *unused)
{
	struct pollfd one = {ends[0], POLLIN, 0};
	poll(&one, 1, -1);
	return unused;
}

int main(void)
{
	if (pipe(ends) != 0)
		return 0;
	pthread_t thread;
	pthread_create(&thread, 0, wait_for_it, 0);
	pthread_join(thread, 0);
	return 0;
}
