// expect: verified
// Readers and writers by two mutex-like semaphores.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t mutex, room;
static int readers, a, b;

static void *reader(void *arg)
{
	sem_wait(&mutex);
	if (++readers == 1)
		sem_wait(&room);
	sem_post(&mutex);
	assert(a == b);
	sem_wait(&mutex);
	if (--readers == 0)
		sem_post(&room);
	sem_post(&mutex);
	return 0;
}

int main(void)
{
	pthread_t s, t;
	sem_init(&mutex, 0, 1);
	sem_init(&room, 0, 1);
	pthread_create(&s, 0, reader, 0);
	pthread_create(&t, 0, reader, 0);
	sem_wait(&room);
	a++;
	b++;
	sem_post(&room);
	pthread_join(s, 0);
	pthread_join(t, 0);
	return 0;
}
