// expect: error kind=hang line=9|25
// Locked twice, unlocked once: the other thread waits forever.
#include <pthread.h>

static pthread_mutex_t m;

static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &a);
	pthread_t t;
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m);
	pthread_create(&t, 0, work, 0);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
