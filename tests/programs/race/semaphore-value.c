// expect: error kind=data-race line=24 message="thread 1 writes it at"
// sem_getvalue orders nothing.
#include <pthread.h>
#include <semaphore.h>
#ifndef POSTED
static int value(sem_t *semaphore) {
	int value;
	sem_getvalue(semaphore, &value);
	return value;
}
#define POSTED() value(&posts)
#endif
static int data;
static sem_t posts;

static void *produce(void *unused) {
	data = 1;
	sem_post(&posts);
	return unused;
}

static void consume(void) {
	if (POSTED())
		data = 2;
}

int main(void) {
	pthread_t producer;
	sem_init(&posts, 0, 0);
	pthread_create(&producer, 0, produce, 0);
	consume();
	pthread_join(producer, 0);
}
