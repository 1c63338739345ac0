// expect: error kind=data-race|assertion line=16|17
// One looks before it makes its wish known.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int inside;

static void *work(void *arg)
{
	long me = (long)arg;
	while (wants[1 - me])
		;
	wants[me] = 1;
	assert(++inside == 1);
	inside--;
	wants[me] = 0;
	return 0;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, (void *)1);
	work(0);
	pthread_join(t, 0);
	return 0;
}
