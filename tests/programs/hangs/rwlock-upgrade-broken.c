// expect: error kind=hang line=15 message="can never lock lock"
// A reader asks for the write lock without giving up the read lock.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *increase(void *arg)
{
	for (;;) {
		pthread_rwlock_rdlock(&lock);
		int small = value < 2;
		if (small) {
			/* waits for all readers, itself and the other one */
			pthread_rwlock_wrlock(&lock);
			if (value < 2)
				value++;
		}
		pthread_rwlock_unlock(&lock);
	}
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, increase, 0);
	increase(0);
	return 0;
}
