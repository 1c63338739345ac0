// expect: verified
// broken: error kind=assertion line=41
// flags: --races=off
// A lock keeps the reader from seeing half of the copy. With -DBROKEN: A structure is copied word
// by word: the reader sees half of it.
#include <assert.h>
#include <pthread.h>

struct pair {
	long first, second;
};

static struct pair pair;
#ifndef BROKEN
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#endif

static void *write_both(void *none)
{
#ifndef BROKEN
	pthread_mutex_lock(&mutex);
#endif
	pair = (struct pair){1, 1};
#ifndef BROKEN
	pthread_mutex_unlock(&mutex);
#endif
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, write_both, NULL);
#ifndef BROKEN
	pthread_mutex_lock(&mutex);
#endif
	struct pair read = pair;
#ifdef BROKEN
	/* Read back to front as well as front to back. */
	if (read.first == 1)
		assert(read.second == 1);
#else
	pthread_mutex_unlock(&mutex);
	assert(read.first == read.second);
#endif
	pthread_join(thread, NULL);
}
