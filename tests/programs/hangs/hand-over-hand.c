// expect: verified
// broken: error kind=hang line=14|16|17
// Locks are taken hand over hand: at each moment one is held, and each is given up. With -DBROKEN:
// Locks are taken hand over hand in a ring: when each thread has one, none can get the next.
#include <pthread.h>

static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *walk(void *arg)
{
	for (;;) {
#ifdef BROKEN
		int first = arg != 0;
		pthread_mutex_lock(&m[first]);
		for (int i = first; i < first + 2; i++) {
			pthread_mutex_lock(&m[(i + 1) % 2]);
			pthread_mutex_unlock(&m[i % 2]);
#else
		pthread_mutex_lock(&m[0]);
		for (int i = 0; i < 2; i++) {
			pthread_mutex_lock(&m[i + 1]);
			pthread_mutex_unlock(&m[i]);
#endif
		}
#ifdef BROKEN
		pthread_mutex_unlock(&m[first]);
#else
		pthread_mutex_unlock(&m[2]);
#endif
	}
}

int main(void)
{
	pthread_t t;
#ifdef BROKEN
	pthread_create(&t, 0, walk, &t);
#else
	pthread_create(&t, 0, walk, 0);
#endif
	walk(0);
}
