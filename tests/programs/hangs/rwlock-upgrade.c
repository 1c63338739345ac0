// expect: verified
// The read lock is given up before the write lock is asked for, and what was read is read again.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *increase(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	int small = value < 2;
	if (small) {
		pthread_rwlock_unlock(&lock);
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
