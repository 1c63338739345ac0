// expect: error kind=hang line=11|13|14
// Locks are taken hand over hand in a ring: when each thread has one, none can get the next.
#include <pthread.h>

static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *walk(void *arg)
{
	for (;;) {
		int first = arg != 0;
		pthread_mutex_lock(&m[first]);
		for (int i = first; i < first + 2; i++) {
			pthread_mutex_lock(&m[(i + 1) % 2]);
			pthread_mutex_unlock(&m[i % 2]);
		}
		pthread_mutex_unlock(&m[first]);
	}
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, walk, &t);
	walk(0);
}
