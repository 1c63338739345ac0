// expect: verified
// A wait for a futex lasts as long as it says, whatever that is; one for a time that is none fails
// at once.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word;

int main(void)
{
	struct timespec limit = {2, 0};
	time_t start = time(0);
	assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &limit) == -1 && errno == ETIMEDOUT);
	assert(time(0) - start >= 2);
	limit.tv_nsec = 1000000000;
	assert(syscall(SYS_futex, &word, FUTEX_WAIT, 1, &limit) == -1 && errno == EINVAL);
	assert(syscall(SYS_futex, &word, FUTEX_WAIT, 1, 0) == -1 && errno == EAGAIN);
}
