// expect: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int cleaned;

static void clean(void *arg) { cleaned += *(int *)arg; }

static void *work(void *arg)
{
	int n = 3;
	pthread_cleanup_push(clean, &n);
	sem_wait(&never);
	assert(0);
	pthread_cleanup_pop(0);
	return 0;
}

int main(void)
{
	pthread_t t;
	void *r;
	sem_init(&never, 0, 0);
	pthread_create(&t, 0, work, 0);
	pthread_cancel(t);
	pthread_join(t, &r);
	assert(r == PTHREAD_CANCELED && cleaned == 3);
	return 0;
}
