// expect: error kind=undefined-value line=13 message="the time until which to wait is undefined"
#include <pthread.h>
#include <time.h>

int main(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	struct timespec until;
	until.tv_sec = 1;
	pthread_mutex_lock(&mutex);
	/* Its nanoseconds were forgotten. */
	pthread_cond_timedwait(&condition, &mutex, &until);
	pthread_mutex_unlock(&mutex);
}
