// expect: verified
// clocks: verified
// While the main thread holds the mutex, attempts to lock it end no earlier than their deadline.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

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
	int error = pthread_mutex_timedlock(&mutex, &until);
	assert(error == ETIMEDOUT && reached(&until));
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, 0, attempt, 0);
	pthread_join(thread, 0);
	pthread_mutex_unlock(&mutex);
}
