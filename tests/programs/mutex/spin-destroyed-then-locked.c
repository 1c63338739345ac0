// expect: error kind=mutex-misuse line=11 message="was destroyed"
// broken: error kind=mutex-misuse line=13 message="was destroyed"
#include <pthread.h>

int main(void)
{
	pthread_spinlock_t lock;
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_spin_destroy(&lock);
#ifndef BROKEN
	pthread_spin_lock(&lock);
#else
	pthread_spin_unlock(&lock);
#endif
	return 0;
}
