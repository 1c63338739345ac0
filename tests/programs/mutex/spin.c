// expect: verified
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t s;
static int n;

static void *work(void *arg)
{
	pthread_spin_lock(&s);
	n++;
	pthread_spin_unlock(&s);
	if (pthread_spin_trylock(&s) == 0) {
		n += 10;
		pthread_spin_unlock(&s);
	}
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
	pthread_create(&t, 0, work, 0);
	work(0);
	pthread_join(t, 0);
	assert(n == 2 || n == 12 || n == 22);
	pthread_spin_destroy(&s);
	return 0;
}
