// expect: error kind=data-race line=18
// Two threads write a variable after two choices each.
#include <impasse.h>
#include <pthread.h>

static int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *choose(void *none)
{
	impasse_choose(2);
	impasse_choose(2);
#ifdef LOCKS
	pthread_mutex_lock(&mutex);
	x = 1;
	pthread_mutex_unlock(&mutex);
#else
	x = 1;
#endif
	return none;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, choose, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
}
