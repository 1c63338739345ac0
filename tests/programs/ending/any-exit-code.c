// expect: verified
// flags: --exit-code any
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *increment(void *unused)
{
	int before = count;
	count = before + 1;
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, increment, 0);
	increment(0);
	pthread_join(thread, 0);
	return count != 2;
}
