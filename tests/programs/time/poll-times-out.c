// expect: verified
// clocks: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
	int ends[2];
	assert(pipe(ends) == 0);
	struct pollfd one = {ends[0], POLLIN, 0};
	time_t start = time(0);
	assert(poll(&one, 1, 2000) == 0);
	assert(time(0) - start >= 2);
	struct timespec bad = {0, 1000000000};
	assert(ppoll(&one, 1, &bad, 0) == -1 && errno == EINVAL);
	struct timeval negative = {-1, 0};
	assert(select(0, 0, 0, 0, &negative) == -1 && errno == EINVAL);
	sigset_t set;
	sigemptyset(&set);
	assert(sigtimedwait(&set, 0, &bad) == -1 && errno == EINVAL);
	bad.tv_nsec = 0;
	assert(sigtimedwait(&set, 0, &bad) == -1 && errno == EAGAIN);
}
