// expect: verified
// A mutex is made, used and freed again and again, by one thread after another; its memory may be
// the same.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *shared;

static void *work(void *arg)
{
	pthread_mutex_lock(shared);
	pthread_mutex_unlock(shared);
	return 0;
}

int main(void)
{
	for (;;) {
		pthread_t t;
		shared = malloc(sizeof *shared);
		pthread_mutex_init(shared, 0);
		pthread_create(&t, 0, work, 0);
		work(0);
		pthread_join(t, 0);
		pthread_mutex_destroy(shared);
		free(shared);
	}
}
