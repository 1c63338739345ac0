// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l;

static void *work(void *arg)
{
	struct timespec t = {0, 0};
	assert(pthread_rwlock_trywrlock(&l) == EBUSY);
	assert(pthread_rwlock_timedwrlock(&l, &t) == ETIMEDOUT);
	assert(pthread_rwlock_tryrdlock(&l) == 0);
	assert(pthread_rwlock_timedrdlock(&l, &t) == 0);
	pthread_rwlock_unlock(&l);
	pthread_rwlock_unlock(&l);
	return 0;
}

static void *blocked(void *arg)
{
	struct timespec t = {0, 0};
	assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
	assert(pthread_rwlock_timedrdlock(&l, &t) == ETIMEDOUT);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_rwlock_init(&l, 0);
	pthread_rwlock_rdlock(&l);
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	pthread_rwlock_unlock(&l);
	assert(pthread_rwlock_trywrlock(&l) == 0);
	pthread_create(&t, 0, blocked, 0);
	pthread_join(t, 0);
	pthread_rwlock_unlock(&l);
	pthread_rwlock_destroy(&l);
	return 0;
}
