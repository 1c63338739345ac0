// expect: inconclusive reason="follow inputs and times with --clocks symbolic"
// clocks: verified
// broken: error kind=assertion line=40
// broken-clocks: error kind=assertion line=40
// How long a wait may last is an input: whether it has timed out depends on that and on the time.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *prepare(void *argument)
{
	pthread_mutex_lock(&mutex);
	is_ready = 1;
	pthread_cond_signal(&ready);
	pthread_mutex_unlock(&mutex);
	return argument;
}

int main(void)
{
	int seconds = __VERIFIER_nondet_int(), error = 0;
	__VERIFIER_assume(seconds >= 0 && seconds <= 60);
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += seconds;
	pthread_t thread;
	pthread_create(&thread, 0, prepare, 0);
	pthread_mutex_lock(&mutex);
	while (!is_ready && error != ETIMEDOUT)
		error = pthread_cond_timedwait(&ready, &mutex, &until);
#ifdef BROKEN
	assert(is_ready);
#else
	assert(is_ready || error == ETIMEDOUT);
#endif
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, 0);
}
