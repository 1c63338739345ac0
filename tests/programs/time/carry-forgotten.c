// expect: inconclusive reason="depends on the time"
// clocks: error kind=assertion line=17
// Half a second is added to a time that may be later in its second than that.
#include <assert.h>
#include <time.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t never = PTHREAD_COND_INITIALIZER;
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 500000000;
	pthread_mutex_lock(&mutex);
	assert(pthread_cond_timedwait(&never, &mutex, &until) != EINVAL);
	pthread_mutex_unlock(&mutex);
}
