// expect: verified
// clocks: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int reached(const struct timespec *t)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec > t->tv_sec || (now.tv_sec == t->tv_sec && now.tv_nsec >= t->tv_nsec);
}

static void *attempt(void *unused)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 2;
	assert(pthread_rwlock_timedrdlock(&lock, &until) == ETIMEDOUT);
	assert(reached(&until));
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_rwlock_wrlock(&lock);
	pthread_create(&thread, 0, attempt, 0);
	pthread_join(thread, 0);
	pthread_rwlock_unlock(&lock);
}
