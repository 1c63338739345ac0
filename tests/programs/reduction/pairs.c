// expect: verified
// broken: error kind=hang
// Threads that conflict in pairs, each over two mutexes of its own.
#include <pthread.h>

static pthread_mutex_t mutex[4] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER,
};

static void *run(void *given)
{
	long me = (long)given, first = me / 2 * 2, second = first + 1;
#ifdef BROKEN
	if (me == 3)
		first++, second--;
#endif
	pthread_mutex_lock(&mutex[first]);
	pthread_mutex_lock(&mutex[second]);
	pthread_mutex_unlock(&mutex[second]);
	pthread_mutex_unlock(&mutex[first]);
	return 0;
}

int main(void)
{
	pthread_t id[4];
	for (long i = 0; i < 4; i++)
		pthread_create(&id[i], 0, run, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(id[i], 0);
}
