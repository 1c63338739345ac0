// expect: error kind=mutex-misuse line=21 message="initialises the reader-writer lock"
// broken: error kind=mutex-misuse line=23 message="initialises the spin lock"
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;

static void *hold(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_unlock(&lock);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&t, 0, hold, 0);
#ifndef BROKEN
	pthread_rwlock_init(&lock, 0);
#else
	pthread_spin_lock(&spin), pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
#endif
	pthread_join(t, 0);
	return 0;
}
