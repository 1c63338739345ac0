// expect: error kind=data-race
// An atomic section overwrites a mutex that another thread locks.
#include <pthread.h>
#include <string.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *overwrite(void *none)
{
	__VERIFIER_atomic_begin();
	memset(&mutex, 0, sizeof mutex);
	__VERIFIER_atomic_end();
	return none;
}

static void *lock(void *none)
{
	pthread_mutex_lock(&mutex);
	return none;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], 0, overwrite, 0);
	pthread_create(&threads[1], 0, lock, 0);
	pthread_join(threads[0], 0);
	pthread_join(threads[1], 0);
}
