// expect: verified
// broken: error kind=hang line=16|26
// With -DBROKEN: No thread signals that there is room again.
#include <assert.h>
#include <pthread.h>

enum { SIZE = 1, ITEMS = 2 };
static int items[SIZE], count, first;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void put(int x)
{
	pthread_mutex_lock(&m);
	while (count == SIZE)
		pthread_cond_wait(&not_full, &m);
	items[(first + count++) % SIZE] = x;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&m);
}

static int get(void)
{
	pthread_mutex_lock(&m);
	while (count == 0)
		pthread_cond_wait(&not_empty, &m);
	int x = items[first];
	first = (first + 1) % SIZE;
	count--;
#ifndef BROKEN
	pthread_cond_signal(&not_full);
#endif
	pthread_mutex_unlock(&m);
	return x;
}

static void *produce(void *arg)
{
	for (int i = 0; i < ITEMS; i++)
		put(i);
	return 0;
}

int main(void)
{
	pthread_t t;
#ifdef BROKEN
	int sum = 0;
#endif
	pthread_create(&t, 0, produce, 0);
	for (int i = 0; i < ITEMS; i++)
#ifdef BROKEN
		sum += get();
#else
		assert(get() == i);
#endif
	pthread_join(t, 0);
#ifdef BROKEN
	return sum > 1;
#else
	return 0;
#endif
}
