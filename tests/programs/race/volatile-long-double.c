// expect: error kind=data-race
// flags: --volatile atomic
// No instruction accesses so much memory at once.
#include <pthread.h>

static volatile long double shared;

static void *write(void *unused)
{
	shared = 1;
	return unused;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, 0, write, 0);
	long double seen = shared;
	pthread_join(other, 0);
	return seen > 2;
}
