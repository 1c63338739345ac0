// expect: error kind=hang line=11|12 message="can never unlock lock"
// A reader has the lock twice, and gives it up once: it is taken and given up again and again
// inside.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *read(void *arg)
{
	for (;;) {
		pthread_rwlock_rdlock(&lock);
		pthread_rwlock_unlock(&lock);
	}
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, read, 0);
	pthread_rwlock_rdlock(&lock);
	/* should be unlocked here */
	read(0);
}
