// expect: verified
// broken: error kind=assertion line=38
// Headers declare what glibc's do: ids of threads are numbers, and stdlib.h and semaphore.h have the types of sys/types.h.
#define _GNU_SOURCE
#include <assert.h>
#include <libgen.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#undef basename
#include <string.h>

extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));

static __sighandler_t handler = SIG_DFL;
static uint small = 3;
static loff_t offset = -1;
static sem_t done;

static void *worker(void *parent)
{
	unsigned long id = pthread_self();
	sem_post(&done);
	return (void *)(long)(id % 2 == pthread_self() % 2 && id != *(pthread_t *)parent);
}

int main(void)
{
	pthread_t self = pthread_self(), thread = 0;
	void *result;
	sem_init(&done, 0, 0);
	pthread_create(&thread, 0, worker, &self);
	sem_wait(&done);
	pthread_join(thread, &result);
#ifdef BROKEN
	assert(!result);
#endif
	assert(result && thread != 0 && handler == SIG_DFL);
	assert(small + offset == 2 && mallopt(M_MMAP_MAX, 0));
	assert(*(char *)rawmemchr("a/b", '/') == '/');
}
