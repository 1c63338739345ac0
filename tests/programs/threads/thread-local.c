// expect: verified
#include <assert.h>
#include <pthread.h>

static _Thread_local int own = 5;
static _Thread_local char buffer[4];

static void *work(void *arg)
{
	assert(own == 5 && buffer[0] == 0);
	own = (int)(long)arg;
	buffer[0] = 'x';
	assert(own == (int)(long)arg);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	own = 9;
	pthread_create(&a, 0, work, (void *)1);
	pthread_create(&b, 0, work, (void *)2);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(own == 9);
	return 0;
}
