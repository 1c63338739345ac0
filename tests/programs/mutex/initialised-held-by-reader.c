// expect: error kind=mutex-misuse line=14 message="initialises the reader-writer lock"
// broken: error kind=mutex-misuse line=17 message="initialises the spin lock"
// Another lock that is held and initialised again.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;

int main(void)
{
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
#ifndef BROKEN
	pthread_rwlock_rdlock(&lock);
	pthread_rwlock_init(&lock, 0);
#else
	pthread_spin_lock(&spin);
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
#endif
	return 0;
}
