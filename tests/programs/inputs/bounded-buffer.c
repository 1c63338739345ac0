// expect: verified
// broken: error kind=assertion line=58
// A bounded buffer passes on items that are any integers, in order. With -DBROKEN: The producer does not wait for room.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

#define SIZE 2
#define ITEMS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], count, first;
static int sent[ITEMS];

static void put(int item)
{
	pthread_mutex_lock(&mutex);
#ifndef BROKEN
	while (count == SIZE)
		pthread_cond_wait(&changed, &mutex);
#endif
	buffer[(first + count) % SIZE] = item;
	count++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
}

static int get(void)
{
	pthread_mutex_lock(&mutex);
	while (count == 0)
		pthread_cond_wait(&changed, &mutex);
	int item = buffer[first];
	first = (first + 1) % SIZE;
	count--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	return item;
}

static void *produce(void *argument)
{
	for (int i = 0; i < ITEMS; i++) {
		sent[i] = __VERIFIER_nondet_int();
		put(sent[i]);
	}
	return argument;
}

int main(void)
{
	pthread_t producer;
	pthread_create(&producer, 0, produce, 0);
	for (int i = 0; i < ITEMS; i++) {
		int item = get();
		assert(item == sent[i]);
	}
	pthread_join(producer, 0);
	return 0;
}
