// expect: error kind=data-race line=10|19
// A copy of the whole races with a write of one byte.
#include <pthread.h>
#include <string.h>

static char buffer[8];

static void *work(void *arg)
{
	buffer[5] = 'x';
	return 0;
}

int main(void)
{
	pthread_t t;
	char copy[8];
	pthread_create(&t, 0, work, 0);
	memcpy(copy, buffer, sizeof copy);
	pthread_join(t, 0);
	return copy[0];
}
