// expect: error kind=data-race
// flags: --optimise
// The names of the functions do not make them atomic.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void plainly_both(void)
{
	x = x + 1;
	y = y + 1;
}

static void plainly_same(void)
{
	assert(x == y);
}

static void *work(void *unused)
{
	plainly_both();
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	plainly_same();
	pthread_join(thread, 0);
}
