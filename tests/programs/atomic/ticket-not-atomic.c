// expect: error kind=data-race|assertion line=16
// Two threads draw the same ticket.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int n;

static void *work(void *arg)
{
	unsigned mine = atomic_load(&next);
	atomic_store(&next, mine + 1);
	while (atomic_load(&serving) < mine)
		;
	n++;
	atomic_fetch_add(&serving, 1);
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	work(0);
	pthread_join(t, 0);
	return n != 2;
}
