// expect: verified
// broken: error kind=hang line=19 message="can never lock lock"
// The read lock is given up before the write lock is asked for, and what was read is read again.
// With -DBROKEN: A reader asks for the write lock without giving up the read lock.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *increase(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	int small = value < 2;
	if (small) {
#ifndef BROKEN
		pthread_rwlock_unlock(&lock);
#endif
		/* waits for all readers, itself and the other one */
		pthread_rwlock_wrlock(&lock);
		if (value < 2)
			value++;
	}
	pthread_rwlock_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, increase, 0);
	increase(0);
	pthread_join(t, 0);
	return 0;
}
