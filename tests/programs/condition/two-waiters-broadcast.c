// expect: verified
// broken: error kind=hang line=14|32|33
// With -DBROKEN: signal wakes one, but two wait.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open;

static void *pass(void *arg)
{
	pthread_mutex_lock(&m);
	while (!open)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, pass, 0);
	pthread_create(&b, 0, pass, 0);
	pthread_mutex_lock(&m);
	open = 1;
#ifdef BROKEN
	pthread_cond_signal(&c);
#else
	pthread_cond_broadcast(&c);
#endif
	pthread_mutex_unlock(&m);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
