// expect: error kind=hang line=16
// Each wait has an end in time, but the loop around it has none: the critical section never ends.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

int main(void)
{
	struct timespec end = {0, 0};
	pthread_mutex_lock(&gate);
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_timedwait(&changed, &m, &end);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&gate);
	return 0;
}
