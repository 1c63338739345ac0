// expect: error kind=assertion line=29
// clocks: error kind=assertion line=29
// A wait that does not time out may end before its deadline.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static int reached(const struct timespec *t)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec > t->tv_sec || (now.tv_sec == t->tv_sec && now.tv_nsec >= t->tv_nsec);
}

int main(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 2;
	pthread_mutex_lock(&mutex);
	int error = pthread_cond_timedwait(&never, &mutex, &until);
	assert(error == ETIMEDOUT || error == 0);
	pthread_mutex_unlock(&mutex);
	/* Woken without a signal. */
	assert(reached(&until));
}
