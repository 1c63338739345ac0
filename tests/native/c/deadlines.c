// models: lp64
/* A wait that times out ends no earlier than its deadline, and one for what is no time fails. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

static struct timespec soon(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += 3000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	return t;
}

static int has_come(struct timespec t)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec > t.tv_sec || (now.tv_sec == t.tv_sec && now.tv_nsec >= t.tv_nsec);
}

static int wait_until(const struct timespec *t)
{
	int error;
	do
		error = pthread_cond_timedwait(&never, &mutex, t);
	while (error == 0);
	return error;
}

int main(void)
{
	struct timespec until = soon(), invalid = {1, 1000000000}, past = {-1, 0}, short_time = {0, 2000000};
	sem_init(&semaphore, 0, 0);
	pthread_mutex_lock(&mutex);
	printf("%d", wait_until(&until) == ETIMEDOUT);
	printf(" %d\n", has_come(until));
	until = soon();
	printf("%d", sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT);
	printf(" %d\n", has_come(until));
	until = soon();
	printf("%d", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, 0) == 0);
	printf(" %d\n", has_come(until));
	printf("%d\n", nanosleep(&short_time, 0) == 0);
	printf("%d\n", pthread_cond_timedwait(&never, &mutex, &invalid) == EINVAL);
	printf("%d\n", sem_timedwait(&semaphore, &invalid) == -1 && errno == EINVAL);
	printf("%d\n", nanosleep(&invalid, 0) == -1 && errno == EINVAL);
	printf("%d\n", nanosleep(&past, 0) == -1 && errno == EINVAL);
	printf("%d\n", wait_until(&past) == ETIMEDOUT);
	printf("%d\n", clock_nanosleep(CLOCK_REALTIME, 0, &invalid, 0) == EINVAL);
	sem_post(&semaphore);
	printf("%d\n", sem_timedwait(&semaphore, &past) == 0);
	pthread_mutex_unlock(&mutex);
	return 0;
}
