// expect: verified
// broken: error kind=hang line=16 message="can never be woken from its wait for c"
// Enough signals for two that wait, whatever an input says. With -DBROKEN: As many signals as an
// input says, for two that wait.
#include <impasse.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait(void *arg)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, wait, 0);
	pthread_create(&u, 0, wait, 0);
#ifdef BROKEN
	int signals = impasse_choose(3);
#else
	int signals = 2 + impasse_choose(2);
#endif
	pthread_mutex_lock(&m);
	ready = 1;
	for (int i = 0; i < signals; i++)
		pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
