// expect: inconclusive reason="a reader-writer lock that prefers writers" line=24
// broken: verified
// With the initialiser, a second read lock of a thread waits for the writer that waits for the first one.
#define _GNU_SOURCE
#include <pthread.h>

#ifdef BROKEN
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#else
static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
#endif

static void *write_it(void *unused)
{
	pthread_rwlock_wrlock(&lock);
	pthread_rwlock_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, write_it, 0);
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_rwlock_unlock(&lock);
	pthread_join(thread, 0);
	return 0;
}
