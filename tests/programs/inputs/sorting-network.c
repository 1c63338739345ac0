// expect: verified
// broken: error kind=assertion line=48
// Three threads sort any three integers. With -DBROKEN: One comparison is missing.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int values[3];
static pthread_barrier_t barrier;

static void compare(int i, int j)
{
	if (values[i] > values[j]) {
		int value = values[i];
		values[i] = values[j];
		values[j] = value;
	}
}

static void *sort(void *argument)
{
	long stage = (long)argument;
	if (stage == 0)
		compare(0, 1);
	pthread_barrier_wait(&barrier);
	if (stage == 1)
		compare(1, 2);
	pthread_barrier_wait(&barrier);
#ifndef BROKEN
	if (stage == 2)
		compare(0, 1);
#endif
	return 0;
}

int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++)
		values[i] = __VERIFIER_nondet_int();
	pthread_barrier_init(&barrier, 0, 3);
	for (long stage = 0; stage < 3; stage++)
		pthread_create(&threads[stage], 0, sort, (void *)stage);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	assert(values[1] <= values[2]);
	assert(values[0] <= values[1]);
	return 0;
}
