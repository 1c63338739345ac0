// expect: verified
// broken: error kind=assertion line=29
// A thread's number, what the kernel says to the process, and its children, of which there are none.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

static void *number(void *unused)
{
	return (void *)(long)gettid();
}

int main(void)
{
	pthread_t thread;
	void *other;
	pthread_create(&thread, 0, number, 0);
	pthread_join(thread, &other);
	assert((long)other != gettid());
	assert(getauxval(AT_PAGESZ) == 4096 && getauxval(12345) == 0 && errno == ENOENT);
	int status;
	assert(wait(&status) == -1 && errno == ECHILD);
	assert(waitpid(-1, &status, 12345) == -1 && errno == EINVAL);
#ifdef BROKEN
	assert(waitpid(-1, &status, WNOHANG) == 0);
#endif
	return 0;
}
