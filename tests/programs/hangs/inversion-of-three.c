// expect: verified
// broken: error kind=hang line=19 message="can never lock locks["
// Three locks, taken by three threads in the order of their numbers. With -DBROKEN: Each thread
// takes its own lock, then the next one: the third closes the circle.
#include <pthread.h>

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int numbers[3] = {0, 1, 2};

static void *work(void *arg)
{
	int own = *(int *)arg, next = (own + 1) % 3;
#ifdef BROKEN
	int first = own, second = next;
#else
	int first = own < next ? own : next, second = own < next ? next : own;
#endif
	pthread_mutex_lock(&locks[first]);
	pthread_mutex_lock(&locks[second]);
	pthread_mutex_unlock(&locks[second]);
	pthread_mutex_unlock(&locks[first]);
	return 0;
}

int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, work, &numbers[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
