// expect: verified
#include <assert.h>
#include <pthread.h>

static int finished;

static void *work(void *arg)
{
	int old;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
	pthread_testcancel();
	finished = 1;
	pthread_setcancelstate(old, NULL);
	pthread_testcancel();
	return 0;
}

int main(void)
{
	pthread_t t;
	void *r;
	pthread_create(&t, 0, work, 0);
	pthread_cancel(t);
	pthread_join(t, &r);
	assert(r == NULL || r == PTHREAD_CANCELED);
	return 0;
}
