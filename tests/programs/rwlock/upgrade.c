// expect: error kind=hang line=10|19
// Both hold the lock for reading and want it for writing.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *arg)
{
	pthread_rwlock_rdlock(&l);
	pthread_rwlock_wrlock(&l);
	pthread_rwlock_unlock(&l);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	return 0;
}
