// expect: verified
// broken: error kind=mutex-misuse line=14
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_lock(&lock);
#ifndef BROKEN
	pthread_spin_unlock(&lock);
#endif
	pthread_spin_destroy(&lock);
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_lock(&lock);
	pthread_spin_unlock(&lock);
	pthread_spin_destroy(&lock);
	return 0;
}
