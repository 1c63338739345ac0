// expect: verified
// Two readers are inside at the same time, or the barrier would not open.
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;

static void *work(void *arg)
{
	pthread_rwlock_rdlock(&l);
	pthread_barrier_wait(&both);
	pthread_rwlock_unlock(&l);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_barrier_init(&both, 0, 2);
	pthread_create(&t, 0, work, 0);
	work(0);
	pthread_join(t, 0);
	return 0;
}
