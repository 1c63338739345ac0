// expect: verified
// Locks are taken hand over hand: at each moment one is held, and each is given up.
#include <pthread.h>

static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *walk(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&m[0]);
		for (int i = 0; i < 2; i++) {
			pthread_mutex_lock(&m[i + 1]);
			pthread_mutex_unlock(&m[i]);
		}
		pthread_mutex_unlock(&m[2]);
	}
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, walk, 0);
	walk(0);
}
