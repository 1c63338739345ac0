// expect: verified
// A timed wait ends by itself; no thread signals.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec++;
	pthread_mutex_lock(&m);
	int r = pthread_cond_timedwait(&c, &m, &t);
	assert(r == ETIMEDOUT || r == 0);
	pthread_mutex_unlock(&m);
	pthread_cond_destroy(&c);
	pthread_mutex_destroy(&m);
	return 0;
}
