// expect: verified
// Nobody signals, but the wait has an end in time.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

int main(void)
{
	struct timespec end;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec++;
	pthread_mutex_lock(&m);
	pthread_cond_timedwait(&never, &m, &end);
	pthread_mutex_unlock(&m);
	return 0;
}
