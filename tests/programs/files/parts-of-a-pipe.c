// expect: verified
// broken: error kind=assertion line=35
// All parts of what is no longer than PIPE_BUF go into a pipe at once, and one reading gets them.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];

static void *sends(void *text)
{
	char *letters = text;
#ifdef BROKEN
	assert(write(ends[1], letters, 1) == 1 && write(ends[1], letters + 1, 1) == 1);
#else
	struct iovec parts[] = {{letters, 1}, {letters + 1, 1}};
	assert(writev(ends[1], parts, 2) == 2);
#endif
	return 0;
}

int main(void)
{
	assert(!pipe(ends));
	pthread_t threads[2];
	pthread_create(&threads[0], 0, sends, "ab");
	pthread_create(&threads[1], 0, sends, "cd");
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
	char got[4];
	struct iovec parts[] = {{got, 1}, {got + 1, 0}, {got + 1, 2}, {got + 3, 1}};
	assert(readv(ends[0], parts, 4) == 4);
	assert(!memcmp(got, "abcd", 4) || !memcmp(got, "cdab", 4));
	return 0;
}
