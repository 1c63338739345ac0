// expect: verified
// broken: error kind=hang
// A cancelled thread consumes no signal while another thread waits for the condition. In the broken
// program, the other one may begin to wait after the signal.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int tokens;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *take(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
#ifdef BROKEN
	pthread_cond_wait(&c, &m);
#endif
	while (!tokens)
		pthread_cond_wait(&c, &m);
	tokens--;
	pthread_cleanup_pop(1);
	return 0;
}

int main(void)
{
	pthread_t t[2];
	void *result;
	pthread_create(&t[0], 0, take, 0);
	pthread_create(&t[1], 0, take, 0);
	pthread_mutex_lock(&m);
	tokens = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_cancel(t[0]);
	pthread_join(t[0], &result);
	if (result != PTHREAD_CANCELED)
		pthread_cancel(t[1]);
	pthread_join(t[1], 0);
	return 0;
}
