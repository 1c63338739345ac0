// expect: verified
// broken: error kind=hang line=30
// No thread signals; the wait has a time limit. With -DBROKEN: Each wait has an end in time, but
// the loop around it has none: the critical section never ends.
#include <pthread.h>
#include <time.h>

#ifdef BROKEN
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
#endif

int main(void)
{
#ifdef BROKEN
	struct timespec end = {0, 0};
	pthread_mutex_lock(&gate);
#else
	struct timespec end;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec++;
#endif
	pthread_mutex_lock(&m);
#ifdef BROKEN
	while (!ready)
		pthread_cond_timedwait(&changed, &m, &end);
#else
	pthread_cond_timedwait(&never, &m, &end);
#endif
	pthread_mutex_unlock(&m);
#ifdef BROKEN
	pthread_mutex_unlock(&gate);
#endif
	return 0;
}
