// expect: verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int n;

static void *work(void *arg)
{
	unsigned mine = atomic_fetch_add(&next, 1);
	while (atomic_load(&serving) != mine)
		;
	n++;
	atomic_fetch_add(&serving, 1);
	return 0;
}

int main(void)
{
	pthread_t s, t;
	pthread_create(&s, 0, work, 0);
	pthread_create(&t, 0, work, 0);
	work(0);
	pthread_join(s, 0);
	pthread_join(t, 0);
	return n != 3;
}
