// expect: error kind=assertion line=20
// flags: --races=off
#include <assert.h>
#include <pthread.h>

static int n;

static void *work(void *arg)
{
	n++;
	return 0;
}

int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, work, 0);
	n++;
	pthread_join(a, 0);
	assert(n == 2);
	return 0;
}
