// expect: error kind=data-race line=12
// Each thread locks, but not the same mutex.
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int n;

static void *work(void *arg)
{
	pthread_mutex_t *own = arg;
	pthread_mutex_lock(own);
	n++;
	pthread_mutex_unlock(own);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, work, &m[0]);
	pthread_create(&b, 0, work, &m[1]);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
